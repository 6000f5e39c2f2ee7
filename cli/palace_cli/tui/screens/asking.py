"""Screens that call the palace in threads: nothing blocks them, and they show what fails."""

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
from palace_cli.tui.reviewing import Done
from palace_cli.tui.source import Opening, Source

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from palace.api.palace import Palace

CHANGES = {"change", "deed"}
"""First words of the groups whose calls change the palace; the others only read."""
T = TypeVar("T")
R = TypeVar("R")


class Banner(Static):
    """One or two lines at the top, shown while the database does not answer."""

    def __init__(self) -> None:
        super().__init__(id="banner", markup=False)
        self.display = False
        self._waiting: dict[str, Callable[[], Any]] = {}

    def raise_for(self, problem: str, group: str, again: Callable[[], Any]) -> None:
        """Show a problem, and keep the last call of each group, which is made again later."""
        # The key comes first: the rest may be longer than there is room for.
        self.update(Content(f"ctrl+r tries again: {problem}"))
        self._waiting[group] = again
        self.display = True

    def retry(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for again in waiting.values():
            again()

    def clear(self) -> None:
        """Hide the banner, and make the calls that waited again."""
        if self.display:
            self.display = False
            self.retry()

    async def on_click(self) -> None:
        await self.run_action("screen.retry")


class AskingApp(App[PalaceError]):
    """An application whose screens share one source. It returns the problem that kept it from starting."""

    def __init__(self, opening: Opening) -> None:
        super().__init__()
        self.source = Source(opening)
        self.keyboard = Keyboard(self)

    @property
    def is_ending(self) -> bool:
        """Whether it is quitting: keys do nothing any more, and it waits for nothing for long."""
        return self._exit


class AskingScreen(Screen[R]):
    """A screen that calls the palace. It may compose a ``Banner``."""

    _undoes = False
    """Whether what is under way is to be taken back as soon as it is done."""

    @property
    def browse(self) -> AskingApp:
        return cast("AskingApp", self.app)

    @property
    def source(self) -> Source:
        return self.browse.source

    @property
    def palace(self) -> Palace:
        """The open palace; it blocks, so it is called only in the functions passed to ``ask`` and ``do``."""
        return self.source.palace

    def ask(
        self,
        call: Callable[[], T],
        then: Callable[[T], Any],
        *,
        group: str,
        failed: Callable[[PalaceError], Any] | None = None,
    ) -> None:
        """Call in a thread, then pass the result to ``then``; an earlier call of the same ``group`` is dropped.

        A problem is shown (``show_problem``), or passed to ``failed``. A database that does not answer raises the
        banner, which makes the same call again later.
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
                (failed or self.show_problem)(wrong)
            else:
                self._banner(lambda banner: banner.clear())
                then(result)

        if not self.browse.is_ending:
            # Only the worker calls this function: no coroutine is left over if the application quits first.
            self.run_worker(go_on, group=group, exclusive=True)  # type: ignore[arg-type]

    def do(
        self,
        deed: Callable[[], Done],
        then: Callable[[], Any] | None = None,
        failed: Callable[[PalaceError], Any] | None = None,
    ) -> None:
        """Change the palace in a thread, say what was done, and keep its undo, even if the screen is closed by then."""
        self._undoes = False
        self.source.changing.add(deed)

        def work() -> Done:
            try:
                done = deed()
                self.source.past.append(done)
                return done
            finally:
                self.source.changing.discard(deed)

        def did(done: Done) -> None:
            self.say(f"{done.text}; u takes it back" if done.undo else done.text)
            (then or self.list_again)()
            if self._undoes:
                self.action_undo()

        self.ask(work, did, group=f"change {id(deed)}", failed=failed or self.not_done)

    def action_undo(self) -> None:
        """Take back what was done last on any screen; what is under way as soon as it is done."""
        self._undoes = bool(self.source.changing)
        if self._undoes:
            return
        if not self.source.past:
            self.nothing_done()
            return
        last = self.source.past.pop()
        if last.undo is None:
            self.say(f"that cannot be taken back: {last.text}", "warning")
        else:
            self.take_back(last.undo, last)

    def take_back(self, undo: Callable[[], str], last: Done | None = None) -> None:
        """Undo a change in a thread, and say what came of it; where it fails, ``last`` may be taken back again."""

        def undone(result: str) -> None:
            self.say(result)
            self.list_again()

        def not_undone(problem: PalaceError) -> None:
            self.source.past.extend([] if last is None else [last])
            self.not_done(problem)

        self.ask(undo, undone, group=f"change {id(undo)}", failed=not_undone)

    def nothing_done(self) -> None:
        """Say that there is nothing to take back."""
        self.say("there is nothing to take back since you started")

    def not_done(self, problem: PalaceError) -> None:
        self.show_problem(problem)
        self.list_again()

    def list_again(self) -> None:
        """List what is shown as it is by now."""

    def say(self, text: str, severity: SeverityLevel = "information") -> None:
        """Notify of something in one line."""
        self.notify(one_line(text), severity=severity, markup=False)

    def show_problem(self, problem: PalaceError) -> None:
        self.say(str(problem), "error")

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Raise the banner: the database does not answer."""
        self._banner(lambda banner: banner.raise_for(one_line(str(problem)), group, again))

    def action_retry(self) -> None:
        self._banner(self._start)

    def _start(self, banner: Banner) -> None:
        if banner.display:
            # Success clears the banner, which then makes the waiting calls again.
            self.ask(self.source.start, lambda _: None, group="start")

    def _banner(self, do: Callable[[Banner], Any]) -> None:
        try:
            do(self.query_one(Banner))
        except NoMatches:
            return
