"""Requests to recall, validated."""

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
"""Most neighbours on each side that may be requested."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A query with its options and scope."""

    read: Query
    """The parsed query."""
    top_k: int | None
    """None for five hits, or more if the query asks for all of a kind."""
    scope: Scope
    context: int
    now: datetime
    """When the question is asked, aware: times in the query are relative to it; it excludes nothing."""
    person: tuple[str, ...] = ()
    """Names of the palace's owner."""
    warnings: tuple[str, ...] = ()
    floor: FloorLevel = FloorLevel.NORMAL
    """How strictly hits are filtered."""
    order: HitOrder = HitOrder.RELEVANCE
    least_similarity: float = 0.0
    """Least similarity of a hit to the query."""

    @property
    def query(self) -> str:
        """The text of the query."""
        return self.read.text

    @property
    def intent(self) -> Intent:
        """What it asks for besides its words."""
        return self.read.intent

    @property
    def zone(self) -> tzinfo:
        """Time zone of ``now``, for dates of drawers."""
        return self.now.tzinfo or UTC

    @property
    def has_words(self) -> bool:
        """Whether the query has letters or digits; the embedding of mere punctuation means nothing."""
        return any(character.isalnum() for character in self.query)


def check_context(context: int) -> None:
    """Check that a number of neighbours is in range.

    Raises:
        BadRequest: it is out of range.
    """
    if not 0 <= context <= LARGEST_CONTEXT:
        raise BadRequest(f"context must be from 0 to {LARGEST_CONTEXT} drawers, not {context}")


def is_only_tool(session: UserSession, speaker: str, scope: Scope) -> bool:
    """Check whether all drawers of a speaker, named in any case, in the wings of a scope are a tool's.

    Raises:
        NotFound: nobody did; the message suggests similar names.
    """
    if has_speaker(session, speaker, scope, tools=False):
        return False
    if has_speaker(session, speaker, scope):
        return True
    meant = did_you_mean(speaker, list_speakers(session, scope))
    raise NotFound(f"there is no speaker {speaker!r}{meant} (`palace ls W-001/R-01` says who spoke in a room)")


def make_request(
    query: str, *, top_k: int | None, scope: Scope, context: int, now: datetime, person: Sequence[str] = ()
) -> RecallRequest:
    """Validate a request and parse its query; beyond 2,000 characters the query is cut off with a warning.

    ``now`` must be aware; ``person`` holds the names by which a query may mean the palace's owner.

    Raises:
        BadRequest: the query is empty, a number is out of range, or the scope's time range is empty.
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
