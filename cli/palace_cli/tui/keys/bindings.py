"""The keys that do something: of a screen, of its widgets, of the application; each with an id and a tooltip."""

from __future__ import annotations

from collections.abc import Iterator

from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

OURS = "palace_cli.tui."


def bindings_of(screen: Screen[object]) -> Iterator[Binding]:
    """Give every binding of ours that counts on a screen: the application's, its own, its widgets'; each once."""
    told: set[str] = set()
    for node in (screen.app, screen, *screen.walk_children(DOMNode)):
        for kind in type(node).__mro__:
            if not kind.__module__.startswith(OURS):
                continue
            for binding in Binding.make_bindings(vars(kind).get("BINDINGS", ())):
                mark = f"{binding.id} {binding.key}"
                if mark not in told:
                    told.add(mark)
                    yield binding
