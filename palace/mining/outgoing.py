"""Keeps secrets in: what may leave of an export's lines, by the rules of filing."""

from __future__ import annotations

import hashlib
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
class Gate:
    """Leaves out messages with secrets, and removes secrets from names.

    A message is not redacted on its way: it would come back as another one. ``palace scrub`` redacts it where it is.
    """

    redactor: Redactor
    withheld: dict[str, list[bytes]] = field(default_factory=dict)
    """Identities of the messages left out, by their conversation's."""
    names: set[str] = field(default_factory=set)
    """Names with a secret."""

    @property
    def count(self) -> int:
        """The number of messages and names that did not leave."""
        return len(self.names) + sum(map(len, self.withheld.values()))

    def __call__(self, lines: Sequence[Line]) -> Iterator[Line]:
        """Yield what may leave of a conversation's lines, or of a line that is of none."""
        first = lines[0]
        if not isinstance(first, ConversationLine):
            yield from self._beside(first)
            return
        drawers = [line for line in lines if isinstance(line, DrawerLine)]
        held = {line.identity for line in drawers if self._tells(line.content)}
        if held:
            self.withheld[first.identity] = sorted(held)
            if self.redactor.key.hide_name(first.identity) != first.identity:
                return  # the name of the conversation is a hash of what it says first
        for line in lines:
            if (cleaned := self._cleaned(line, held)) is not None:
                yield cleaned

    def digest(self, identity: str, state: str) -> str:
        """Return the hash of what leaves of a conversation in a state."""
        held = self.withheld.get(identity)
        return hashlib.blake2b(state.encode() + b"".join(held), digest_size=16).hexdigest() if held else state

    def _beside(self, line: Line) -> Iterator[Line]:
        if isinstance(line, RunLine):
            yield replace(line, source=self._name(line.source))
        elif isinstance(line, WingLine):
            name = self._name(line.name)
            slug = line.slug if name == line.name else slugify(name)
            yield replace(
                line, name=name, slug=slug, aliases=tuple(each for each in line.aliases if not self._tells(each.name))
            )
        elif not isinstance(line, DecisionLine) or not (self._tells(line.name) or self._tells(line.other)):
            yield line

    def _cleaned(self, line: Line, held: set[bytes]) -> Line | None:
        if isinstance(line, ConversationLine):
            return replace(line, title=line.title and self._name(line.title), edges=() if held else line.edges)
        if isinstance(line, RoomLine):
            return replace(line, name=self._name(line.name))
        if isinstance(line, ReplyLine):
            return None if held else line
        if not isinstance(line, DrawerLine):
            return line
        if line.identity in held:
            return None
        return replace(
            line,
            replaced_by=None if line.replaced_by in held else line.replaced_by,
            answers=None if line.answers in held else line.answers,
        )

    def _name(self, name: str) -> str:
        found = self.redactor.redacted(name)
        if found.findings:
            self.names.add(name)
        return found.text

    def _tells(self, text: str) -> bool:
        return bool(self.redactor.redacted(text).findings)
