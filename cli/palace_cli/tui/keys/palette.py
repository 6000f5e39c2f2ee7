"""What the palette offers: all that keys do on the screen that is on, with its key, made of the real bindings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual.app import App, SystemCommand
from textual.screen import Screen

MOVING = ("cursor_", "scroll_", "page_", "go(", "command_palette")
"""What begins like this moves the cursor, or is the palette itself: nobody looks for it in a list."""


def commands_of(app: App[Any], screen: Screen[object]) -> Iterator[SystemCommand]:
    """Give what can be done on a screen, with the focus where it is; each once, by the first of its keys."""
    told: set[tuple[object, str]] = set()
    for node, binding, is_enabled, tooltip in screen.active_bindings.values():
        ours = binding.id is not None and "." in binding.id
        if not ours or not is_enabled or binding.action.startswith(MOVING) or (node, binding.action) in told:
            continue
        told.add((node, binding.action))
        title = f"{binding.description} ({app.get_key_display(binding)})"
        yield SystemCommand(title, tooltip, partial(app.run_action, binding.action, node))
