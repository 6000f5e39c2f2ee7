"""What is asked of recall, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from palace.config.settings import LARGEST_TOP_K
from palace.db.database import UserSession
from palace.db.standing import has_speaker, list_speakers
from palace.errors import BadRequest, NotFound
from palace.models import FloorLevel, HitOrder, Scope
from palace.nlp.spelling import did_you_mean
from palace.recall.intent import LONGEST_QUERY, Intent, Query, read_query

LARGEST_CONTEXT = 100
"""Neighbours on each side: as much as a person, or a model, reads around one drawer."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A query with how much to give back and where to look."""

    read: Query
    """The query, and what it asks for."""
    top_k: int | None
    """None for five, and more where the query asks for all of a kind."""
    scope: Scope
    context: int
    now: datetime
    """The moment the question is asked, aware: times in the query are meant from here; it hides nothing."""
    person: tuple[str, ...] = ()
    """What the person whose palace it is goes by."""
    warnings: tuple[str, ...] = ()
    floor: FloorLevel = FloorLevel.NORMAL
    """How much is kept back."""
    order: HitOrder = HitOrder.RELEVANCE
    least_similarity: float = 0.0
    """What is less similar to the query is kept back."""

    @property
    def query(self) -> str:
        """What is asked."""
        return self.read.text

    @property
    def intent(self) -> Intent:
        """What is asked for beside the words."""
        return self.read.intent

    @property
    def zone(self) -> tzinfo:
        """In which the days are that drawers speak of."""
        return self.now.tzinfo or UTC

    @property
    def has_words(self) -> bool:
        """Whether there is anything to look for: of signs alone a model makes a vector that means nothing."""
        return any(character.isalnum() for character in self.query)


def check_context(context: int) -> None:
    """Make sure that a number of neighbours makes sense.

    Raises:
        BadRequest: it does not.
    """
    if not 0 <= context <= LARGEST_CONTEXT:
        raise BadRequest(f"context must be from 0 to {LARGEST_CONTEXT} drawers, not {context}")


def check_speaker(session: UserSession, speaker: str, scope: Scope) -> None:
    """Make sure that somebody of this name, in any case, said anything in the wings of a scope.

    Raises:
        NotFound: nobody did; names like it are given.
    """
    if has_speaker(session, speaker, scope):
        return
    meant = did_you_mean(speaker, list_speakers(session, scope))
    raise NotFound(f"there is no speaker {speaker!r}{meant} (`palace ls W-001/R-01` says who spoke in a room)")


def make_request(
    query: str, *, top_k: int | None, scope: Scope, context: int, now: datetime, person: Sequence[str] = ()
) -> RecallRequest:
    """Check a request, and read what its query asks for; beyond 2,000 characters that is its beginning, with a warning.

    ``now`` is aware; ``person`` are the names that a query may call the palace's person by.

    Raises:
        BadRequest: the query is empty, a number makes no sense, or no moment lies in the scope.
    """
    if not query.strip():
        raise BadRequest("the query is empty: say what to recall")
    if top_k is not None and not 1 <= top_k <= LARGEST_TOP_K:
        raise BadRequest(f"top_k must be from 1 to {LARGEST_TOP_K}, not {top_k}")
    check_context(context)
    read = read_query(query, now, person)
    cut = f"the query has {read.characters:,} characters; its first {LONGEST_QUERY:,} were used"
    warnings = (cut,) if read.characters > LONGEST_QUERY else ()
    if scope.is_never:
        raise BadRequest("since must be earlier than until")
    return RecallRequest(read, top_k, scope, context, now, tuple(person), warnings)
