"""Rebuilding: which conversations are pending, and replacing the passages and vectors of their drawers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from sqlalchemy import func, insert

from palace.db.counts import add_counts, add_languages, uncount_languages, uncount_terms
from palace.db.database import UserSession
from palace.db.filing.conversations import lock_conversation
from palace.db.filing.drawers import file_passages, multirange, usual_language
from palace.db.filing.steps import make_pending, make_step_pending, mark_done
from palace.db.generations import find_generation, hold_generations
from palace.db.locks import Guarded, wait_alone
from palace.db.rows import any_id, columns_of, grouped, ids_text, record_of
from palace.db.tables import Closet, Conversation, Drawer, Passage, Rebuild, Room
from palace.db.vectors import write_embeddings
from palace.models import PASSAGES, VECTORS, CutDrawer, FiledTurn, PassageKey, PassageKind, in_usual_language

_DRAWERS = sa.text(
    "SELECT d.conversation_id, d.id FROM drawer AS d WHERE d.user_id = :user_id"
    " AND d.conversation_id = ANY(CAST(:conversations AS bigint[])) ORDER BY d.conversation_id, d.position, d.number"
)


@dataclass(frozen=True, slots=True)
class StartedRebuild:
    """An unfinished rebuild."""

    id: int
    wing_id: int | None
    """The wing that is rebuilt; None for the whole palace."""
    resumed: bool
    """Whether it was interrupted before."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Drawers of one conversation whose passages are replaced in one transaction."""

    conversation_id: int
    drawers: tuple[CutDrawer, ...]
    is_last: bool
    """Whether it completes the conversation."""

    @property
    def embedded(self) -> list[tuple[PassageKey, str]]:
        """Its passages that have a vector, with their texts."""
        return [
            (PassageKey(drawer.drawer_id, ordinal), drawer.text_of(passage))
            for drawer in self.drawers
            for ordinal, passage in enumerate(drawer.index.passages)
            if passage.kind.has_vector
        ]


@dataclass(frozen=True, slots=True)
class Replaced:
    """How much of a portion was replaced."""

    drawers: int
    passages: int
    """Sentences included."""
    embedded: int


def start_rebuild(session: UserSession, wing_id: int | None) -> StartedRebuild:
    """Start a rebuild of a wing or of the whole palace, or resume an interrupted one.

    A new one makes every conversation pending; what is done is not pending any more, so that it can be resumed.
    """
    wait_alone(session, Guarded.REBUILD)
    unfinished = (
        session.select(Rebuild.id)
        .where(Rebuild.wing_id.is_not_distinct_from(wing_id), Rebuild.finished_at.is_(None))
        .order_by(Rebuild.id)
    )
    found = session.execute(unfinished.limit(1)).scalar_one_or_none()
    if found is not None:
        return StartedRebuild(found, wing_id, resumed=True)
    begun = session.insert(insert(Rebuild).returning(Rebuild.id), {"wing_id": wing_id})
    make_step_pending(session, PASSAGES, list_conversations(session, wing_id))
    return StartedRebuild(begun.one().id, wing_id, resumed=False)


def finish_rebuild(session: UserSession, rebuild: StartedRebuild) -> None:
    """Finish a rebuild, so that the next one starts from the beginning."""
    session.update(Rebuild, Rebuild.id == rebuild.id, finished_at=func.statement_timestamp())


def list_conversations(session: UserSession, wing_id: int | None) -> list[int]:
    """List the conversations with drawers, in order of id; all, or those with a room in a wing."""
    filed = session.select(Drawer.id).where(Drawer.conversation_id == Conversation.id)
    query = session.select(Conversation.id).where(filed.exists())
    if wing_id is not None:
        here = session.select(Room.conversation_id).where(Room.wing_id == wing_id)
        query = query.where(Conversation.id.in_(here))
    return session.values(query.order_by(Conversation.id))


def count_drawers(session: UserSession, conversations: Sequence[int]) -> int:
    """Count the drawers of some conversations."""
    return session.count(Drawer, Drawer.conversation_id == any_id(conversations))


def list_drawer_ids(session: UserSession, conversations: Sequence[int]) -> dict[int, list[int]]:
    """Map conversations with drawers to the ids of those, in the order they were said."""
    return grouped(session.execute(_DRAWERS, {"conversations": ids_text(conversations)}))


def get_turns(session: UserSession, drawer_ids: Sequence[int]) -> list[FiledTurn]:
    """Return drawers by id; those forgotten meanwhile are left out."""
    columns = [column for column in columns_of(Drawer, FiledTurn) if column is not Drawer.language]
    query = session.select(Drawer.id.label("drawer_id"), *columns).where(Drawer.id.in_(drawer_ids))
    return [record_of(FiledTurn, row) for row in session.execute(query.order_by(Drawer.id))]


def replace_passages(
    session: UserSession, portion: Portion, generation_id: int, vectors: npt.NDArray[np.float32]
) -> Replaced | None:
    """Replace the passages, times and languages of drawers, and write ``vectors`` for the new passages.

    ``vectors`` is ``(n, dimension)``, one for each of ``portion.embedded``, and made for ``generation_id``; in a
    generation that is being filled the passages are pending. Drawers forgotten or filed since the portion was read are
    left out. Returns None, and does nothing, when that generation is no longer the active one.
    """
    if not lock_conversation(session, portion.conversation_id):
        return Replaced(0, 0, 0)
    generations = hold_generations(session)
    active = find_generation(session, "active")
    if active is None or active.id != generation_id:
        return None
    there = _hold_drawers(session, portion)
    drawers = [drawer for drawer in portion.drawers if drawer.drawer_id in there]
    drawers = in_usual_language(drawers, partial(usual_language, session, portion.conversation_id))
    uncount_terms(session, sorted(there))
    uncount_languages(session, sorted(there))
    kinds = session.delete(Passage, Passage.drawer_id.in_(there), returning=Passage.kind).scalars().all()
    sentences = kinds.count(PassageKind.SENTENCE.value)
    filed = file_passages(session, drawers, generations)
    _write_times(session, drawers)
    embedded = write_embeddings(session, generation_id, [key for key, _ in portion.embedded], vectors)
    add_counts(
        session,
        drawers=0,
        passages=filed.passages - (len(kinds) - sentences),
        sentences=filed.sentences - sentences,
    )
    if portion.is_last:
        _drop_empty_closets(session, portion.conversation_id)
        make_pending(session, [portion.conversation_id])
        for step in (PASSAGES, VECTORS):
            mark_done(session, step, [portion.conversation_id])
    return Replaced(len(drawers), sum(filed), embedded)


def _write_times(session: UserSession, drawers: Sequence[CutDrawer]) -> None:
    parameters = {
        "drawer_ids": [drawer.drawer_id for drawer in drawers],
        "spoken_of": [multirange(drawer.index.spoken_of) for drawer in drawers],
        "languages": [drawer.index.language for drawer in drawers],
    }
    session.run("write_times", parameters)
    add_languages(session, Counter(drawer.index.language for drawer in drawers))


def _hold_drawers(session: UserSession, portion: Portion) -> set[int]:
    """Lock the drawers of a portion that still exist against deletion until the transaction ends."""
    query = (
        session.select(Drawer.id)
        .where(
            Drawer.conversation_id == portion.conversation_id,
            Drawer.id.in_([drawer.drawer_id for drawer in portion.drawers]),
        )
        .order_by(Drawer.identity)
        .with_for_update(read=True, key_share=True)
    )
    return set(session.values(query))


def _drop_empty_closets(session: UserSession, conversation_id: int) -> None:
    """Delete closets without drawers: those of a room without drawers are not drawn again."""
    rooms = session.select(Room.id).where(Room.conversation_id == conversation_id)
    inhabited = session.select(Drawer.id).where(Drawer.room_id == Closet.room_id)
    session.delete(Closet, Closet.room_id.in_(rooms), ~inhabited.where(Drawer.closet_id == Closet.id).exists())
