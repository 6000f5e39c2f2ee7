"""The pages on settings say what the settings are: their names, what they may be, and what they usually are."""

from __future__ import annotations

import re

import pytest

from palace.settings import Settings
from palace.settings.personal.kinds import Flag, Number, OneOf, Whole
from palace.settings.personal.table import SETTINGS, Setting
from tests.architecture.sizes import ROOT

PERSONAL = re.compile(r"^\| `([a-z_]+)` \| ([^|]+) \| ([^|]*?) ?\| (.+) \|$", re.MULTILINE)
OF_THE_PROCESS = re.compile(r"^\| `PALACE_(\w+)` \| (?:`\w+` )?\|([^|]*)\|", re.MULTILINE)
IN_WORDS = {"gate": "all three"}
"""Defaults that the page tells otherwise."""
UNSAID = ("HOME", "USER", "PERSON", "TIMEZONE", "EMBEDDING_DIMENSION", "EMBEDDING_THREADS")
"""What the page tells in words."""
TAKEN_OVER = ("BUDGET_USD_DAILY", "BUDGET_TOKENS_DAILY")
"""Where nothing is set, what their former names say holds."""


def rows() -> dict[str, tuple[str, str, str]]:
    """Read the table of what a person sets for themselves."""
    text = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    return {name: (may_be, usually.strip("`"), means) for name, may_be, usually, means in PERSONAL.findall(text)}


def written(value: object) -> str:
    """Write a default as pages do."""
    if value is None or value in ((), {}):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def wanted(setting: Setting) -> str | None:
    """Say what the page has to say of what a setting may be; None where it says it in words."""
    match setting.kind:
        case Flag():
            return "true, false"
        case OneOf(choices):
            return ", ".join(choices)
        case Whole(least, most) | Number(least, most):
            return f"{least:,} to {most:,}"
        case _:
            return None


def test_the_page_lists_every_setting_of_a_persons_own_in_order() -> None:
    assert list(rows()) == [setting.name for setting in SETTINGS]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_row_says_what_a_setting_may_be_what_it_is_and_whose(setting: Setting) -> None:
    may_be, usually, means = rows()[setting.name]
    assert wanted(setting) in (None, may_be)
    default = Settings.model_fields[setting.field].get_default(call_default_factory=True)
    assert usually == IN_WORDS.get(setting.name, written(default))
    assert ("of the whole palace" in means) != setting.of_agents


def test_the_quickstart_tells_every_default() -> None:
    told = dict(OF_THE_PROCESS.findall((ROOT / "docs/quickstart.md").read_text(encoding="utf-8")))
    declared = {
        name.upper(): written(field.get_default(call_default_factory=True))
        for name, field in Settings.model_fields.items()
        if name.upper() not in (*UNSAID, *TAKEN_OVER)
    }
    assert {name: told[name].strip(" `[]{}") for name in declared} == declared
