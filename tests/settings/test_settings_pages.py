"""The pages on settings say what the settings are: their names, what they may be, and what they usually are."""

from __future__ import annotations

import re
from pathlib import Path

from palace import Settings
from palace.config.table import SETTINGS

ROOT = Path(__file__).parents[2]
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


def test_the_page_lists_every_setting_of_a_persons_own_with_what_it_is_and_whose() -> None:
    assert list(rows()) == [setting.name for setting in SETTINGS]
    wrong = []
    for setting in SETTINGS:
        _, usually, means = rows()[setting.name]
        default = Settings.model_fields[setting.field].get_default(call_default_factory=True)
        if usually != IN_WORDS.get(setting.name, written(default)):
            wrong.append((setting.name, usually))
        if ("of the whole palace" in means) == setting.of_agents:
            wrong.append((setting.name, means))
    assert wrong == []


def test_the_quickstart_tells_every_default_of_the_process() -> None:
    personal = {setting.field for setting in SETTINGS}
    told = dict(OF_THE_PROCESS.findall((ROOT / "docs/quickstart.md").read_text(encoding="utf-8")))
    declared = {
        name.upper(): written(field.get_default(call_default_factory=True))
        for name, field in Settings.model_fields.items()
        if name not in personal and name.upper() not in (*UNSAID, *TAKEN_OVER)
    }
    assert {name: told[name].strip(" `[]{}") for name in declared} == declared
