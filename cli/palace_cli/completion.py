"""Shell completion: what arguments and options complete to, as each shell takes it.

Nothing is imported until a key is pressed, no server is started, and whatever goes wrong is silence. What is offered
was said by anybody, and shells run what they are offered: the script of zsh hands it to ``eval``. So zsh is offered
letters, digits and a few signs, whatever the scripts may do to guard themselves.
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
"""Cells of what is told beside a completion: letters of Chinese take two."""

_PLAIN = frozenset(" -_./,+@§")
_BARE = frozenset("-_./,+%§")
"""Signs that bash takes as they stand."""
_SPECIAL_IN_QUOTES = frozenset('\\"$`')


class Shell(StrEnum):
    """Whose completion it is, and what Typer calls it."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    OTHER = ""


def shell_of(instruction: str) -> Shell:
    """Tell the shell from what its script asks for ("complete_bash")."""
    name = instruction.rpartition("_")[2]
    return Shell(name) if name in set(Shell) else Shell.OTHER


def as_typed(value: str, shell: Shell, word: str = "") -> str | None:
    """Write a value so that the shell puts it onto the command line as one word; None where it cannot be.

    ``word`` is what stands there, as it was typed: a quote that it opens is gone on with.
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
    """Write what is told beside a completion: what may act in a shell, or as markup, is left out."""
    plain = "".join(each if each.isalnum() or each in _PLAIN else " " for each in visible(text))
    words = " ".join(plain.split())
    if words.isascii() and len(words) <= LONGEST_MEANING:
        return words
    from rich.cells import cell_len, set_cell_size

    if cell_len(words) <= LONGEST_MEANING:
        return words[:LONGEST_MEANING]
    return f"{set_cell_size(words, LONGEST_MEANING - 1)[: LONGEST_MEANING - 1].rstrip()}…"


def tell_on_one_line() -> None:
    """Have Typer give what is told beside a completion as it is.

    It reads markup in it and breaks it at the width of the terminal; shells take each line for a completion.
    """
    from typer import _completion_classes

    _completion_classes._sanitize_help_text = lambda text: text


def _in_bash(value: str, quote: str) -> str | None:
    if quote == "'":
        return None if "'" in value else value
    if quote == '"':
        # Nothing keeps an exclamation mark from being expanded in double quotes.
        return None if "!" in value else "".join(f"\\{c}" if c in _SPECIAL_IN_QUOTES else c for c in value)
    bare = "".join(c if c.isalnum() or c in _BARE else f"\\{c}" for c in value)
    return f"\\{bare}" if bare.startswith("%") else bare


Pairs = Iterable[tuple[str, str]]
"""Values, each with what it means."""
ROOMS, DRAWERS = 2, 3
"""How deep a pointer may lead."""


class Written(str):
    """A completion as its shell takes it.

    Typer gives only what begins letter for letter as the word that is typed. These do in other letters: the case may
    be another, and bash wants its backslashes.
    """

    __slots__ = ()

    def startswith(self, *_: object) -> bool:
        """Let it pass: what does not begin as typed was never listed."""
        return True


Completion = tuple[str, str]
"""What Typer takes: a word, and what is told beside it."""
Completer = Callable[..., list[Completion]]


def places(depth: int, *, by_number: bool = False) -> Completer:
    """Complete a wing by name or number, and a pointer into it, as deep as the command takes it; 1 is a wing alone."""

    def offered(settings: Settings, typed: str) -> Pairs:
        from palace.operations.glance import offer_places

        return offer_places(settings, typed, depth=depth, by_number=by_number)

    return _completing(offered)


def pointers(depth: int) -> Completer:
    """Complete a pointer, wings by their numbers alone."""
    return places(depth, by_number=True)


def known(kind: str) -> Completer:
    """Complete what the palace knows of a kind, as ``palace.db.glance.Kind`` names it ("ENTITY")."""

    def offered(settings: Settings, typed: str) -> Pairs:
        from palace.operations.glance import offer

        return offer(settings, kind, typed)

    return _completing(offered)


def setting_names(incomplete: str) -> list[Completion]:
    """Complete the name of a setting; no server is asked."""
    from palace.config.table import SETTINGS

    begun = incomplete.replace("-", "_").lower()
    return _items((setting.name, setting.means) for setting in SETTINGS if setting.name.startswith(begun))


def setting_values(ctx: typer.Context, incomplete: str) -> list[Completion]:
    """Complete the value of the setting that is named, where it is one of a few, or some; no server is asked."""
    from palace.config.table import get_setting

    with suppress(PalaceError):
        kind = get_setting(ctx.params.get("name")).kind
        return _several(kind.words, incomplete) if kind.takes_several else words(*kind.words)(incomplete)
    return []


def _several(those: tuple[str, ...], incomplete: str) -> list[Completion]:
    """Complete the last of words that are separated by commas, with those that are not there yet; or "none"."""
    before, comma, _ = incomplete.lower().rpartition(",")
    left = (word for word in those if word not in before.split(","))
    return words(*(f"{before}{comma}{word}" for word in left), *([] if comma else ["none"]))(incomplete)


def words(*those: str) -> Completer:
    """Complete one of a few words."""

    def complete(incomplete: str) -> list[Completion]:
        return _items((word, "") for word in those if word.startswith(incomplete.lower()))

    return complete


def _completing(offered: Callable[[Settings, str], Pairs]) -> Completer:
    def complete(ctx: typer.Context, incomplete: str) -> list[Completion]:
        from palace.config.settings import load_settings

        # Whatever it is, a person who presses a key is told by the command itself, not by its completion.
        with suppress(PalaceError):
            return _items(offered(load_settings(user=ctx.params.get("user")), incomplete))
        return []

    return complete


def _items(pairs: Pairs) -> list[Completion]:
    """Write values as the shell takes them; one that it cannot take is left out, or stands by its number."""
    shell, word = shell_of(os.environ.get("_PALACE_COMPLETE", "")), _current_word()
    items: dict[str, Completion] = {}
    for value, means in pairs:
        written = as_typed(value, shell, word)
        if written is not None:
            items.setdefault(written, (Written(written), meaning(means)))
        elif means.startswith("W-"):
            items.setdefault(means, (Written(means), meaning(value)))
    return list(items.values())


def _current_word() -> str:
    """Give the word that is completed as bash has it on its line, quotes and all; "" in other shells."""
    typed, place = os.environ.get("COMP_WORDS", "").split("\n"), os.environ.get("COMP_CWORD", "")
    return typed[int(place)] if place.isdecimal() and int(place) < len(typed) else ""
