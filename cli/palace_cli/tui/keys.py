"""The keyboard: keys act in the order in which they were pressed, however quickly they come.

The input that has the focus inserts letters itself, while other keys bubble up to the application and its bindings. So
letters would overtake the keys before them, and what follows "/" would not reach the box that it opens. The next key is
sent on when the one before has done everything that does not wait for the palace.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen

ROUNDS = 3
"""How many messages may follow from each other before a key is done: a choice, the place it opens, the focus."""
LONGEST_SECONDS = 0.3
"""The longest time that the next key waits, where the widget that had the focus is gone."""
Typed = events.Key | events.Paste
OURS = "palace_cli.tui."
MOVING = ("cursor_", "scroll_", "page_", "go(", "command_palette")
"""Beginnings of actions that the palette leaves out: they move the cursor, or are the palette itself."""


def key(keys: str, action: str, description: str, id: str, tooltip: str, *, show: bool = False) -> Binding:
    """Bind keys to an action, and ``show`` it in the footer. The help groups tooltips by the first part of the id."""
    return Binding(keys, action, description, id=id, tooltip=tooltip, show=show)


@dataclass
class KeyRound(Message):
    """Bubbles up from the widget that got a key, behind every message that the key caused."""

    number: int
    left: int


class Keyboard:
    """Sends keys and pasted text on one by one, from the moment it is released."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._waiting: deque[Typed] = deque()
        self._turn: Typed | None = None
        """The key that is at work."""
        self._target: MessagePump = app
        self._number = 0
        self._bubbled = False
        """Whether no widget took the key, so that the application acts on it."""
        self._waits = True

    def take(self, event: Typed) -> bool:
        """Return whether an event may go on now; otherwise it waits."""
        quits = isinstance(event, events.Key) and (event.key == "q" or event.key.startswith("ctrl+"))
        if event is self._turn or (self._waits and not self._waiting and quits):
            return True
        if self._turn is None and not self._waits:
            self._turn = event
            return True
        self._waiting.append(event)
        return False

    def sent(self, event: Typed, target: MessagePump) -> None:
        """Make the next event wait for everything that this one, which went to a target, causes."""
        if event is not self._turn:
            return
        self._target, self._bubbled = target, False
        self._number += 1
        number = self._number
        asyncio.get_running_loop().call_later(LONGEST_SECONDS, lambda: self._end(number))
        self._go_round(KeyRound(number, ROUNDS))

    def bubbled(self, event: Typed) -> None:
        """Note that an event has bubbled up to the application."""
        self._bubbled = self._bubbled or event is self._turn

    def went_round(self, message: KeyRound) -> None:
        """Send the message round again, or go on to the next key; a key that a widget took causes nothing more."""
        if message.number != self._number or self._turn is None:
            return
        if message.left <= 1 or not self._bubbled:
            self._end(message.number)
        else:
            self._go_round(KeyRound(message.number, message.left - 1))

    def release(self) -> None:
        """Send on what was typed so far, and from now on."""
        self._waits = False
        if self._turn is None:
            self._next()

    def _go_round(self, message: KeyRound) -> None:
        if not self._target.post_message(message):
            self._app.post_message(message)

    def _end(self, number: int) -> None:
        if number == self._number and self._turn is not None:
            self._turn = None
            self._next()

    def _next(self) -> None:
        if self._waiting:
            self._turn = self._waiting.popleft()
            self._app.post_message(self._turn)


def bindings_of(screen: Screen[object]) -> Iterator[Binding]:
    """Yield every binding of ours that works on a screen, once: its own, its widgets', and the application's.

    A key that the screen binds itself is not yielded for the application.
    """
    seen, own = set[str](), set[str]()
    for node in (screen, *screen.walk_children(DOMNode), screen.app):
        for kind in type(node).__mro__:
            if not kind.__module__.startswith(OURS):
                continue
            for binding in Binding.make_bindings(vars(kind).get("BINDINGS", ())):
                mark = f"{binding.id} {binding.key}"
                if node is screen:
                    own.add(binding.key)
                if mark not in seen and (node is not screen.app or binding.key not in own):
                    seen.add(mark)
                    yield binding


def commands_of(app: App[Any], screen: Screen[object]) -> Iterator[SystemCommand]:
    """Yield the commands of a screen and of the widget that has the focus, once each, with the first of their keys."""
    seen: set[tuple[object, str]] = set()
    for node, binding, is_enabled, tooltip in screen.active_bindings.values():
        ours = binding.id is not None and "." in binding.id
        if not ours or not is_enabled or binding.action.startswith(MOVING) or (node, binding.action) in seen:
            continue
        seen.add((node, binding.action))
        title = f"{binding.description} ({app.get_key_display(binding)})"
        yield SystemCommand(title, tooltip, partial(app.run_action, binding.action, node))
