"""The application: opens the palace behind its first screen, and leads from screen to screen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

from rich.console import RenderableType
from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from palace.errors import PalaceError
from palace_cli.render.visible import one_line
from palace_cli.tui.drawing.plain import Plain
from palace_cli.tui.ending import EndingApp
from palace_cli.tui.keys.keyboard import Keyboard, KeyRound
from palace_cli.tui.keys.palette import commands_of
from palace_cli.tui.pages import PAGES
from palace_cli.tui.screens.browse import BrowseScreen
from palace_cli.tui.screens.help import HelpScreen
from palace_cli.tui.source import Opening, Source

DARK, LIGHT = "textual-dark", "textual-light"


def is_light(environment: Mapping[str, str]) -> bool:
    """Tell a light terminal by ``COLORFGBG``, "0;15", as rxvt and Konsole set it; others do not tell."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"}


class BrowseApp(EndingApp[PalaceError]):
    """``palace browse``. What it returns is why it could not begin."""

    TITLE = "palace"
    CSS_PATH = ["styles/browse.tcss", "styles/seek.tcss", "styles/pages.tcss"]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit", id="app.quit", tooltip="Leave."),
        Binding("question_mark,f1", "keys", "Help", id="app.help", tooltip="Show every key."),
        Binding(
            "ctrl+t",
            "other_theme",
            "Dark or light",
            id="app.theme",
            tooltip="Change between dark and light.",
            show=False,
        ),
        Binding(
            "ctrl+p", "command_palette", "Palette", id="app.palette", tooltip="Search all there is to do.", show=False
        ),
        *(page.binding for page in PAGES),
    ]

    def __init__(self, opening: Opening, at: str | None = None) -> None:
        super().__init__()
        self.source = Source(opening)
        self.keyboard = Keyboard(self)
        self.at = at
        """Where to begin: a pointer, or None."""
        if self.no_color:
            self._filters.append(Plain())
        if is_light(os.environ):
            self.theme = LIGHT

    def on_mount(self) -> None:
        """Paint first, open then."""
        self.push_screen(BrowseScreen())
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        def work() -> None:
            try:
                self.source.open()
            except PalaceError as problem:
                self._on_loop(partial(self.exit, problem))
            else:
                self._on_loop(self._begin)

        self.run_worker(work, thread=True, group="open")

    def _on_loop(self, go_on: Callable[[], None]) -> None:
        """Go on in the application's own thread, unless it has been left."""

        def if_wanted() -> None:
            if not self.is_ending:
                go_on()

        if self._running and not self.is_ending:
            self.call_from_thread(if_wanted)

    def _begin(self) -> None:
        first = next(screen for screen in self.screen_stack if isinstance(screen, BrowseScreen))
        first.begin(self.at)

    def exit(
        self,
        result: PalaceError | None = None,
        return_code: int = 0,
        message: RenderableType | None = None,
    ) -> None:
        """Leave; what is under way ends."""
        self.source.leaving.leave()
        super().exit(result, return_code, message)

    async def on_event(self, event: events.Event) -> None:
        """Take what is typed in its order; the rest as it comes."""
        if not isinstance(event, (events.Key, events.Paste)):
            await super().on_event(event)
        elif event.is_forwarded:
            await super().on_event(event)
            self.keyboard.came_back(event)
        elif self.keyboard.take(event):
            target = self.focused or self.screen
            await super().on_event(event)
            self.keyboard.gave(event, target)

    def on_key_round(self, message: KeyRound) -> None:
        """Let the next key go."""
        self.keyboard.came_round(message)

    def on_unmount(self) -> None:
        """Give the palace back."""
        self.source.close()

    def action_other_theme(self) -> None:
        """Change between dark and light."""
        self.theme = DARK if self.theme == LIGHT else LIGHT

    def action_keys(self) -> None:
        """Show the help of the screen that is on."""
        self.push_screen(HelpScreen(self.screen))

    def action_open_page(self, name: str) -> None:
        """Go to one of the other screens."""
        page = next(each for each in PAGES if each.name == name)
        if self.source.is_open and not page.is_of(self.screen):
            self.push_screen(page.make())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the palette offers: what the keys do, and what has none."""
        yield SystemCommand("Theme", "Choose among all themes", self.action_change_theme)
        yield SystemCommand("Screenshot", "Save a picture (SVG) in the current folder", self._picture_later)
        yield from commands_of(self, screen)

    def _picture_later(self) -> None:
        # The palette has to be gone from it.
        self.set_timer(0.1, self._save_picture)

    def _save_picture(self) -> None:
        try:
            file = Path(self.save_screenshot()).resolve()
        except OSError as problem:
            told = f"no picture was saved in the current folder: {problem.strerror}"
            self.notify(told, severity="error", markup=False)
        else:
            self.notify(one_line(f"saved {file}"), markup=False)
