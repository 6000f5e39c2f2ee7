"""The page of what coding agents did: about what is typed, or lately where the application was started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from palace.models import WorkEntry
from palace_cli.render.figures import moment
from palace_cli.styles import ASIDE, HEADING
from palace_cli.tui.keys import key
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.widgets.rows import PointerRows, Row, line, lines
from palace_cli.tui.widgets.seek import SearchBox

if TYPE_CHECKING:
    from palace.api.palace import Palace

MOST = 200
NOTHING = "nothing found: try a file's name, a program, words of an error"
NO_HISTORY = "no work of coding agents yet: palace connect NAME files their sessions, palace mine earlier ones"
Parts = Mapping[str, Sequence[WorkEntry]]


class WorkScreen(PageScreen):
    """A box for a file, a command, an error or a symbol, and the entries, newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("slash", "to_box", "Find", "work.find", "Type a file, a command, an error or a symbol.", show=True),
    ]

    def __init__(self, typed: str = "", at: str | None = None) -> None:
        super().__init__()
        self._typed = typed
        self._at = at
        """The row to go to when the page is opened again."""
        self._listed: str | None = None
        """The text of which the entries are listed."""

    def contents(self) -> ComposeResult:
        yield SearchBox("type a file, a command, an error or a symbol")
        yield PointerRows(id="work-rows")

    def begin(self) -> None:
        if self._typed:
            self.query_one(SearchBox).write(self._typed)
        if self._at is None:
            self.action_to_box()
        else:
            self.action_to_list()
        self.look_when_changed(self.list_again)

    def list_again(self) -> None:
        typed = self._typed
        self.ask(lambda: find(self.palace, typed), lambda found: self._show(typed, *found), group="history")

    def _show(self, typed: str, title: str, parts: Parts) -> None:
        rows = self.query_one(PointerRows)
        rows.border_title = line(title)
        rows.fill(_rows(parts))
        if typed != self._listed:
            self._listed = typed
            rows.action_first()
            rows.go_to(self._at)
            self._at = None

    def on_search_box_typed(self, message: SearchBox.Typed) -> None:
        self._typed = message.text.strip()
        self.list_again()

    def again(self) -> PageScreen:
        return WorkScreen(self._typed, self.query_one(PointerRows).chosen)

    def action_to_box(self) -> None:
        self.query_one(SearchBox).focus()

    def action_to_list(self) -> None:
        self.query_one(PointerRows).focus()


def find(palace: Palace, text: str) -> tuple[str, Parts]:
    """Return a title and entries by heading: those about a text, or without one the latest.

    The latest are those of the project of the current folder, or of the whole palace if it has none.
    """
    if text:
        found = palace.work(file=text, command=text, error=text, symbol=text, limit=MOST)
        more = f"{found.more:,} older entries are left out" if found.more else ""
        return "Work", {"": found.entries[::-1], **({more: ()} if more else {})} if found.entries else {NOTHING: ()}
    here = palace.work_here(".")
    if here.parts:
        return f"Work in {here.project}", here.parts
    return "Work", palace.work_here().parts or {NO_HISTORY: ()}


def _rows(parts: Parts) -> Iterator[Row]:
    number = count()
    for name, found in parts.items():
        if name:
            yield None, line(name, HEADING if found else ASIDE)
        for each in found:
            yield f"{next(number)} {each.pointer}", _entry(each)


def _entry(entry: WorkEntry) -> Content:
    head = Content.assemble(f"{moment(entry.said_at)[:10]}  ", (entry.kind, HEADING), (f"  {entry.pointer}", ASIDE))
    behind = filter(None, (entry.error, entry.fixed_by and f"after {entry.fixed_by}"))
    return lines(head, line(f"  {entry.text}"), *(line(f"  {each}", ASIDE) for each in behind))
