"""Writes the pages of a palace, or of one wing, as of one moment, one conversation at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from palace.cancellation import go_on
from palace.db.counts import get_counts
from palace.db.database import UserDatabase, UserSession
from palace.db.transfer import rows
from palace.errors import NotFound
from palace.models import OnProgress, Phase, Progress, Wing
from palace.models.lines import DrawerLine, RoomLine
from palace.transfer.pages import model
from palace.transfer.pages.model import Extent, RoomPage, WingPage, extent_of, in_order, room_stem, wing_folder
from palace.transfer.pages.text import Plain, fenced, harmless, in_parts, markdown_line

TEMPLATES = Path(__file__).parents[2] / "data" / "pages"
FORMATS = {"markdown": "md", "html": "html"}
"""File extensions by format."""
NAMELESS = "(no name)"


def _parts(drawer: DrawerLine) -> Iterator[tuple[str, bool]]:
    return in_parts(harmless(drawer.content))


def _templates(ending: str) -> Environment:
    """Return the templates of a format, which escape all markup in texts of the palace."""
    shown: Callable[[str], str] = markdown_line if ending == "md" else harmless
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        finalize=lambda value: shown(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"named": lambda name: shown(name) or NAMELESS, "plain": Plain, "fenced": fenced}
    functions = (
        model.beside_wing,
        model.beside_room,
        model.times_are_in,
        model.heading,
        model.anchor,
        room_stem,
        wing_folder,
    )
    made.globals |= {each.__name__: each for each in functions} | {"parts": _parts}
    return made


@dataclass
class Pages:
    """Writes pages into an empty folder, once."""

    database: UserDatabase
    ending: str
    wing: Wing | None = None
    progress: OnProgress | None = None
    zone: tzinfo = UTC
    wings: int = 0
    rooms: int = 0
    drawers: int = 0

    @cached_property
    def _made(self) -> Environment:
        return _templates(self.ending)

    def write_to(self, folder: Path) -> None:
        """Write everything as of one moment.

        Raises:
            NotFound: the wing does not exist any more.
        """
        with self.database.transaction(snapshot=True) as session:
            total = get_counts(session)["drawer"] if self.wing is None else self.wing.drawer_count
            wings = self._list(session)
            pages = {(page.wing.number, page.room.number): page for wing in wings for page in wing.pages}
            for page in wings:
                (folder / wing_folder(page.wing)).mkdir(mode=0o700)
            extents: dict[tuple[int, int], Extent] = {}
            for room, drawers in self._rooms(session):
                extents[room.wing, room.number] = extent_of(drawers)
                self._write_room(folder, pages[room.wing, room.number], drawers)
                if self.progress:
                    self.progress(Progress(Phase.WRITE, self.drawers, max(self.drawers, total), "drawers"))
            self._write_indexes(folder, wings, extents)
        self.wings, self.rooms = len(wings), len(pages)

    @property
    def _wing_id(self) -> int | None:
        return self.wing.id if self.wing else None

    def _list(self, session: UserSession) -> list[WingPage]:
        wings = rows.list_wings(session, self._wing_id)
        if self.wing and not wings:
            raise NotFound("this wing was forgotten or merged meanwhile; `palace ls` lists what there is")
        rooms: dict[int, list[RoomLine]] = {}
        for page in rows.iter_conversation_pages(session, self._wing_id):
            for found in rows.list_rooms(session, [row.id for row in page], self._wing_id).values():
                for room in found:
                    rooms.setdefault(room.wing, []).append(room)
        pages = [WingPage(wing, in_order(rooms.get(wing.number, ())), self.zone) for wing in wings]
        return [page for page in pages if page.rooms]

    def _rooms(self, session: UserSession) -> Iterator[tuple[RoomLine, list[DrawerLine]]]:
        """Yield the rooms with their drawers, one conversation at a time."""
        runs = rows.number_runs(session, self._wing_id)
        for page in rows.iter_conversation_pages(session, self._wing_id):
            for row in page:
                go_on()
                rooms = rows.list_rooms(session, [row.id], self._wing_id).get(row.id, [])
                drawers = [line for _, line in rows.iter_drawers(session, [row.id], self._wing_id, runs)]
                for room in rooms:
                    yield room, [line for line in drawers if line.slice == room.slice]

    def _write_indexes(self, folder: Path, wings: list[WingPage], extents: Mapping[tuple[int, int], Extent]) -> None:
        self._render(folder, "index", wings=wings, extents=extents)
        for wing in wings:
            self._render(folder / wing_folder(wing.wing), "wing", name="index", page=wing, extents=extents)

    def _write_room(self, folder: Path, page: RoomPage, drawers: list[DrawerLine]) -> None:
        self._render(folder / wing_folder(page.wing), "room", name=room_stem(page.room), page=page, drawers=drawers)
        self.drawers += len(drawers)

    def _render(self, folder: Path, template: str, *, name: str = "", **values: Any) -> None:
        path = folder / f"{name or template}.{self.ending}"
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(self._made.get_template(f"{template}.{self.ending}").generate(values))
