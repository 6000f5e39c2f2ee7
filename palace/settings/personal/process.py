"""What each level says of a setting: agent, user, program, environment, file, default."""

from __future__ import annotations

import os
from typing import NamedTuple

from palace.settings import CONFIGURATION_FILE, Settings, configured_home
from palace.settings.personal.effective import Stored, is_said, value_of_process
from palace.settings.personal.kinds import Value
from palace.settings.personal.several import Pairs, pairs_of
from palace.settings.personal.table import Setting
from palace.settings.trust import read_configuration


class Said(NamedTuple):
    """What one level says."""

    level: str
    where: str
    """The agent, the variable or the file."""
    value: Value


def said_of(settings: Settings, stored: Stored, setting: Setting, agent: str) -> list[Said]:
    """List what each level says of a setting, the one that holds first; the default is always there."""
    said = []
    if agent and is_said(stored, setting, agent):
        said.append(Said("agent", agent, setting.check(stored[agent, setting.name])))
    if is_said(stored, setting, ""):
        said.append(Said("user", "", setting.check(stored["", setting.name])))
    return [*said, *_said_by_process(settings, setting)]


def _said_by_process(settings: Settings, setting: Setting) -> list[Said]:
    """List what the program, the environment, the file and Palace itself say, the one that holds first."""
    outside = _joined(setting, [*_in_environment(setting), *_in_file(setting)])
    said: list[Said] = []
    held = value_of_process(settings, setting)
    if setting.field in settings.model_fields_set and held not in [each.value for each in outside[:1]]:
        said.append(Said("program", "Palace.open(settings)", held))
    default = Settings.model_fields[setting.field].get_default(call_default_factory=True)
    return [*said, *outside, Said("default", "", None if default is None else setting.check(default))]


def _joined(setting: Setting, outside: list[Said]) -> list[Said]:
    """Of what is said by name, what the file says beside the environment holds as well."""
    if not isinstance(setting.kind, Pairs) or len(outside) < 2:
        return outside
    both = {name: text for said in reversed(outside) for name, text in _pairs_in(said.value).items()}
    return [outside[0]._replace(value=setting.check(both)), *outside[1:]]


def _pairs_in(value: Value) -> dict[str, str]:
    return pairs_of(value) if isinstance(value, tuple) else {}


def _in_environment(setting: Setting) -> list[Said]:
    wanted = f"PALACE_{setting.field.upper()}"
    for name, text in os.environ.items():
        if name.upper() == wanted and setting.accepts(setting.kind.read(text)):
            return [Said("environment", name, setting.read(text))]
    return []


def _in_file(setting: Setting) -> list[Said]:
    file = configured_home() / CONFIGURATION_FILE
    value = read_configuration(file).get(setting.field)
    return [Said("file", str(file), setting.check(value))] if value is not None and setting.accepts(value) else []
