"""Redacts texts before they are filed. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from palace.config.effective import Stored, is_said, value_of
from palace.config.settings import Settings
from palace.config.table import get_setting, pairs_of
from palace.db.database import UserSession
from palace.db.settings import own_settings
from palace.errors import PalaceError
from palace.models import Conversation, Kinds
from palace.models.external_keys import NO_KEY, Key
from palace.models.intake import repair
from palace.nlp.secrets import EVERYTHING, OwnPattern, Redacted, Rules, redact

LEAST_VALUE, LONGEST_VALUE = 6, 1200
"""Shortest and longest secret value, in characters, that is searched verbatim in names."""
_MOST_KEPT = 4_000
"""Most texts whose redaction is cached; a conversation is examined several times."""


def kinds_of(found: Redacted) -> Kinds:
    """Return the number of secrets in a text by kind, sorted by kind."""
    return tuple(sorted(Counter(finding.kind for finding in found.findings).items()))


def added_up(kinds: Iterable[Kinds]) -> Kinds:
    """Return the sums of counts by kind, the largest first."""
    total: Counter[str] = Counter()
    for each in kinds:
        total.update(dict(each))
    return tuple(sorted(total.items(), key=lambda counted: (-counted[1], counted[0])))


def values_of(said: str, found: Redacted) -> set[str]:
    """Return the removed secrets of a text that are searched in names."""
    values = {said[each.start : each.end].strip() for each in found.findings}
    return {value for value in values if LEAST_VALUE <= len(value) <= LONGEST_VALUE}


def without(name: str, values: Iterable[str]) -> str:
    """Return a name with some values replaced, in any case."""
    for value in sorted(values, key=len, reverse=True):
        name = re.sub(re.escape(value), "[secret: value]", name, flags=re.IGNORECASE)
    return name


@dataclass(slots=True)
class Redactor:
    """The redaction of texts before they are filed, with a cache."""

    key: Key = NO_KEY
    rules: Rules = EVERYTHING
    keeps_secrets: bool = False
    _known: dict[str, Redacted] = field(default_factory=dict, repr=False)

    def stored(self, said: str) -> Redacted:
        """Return a text as it is filed: storable by Postgres, and redacted unless secrets are kept."""
        return Redacted(repair(said)[0], ()) if self.keeps_secrets else self.redacted(said)

    def redacted(self, said: str) -> Redacted:
        """Return a text as it is filed if secrets are not kept."""
        found = self._known.get(said)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[said] = redact(repair(said)[0], self.rules)
        return found

    def hides(self, said: str) -> bool:
        """Check whether secrets are removed from a text."""
        return bool(self.stored(said).findings)

    def values_in(self, conversation: Conversation) -> set[str]:
        """Return the secrets removed from a conversation's messages, to be searched in its names."""
        return {found for turn in conversation.turns for found in values_of(turn.content, self.stored(turn.content))}

    def named(self, conversation: Conversation, values: Collection[str] = ()) -> Conversation:
        """Return a conversation with its title, project, place and warnings redacted, ``values`` included."""
        said = {"title": conversation.title, "project": conversation.project, "place": conversation.place}
        kept: dict[str, Any] = {what: self.name(name, values) for what, name in said.items() if name}
        if conversation.warnings:
            kept["warnings"] = tuple(self.stored(warning).text for warning in conversation.warnings)
        return replace(conversation, **kept) if kept else conversation

    def name(self, said: str, values: Collection[str] = ()) -> str:
        """Return a name as it is filed, redacted and without ``values``."""
        return self.stored(without(said, values)).text

    def wing(self, asked: str | int) -> str | int:
        """Return a requested wing, a name as it is filed or an id."""
        return self.name(asked) if isinstance(asked, str) else asked


_OFF, _ALLOWED, _PATTERNS = map(get_setting, ("secrets_off", "secrets_allowed", "secrets_patterns"))
NAMES = (_OFF.name, _ALLOWED.name, _PATTERNS.name)
"""Names of the settings that redaction rules are made of."""
_NOBODYS: Stored = {}


def find_rules(session: UserSession, settings: Settings) -> Rules:
    """Return the user's redaction rules.

    Raises:
        PalaceError: a pattern in the environment or the settings file is invalid.
    """
    return rules_of(settings, own_settings(session, NAMES))


def rules_of(settings: Settings, stored: Stored = _NOBODYS) -> Rules:
    """Make redaction rules from a user's settings, or from the process's if the user has none.

    A user's pattern that is invalid, although settings are checked when stored, is ignored.

    Raises:
        PalaceError: a pattern in the process's settings is invalid.
    """
    off, allowed = (_texts(value_of(settings, stored, setting)) for setting in (_OFF, _ALLOWED))
    if is_said(stored, _PATTERNS, ""):
        patterns = tuple(_usable(_texts(_PATTERNS.check(stored["", _PATTERNS.name]))))
    else:
        patterns = tuple(_pattern(name, text) for name, text in settings.secrets_patterns.items())
    return Rules(patterns, frozenset(allowed), frozenset(off))


def patterns_of(written: Sequence[str]) -> tuple[OwnPattern, ...]:
    """Parse patterns as a setting holds them.

    Raises:
        PalaceError: a pattern is invalid; the message says why.
    """
    return tuple(_pattern(name, text) for name, text in pairs_of(written).items())


def _usable(written: Sequence[str]) -> list[OwnPattern]:
    found: list[OwnPattern] = []
    for pair in written:
        with suppress(PalaceError):
            found += patterns_of([pair])
    return found


def _texts(value: object) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


@lru_cache(maxsize=1_000)
def _pattern(name: str, text: str) -> OwnPattern:
    return OwnPattern(name, text)
