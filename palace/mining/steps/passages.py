"""The index step that cuts drawers into passages again, with keywords, times and vectors, during normal operation.

A conversation is read, cut and embedded without an open transaction, then replaced in one; recall sees either the old
or the new passages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

import numpy as np

from palace.ai.embedders.protocol import Vectors
from palace.config.zones import in_zone
from palace.db.database import UserDatabase, UserSession
from palace.db.filing import rebuilding
from palace.db.filing.rebuilding import Portion, Replaced
from palace.mining.embed import WINDOW, EmbeddingRun
from palace.mining.steps.step import IndexStep, Work
from palace.models import PASSAGES, CutDrawer, FiledTurn, Generation, Phase, StepVersion
from palace.nlp.sentences import index_message

PORTION = 128
"""Drawers replaced in one transaction, for which a miner of the same conversation waits."""


@dataclass(frozen=True, slots=True)
class Passages(IndexStep):
    """The step that cuts drawers into passages again if an older version did; filing does it for new drawers."""

    made: StepVersion = PASSAGES
    participle: str = "cut anew"
    phase: Phase | None = Phase.CUT

    def count(self, session: UserSession, conversations: Sequence[int]) -> int:
        """Return the number of drawers to cut."""
        return rebuilding.count_drawers(session, conversations)

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Replace the passages of conversations, embedded; small conversations are embedded together."""
        for group in _windows(_portions(work.database, work.zone, conversations)):
            run = work.embedding
            vectors = _embed(run, [text for portion in group for _, text in portion.embedded])
            for portion in group:
                mine, vectors = np.split(vectors, [len(portion.embedded)])
                _replace(work, portion, run.generation, mine)
                work.tell(Phase.CUT, work.drawers, "drawers")


def _portions(database: UserDatabase, zone: tzinfo, conversations: Sequence[int]) -> Iterator[Portion]:
    for conversation_id in conversations:
        with database.transaction() as session:
            ids = rebuilding.list_drawer_ids(session, [conversation_id]).get(conversation_id, [])
        for start in range(0, len(ids) or 1, PORTION):
            end = start + PORTION
            with database.transaction() as session:
                turns = rebuilding.get_turns(session, ids[start:end])
            yield Portion(conversation_id, tuple(_cut(turn, zone) for turn in turns), is_last=end >= len(ids))


def _replace(work: Work, portion: Portion, generation: Generation, vectors: Vectors) -> None:
    replaced = _write(work.database, portion, generation, vectors)
    while replaced is None:
        # The model was switched after embedding: the vectors belong to a generation that is gone.
        run = work.reopen()
        vectors = _embed(run, [text for _, text in portion.embedded])
        replaced = _write(work.database, portion, run.generation, vectors)
    work.drawers += replaced.drawers
    work.passages += replaced.passages
    work.embedded_anew += replaced.embedded
    work.conversations += portion.is_last


def _write(database: UserDatabase, portion: Portion, generation: Generation, vectors: Vectors) -> Replaced | None:
    def write(session: UserSession) -> Replaced | None:
        return rebuilding.replace_passages(session, portion, generation.id, vectors)

    return database.run(write, flush=False)


def _embed(run: EmbeddingRun, texts: Sequence[str]) -> Vectors:
    windows = [run.vectors_of(texts[start : start + WINDOW]) for start in range(0, len(texts), WINDOW)]
    return np.concatenate([np.empty((0, run.generation.dimension), np.float32), *windows])


def _cut(turn: FiledTurn, zone: tzinfo) -> CutDrawer:
    index = index_message(turn.content, turn.role, in_zone(turn.said_at, zone) if turn.said_at else None)
    return CutDrawer(turn.drawer_id, turn.room_id, turn.role, turn.speaker, turn.content, index)


def _windows(portions: Iterator[Portion]) -> Iterator[list[Portion]]:
    """Group portions until there are enough passages to embed at once."""
    group: list[Portion] = []
    passages = 0
    for portion in portions:
        group.append(portion)
        passages += 1 + sum(len(drawer.index.passages) for drawer in portion.drawers)
        if passages >= WINDOW:
            yield group
            group, passages = [], 0
    if group:
        yield group
