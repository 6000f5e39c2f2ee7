"""Asking the source from threads: nothing blocks the screen, and what fails is told on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from textual.app import App
from textual.content import Content
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import Static

from palace.errors import DatabaseUnavailable, PalaceError
from palace_cli.render.visible import one_line
from palace_cli.tui.keys import Keyboard
from palace_cli.tui.source import Opening, Source

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from palace.api.palace import Palace

CHANGES = {"change", "deed"}
"""The first words of groups that change the palace; the others only read."""
T = TypeVar("T")
R = TypeVar("R")


class Banner(Static):
    """A line or two above everything; not there while all is well."""

    def __init__(self) -> None:
        super().__init__(id="banner", markup=False)
        self.display = False
        self._waiting: dict[str, Callable[[], Any]] = {}

    def say(self, told: str, group: str, again: Callable[[], Any]) -> None:
        """Say what is wrong, and keep what is to be asked again: of each group the last."""
        # What is to be done stands first: the rest may be longer than there is room for.
        self.update(Content(f"ctrl+r tries again: {told}"))
        self._waiting[group] = again
        self.display = True

    def retry(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for again in waiting.values():
            again()

    def clear(self) -> None:
        """All is well: what waited is asked again, and the banner goes."""
        if self.display:
            self.display = False
            self.retry()

    async def on_click(self) -> None:
        await self.run_action("screen.retry")


class AskingApp(App[PalaceError]):
    """An application whose screens ask one source. What it returns is why it could not begin."""

    def __init__(self, opening: Opening) -> None:
        super().__init__()
        self.source = Source(opening)
        self.keyboard = Keyboard(self)

    @property
    def is_ending(self) -> bool:
        """Whether it has to end: then no key does anything more, and it waits for nobody for long."""
        return self._exit


class AskingScreen(Screen[R]):
    """A screen that asks the source. It has a ``Banner`` where it composes one."""

    @property
    def browse(self) -> AskingApp:
        return cast("AskingApp", self.app)

    @property
    def source(self) -> Source:
        return self.browse.source

    @property
    def palace(self) -> Palace:
        """The open palace; it blocks, so it is called in what ``ask`` is given alone."""
        return self.source.palace

    def ask(
        self,
        call: Callable[[], T],
        then: Callable[[T], Any],
        *,
        group: str,
        failed: Callable[[PalaceError], Any] | None = None,
    ) -> None:
        """Call in a thread, then go on with what it gives; what was asked before in the same ``group`` is dropped.

        What is wrong is told (``tell``), or given to ``failed``. A database that is gone raises the banner, from which
        the same is asked again.
        """

        def work() -> T:
            with self.source.asking(changes=group.split(maxsplit=1)[0] in CHANGES):
                return call()

        async def go_on() -> None:
            wrong: PalaceError | None = None
            try:
                result = await asyncio.to_thread(work)
            except PalaceError as problem:
                wrong = problem
            if not self.is_attached or self.browse.is_ending:
                return
            if isinstance(wrong, DatabaseUnavailable):
                self.database_gone(wrong, group, lambda: self.ask(call, then, group=group, failed=failed))
            elif wrong is not None:
                (failed or self.tell)(wrong)
            else:
                self._banner(lambda banner: banner.clear())
                then(result)

        if not self.browse.is_ending:
            # What is made here is called by the worker alone: none is left over where the application ends first.
            self.run_worker(go_on, group=group, exclusive=True)  # type: ignore[arg-type]

    def say(self, told: str, severity: SeverityLevel = "information") -> None:
        """Tell something in one line."""
        self.notify(one_line(told), severity=severity, markup=False)

    def tell(self, problem: PalaceError) -> None:
        self.say(str(problem), "error")

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Say on the banner that no database answers; a key asks again."""
        self._banner(lambda banner: banner.say(one_line(str(problem)), group, again))

    def action_retry(self) -> None:
        self._banner(self._start)

    def _start(self, banner: Banner) -> None:
        if banner.display:
            # What went well clears the banner, which asks again what waits.
            self.ask(self.source.start, lambda _: None, group="start")

    def _banner(self, do: Callable[[Banner], Any]) -> None:
        try:
            do(self.query_one(Banner))
        except NoMatches:
            return
