"""The settings that are a user's own, or an agent's: one row each, as the settings of the process declare it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import UnionType
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from palace.config.kinds import FLAG, LINE, Kind, Value, number, one_of, pairs, several, some_of, whole
from palace.config.settings import Settings
from palace.errors import BadRequest

LONGEST_AGENT = 200
"""Characters of an agent's name."""
RULES = ("greeting", "tool", "knowledge")
"""Rules of the gate."""
ASKING = ("llm", "rewrite", "hyde")
"""Ways to write a query that a language model takes part in."""
SECRETS = "secrets_"
"""How settings begin that say what is taken out of messages."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that somebody sets."""

    name: str
    kind: Kind
    means: str
    """One line for a person."""
    field: str
    """What it is called in the environment (``PALACE_…``, in capitals) and in ``config.toml``."""
    of_agents: bool = True
    """Whether an agent may have its own; what is of the whole palace has one value."""

    @property
    def is_of_secrets(self) -> bool:
        """Whether it says what is taken out of messages before they are filed."""
        return self.name.startswith(SECRETS)

    def check(self, value: object) -> Value:
        """Take a value.

        Raises:
            BadRequest: it may not be that.
        """
        try:
            return self.kind.check(value)
        except ValueError as problem:
            # What somebody lets pass may be a secret all the same.
            not_that = "" if self.is_of_secrets else f", not {_shown(value)}"
            raise BadRequest(f"{self.name} must be {self.kind.wanted}{not_that}") from problem

    def read(self, text: str) -> Value:
        """Take a value that is written as a text.

        Raises:
            BadRequest: it may not be that.
        """
        return self.check(self.kind.read(text))

    def accepts(self, value: object) -> bool:
        """Tell whether a value may be."""
        try:
            self.kind.check(value)
        except ValueError:
            return False
        return True


def _kind_of(setting: str, field: FieldInfo) -> Kind:
    """Return what a setting may be, as the settings of the process declare it."""
    names = ("ge", "le", "max_length")
    limits = {name: getattr(rule, name) for rule in field.metadata for name in names if hasattr(rule, name)}
    if get_origin(field.annotation) is Literal:
        return one_of(get_args(field.annotation))
    if setting == "gate":
        return some_of(RULES)
    plain = get_args(field.annotation)[0] if get_origin(field.annotation) is UnionType else field.annotation
    if plain in (int, float):
        return (whole if plain is int else number)(limits["ge"], limits["le"])
    if get_origin(plain) in (dict, tuple):
        return (pairs if get_origin(plain) is dict else several)(limits["max_length"])
    return FLAG if plain is bool else LINE


def _setting(field: str, declared: FieldInfo) -> Setting:
    own = declared.json_schema_extra
    assert isinstance(own, dict)
    name = str(own["name"] or field)
    return Setting(name, _kind_of(name, declared), declared.description or "", field, bool(own["of_agents"]))


SETTINGS = tuple(
    _setting(field, declared) for field, declared in Settings.model_fields.items() if declared.json_schema_extra
)
_BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


def get_setting(name: object) -> Setting:
    """Get a setting by its name, in any case, dashes for underscores.

    Raises:
        BadRequest: there is none; the one most like it is named.
    """
    if not isinstance(name, str):
        raise BadRequest(f"the name of a setting must be a text, not {_shown(name)}")
    folded = name.strip().lower().replace("-", "_")
    if folded in _BY_NAME:
        return _BY_NAME[folded]
    by_field = {setting.field: setting.name for setting in SETTINGS}
    alike = get_close_matches(folded.removeprefix("palace_"), [*_BY_NAME, *by_field], n=1)
    meant = f": did you mean {by_field.get(alike[0], alike[0])!r}?" if alike else ""
    raise BadRequest(f"there is no setting {_shown(name)} of a user's own{meant} (`palace settings` lists them)")


def check_agent(agent: object) -> str:
    """Take an agent's name; None stands for the user's own settings and gives "".

    Raises:
        BadRequest: it is no name.
    """
    if agent is None:
        return ""
    name = " ".join(agent.split()) if isinstance(agent, str) else ""
    if not 0 < len(name) <= LONGEST_AGENT or not name.isprintable():
        raise BadRequest(f"agent must be a name of 1 to {LONGEST_AGENT} characters, not {_shown(agent)}")
    return name


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
