"""Read and write memory files: each version is a drawer that replaces the one before, in the room of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import NamedTuple
from uuid import uuid4

from palace.db.activity import count_landed, end_mined
from palace.db.changes.runs import finish_run, start_run
from palace.db.counts import fold_counts
from palace.db.database import UserSession
from palace.db.drawers import get_drawer_by_identity
from palace.db.filing import conversations, places, versions
from palace.db.filing.drawers import file_drawers
from palace.db.memory_files import READER, StoredFile, list_files
from palace.mining.filing.conversation import drawer_of
from palace.mining.filing.place import WingPlace
from palace.mining.filing.plan import PlannedTurn
from palace.mining.redaction import Redactor
from palace.mining.tally import noted
from palace.models import NewRoom, Replacement, Role, Turn


class Found(NamedTuple):
    """What is stored at a path, below it and above it."""

    path: str
    files: Mapping[str, StoredFile]
    all: Sequence[StoredFile]
    """Also older files of the same paths, which came from another palace or wing."""

    @property
    def file(self) -> StoredFile | None:
        """The file at the path."""
        return self.files.get(self.path)

    @property
    def below(self) -> list[str]:
        """The paths of the files below the path."""
        return [path for path in self.files if path.startswith(f"{self.path}/")]

    @property
    def parent_file(self) -> str | None:
        """A file where the path needs a directory."""
        return next((path for path in self.files if self.path.startswith(f"{path}/")), None)


@dataclass(frozen=True, slots=True)
class FileShelf:
    """The files of one wing."""

    wing: WingPlace
    redactor: Redactor
    zone: tzinfo

    def find(self, session: UserSession, path: str) -> Found:
        """Find what is stored around a path."""
        wing_id = places.find_wing(session, self.wing.slug)
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(2, len(parts))]
        found = [] if wing_id is None else list_files(session, wing_id, path, above)
        return Found(path, {each.path: each for each in found}, found)

    def read(self, session: UserSession, file: StoredFile) -> str:
        """Return the text of a file."""
        return get_drawer_by_identity(session, file.identity).content

    def write(self, session: UserSession, path: str, text: str, former: Sequence[StoredFile] = ()) -> int:
        """File a version of a text, which replaces the ``former`` ones; return its conversation."""
        run_id = start_run(session, READER)
        now = datetime.now(self.zone)
        conversation_id = former[-1].conversation_id if former else self._add(session, path, run_id, now)
        conversations.lock_conversation(session, conversation_id)
        plain = uuid4().bytes
        identity = self.redactor.key.hide_note(plain) if self.redactor.hides(text) else plain
        position = versions.make_room_at(session, conversation_id, now)
        planned = PlannedTurn(0, identity, position, is_revision=False)
        turn = Turn(Role.ASSISTANT, text, said_at=now)
        drawer = drawer_of(turn, planned, self.redactor, self.zone, slice_name="")
        rooms = places.find_rooms(session, conversation_id)
        file_drawers(session, conversation_id=conversation_id, run_id=run_id, rooms=rooms, drawers=[drawer])
        versions.replace(session, [Replacement(each.identity, identity, run_id) for each in former])
        finish_run(session, run_id, drawers=1)
        end_mined(session, run_id, noted(READER, count_landed(session, run_id), None))
        fold_counts(session, only_many=True)
        return conversation_id

    def _add(self, session: UserSession, path: str, run_id: int, now: datetime) -> int:
        """Create the conversation and the room of a new file."""
        wing = self.wing
        wing_id = places.ensure_wing(session, slug=wing.slug, name=wing.name, kind=wing.kind)
        conversation_id = conversations.ensure_conversation(
            session, identity=f"{READER}:{uuid4().hex}", reader=READER, title=path, run_id=run_id
        )
        places.ensure_rooms(session, conversation_id, wing_id, [NewRoom(slice="", name=path, started_at=now)])
        return conversation_id
