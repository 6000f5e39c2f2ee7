"""The page about the person, or about an entity: what is true now, by kinds; each line leads to its drawer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from palace.models import About
from palace_cli.render.figures import moment
from palace_cli.styles import ASIDE, HEADING
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.widgets.rows import PointerRows, Row, Rows, line


class AboutScreen(PageScreen):
    """The page about the person, or about the entity that is named."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def contents(self) -> ComposeResult:
        yield Static(id="about-head", markup=False)
        yield PointerRows(id="about-rows")

    def begin(self) -> None:
        self.ask(lambda: self.palace.about(self._name), self._show, group="about")

    def _show(self, page: About) -> None:
        rows: list[Row] = []
        for kind in page.kinds:
            rows.append((None, line(kind.title, HEADING)))
            for each in kind.lines:
                beside = line(f"  {moment(each.said_at)[:10]}  {each.pointer}", ASIDE)
                rows.append((f"{len(rows)} {each.pointer}", line(f"  {each.text}").append(beside)))
        if page.gaps:
            rows.append((None, line(page.gaps, ASIDE)))
        self.query_one("#about-head", Static).update(line(page.name, HEADING))
        self.query_one(Rows).fill(rows)
        self.query_one(Rows).focus()
