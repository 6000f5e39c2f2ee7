"""What arguments and options complete to; each is given to Typer where the argument is declared.

Nothing is imported until a key is pressed, no server is started, and whatever goes wrong is silence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from palace.errors import PalaceError
from palace_cli.completion.shells import as_typed, meaning, shell_of

if TYPE_CHECKING:
    from palace.settings import Settings

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


def places(depth: int) -> Completer:
    """Complete a wing by name or number, and a pointer into it, as deep as the command takes it; 1 is a wing alone."""

    def offered(settings: Settings, typed: str) -> Pairs:
        from palace.verbs.glance import offer_places

        return offer_places(settings, typed, depth=depth)

    return _completing(offered)


def pointers(depth: int) -> Completer:
    """Complete a pointer, wings by their numbers alone."""

    def offered(settings: Settings, typed: str) -> Pairs:
        from palace.verbs.glance import offer_places

        return offer_places(settings, typed, depth=depth, by_number=True)

    return _completing(offered)


def known(kind: str) -> Completer:
    """Complete what the palace knows of a kind, as ``palace.store.glance.Kind`` names it ("ENTITY")."""

    def offered(settings: Settings, typed: str) -> Pairs:
        from palace.verbs.glance import offer

        return offer(settings, kind, typed)

    return _completing(offered)


def setting_names(incomplete: str) -> list[Completion]:
    """Complete the name of a setting; no server is asked."""
    from palace.settings.personal.table import SETTINGS

    begun = incomplete.replace("-", "_").lower()
    return _items((setting.name, setting.means) for setting in SETTINGS if setting.name.startswith(begun))


def setting_values(ctx: typer.Context, incomplete: str) -> list[Completion]:
    """Complete the value of the setting that is named, where it is one of a few, or some; no server is asked."""
    from palace.settings.personal.table import get_setting

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
        from palace.settings import load_settings

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
