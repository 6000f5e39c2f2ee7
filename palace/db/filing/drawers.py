"""Filing drawers with their passages: one transaction for a conversation, all or nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import func

from palace.db.counts import ENGLISH, add_counts, add_languages, get_languages
from palace.db.database import UserSession
from palace.db.drawers import configuration_of
from palace.db.filing.places import next_drawer_numbers
from palace.db.filing.steps import note_cut
from palace.db.generations import hold_generations
from palace.db.memories import put_memories
from palace.db.rows import batches, row_of
from palace.db.tables import Drawer
from palace.models import CutDrawer, NewDrawer, NewPassage, PassageKey, PassageKind, Stretch, in_usual_language


@dataclass(frozen=True, slots=True)
class PlacedDrawer:
    """A drawer with its place and its run."""

    drawer: NewDrawer
    room_id: int
    number: int
    run_id: int
    filed_at: datetime | None = None
    """None means now."""


class FiledPassages(NamedTuple):
    """The numbers of passages and sentences that were filed."""

    passages: int
    sentences: int


def file_drawers(
    session: UserSession,
    *,
    conversation_id: int,
    run_id: int,
    rooms: Mapping[str, int],
    drawers: Sequence[NewDrawer],
) -> int:
    """File drawers with their passages, pending in every generation the user writes to; return how many were new.

    A drawer whose identity another transaction filed meanwhile is left out.
    """
    generations = hold_generations(session)
    numbers = _take_numbers(session, rooms, drawers)
    placed = [
        PlacedDrawer(drawer, rooms[drawer.slice], number, run_id)
        for drawer, number in zip(drawers, numbers, strict=True)
    ]
    return file_placed(session, conversation_id, placed, generations)


def file_placed(
    session: UserSession, conversation_id: int, placed: Sequence[PlacedDrawer], generations: Sequence[int]
) -> int:
    """File drawers under their drawn numbers, pending in the locked generations; return how many were new."""
    usual = partial(usual_language, session, conversation_id)
    settled = in_usual_language([place.drawer for place in placed], usual)
    placed = [replace(place, drawer=drawer) for place, drawer in zip(placed, settled, strict=True)]
    filed = sum(_file_batch(session, conversation_id, batch, generations) for batch in batches(placed))
    note_cut(session, conversation_id)
    return filed


def usual_language(session: UserSession, conversation_id: int, told: Mapping[str, int]) -> str | None:
    """Return the most frequent language of a conversation, counting ``told``, the languages of new messages, as well.

    If none has one: the language other than English of more than half of the user's drawers, else None.
    """
    filed = Counter(told) + Counter(_filed_languages(session, conversation_id))
    return min(filed, key=lambda language: (-filed[language], language)) if filed else _most_frequent(session)


def _filed_languages(session: UserSession, conversation_id: int) -> dict[str, int]:
    filed = (Drawer.conversation_id == conversation_id, Drawer.language.is_not(None))
    query = session.select(Drawer.language, func.count()).where(*filed).group_by(Drawer.language)
    return {str(language): count for language, count in session.execute(query)}


def _most_frequent(session: UserSession) -> str | None:
    counted = get_languages(session)
    others = {language: count for language, count in counted.items() if language != ENGLISH}
    usual = max(others, key=lambda language: others[language], default=None)
    return usual if usual is not None and 2 * others[usual] > sum(counted.values()) else None


def _take_numbers(session: UserSession, rooms: Mapping[str, int], drawers: Sequence[NewDrawer]) -> list[int]:
    wanted = Counter(drawer.slice for drawer in drawers)
    drawn = {
        slice_name: iter(next_drawer_numbers(session, rooms[slice_name], wanted[slice_name]))
        for slice_name in sorted(wanted, key=lambda name: rooms[name])
    }
    return [next(drawn[drawer.slice]) for drawer in drawers]


def _file_batch(
    session: UserSession, conversation_id: int, batch: Sequence[PlacedDrawer], generations: Sequence[int]
) -> int:
    parameters = _columns(batch) | {"conversation_id": conversation_id}
    ids = {row.identity: row.id for row in session.run("file_drawers", parameters)}
    put_memories(
        session,
        {
            ids[each.drawer.identity]: each.drawer.memory
            for each in batch
            if each.drawer.memory and each.drawer.identity in ids
        },
    )
    cut = [
        CutDrawer(ids[drawer.identity], room_id, drawer.role, drawer.speaker, drawer.content, drawer.index)
        for drawer, room_id in ((place.drawer, place.room_id) for place in batch)
        if drawer.identity in ids
    ]
    filed = file_passages(session, cut, generations)
    add_counts(session, drawers=len(ids), passages=filed.passages, sentences=filed.sentences)
    add_languages(session, Counter(drawer.index.language for drawer in cut))
    return len(ids)


def _columns(batch: Sequence[PlacedDrawer]) -> dict[str, Any]:
    # All writers use one order, so that two that file the same turns cannot deadlock.
    rows = [_row(placed) for placed in sorted(batch, key=lambda placed: placed.drawer.identity)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _row(placed: PlacedDrawer) -> dict[str, Any]:
    drawer = placed.drawer
    return row_of(Drawer, placed) | row_of(
        Drawer,
        drawer,
        spoken_of=multirange(drawer.index.spoken_of),
        language=drawer.index.language,
        redacted=json.dumps(dict(drawer.redacted)) if drawer.redacted else None,
    )


def multirange(stretches: Sequence[Stretch]) -> str | None:
    """Write stretches of time as a multirange in Postgres's notation; None without any."""
    ranges = ",".join(f"[{start.isoformat()},{end.isoformat()})" for start, end in stretches)
    return f"{{{ranges}}}" if ranges else None


def file_passages(session: UserSession, drawers: Sequence[CutDrawer], generations: Sequence[int]) -> FiledPassages:
    """File the passages of drawers that have none, pending in the given generations; return their numbers."""
    rows = [
        (PassageKey(drawer.drawer_id, ordinal), passage, drawer)
        for drawer in drawers
        for ordinal, passage in enumerate(drawer.index.passages)
    ]
    for batch in batches(rows):
        parameters = _passage_columns(batch) | {"generations": list(generations)}
        session.run("file_passages", parameters)
    sentences = sum(passage.kind is PassageKind.SENTENCE for _, passage, _ in rows)
    return FiledPassages(len(rows) - sentences, sentences)


def _passage_columns(batch: Sequence[tuple[PassageKey, NewPassage, CutDrawer]]) -> dict[str, Any]:
    return {
        "drawer_ids": [key.drawer_id for key, _, _ in batch],
        "room_ids": [drawer.room_id for _, _, drawer in batch],
        "ordinals": [key.ordinal for key, _, _ in batch],
        "starts": [passage.span.start for _, passage, _ in batch],
        "ends": [passage.span.end for _, passage, _ in batch],
        "roles": [drawer.role.value for _, _, drawer in batch],
        "kinds": [passage.kind.value for _, passage, _ in batch],
        "standing": [passage.is_standing for _, passage, _ in batch],
        "texts": [drawer.text_of(passage) for _, passage, drawer in batch],
        "configurations": [configuration_of(drawer.index.language) for _, _, drawer in batch],
        "further": [" ".join(passage.further) for _, passage, _ in batch],
    }
