"""Projects: stored by key, created one at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.driver import Answer
from palace.db.tables import Conversation, Drawer, HiddenDrawer, Project, Room, Wing
from palace.db.tables import ProjectWing as Listed
from palace.models import ProjectWing, SourceKind, WingKind


class HeldProject(NamedTuple):
    """A stored project."""

    key: str
    wing_id: int
    wing_number: int
    wing_name: str
    further: tuple[int, ...]
    """Ids of further wings that may be recalled in it."""
    sources: tuple[SourceKind, ...]


_PROJECTS = sa.text(
    # As text: every call of a hook runs it.
    "SELECT p.key, p.wing_id, w.number, w.name, (SELECT array_agg(f.wing_id) FROM project_wing AS f"
    " WHERE f.user_id = :user_id AND f.key = p.key), p.sources"
    " FROM project AS p JOIN wing AS w ON w.user_id = :user_id AND w.id = p.wing_id"
    ' WHERE p.user_id = :user_id AND (CAST(:key AS text) IS NULL OR p.key = :key) ORDER BY p.key COLLATE "C"'
)


def find_project(session: UserSession, key: str) -> HeldProject | None:
    """Return a project by its key; None without one."""
    return ask_project(session, key).get()


def ask_project(session: UserSession, key: str) -> Answer[HeldProject | None]:
    """As ``find_project``, read together with others."""
    return session.ask(_PROJECTS, {"key": key}, lambda rows: next((_held(*row) for row in rows), None))


def list_projects(session: UserSession) -> list[HeldProject]:
    """List all projects, in order of their keys."""
    return [_held(*row) for row in session.execute(_PROJECTS, {"key": None})]


def name_wings(session: UserSession, wing_ids: Collection[int]) -> dict[int, ProjectWing]:
    """Map ids to wings, empty ones included."""
    query = session.select(Wing.id, Wing.number, Wing.name).where(Wing.id.in_(wing_ids))
    return {row.id: ProjectWing(*row) for row in session.execute(query)} if wing_ids else {}


def is_projects(session: UserSession, wing_id: int) -> bool:
    """Check whether a wing is some project's own, or one of its further wings."""
    own = session.select(Project.key).where(Project.wing_id == wing_id)
    return session.has(own, session.select(Listed.key).where(Listed.wing_id == wing_id))


def is_left_over(session: UserSession, wing_id: int) -> bool:
    """Check whether a wing was made for a project, and is none's here."""
    made = session.select(Wing.id).where(Wing.id == wing_id, Wing.kind == WingKind.PROJECT)
    return session.has(made) and not is_projects(session, wing_id)


def holds_rooms(session: UserSession, wing_id: int) -> bool:
    """Check whether a wing has any room."""
    return session.has(session.select(Room.id).where(Room.wing_id == wing_id))


def is_hidden(session: UserSession, slug: str) -> bool:
    """Check whether a forgotten drawer from a wing of that name can still be restored."""
    stood = HiddenDrawer.parts["wing"]["slug"].astext == slug
    kept = HiddenDrawer.due_at > sa.func.statement_timestamp()
    return session.has(session.select(HiddenDrawer.identity).where(stood, kept))


def list_wings_of_readers(session: UserSession, readers: Collection[str]) -> list[ProjectWing]:
    """List the wings of projects that hold drawers of some readers."""
    read = session.select(Drawer.id).join(Room).join(Conversation)
    read = read.where(Room.wing_id == Wing.id, Conversation.reader.in_(readers))
    query = session.select(Wing.id, Wing.number, Wing.name).where(read.exists())
    return [ProjectWing(*row) for row in session.execute(query.where(Wing.kind == WingKind.PROJECT))]


def put_project(session: UserSession, key: str, wing_id: int) -> None:
    """Set the wing of a project's sessions, creating the project if needed; its further wings stay."""
    session.put(Project, {"key": key, "wing_id": wing_id}, key=("key",), columns=("wing_id",))
    deny_wings(session, key, [wing_id])


def drop_projects(session: UserSession, keys: Collection[str]) -> bool:
    """Delete projects; their wings stay as they are. False if there were none."""
    return session.delete(Project, Project.key.in_(keys)).rowcount > 0


def allow_wings(session: UserSession, key: str, wing_ids: Iterable[int]) -> None:
    """Add further wings that may be recalled in an existing project."""
    session.add(Listed, [{"key": key, "wing_id": wing_id} for wing_id in wing_ids])


def deny_wings(session: UserSession, key: str, wing_ids: Collection[int]) -> None:
    """Remove further wings that may be recalled in a project."""
    session.delete(Listed, Listed.key == key, Listed.wing_id.in_(wing_ids))


def set_sources(session: UserSession, key: str, sources: Collection[SourceKind]) -> None:
    """Set the kinds of sources that may be recalled in a project."""
    kept = [kind.value for kind in SourceKind if kind in sources]
    session.update(Project, Project.key == key, sources=kept)


def follow_merged(session: UserSession, wing_id: int, into: int) -> None:
    """Move the projects of a merged wing to the wing it was merged into.

    Only their own wing follows: a further wing was allowed for its own contents, not for those of the other.
    """
    session.update(Project, Project.wing_id == wing_id, wing_id=into)


def _held(key: str, wing_id: int, number: int, name: str, further: list[int] | None, sources: list[str]) -> HeldProject:
    others = tuple(sorted(set(further or ()) - {wing_id}))
    return HeldProject(key, wing_id, number, name, others, tuple(kind for kind in SourceKind if kind in sources))
