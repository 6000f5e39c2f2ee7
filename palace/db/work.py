"""The work index: replaced for whole conversations, and searched by file, command, error and symbol."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from palace.db.database import UserSession
from palace.db.rows import any_id
from palace.db.standing import within
from palace.db.tables import Drawer
from palace.db.tables import WorkAction as Action
from palace.models import ActionKind, FoundAction, Pointer, Role, Scope, WorkAction


class Lookup(NamedTuple):
    """A query of the work index."""

    keys: Sequence[tuple[ActionKind, str]] = ()
    path: str | None = None
    """The path that files, and decisions about files, must end with."""
    command: str | None = None
    """The key of a command whose errors are returned as well."""
    is_part: bool = False
    """Whether the command may go on behind its key."""
    program: str | None = None
    """A program whose failures that were fixed are returned as well, whatever its arguments."""
    words: Sequence[str] = ()
    """Words of which errors that are returned have a part."""
    least: int = 2
    """The part: more than one in so many."""
    newest: int = 0
    """The number of the latest drawers whose actions are returned whatever they are about."""
    since: datetime | None = None
    without: str | None = None
    """The id of a session that is left out."""
    limit: int = 40


def drop_actions(session: UserSession, conversations: Collection[int]) -> None:
    """Delete the actions of whole conversations, because actions may refer to other drawers of theirs."""
    theirs = session.select(Drawer.id).where(Drawer.conversation_id == any_id(conversations))
    session.delete(Action, Action.drawer_id.in_(theirs))


def replace_actions(session: UserSession, made: Mapping[int, Sequence[WorkAction]]) -> None:
    """Replace the actions of conversations, which are locked."""
    drop_actions(session, made)
    numbers: Counter[int] = Counter()
    rows = []
    for action in (each for actions in made.values() for each in actions):
        row = {**action._asdict(), "kind": action.kind.value, "ordinal": numbers[action.drawer_id]}
        span = row.pop("span")
        rows.append(row | {"char_start": span and span.start, "char_end": span and span.end})
        numbers[action.drawer_id] += 1
    session.add(Action, rows)


def find_actions(session: UserSession, lookup: Lookup, scope: Scope) -> tuple[list[FoundAction], int]:
    """Return the actions that match, newest first, and how many more there are than the limit."""
    given = lookup._asdict()
    keys = given.pop("keys")
    given["words"] = list(lookup.words)
    columns = {"kinds": [kind.value for kind, _ in keys], "keys": [key for _, key in keys]}
    rows = list(session.run("work_about", {**scope.places, **given, **columns}))
    return [_action(row) for row in rows], rows[0].found - len(rows) if rows else 0


def find_former_path(session: UserSession, name: str, path: str, scope: Scope) -> str | None:
    """Return the path from which a file was moved to a path that ends with ``path``; None if no session moved it."""
    here = session.select(Drawer.id).where(*within(session, scope))
    query = session.select(Action.moved_from).where(
        Action.kind == ActionKind.FILE.value, Action.key == name, Action.moved_from.is_not(None)
    )
    query = query.where((Action.subject == path) | Action.subject.endswith(f"/{path}", autoescape=True))
    query = query if scope.wing_ids is None else query.where(Action.drawer_id.in_(here))
    return session.execute(query.order_by(Action.drawer_id.desc()).limit(1)).scalar_one_or_none()


class Run(NamedTuple):
    """A run of a command that succeeded, seen from an action."""

    line: str
    key: str
    is_of_session: bool
    """Whether it ran in the action's session."""
    is_later: bool
    is_after_fix: bool
    """Whether the command that fixed the action succeeded before in the run's session."""


def list_runs(session: UserSession, program: str, pointer: Pointer, fix: str) -> list[Run]:
    """Return the last runs of a program that succeeded in a drawer's wing, newest first; ``fix`` is a command's key."""
    places = {"wing": pointer.wing, "room": pointer.room, "drawer": pointer.drawer}
    return [Run(*row) for row in session.run("work_runs", {**places, "program": program, "fix": fix})]


class FoundText(NamedTuple):
    """The text of a drawer, and what decides whether it is handed over."""

    id: int
    content: str
    is_never_used: bool
    """Whether it was put into at least ``unused`` requests, and no reply used it."""
    before: str
    """The assistant's last message before it; "" if there is none."""
    commands: Sequence[str] = ()
    """The command lines that ran in its conversation, if they were asked for."""


def find_text(session: UserSession, pointer: Pointer, *, unused: int, with_commands: bool) -> FoundText | None:
    """Return the text of a drawer that was just found, with one statement."""
    places = {"wing": pointer.wing, "room": pointer.room, "drawer": pointer.drawer}
    row = session.run("work_text", {**places, "unused": unused, "with_commands": with_commands}).one_or_none()
    return FoundText(row.id, row.content, row.is_never_used, row.before or "", row.commands or ()) if row else None


def _action(row: Any) -> FoundAction:
    fix = None if row.fix_drawer is None else Pointer(row.fix_wing, row.fix_room, row.fix_drawer)
    return FoundAction(
        ActionKind(row.kind),
        row.key,
        row.subject,
        row.operation,
        row.exit_status,
        row.duration_ms,
        row.moved_from,
        row.said,
        Role(row.role),
        row.said_at,
        Pointer(row.wing_number, row.room_number, row.drawer_number),
        row.wing,
        row.title or "",
        fix,
        row.fix_said_at,
        tuple(row.fix_files or ()),
        row.fix_command,
        row.words,
        row.is_past,
        tuple(row.lines or ()),
        tuple(row.projects or ()),
    )
