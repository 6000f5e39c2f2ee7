"""The page about the person, or about an entity: what is true now, by kinds; each line leads to its drawer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Footer, OptionList, Static

from palace.models import About
from palace_cli.clock import shown
from palace_cli.styles import ASIDE, HEADING
from palace_cli.tui.places import DrawerChosen
from palace_cli.tui.screens.asking import Banner
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.widgets.rows import Row, Rows, line


class AboutScreen(PageScreen):
    """The page about the person, or about the entity that is named."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name
        self._pointers: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        yield Banner()
        yield Static(id="about-head", markup=False)
        yield Rows(id="about-rows")
        yield Footer()

    def begin(self) -> None:
        self.ask(lambda: self.palace.about(self._name), self._show, group="about")

    def _show(self, page: About) -> None:
        rows: list[Row] = []
        for kind in page.kinds:
            rows.append((None, line(kind.title, HEADING)))
            for each in kind.lines:
                key, day = str(len(rows)), f"{shown(each.said_at):%Y-%m-%d}" if each.said_at else "undated"
                self._pointers[key] = str(each.pointer)
                rows.append((key, Content("").join([line(f"  {each.text}"), line(f"  {day}  {each.pointer}", ASIDE)])))
        if page.gaps:
            rows.append((None, line(page.gaps, ASIDE)))
        self.query_one("#about-head", Static).update(line(page.name, HEADING))
        self.query_one(Rows).fill(rows)
        self.query_one(Rows).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is not None:
            self.post_message(DrawerChosen(self._pointers[event.option.id], jumps=True))
