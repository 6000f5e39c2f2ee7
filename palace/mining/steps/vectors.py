"""The index step that embeds passages and sentences without a vector, whose absence marks them as pending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.db.database import UserSession
from palace.db.filing.steps import empty_outdated, list_unembedded, mark_embedded
from palace.db.generations import count_pending, find_generation
from palace.mining.steps.step import IndexStep, Work
from palace.models import PASSAGES, VECTORS, Phase, StepVersion


@dataclass(frozen=True, slots=True)
class Vectors(IndexStep):
    """The step that creates missing vectors of passages and sentences in the active generation."""

    made: StepVersion = VECTORS
    needs: tuple[str, ...] = (PASSAGES.name,)
    participle: str = "embedded"
    phase: Phase | None = Phase.EMBED

    def list_pending(
        self, session: UserSession, *, among: Sequence[int] | None = None, asked: bool = False
    ) -> list[int]:
        """Return conversations with a vector that is missing or of an older version."""
        return list_unembedded(session, self.made, among=among, asked=asked)

    def count(self, session: UserSession, conversations: Sequence[int]) -> int:
        """Return the number of passages and sentences without a vector."""
        active = find_generation(session, "active")
        return 0 if active is None else count_pending(session, active.id, conversations=conversations)

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Create missing vectors, in batches across all conversations."""

        def begin(session: UserSession) -> int | None:
            empty_outdated(session, self.made, conversations)
            active = find_generation(session, "active")
            return None if active is None else active.id

        active = work.database.run(begin)
        run = work.embedding if work.embedding.generation.id == active else work.reopen()

        def tell(_: int) -> None:
            work.tell(Phase.EMBED, work.embedded_late, "passages", run.generation.model)

        run.embed_pending(conversations=conversations, progress=tell)
        work.database.run(lambda session: mark_embedded(session, self.made, conversations), flush=False)
