"""The keyboard: keys do what they do in the order in which they were pressed, however quickly they come.

A letter is put in by the line that has the focus, while another key goes up from there to the application, which knows
what it does; so letters would overtake the keys before them, and what follows "/" would not get into the box that it
opens. The next key is given out when the one before has done all that it does without waiting for the palace.
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
"""How often what a key brings about may post a message that brings about more: a choice, where it leads, the focus."""
LONGEST_SECONDS = 0.3
"""How long the next key waits at most, where what had the focus went away."""
Typed = events.Key | events.Paste
OURS = "palace_cli.tui."
MOVING = ("cursor_", "scroll_", "page_", "go(", "command_palette")
"""What begins like this moves the cursor, or is the palette itself: nobody looks for it in a list."""


def key(keys: str, action: str, description: str, id: str, tooltip: str, *, show: bool = False) -> Binding:
    """Bind keys to an action; ``show`` in the footer. The help lists the tooltip below the first part of the id."""
    return Binding(keys, action, description, id=id, tooltip=tooltip, show=show)


@dataclass
class KeyRound(Message):
    """Goes up from where a key went, behind all that it brought about."""

    number: int
    left: int


class Keyboard:
    """Gives out what is typed, one after the other; nothing before it is released."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._waiting: deque[Typed] = deque()
        self._turn: Typed | None = None
        """What is given out, or was and is not done with."""
        self._target: MessagePump = app
        self._number = 0
        self._came_back = False
        """Whether nobody took what was given out, so that the application does what it is for."""
        self._is_held = True

    def take(self, event: Typed) -> bool:
        """Tell whether it is an event's turn; where it is not, it is kept."""
        if event is self._turn or (self._is_held and not self._waiting and _leaves(event)):
            return True
        if self._turn is None and not self._is_held:
            self._turn = event
            return True
        self._waiting.append(event)
        return False

    def gave(self, event: Typed, target: MessagePump) -> None:
        """See to it that the next comes behind all that an event brings about, which went to a target."""
        if event is not self._turn:
            return
        self._target, self._came_back = target, False
        self._number += 1
        number = self._number
        asyncio.get_running_loop().call_later(LONGEST_SECONDS, lambda: self._end(number))
        self._go_round(KeyRound(number, ROUNDS))

    def came_back(self, event: Typed) -> None:
        """Know that an event has come up to the application."""
        self._came_back = self._came_back or event is self._turn

    def came_round(self, message: KeyRound) -> None:
        """Go round again, or go on: a key that was taken where it went has brought about nothing more."""
        if message.number != self._number or self._turn is None:
            return
        if message.left <= 1 or not self._came_back:
            self._end(message.number)
        else:
            self._go_round(KeyRound(message.number, message.left - 1))

    def release(self) -> None:
        """Give out what was typed so far, and what will be."""
        self._is_held = False
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


def _leaves(event: Typed) -> bool:
    return isinstance(event, events.Key) and (event.key == "q" or event.key.startswith("ctrl+"))


def bindings_of(screen: Screen[object]) -> Iterator[Binding]:
    """Give every binding of ours that counts on a screen: its own, its widgets', the application's; each once.

    A key of the screen itself is none of the application there.
    """
    told, own = set[str](), set[str]()
    for node in (screen, *screen.walk_children(DOMNode), screen.app):
        for kind in type(node).__mro__:
            if not kind.__module__.startswith(OURS):
                continue
            for binding in Binding.make_bindings(vars(kind).get("BINDINGS", ())):
                mark = f"{binding.id} {binding.key}"
                if node is screen:
                    own.add(binding.key)
                if mark not in told and (node is not screen.app or binding.key not in own):
                    told.add(mark)
                    yield binding


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
