"""How what is said is kept: with its secrets, or with markers in their place. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from palace.intake.key import NO_KEY, Key
from palace.records import Conversation, Kinds
from palace.text.repair import repair
from palace.text.secrets import EVERYTHING, Redacted, Rules, redact

LEAST_VALUE, LONGEST_VALUE = 6, 1200
"""Characters of a value that is looked for in names as it stands, without anything that leads to it."""
_MOST_KEPT = 4_000
"""Texts whose redaction is remembered: a conversation is looked at several times."""


def kinds_of(found: Redacted) -> Kinds:
    """Count the secrets of a text by kind, in order of name."""
    return tuple(sorted(Counter(finding.kind for finding in found.findings).items()))


def added_up(kinds: Iterable[Kinds]) -> Kinds:
    """Add counts by kind up; the most first."""
    total: Counter[str] = Counter()
    for each in kinds:
        total.update(dict(each))
    return tuple(sorted(total.items(), key=lambda counted: (-counted[1], counted[0])))


def values_of(said: str, found: Redacted) -> set[str]:
    """Return what was taken out of a text and is looked for in names."""
    values = {said[each.start : each.end].strip() for each in found.findings}
    return {value for value in values if LEAST_VALUE <= len(value) <= LONGEST_VALUE}


def without(name: str, values: Iterable[str]) -> str:
    """Return a name without some values, however they are written."""
    for value in sorted(values, key=len, reverse=True):
        name = re.sub(re.escape(value), "[secret: value]", name, flags=re.IGNORECASE)
    return name


@dataclass(slots=True)
class Keeping:
    """What is taken out of texts before they are filed."""

    key: Key = NO_KEY
    rules: Rules = EVERYTHING
    keeps_secrets: bool = False
    _known: dict[str, Redacted] = field(default_factory=dict, repr=False)

    def stored(self, said: str) -> Redacted:
        """Return a text as it is filed: what Postgres can hold, without its secrets unless they are to be kept."""
        return Redacted(repair(said)[0], ()) if self.keeps_secrets else self.redacted(said)

    def redacted(self, said: str) -> Redacted:
        """Return a text as it is filed where its secrets are not to be kept."""
        found = self._known.get(said)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[said] = redact(repair(said)[0], self.rules)
        return found

    def hides(self, said: str) -> bool:
        """Check whether something is taken out of a text."""
        return bool(self.stored(said).findings)

    def values_in(self, conversation: Conversation) -> set[str]:
        """Return what is taken out of a conversation's messages, to be looked for in its names."""
        return {found for turn in conversation.turns for found in values_of(turn.content, self.stored(turn.content))}

    def named(self, conversation: Conversation, values: Collection[str] = ()) -> Conversation:
        """Return a conversation with the names that it is filed under, and told of, without some values."""
        said = {"title": conversation.title, "project": conversation.project, "place": conversation.place}
        kept: dict[str, Any] = {what: self.name(name, values) for what, name in said.items() if name}
        if conversation.warnings:
            kept["warnings"] = tuple(self.stored(warning).text for warning in conversation.warnings)
        return replace(conversation, **kept) if kept else conversation

    def name(self, said: str, values: Collection[str] = ()) -> str:
        """Return a name as it is filed, without some values."""
        return self.stored(without(said, values)).text

    def wing(self, asked: str | int) -> str | int:
        """Return the wing that is asked for, a name as it is filed or a number."""
        return self.name(asked) if isinstance(asked, str) else asked
