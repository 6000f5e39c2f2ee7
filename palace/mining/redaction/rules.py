"""The rules of a user: what they set for themselves, else what the environment or the file says."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

from palace.errors import PalaceError
from palace.settings import Settings
from palace.settings.personal.effective import Stored, is_said, value_of
from palace.settings.personal.kinds import pairs_of
from palace.settings.personal.table import get_setting
from palace.store.database import UserSession
from palace.store.settings.stored import own_settings
from palace.text.secrets import OwnPattern, Rules

_OFF, _ALLOWED, _PATTERNS = map(get_setting, ("secrets_off", "secrets_allowed", "secrets_patterns"))
NAMES = (_OFF.name, _ALLOWED.name, _PATTERNS.name)
"""The settings that rules are made of."""
_NOBODYS: Stored = {}


def find_rules(session: UserSession, settings: Settings) -> Rules:
    """Find the rules that hold for the user.

    Raises:
        PalaceError: a pattern of the environment, or of the file, cannot be used.
    """
    return rules_of(settings, own_settings(session, NAMES))


def rules_of(settings: Settings, stored: Stored = _NOBODYS) -> Rules:
    """Make rules of what a user has set, or of what the process says where they have set nothing.

    A pattern of theirs that cannot be used, though none is taken that cannot, counts for nothing.

    Raises:
        PalaceError: one of the process cannot be used.
    """
    off, allowed = (_texts(value_of(settings, stored, setting)) for setting in (_OFF, _ALLOWED))
    if is_said(stored, _PATTERNS, ""):
        patterns = tuple(_usable(_texts(_PATTERNS.check(stored["", _PATTERNS.name]))))
    else:
        patterns = tuple(_pattern(name, text) for name, text in settings.secrets_patterns.items())
    return Rules(patterns, frozenset(allowed), frozenset(off))


def patterns_of(written: Sequence[str]) -> tuple[OwnPattern, ...]:
    """Read patterns as a setting has them.

    Raises:
        PalaceError: one cannot be used; why.
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
