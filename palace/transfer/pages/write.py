"""Writing the pages of a palace, or of a wing of it, as of one moment, a conversation at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path
from types import ModuleType

from palace.cancellation import go_on
from palace.errors import NotFound
from palace.files.lines import DrawerLine, RoomLine
from palace.records import OnProgress, Phase, Progress, Wing
from palace.store.counts import get_counts
from palace.store.database import UserDatabase, UserSession
from palace.store.transfer import rows
from palace.transfer.pages import html, markdown
from palace.transfer.pages.model import Extent, Extents, RoomPage, WingPage, extent_of, in_order, room_stem, wing_folder

FORMATS: dict[str, ModuleType] = {"markdown": markdown, "html": html}


@dataclass(slots=True)
class Pages:
    """One writing of pages into an empty folder."""

    database: UserDatabase
    format: ModuleType
    wing: Wing | None = None
    progress: OnProgress | None = None
    zone: tzinfo = UTC
    wings: int = 0
    rooms: int = 0
    drawers: int = 0

    def write_to(self, folder: Path) -> None:
        """Write everything as of one moment.

        Raises:
            NotFound: the wing has gone.
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
        """Give the rooms with their drawers, a conversation at a time."""
        runs = rows.number_runs(session, self._wing_id)
        for page in rows.iter_conversation_pages(session, self._wing_id):
            for row in page:
                go_on()
                rooms = rows.list_rooms(session, [row.id], self._wing_id).get(row.id, [])
                drawers = [line for _, line in rows.iter_drawers(session, [row.id], self._wing_id, runs)]
                for room in rooms:
                    yield room, [line for line in drawers if line.slice == room.slice]

    def _write_indexes(self, folder: Path, wings: list[WingPage], extents: Extents) -> None:
        name = f"index.{self.format.ENDING}"
        _write(folder / name, self.format.index_page(wings, extents))
        for wing in wings:
            _write(folder / wing_folder(wing.wing) / name, self.format.wing_page(wing, extents))

    def _write_room(self, folder: Path, page: RoomPage, drawers: list[DrawerLine]) -> None:
        path = folder / wing_folder(page.wing) / f"{room_stem(page.room)}.{self.format.ENDING}"
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(self.format.room_begin(page))
            for drawer in drawers:
                file.write(self.format.drawer_part(page, drawer))
                self.drawers += 1
            file.write(self.format.room_end(page))


def _write(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
