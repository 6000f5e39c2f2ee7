"""Making everything that is an index afresh from the drawers, while recall and miners go on.

A conversation is read, cut and embedded with no transaction open, then replaced in one; recall finds its drawers by
what was there before, or by what is there now.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from decimal import Decimal

import numpy as np

from palace.embedding.protocol import Vectors
from palace.errors import EmbeddingError
from palace.mining.closets import draw_topics
from palace.mining.embed import WINDOW, EmbeddingRun
from palace.records import CutDrawer, FiledTurn, Generation, MineProgress, RebuildSummary, Wing
from palace.store.counts import recount
from palace.store.database import UserDatabase, UserSession
from palace.store.filing import rebuilding
from palace.store.filing.rebuilding import ConversationState, Portion, Replaced, StartedRebuild
from palace.store.vectors.index import rebuild_indexes
from palace.text.messages import index_message
from palace.zones import in_zone

PORTION = 128
"""Drawers of one conversation that are replaced in one transaction: what a miner of the same one waits for."""


@dataclass(slots=True)
class Rebuild:
    """One call of rebuild on one user's palace, and what it came to."""

    database: UserDatabase
    open_embedding: Callable[[], EmbeddingRun]
    """Prepares to embed into the generation that is active now."""
    wing: Wing | None = None
    report: Callable[[MineProgress], None] | None = None
    zone: tzinfo = UTC
    """The person's, in which the days that a text speaks of are cut."""
    conversations: int = 0
    drawers: int = 0
    passages: int = 0
    embedded: int = 0
    closets: int = 0
    indexes: tuple[str, ...] = ()
    warnings: list[str] = field(default_factory=list)
    _runs: list[EmbeddingRun] = field(default_factory=list)

    def rebuild(self) -> RebuildSummary:
        """Make afresh what was not made since the rebuild began; stop with a warning when the model fails.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
        """
        started = time.monotonic()
        self._runs.append(self.open_embedding())
        rebuild, conversations = self._start()
        stale = [conversation for conversation in conversations if not conversation.is_indexed]
        try:
            self._index(stale)
        except EmbeddingError as problem:
            self.warnings.append(f"not everything is rebuilt: {problem}; run the same command again to go on")
        else:
            self._draw_what_waits(conversations)
            self._finish(rebuild)
        return RebuildSummary(
            wing=self.wing.name if self.wing else None,
            resumed=rebuild.resumed,
            conversations=self.conversations,
            conversations_before=len(conversations) - len(stale) if rebuild.resumed else 0,
            conversations_left=len(stale) - self.conversations,
            drawers=self.drawers,
            passages=self.passages,
            passages_embedded=self.embedded,
            closets=self.closets,
            indexes=self.indexes,
            cost_usd=sum((call.cost_usd for run in self._runs for call in run.calls), start=Decimal(0)),
            seconds=time.monotonic() - started,
            warnings=tuple(self.warnings),
        )

    def _start(self) -> tuple[StartedRebuild, list[ConversationState]]:
        wing_id = self.wing.id if self.wing else None
        rebuild = self.database.run(lambda session: rebuilding.start_rebuild(session, wing_id))
        return rebuild, self.database.run(lambda session: rebuilding.list_conversations(session, rebuild))

    def _index(self, stale: Sequence[ConversationState]) -> None:
        total = sum(conversation.drawers for conversation in stale)
        for group in _windows(self._portions(stale)):
            run = self._runs[-1]
            vectors = _embed(run, [text for portion in group for _, text in portion.embedded])
            for portion in group:
                mine, vectors = np.split(vectors, [len(portion.embedded)])
                self._replace(portion, run.generation, mine)
                self._tell("rebuild", self.drawers, max(total, self.drawers))

    def _portions(self, stale: Sequence[ConversationState]) -> Iterator[Portion]:
        for conversation in stale:
            with self.database.transaction() as session:
                ids = rebuilding.list_drawer_ids(session, conversation.id)
            for start in range(0, len(ids) or 1, PORTION):
                end = start + PORTION
                with self.database.transaction() as session:
                    turns = rebuilding.get_turns(session, ids[start:end])
                yield Portion(conversation.id, tuple(_cut(turn, self.zone) for turn in turns), is_last=end >= len(ids))

    def _replace(self, portion: Portion, generation: Generation, vectors: Vectors) -> None:
        replaced = self._write(portion, generation, vectors)
        while replaced is None:
            # The model was switched since the vectors were made: they belong to a generation that is gone.
            run = self.open_embedding()
            self._runs.append(run)
            vectors = _embed(run, [text for _, text in portion.embedded])
            replaced = self._write(portion, run.generation, vectors)
        self.drawers += replaced.drawers
        self.passages += replaced.passages
        self.embedded += replaced.embedded
        if portion.is_last:
            self.conversations += 1
            self._draw(portion.conversation_id)

    def _write(self, portion: Portion, generation: Generation, vectors: Vectors) -> Replaced | None:
        def write(session: UserSession) -> Replaced | None:
            return rebuilding.replace_passages(session, portion, generation.id, vectors)

        return self.database.run(write, flush=False)

    def _draw(self, conversation_id: int) -> None:
        self.closets += draw_topics(self.database, conversation_id, self._runs[-1].generation.id)

    def _draw_what_waits(self, conversations: Sequence[ConversationState]) -> None:
        """Draw the topics that an interrupted rebuild did not come to."""
        for conversation in conversations:
            if conversation.is_indexed and conversation.topics_pending:
                self._draw(conversation.id)

    def _finish(self, rebuild: StartedRebuild) -> None:
        # After a wing too: what was counted for it was the difference to before, and that may have been counted wrong.
        self.database.run(recount)
        if self.wing is None and self.database.shared.may_own:
            self._tell("index", 0, 0)
            self.indexes = rebuild_indexes(self.database.shared, self._runs[-1].generation)
        self.database.run(lambda session: rebuilding.finish_rebuild(session, rebuild))

    def _tell(self, step: str, done: int, total: int) -> None:
        if self.report:
            self.report(MineProgress(step, done, total))


def _embed(run: EmbeddingRun, texts: Sequence[str]) -> Vectors:
    windows = [run.vectors_of(texts[start : start + WINDOW]) for start in range(0, len(texts), WINDOW)]
    return np.concatenate([np.empty((0, run.generation.dimension), np.float32), *windows])


def _cut(turn: FiledTurn, zone: tzinfo) -> CutDrawer:
    index = index_message(turn.content, turn.role, in_zone(turn.said_at, zone) if turn.said_at else None)
    return CutDrawer(turn.drawer_id, turn.room_id, turn.role, turn.speaker, turn.content, index)


def _windows(portions: Iterator[Portion]) -> Iterator[list[Portion]]:
    """Put portions together until there is enough to embed at a time."""
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
