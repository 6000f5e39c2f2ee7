"""Shell completion: the completions of arguments and options, quoted for each shell.

The palace is imported only when a key is pressed, no server is started, and failures are silent. Completions may
contain anybody's text, and zsh's script passes them to ``eval``. So zsh only gets letters, digits and a few safe
characters, whatever the scripts themselves escape.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from palace.errors import PalaceError
from palace_cli.render.visible import one_line, visible

if TYPE_CHECKING:
    from palace.config.settings import Settings


LONGEST_MEANING = 60
"""Terminal cells of a completion's description; Chinese characters take two."""

_PLAIN = frozenset(" -_./,+@§")
_BARE = frozenset("-_./,+%§")
"""Characters that need no escaping in bash."""
_SPECIAL_IN_QUOTES = frozenset('\\"$`')


class Shell(StrEnum):
    """The shell that asks for completions, by Typer's name."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    OTHER = ""


def shell_of(instruction: str) -> Shell:
    """Return the shell for an instruction of its script ("complete_bash")."""
    name = instruction.rpartition("_")[2]
    return Shell(name) if name in set(Shell) else Shell.OTHER


def as_typed(value: str, shell: Shell, word: str = "") -> str | None:
    """Quote a value so that the shell inserts it as one word; None if that is impossible.

    ``word`` is the word being completed as typed: an opening quote in it is continued.
    """
    if not value or one_line(value) != value or value.startswith("-"):
        return None
    match shell:
        case Shell.BASH:
            return _in_bash(value, word[:1])
        case Shell.FISH:
            return value
        case _:
            return value if all(character.isalnum() or character in _PLAIN for character in value) else None


def meaning(text: str) -> str:
    """Return the description of a completion, without characters that are special to shells or markup."""
    plain = "".join(each if each.isalnum() or each in _PLAIN else " " for each in visible(text))
    words = " ".join(plain.split())
    if words.isascii() and len(words) <= LONGEST_MEANING:
        return words
    from rich.cells import cell_len, set_cell_size

    if cell_len(words) <= LONGEST_MEANING:
        return words[:LONGEST_MEANING]
    return f"{set_cell_size(words, LONGEST_MEANING - 1)[: LONGEST_MEANING - 1].rstrip()}…"


def tell_on_one_line() -> None:
    """Make Typer pass the description of a completion on unchanged.

    It would interpret markup in it and wrap it at the width of the terminal; shells take each line for a completion.
    """
    from typer import _completion_classes

    _completion_classes._sanitize_help_text = lambda text: text


def _in_bash(value: str, quote: str) -> str | None:
    if quote == "'":
        return None if "'" in value else value
    if quote == '"':
        # An exclamation mark is always expanded in double quotes.
        return None if "!" in value else "".join(f"\\{c}" if c in _SPECIAL_IN_QUOTES else c for c in value)
    bare = "".join(c if c.isalnum() or c in _BARE else f"\\{c}" for c in value)
    return f"\\{bare}" if bare.startswith("%") else bare


Pairs = Iterable[tuple[str, str]]
"""Values, each with its description."""
ROOMS, DRAWERS = 2, 3
"""Depth of a pointer: down to rooms, or to drawers."""


class TypedValue(str):
    """A completion in the quoting of its shell.

    Typer drops completions that do not start with exactly the typed word. These may differ from it in case, and by
    bash's backslashes.
    """

    __slots__ = ()

    def startswith(self, *_: object) -> bool:
        """Always match, because only matching values were listed."""
        return True


Completion = tuple[str, str]
"""The form that Typer takes: a word, and its description."""
Completer = Callable[..., list[Completion]]


def places(depth: int, *, by_number: bool = False) -> Completer:
    """Return a completer of wings by name or number, and of pointers up to a depth; 1 is wings alone."""

    def offered(settings: Settings, typed: str) -> Pairs:
        from palace.operations.glance import offer_places

        return offer_places(settings, typed, depth=depth, by_number=by_number)

    return _completing(offered)


def pointers(depth: int) -> Completer:
    """Return a completer of pointers, with wings by number only."""
    return places(depth, by_number=True)


def known(kind: str) -> Completer:
    """Return a completer of a kind of names in the palace, a member of ``palace.db.glance.Kind`` ("ENTITY")."""

    def offered(settings: Settings, typed: str) -> Pairs:
        from palace.operations.glance import offer

        return offer(settings, kind, typed)

    return _completing(offered)


def setting_names(incomplete: str) -> list[Completion]:
    """Complete the name of a setting, without a server."""
    from palace.config.table import SETTINGS

    begun = incomplete.replace("-", "_").lower()
    return _items((setting.name, setting.means) for setting in SETTINGS if setting.name.startswith(begun))


def setting_values(ctx: typer.Context, incomplete: str) -> list[Completion]:
    """Complete the value of a setting with a fixed set of words, without a server."""
    from palace.config.table import get_setting

    with suppress(PalaceError):
        kind = get_setting(ctx.params.get("name")).kind
        return _several(kind.words, incomplete) if kind.takes_several else words(*kind.words)(incomplete)
    return []


def _several(those: tuple[str, ...], incomplete: str) -> list[Completion]:
    """Complete the last of comma-separated words by those not yet used, or by "none"."""
    before, comma, _ = incomplete.lower().rpartition(",")
    left = (word for word in those if word not in before.split(","))
    return words(*(f"{before}{comma}{word}" for word in left), *([] if comma else ["none"]))(incomplete)


def words(*those: str) -> Completer:
    """Return a completer of a fixed set of words."""

    def complete(incomplete: str) -> list[Completion]:
        return _items((word, "") for word in those if word.startswith(incomplete.lower()))

    return complete


def _completing(offered: Callable[[Settings, str], Pairs]) -> Completer:
    def complete(ctx: typer.Context, incomplete: str) -> list[Completion]:
        from palace.config.settings import load_settings

        # Errors are silent here: the command itself reports them.
        with suppress(PalaceError):
            return _items(offered(load_settings(user=ctx.params.get("user")), incomplete))
        return []

    return complete


def _items(pairs: Pairs) -> list[Completion]:
    """Quote values for the shell; one that cannot be quoted is left out, or replaced by its number."""
    shell, word = shell_of(os.environ.get("_PALACE_COMPLETE", "")), _current_word()
    items: dict[str, Completion] = {}
    for value, means in pairs:
        written = as_typed(value, shell, word)
        if written is not None:
            items.setdefault(written, (TypedValue(written), meaning(means)))
        elif means.startswith("W-"):
            items.setdefault(means, (TypedValue(means), meaning(value)))
    return list(items.values())


def _current_word() -> str:
    """Return the word being completed as bash has it, with quotes; "" in other shells."""
    typed, place = os.environ.get("COMP_WORDS", "").split("\n"), os.environ.get("COMP_CWORD", "")
    return typed[int(place)] if place.isdecimal() and int(place) < len(typed) else ""
