"""The application: it opens the palace behind its first screen, switches screens, and quits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from time import monotonic
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.segment import Segment
from rich.style import Style
from textual import events, work
from textual.actions import ActionParseResult
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.color import Color
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme

from palace.errors import PalaceError
from palace_cli.tui.keys import KeyRound, commands_of, key
from palace_cli.tui.screens.asking import AskingApp
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.dialogs import HelpScreen
from palace_cli.tui.source import Opening

_BLUE, _DEEP_BLUE = "#7AA2F7", "#2A5DB0"
DARK = Theme(
    "palace-dark",
    primary=_BLUE,
    accent=_BLUE,
    success="#9ECE6A",
    warning="#E0AF68",
    error="#F7768E",
    foreground="#D6DAE4",
    background="#12141A",
    surface="#191C24",
    panel="#363C4A",
    variables={"scrollbar-background": "#12141A", "footer-background": "#12141A"},
)
LIGHT = Theme(
    "palace-light",
    primary=_DEEP_BLUE,
    accent=_DEEP_BLUE,
    success="#2E7D32",
    warning="#8F5B00",
    error="#B3261E",
    foreground="#22262E",
    background="#FBFBF9",
    surface="#F1F2F0",
    panel="#C3C7CF",
    dark=False,
    variables={"scrollbar-background": "#FBFBF9", "footer-background": "#FBFBF9"},
)
"""One accent colour each, for the pane that has the focus and for the keys in the footer."""
THREADS = 16
LAST_SECONDS = 1.5
"""How long quitting waits for threads; those that still hang end with the process."""
STANDS_OUT = 0.2
"""The difference in brightness from its surroundings, 0 to 1, from which on a background is drawn in reverse."""


@dataclass(frozen=True, slots=True)
class PageOf:
    """A screen that is opened from anywhere; it is imported then, so that the first paint does not wait."""

    name: str
    """Its name in the palette and the help."""
    key: str
    where: str
    """Module and class, ``palace_cli.tui.screens.jobs:JobsScreen``."""
    tooltip: str

    def make(self) -> Screen[Any]:
        """Make the screen."""
        module, _, name = self.where.partition(":")
        made: Screen[Any] = getattr(import_module(module), name)()
        return made

    def is_of(self, screen: Screen[Any]) -> bool:
        """Return whether a screen is this page."""
        return f"{type(screen).__module__}:{type(screen).__name__}" == self.where


PAGES: tuple[PageOf, ...] = (
    PageOf("who", "w,E,f2", "palace_cli.tui.screens.entity:EntityScreen", "Show who or what somebody or something is."),
    PageOf("work", "W,f7", "palace_cli.tui.screens.work:WorkScreen", "Show what coding agents did."),
    PageOf("review", "R,f3", "palace_cli.tui.screens.review:ReviewScreen", "Look through what is new or in doubt."),
    PageOf("jobs", "J,f4", "palace_cli.tui.screens.jobs:JobsScreen", "Show background work, and what models cost."),
    PageOf("settings", "S,f5", "palace_cli.tui.screens.settings:SettingsScreen", "Show and change settings."),
    PageOf("about", "a", "palace_cli.tui.screens.about:AboutScreen", "Show what is known of you."),
)


def is_light(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is light by ``COLORFGBG``, "0;15", which rxvt and Konsole set."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"}


class Threads(ThreadPoolExecutor):
    """The threads that ask the palace; shutting down waits for them for ``LAST_SECONDS`` at most."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 — as inherited
        """Drop calls that have not begun, and wait for those that have."""
        super().shutdown(wait=False, cancel_futures=True)
        until = monotonic() + LAST_SECONDS
        for thread in list(self._threads) if wait else ():
            thread.join(max(until - monotonic(), 0))


class Plain(LineFilter):
    """Removes every colour (``NO_COLOR``): text is bold, faint or in reverse instead."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Draw segments in the colours of the terminal."""
        brightness = Color(*background.rich_color.get_truecolor()).brightness
        return [
            Segment(text, _plain(style, brightness) if style else None, control) for text, style, control in segments
        ]


@lru_cache(2048)
def _plain(style: Style, around: float) -> Style:
    below = style.bgcolor
    stands_out = below is not None and abs(Color.from_rich_color(below).brightness - around) > STANDS_OUT
    return Style(
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=bool(style.reverse) != stands_out,
        meta=style.meta or None,
    )


class BrowseApp(AskingApp):
    """``palace browse``."""

    TITLE = "palace"
    CSS_PATH = ["styles/browse.tcss", "styles/seek.tcss", "styles/pages.tcss"]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        key("ctrl+t", "other_theme", "Dark or light", "app.theme", "Change between dark and light."),
        key("ctrl+p", "command_palette", "Palette", "app.palette", "Search all there is to do."),
        *(
            key(
                each.key,
                f"app.open_page('{each.name}')",
                each.name.capitalize(),
                f"page.{each.name}",
                each.tooltip,
                show=each in PAGES[:2],
            )
            for each in PAGES
        ),
        key("question_mark,f1", "keys", "Keys", "app.help", "Show every key.", show=True),
        key("q", "quit", "Quit", "app.quit", "Leave.", show=True),
    ]

    def __init__(self, opening: Opening, at: str | None = None) -> None:
        super().__init__(opening)
        self.at = at
        """The pointer or wing to begin at, or None."""
        if self.no_color:
            self._filters.append(Plain())
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        if "TEXTUAL_THEME" not in os.environ:
            self.theme = (LIGHT if is_light(os.environ) else DARK).name

    def on_load(self) -> None:
        asyncio.get_running_loop().set_default_executor(Threads(THREADS, thread_name_prefix="browse"))

    def on_mount(self) -> None:
        """Paint the first screen, then open the palace."""
        self.push_screen(BrowseScreen())
        self.call_after_refresh(self._open)

    @work(group="open")
    async def _open(self) -> None:
        """Open the palace and show it, unless the person has quit meanwhile."""
        try:
            await asyncio.to_thread(self.source.open)
        except PalaceError as problem:
            if not self.is_ending:
                self.exit(problem)
        else:
            if not self.is_ending:
                self._begin()

    def _begin(self) -> None:
        first = next(screen for screen in self.screen_stack if isinstance(screen, BrowseScreen))
        first.begin(self.at)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run the action of a key, unless the application is quitting."""
        return False if self.is_ending else await super().run_action(action, default_namespace, namespaces)

    def exit(
        self,
        result: PalaceError | None = None,
        return_code: int = 0,
        message: RenderableType | None = None,
    ) -> None:
        """Quit, and end what is under way."""
        self.source.leaving.leave()
        super().exit(result, return_code, message)

    async def on_event(self, event: events.Event) -> None:
        """Handle keys and pasted text one after the other, and other events as they come."""
        if not isinstance(event, (events.Key, events.Paste)):
            await super().on_event(event)
        elif event.is_forwarded:
            await super().on_event(event)
            self.keyboard.bubbled(event)
        elif self.keyboard.take(event):
            target = self.focused or self.screen
            await super().on_event(event)
            self.keyboard.sent(event, target)

    def on_key_round(self, message: KeyRound) -> None:
        self.keyboard.went_round(message)

    def on_unmount(self) -> None:
        self.source.close()

    def action_other_theme(self) -> None:
        self.theme = (LIGHT if self.current_theme.dark else DARK).name

    def action_keys(self) -> None:
        self.push_screen(HelpScreen(self.screen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the key of the page that is shown."""
        return action != "open_page" or not self._page(parameters[0]).is_of(self.screen)

    def action_open_page(self, name: str) -> None:
        if self.source.is_open:
            self.push_screen(self._page(name).make())

    def _page(self, name: object) -> PageOf:
        return next(each for each in PAGES if each.name == name)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield the commands of the palette: those of the keys, and the choice of a theme."""
        yield SystemCommand("Theme", "Choose among all themes", self.action_change_theme)
        yield from commands_of(self, screen)
