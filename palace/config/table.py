"""The settings that users may set for themselves or their agents, derived from the settings of the process.

Each has a kind, which parses a text, checks a value, and describes what it accepts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import UnionType
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from palace.config.settings import Settings
from palace.errors import BadRequest

Value = bool | int | float | str | tuple[str, ...] | None
"""The value of a setting; a tuple is stored as a JSON array."""

LONGEST_LINE = 500
LONGEST_TEXT = 10_000
"""The most characters of one text in a list."""
_YES, _NO = ("true", "yes", "on", "1", "t", "y"), ("false", "no", "off", "0", "f", "n")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: how it is parsed, checked and described."""

    wanted: str
    """Describes valid values, to complete "must be …": "true or false"."""
    read: Callable[[str], object]
    """Parses a text; whether the value is valid is left to ``check``."""
    check: Callable[[object], Value]
    """Returns the value as it is stored; raises ``ValueError`` if it is invalid."""
    is_mapping: bool = False
    """Whether it maps names to texts."""
    words: tuple[str, ...] = ()
    """The words to choose from, where the value is one or some of them."""
    takes_several: bool = False


def _checked_flag(value: object) -> Value:
    if not isinstance(value, bool):
        raise ValueError  # noqa: TRY004 — every invalid value raises the same error
    return value


def _read_flag(text: str) -> object:
    folded = text.strip().lower()
    return True if folded in _YES else False if folded in _NO else text


FLAG = Kind("true or false", _read_flag, _checked_flag, words=("true", "false"))


def whole(least: int, most: int) -> Kind:
    """Return the kind of whole numbers in a range."""

    def read(text: str) -> object:
        digits = text.strip()
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else text

    def check(value: object) -> Value:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError
        return value

    return Kind(f"a whole number from {least:,} to {most:,}", read, check)


def number(least: float, most: float) -> Kind:
    """Return the kind of numbers in a range, whole or not."""

    def read(text: str) -> object:
        try:
            return float(text)
        except ValueError:
            return text

    def check(value: object) -> Value:
        # NaN is in no range; a huge integer can be compared, but not converted to float before that.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise ValueError
        return float(value)

    return Kind(f"a number from {least:g} to {most:g}", read, check)


def one_of(words: Sequence[str]) -> Kind:
    """Return the kind for one of some words."""

    def check(value: object) -> Value:
        if not isinstance(value, str) or value not in words:
            raise ValueError
        return str(value)

    return Kind(f"one of {', '.join(words)}", lambda text: text.strip().lower(), check, words=tuple(words))


def some_of(words: Sequence[str]) -> Kind:
    """Return the kind for a subset of some words, stored in their order."""

    def read(text: str) -> object:
        folded = text.strip().lower()
        return () if folded in ("", "none") else tuple(word.strip() for word in folded.split(","))

    def check(value: object) -> Value:
        given = read(value) if isinstance(value, str) else value
        if not isinstance(given, Sequence) or not all(isinstance(word, str) and word in words for word in given):
            raise ValueError
        return tuple(word for word in words if word in given)

    wanted = f"some of {', '.join(words)}, separated by commas, or none"
    return Kind(wanted, read, check, words=tuple(words), takes_several=True)


def _checked_line(value: object) -> Value:
    if not isinstance(value, str) or not 0 < len(value.strip()) <= LONGEST_LINE or not value.isprintable():
        raise ValueError
    return value.strip()


LINE = Kind(f"a name of 1 to {LONGEST_LINE} characters", str.strip, _checked_line)


def several(most: int) -> Kind:
    """Return the kind for a list of texts, without duplicates, in their order."""

    def read(text: str) -> object:
        found = _json(text)
        if isinstance(found, list):
            return found
        return () if text.strip().lower() in ("", "none") else tuple(each.strip() for each in text.split(","))

    def check(value: object) -> Value:
        given = read(value) if isinstance(value, str) else value
        if not isinstance(given, Sequence) or len(given) > most or not all(map(_is_text, given)):
            raise ValueError
        return tuple(dict.fromkeys(given))

    return Kind(f"up to {most:,} texts, separated by commas or as a JSON array, or none", read, check)


def pairs(most: int) -> Kind:
    """Return the kind for named texts, stored as ``name=text`` in order of name."""

    def read(text: str) -> object:
        found = _json(text)
        if isinstance(found, (list, dict)):
            return found
        return () if text.strip().lower() in ("", "none") else tuple(filter(None, map(str.strip, text.splitlines())))

    def check(value: object) -> Value:
        given = read(value) if isinstance(value, str) else value
        if isinstance(given, Mapping):
            if not all(_is_text(each) for pair in given.items() for each in pair):
                raise ValueError
            given = [f"{name.strip()}={text}" for name, text in given.items()]
        if not isinstance(given, Sequence) or len(given) > most or not all(map(_is_pair, given)):
            raise ValueError
        found = pairs_of(given)
        if len(found) != len(given):
            raise ValueError
        return tuple(f"{name}={text}" for name, text in sorted(found.items()))

    return Kind("NAME=PATTERN, one a line, or a JSON object, or none", read, check, is_mapping=True)


def pairs_of(written: Sequence[str]) -> dict[str, str]:
    """Parse ``name=text`` into texts by name; white space around the sign is ignored."""
    split = (pair.partition("=") for pair in written)
    return {name.strip(): text.strip() for name, _, text in split}


def _is_pair(value: object) -> bool:
    return _is_text(value) and isinstance(value, str) and all(part.strip() for part in value.partition("="))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_TEXT and "\0" not in value


def _json(text: str) -> object:
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


LONGEST_AGENT = 200
"""The most characters in an agent's name."""
RULES = ("greeting", "tool", "knowledge")
"""The rules of the gate."""
ASKING = ("llm", "rewrite", "hyde")
"""The query strategies that use a language model."""
SECRETS = "secrets_"
"""Prefix of the settings about removing secrets from messages."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that users can change."""

    name: str
    kind: Kind
    means: str
    """One line that describes it."""
    field: str
    """Its name in the environment (``PALACE_…``, in capitals) and in ``config.toml``."""
    of_agents: bool = True
    """Whether an agent may have its own value; otherwise there is one for the whole palace."""

    @property
    def is_of_secrets(self) -> bool:
        """Whether it decides which secrets are removed from messages before they are filed."""
        return self.name.startswith(SECRETS)

    def check(self, value: object) -> Value:
        """Return a value as it is stored.

        Raises:
            BadRequest: the value is invalid.
        """
        try:
            return self.kind.check(value)
        except ValueError as problem:
            # A value that is allowed to pass may still be a secret.
            not_that = "" if self.is_of_secrets else f", not {_shown(value)}"
            raise BadRequest(f"{self.name} must be {self.kind.wanted}{not_that}") from problem

    def read(self, text: str) -> Value:
        """Parse and check a value written as text.

        Raises:
            BadRequest: the value is invalid.
        """
        return self.check(self.kind.read(text))

    def accepts(self, value: object) -> bool:
        """Check whether a value is valid."""
        try:
            self.kind.check(value)
        except ValueError:
            return False
        return True


def _kind_of(setting: str, field: FieldInfo) -> Kind:
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
    """Return a setting by its name, in any case, dashes for underscores.

    Raises:
        BadRequest: there is none; the message names the most similar one.
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
    """Normalise an agent's name; None, for the user's own settings, gives "".

    Raises:
        BadRequest: the name is invalid.
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
