"""Projects as they are kept: found by their keys, made one at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Select, func

from palace.db.database import UserSession
from palace.db.tables import Conversation, Drawer, HiddenDrawer, Project, Room, Wing
from palace.db.tables import ProjectWing as Listed
from palace.models import ProjectWing, SourceKind, WingKind


class HeldProject(NamedTuple):
    """A project as it is kept."""

    key: str
    wing_id: int
    wing_number: int
    wing_name: str
    further: tuple[int, ...]
    """The other wings that may be recalled in it, by id."""
    sources: tuple[SourceKind, ...]


def find_project(session: UserSession, key: str) -> HeldProject | None:
    """Find a project by its key."""
    row = session.execute(_projects(session).where(Project.key == key)).one_or_none()
    return None if row is None else _held(*row)


def list_projects(session: UserSession) -> list[HeldProject]:
    """List all projects, in order of their keys."""
    rows = session.execute(_projects(session).order_by(Project.key.collate("C")))
    return [_held(*row) for row in rows]


def name_wings(session: UserSession, wing_ids: Collection[int]) -> dict[int, ProjectWing]:
    """Map ids to wings, also to such as nothing stands in."""
    query = session.select(Wing.id, Wing.number, Wing.name).where(Wing.id.in_(wing_ids))
    return {row.id: ProjectWing(*row) for row in session.execute(query)} if wing_ids else {}


def is_projects(session: UserSession, wing_id: int) -> bool:
    """Tell whether a wing is some project's own, or listed for one."""
    own = session.select(Project.key).where(Project.wing_id == wing_id)
    return session.has(own, session.select(Listed.key).where(Listed.wing_id == wing_id))


def holds_rooms(session: UserSession, wing_id: int) -> bool:
    """Tell whether anything was filed in a wing that has not gone."""
    return session.has(session.select(Room.id).where(Room.wing_id == wing_id))


def is_hidden(session: UserSession, slug: str) -> bool:
    """Tell whether anything that stood in a wing of that name was forgotten and may still be taken back there."""
    stood = HiddenDrawer.parts["wing"]["slug"].astext == slug
    kept = HiddenDrawer.due_at > sa.func.statement_timestamp()
    return session.has(session.select(HiddenDrawer.identity).where(stood, kept))


def list_wings_of_readers(session: UserSession, readers: Collection[str]) -> list[ProjectWing]:
    """List the wings of projects in which what some readers gave stands."""
    read = session.select(Drawer.id).join(Room).join(Conversation)
    read = read.where(Room.wing_id == Wing.id, Conversation.reader.in_(readers))
    query = session.select(Wing.id, Wing.number, Wing.name).where(read.exists())
    return [ProjectWing(*row) for row in session.execute(query.where(Wing.kind == WingKind.PROJECT))]


def put_project(session: UserSession, key: str, wing_id: int) -> None:
    """Have a project's sessions stand in a wing from now on; what else may be recalled in it stays."""
    session.put(Project, {"key": key, "wing_id": wing_id}, key=("key",), columns=("wing_id",))
    deny_wings(session, key, [wing_id])


def drop_projects(session: UserSession, keys: Collection[str]) -> bool:
    """Drop what is known of projects; their wings stay as they are. False where there were none."""
    return session.delete(Project, Project.key.in_(keys)).rowcount > 0


def allow_wings(session: UserSession, key: str, wing_ids: Iterable[int]) -> None:
    """Let other wings be recalled in a project that is there."""
    session.add(Listed, [{"key": key, "wing_id": wing_id} for wing_id in wing_ids])


def deny_wings(session: UserSession, key: str, wing_ids: Collection[int]) -> None:
    """Have other wings not be recalled in a project any more."""
    session.delete(Listed, Listed.key == key, Listed.wing_id.in_(wing_ids))


def set_sources(session: UserSession, key: str, sources: Collection[SourceKind]) -> None:
    """Say which kinds of sources may be recalled in a project."""
    kept = [kind.value for kind in SourceKind if kind in sources]
    session.update(Project, Project.key == key, sources=kept)


def follow_merged(session: UserSession, wing_id: int, into: int) -> None:
    """Have the projects of a wing that is merged into another follow it.

    Only their own wing does: that one may be recalled in a project was said of what stood in it, not of all that
    stands in the other.
    """
    session.update(Project, Project.wing_id == wing_id, wing_id=into)


def _projects(session: UserSession) -> Select[tuple[str, int, int, str, list[int] | None, list[str]]]:
    further = session.select(func.array_agg(Listed.wing_id)).where(Listed.key == Project.key).scalar_subquery()
    return session.select(Project.key, Project.wing_id, Wing.number, Wing.name, further, Project.sources).join(Wing)


def _held(key: str, wing_id: int, number: int, name: str, further: list[int] | None, sources: list[str]) -> HeldProject:
    others = tuple(sorted(set(further or ()) - {wing_id}))
    return HeldProject(key, wing_id, number, name, others, tuple(kind for kind in SourceKind if kind in sources))
