"""The drawer in four views: its text as Markdown, verbatim, its data, and the conversation around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from palace_cli.tui import text as set_text
from palace_cli.tui.keys import key
from palace_cli.tui.places import Reading


class Reader(ScrollView, can_focus=True, inherit_bindings=False):
    """Scrolls through any number of lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("up,k", "scroll_up", "Up", "reader.up", "Scroll a line up."),
        key("down,j", "scroll_down", "Down", "reader.down", "Scroll a line down."),
        key("pageup", "page_up", "Page-up", "reader.page-up", "Scroll a page up."),
        key("pagedown,space", "page_down", "Page-down", "reader.page-down", "Scroll a page down."),
        key("home", "scroll_home", "First", "reader.first", "Scroll to the beginning."),
        key("end", "scroll_end", "Last", "reader.last", "Scroll to the end of what is shown."),
        key("escape", "screen.back", "Back", "reader.leave", "Go back to the tree.", show=True),
    ]

    def __init__(self) -> None:
        super().__init__(id="reader")
        self._lines: Sequence[Strip] = ()

    @property
    def room(self) -> int:
        """The width of lines, without the column of the scroll bar."""
        return self.scrollable_content_region.width

    def set_lines(self, lines: Sequence[Strip], *, at: int | None = 0) -> None:
        """Show lines, scrolled so that line ``at`` is in view; None keeps the position."""
        self._lines = lines
        self.virtual_size = Size(self.size.width, len(lines))
        if at is not None:
            self.scroll_to(y=max(at - self.size.height // 3, 0), animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        style = self.rich_style
        if at >= len(self._lines):
            return Strip.blank(self.size.width, style)
        return self._lines[at].apply_style(style).adjust_cell_length(self.size.width, style)


VIEWS = ("text", "raw", "about", "talk")
DESCRIPTIONS = {
    "text": "as Markdown and code",
    "raw": "byte for byte",
    "about": "who, when, relations, AAAK",
    "talk": "what was said before and after",
}


Lines = tuple[list[Strip], int]
"""Lines, and the one to scroll to."""


class DrawerPane(Vertical):
    """One drawer."""

    def __init__(self) -> None:
        super().__init__(id="drawer", classes="panel")
        self.reading: Reading | None = None
        self.view = "text"
        self._parts = 1

    def compose(self) -> ComposeResult:
        yield Static(id="drawer-head", markup=False)
        yield Static(id="drawer-views")
        yield Reader()
        yield Static(id="drawer-foot", markup=False)

    @property
    def reader(self) -> Reader:
        return self.query_one(Reader)

    def on_mount(self) -> None:
        self.clear("")

    def show(self, reading: Reading) -> None:
        """Show a drawer in the current view; the same drawer keeps its scroll position."""
        is_same = self.reading is not None and self.reading.shown.drawer.id == reading.shown.drawer.id
        if not is_same:
            self._parts = 1
        self.reading = reading
        self.border_title = Content(reading.pointer)
        self.query_one("#drawer-head", Static).update(Content("\n".join(set_text.head(reading))))
        self._draw(keeps_place=is_same)

    def clear(self, why: str) -> None:
        self.reading = None
        self.border_title = Content("Drawer")
        self.query_one("#drawer-head", Static).update(Content(why))
        self.query_one("#drawer-views", Static).update(Content(""))
        self.query_one("#drawer-foot", Static).display = False
        self.reader.set_lines(())

    def choose(self, view: str) -> None:
        self.view = view
        if self.reading is not None:
            self._draw()

    def show_more(self) -> bool:
        """Show more of a long drawer; return False if all of it is shown."""
        if not self._is_cut:
            return False
        self._parts += 1
        self._draw(keeps_place=True)
        return True

    @property
    def _is_cut(self) -> bool:
        if self.reading is None or self.view not in {"text", "raw"}:
            return False
        return len(self.reading.shown.drawer.content) > set_text.PART * self._parts

    def on_resize(self) -> None:
        if self.reading is not None:
            self._draw(keeps_place=True)

    def _draw(self, *, keeps_place: bool = False) -> None:
        self.query_one("#drawer-views", Static).update(views_of(self.view))
        foot = self.query_one("#drawer-foot", Static)
        foot.display = self._is_cut
        if self._is_cut and self.reading is not None:
            rest = len(self.reading.shown.drawer.content) - set_text.PART * self._parts
            foot.update(Content(f"{rest:,} more characters: + shows more"))
        self._set(self._job(), keeps_place)

    def _job(self) -> Callable[[], Lines]:
        """Return a function for a thread that typesets the current view."""
        reading, width, view, parts = self.reading, self.reader.room, self.view, self._parts
        dark = self.app.current_theme.dark
        assert reading is not None
        content = reading.shown.drawer.content
        jobs: dict[str, Callable[[], Lines]] = {
            "text": lambda: (set_text.as_markdown(set_text.part_of(content, parts), width, dark=dark), 0),
            "raw": lambda: (set_text.as_written(set_text.part_of(content, parts), width), 0),
            "about": lambda: (set_text.as_lines(set_text.about(reading), width), 0),
            "talk": lambda: set_text.as_lines_at(*set_text.talk(reading), width),
        }
        return jobs[view]

    @work(exclusive=True, group="typeset")
    async def _set(self, job: Callable[[], Lines], keeps_place: bool) -> None:
        lines, at = await asyncio.to_thread(job)
        if self.is_attached:
            self.reader.set_lines(lines, at=None if keeps_place else at)


def views_of(chosen: str) -> Content:
    """Draw the names of the views on one line, each with its key."""
    return Content(" ").join(
        Content.styled(f"{at} {view}", "reverse" if view == chosen else "").stylize(f"@click=screen.view('{view}')")
        for at, view in enumerate(VIEWS, start=1)
    )
