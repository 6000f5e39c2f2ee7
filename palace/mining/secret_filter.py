"""Withholds messages with secrets from an export, by the rules that redact them in mining."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from palace.mining.redaction import Redactor
from palace.models.lines import (
    ConversationLine,
    DecisionLine,
    DrawerLine,
    Line,
    ReplyLine,
    RoomLine,
    RunLine,
    WingLine,
)
from palace.nlp.words import slugify


@dataclass(slots=True)
class SecretFilter:
    """Leave out messages with secrets, and remove secrets from names.

    A redacted copy of a message would be another message for the other machine; ``palace scrub`` redacts the message
    itself.
    """

    redactor: Redactor
    withheld: dict[str, list[bytes]] = field(default_factory=dict)
    """Identities of the messages left out, by the identity of their conversation."""
    names: set[str] = field(default_factory=set)
    """Names that contain a secret."""

    @property
    def count(self) -> int:
        """The number of messages left out and of names with a secret."""
        return len(self.names) + sum(map(len, self.withheld.values()))

    def __call__(self, lines: Sequence[Line]) -> Iterator[Line]:
        """Yield the lines to export of a conversation, or of a single line that belongs to none."""
        first = lines[0]
        if not isinstance(first, ConversationLine):
            yield from self._single(first)
            return
        drawers = [line for line in lines if isinstance(line, DrawerLine)]
        secret = {line.identity for line in drawers if self._has_secret(line.content)}
        if secret:
            self.withheld[first.identity] = sorted(secret)
            if self.redactor.key.hide_name(first.identity) != first.identity:
                return  # the name of the conversation is a hash of its first message
        for line in lines:
            if (cleaned := self._cleaned(line, secret)) is not None:
                yield cleaned

    def digest(self, identity: str, state: str) -> str:
        """Return the hash of the state of a conversation without its withheld messages."""
        secret = self.withheld.get(identity)
        return hashlib.blake2b(state.encode() + b"".join(secret), digest_size=16).hexdigest() if secret else state

    def _single(self, line: Line) -> Iterator[Line]:
        if isinstance(line, RunLine):
            yield replace(line, source=self._name(line.source))
        elif isinstance(line, WingLine):
            name = self._name(line.name)
            slug = line.slug if name == line.name else slugify(name)
            yield replace(
                line,
                name=name,
                slug=slug,
                aliases=tuple(each for each in line.aliases if not self._has_secret(each.name)),
            )
        elif not isinstance(line, DecisionLine) or not (self._has_secret(line.name) or self._has_secret(line.other)):
            yield line

    def _cleaned(self, line: Line, secret: set[bytes]) -> Line | None:
        if isinstance(line, ConversationLine):
            return replace(line, title=line.title and self._name(line.title), edges=() if secret else line.edges)
        if isinstance(line, RoomLine):
            return replace(line, name=self._name(line.name))
        if isinstance(line, ReplyLine):
            return None if secret or self._has_secret(json.dumps(line.reply, ensure_ascii=False)) else line
        if not isinstance(line, DrawerLine):
            return line
        if line.identity in secret:
            return None
        reason = line.memory and line.memory.reason
        return replace(
            line,
            speaker=line.speaker and self._name(line.speaker),
            memory=replace(line.memory, reason=self._name(reason)) if line.memory and reason else line.memory,
            replaced_by=None if line.replaced_by in secret else line.replaced_by,
            answers=None if line.answers in secret else line.answers,
        )

    def _name(self, name: str) -> str:
        found = self.redactor.redacted(name)
        if found.findings:
            self.names.add(name)
        return found.text

    def _has_secret(self, text: str) -> bool:
        return bool(self.redactor.redacted(text).findings)
