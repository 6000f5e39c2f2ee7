"""What a user may say of what is taken out of their messages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches

from palace.errors import BadRequest, PalaceError
from palace.settings import Settings
from palace.settings.personal.effective import value_of_process
from palace.settings.personal.kinds import Value
from palace.settings.personal.several import pairs_of
from palace.settings.personal.table import Setting

LONGEST = 10_000
"""Characters of JSON that one value may have: each filing reads it, and an export brings it along."""


def check_rules(name: str, value: Value) -> None:
    """Make sure that rules can be used.

    Raises:
        BadRequest: one cannot; why, in one line.
    """
    # Only who sets them waits for the rules to be imported.
    from palace.mining.redaction.rules import patterns_of
    from palace.text.secrets import Rules

    assert isinstance(value, tuple)
    if len(json.dumps(value)) > LONGEST:
        raise BadRequest(f"{name} has more than {LONGEST:,} characters: say less, or use config.toml")
    if name == "secrets_off":
        _check_names(value)
    if name == "secrets_patterns":
        try:
            Rules(patterns_of(value))
        except PalaceError as problem:
            raise BadRequest(str(problem)) from problem


def rule_warnings(settings: Settings, setting: Setting, value: object) -> tuple[str, ...]:
    """Say which patterns of the environment or the file do not hold any more."""
    if setting.name != "secrets_patterns" or not isinstance(value, tuple):
        return ()
    outside = value_of_process(settings, setting)
    others = pairs_of(outside).keys() - pairs_of(value).keys() if isinstance(outside, tuple) else set()
    if not others:
        return ()
    return (
        f"{', '.join(sorted(others))} of the environment or config.toml will not be taken out any more:"
        " name them too, or reset this",
    )


def _check_names(names: Sequence[str]) -> None:
    from palace.text.secrets import KINDS, known_rules

    known = {*KINDS, *known_rules()}
    for name in names:
        if name not in known:
            alike = get_close_matches(name, known, n=1)
            meant = f": did you mean {alike[0]!r}?" if alike else f"; kinds are {', '.join(KINDS)}"
            raise BadRequest(f"there is no kind or rule of secrets {name[:80]!r}{meant}")
