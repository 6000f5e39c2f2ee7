"""What drawers are to each other: which took whose place, which answers which, and in what order they stand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.sql.rows import any_bytes, given_rows
from palace.db.tables import Drawer, Tombstone
from palace.models import Replacement


def move(session: UserSession, conversation_id: int, positions: Mapping[bytes, int]) -> None:
    """Give drawers and tombstones of a conversation, by identity, other positions in it."""
    if not positions:
        return
    given = given_rows(
        {
            "identity": (sa.LargeBinary(), list(positions)),
            "position": (sa.Integer(), list(positions.values())),
        }
    )
    for table in (Drawer, Tombstone):
        here = (table.conversation_id == conversation_id, table.identity == given.c.identity)
        session.update(table, *here, position=given.c.position)


def replace(session: UserSession, replacements: Sequence[Replacement]) -> None:
    """Mark drawers, by identity, as replaced, by which drawer where there is one; one that is marked stays as it is."""
    if replacements:
        parameters = {
            "old": [each.old for each in replacements],
            "new": [each.new for each in replacements],
            "run_ids": [each.run_id for each in replacements],
            "times": [each.at for each in replacements],
        }
        session.run("replace_drawers", parameters)


def restore(session: UserSession, identities: Collection[bytes]) -> None:
    """Take back that drawers are replaced: their source says them again."""
    if identities:
        _unmark(session, Drawer.identity == any_bytes(identities))


def take_back(session: UserSession, run_ids: Collection[int]) -> int:
    """Take back what runs found to be replaced; return how many drawers stand again."""
    return _unmark(session, Drawer.replaced_run_id.in_(run_ids))


def count_taken_back(session: UserSession, run_ids: Collection[int]) -> int:
    """Count what ``take_back`` would take back once the drawers that these runs filed are gone."""
    return session.count(Drawer, Drawer.replaced_run_id.in_(run_ids), Drawer.run_id.not_in(run_ids))


def link_answers(session: UserSession, answers: Sequence[tuple[bytes, bytes]]) -> None:
    """Note which drawers answer which, by identity, where that is not noted yet."""
    if answers:
        parameters = {
            "replies": [reply for reply, _ in answers],
            "answered": [answered for _, answered in answers],
        }
        session.run("link_answers", parameters)


def _unmark(session: UserSession, which: sa.ColumnElement[bool]) -> int:
    unmarked = {"replaced_at": None, "replaced_by": None, "replaced_run_id": None}
    return session.update(Drawer, which, **unmarked).rowcount
