"""Selects for a period the informative sentences, the open ends and the upcoming dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta

from palace.db.counts import get_counts
from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.recent import RecentLimits, count_holding, find_last_said, recent_candidates
from palace.db.standing import find_own
from palace.errors import BadRequest
from palace.models import Recent, RecentItem, SaidDrawer, Scope, Stretch
from palace.models.intake import EARLIEST, is_storable
from palace.recall.recent.ahead import Read, coming, open_ends
from palace.recall.recent.changes import supersedes
from palace.recall.recent.sentences import (
    CHANGES,
    Item,
    Sentence,
    choose,
    kind_of,
    outlook,
    rarity,
    sentences_of,
    telling,
)

MOST_DAYS = 36_525
"""A hundred years."""

LARGEST_LIMIT = 1000
LARGEST_BUDGET = 1_000_000
LIMITS = RecentLimits()

MOST_WEIGHED = 80
"""Most sentences whose words are looked up: those with the best estimates."""

LEAST_TOLD = 0.2
"""Least score of a sentence that is shown; requests and sentences with a single common word have less."""


@dataclass(frozen=True, slots=True)
class RecentRequest:
    """A period, and how much of it is shown."""

    since: datetime
    now: datetime
    """Time of the request, in the person's zone; later drawers are ignored."""
    limit: int
    """Most items of each part."""
    scope: Scope = field(default_factory=Scope)
    """Only its wings and excluded readers count."""
    names: tuple[str, ...] = ()
    """Names of the person."""

    @classmethod
    def of(
        cls,
        *,
        days: int,
        since: datetime | None,
        now: datetime,
        limit: int,
        scope: Scope,
        names: tuple[str, ...] = (),
    ) -> RecentRequest:
        """Create a checked request; without ``since`` it covers the day of ``now`` and so many days before.

        Raises:
            BadRequest: a number is out of range, or ``since`` is not before ``now``.
        """
        if not 1 <= days <= MOST_DAYS:
            raise BadRequest(f"days must be from 1 to {MOST_DAYS}, not {days}")
        if not 1 <= limit <= LARGEST_LIMIT:
            raise BadRequest(f"limit must be from 1 to {LARGEST_LIMIT}, not {limit}")
        begun = days_before(now, days) if since is None else since
        if begun >= now and since is not None:
            raise BadRequest("since must be earlier than now")
        return cls(min(begun, now), now, limit, scope, names)

    def ending_at(self, last: datetime) -> RecentRequest:
        """Return the request for a period of the same length that ends with the day of ``last``; ``now`` stays."""
        days = max((self.now - self.since).days, 1)
        return replace(self, since=days_before(last.astimezone(self.now.tzinfo), days))


def days_before(moment: datetime, days: int) -> datetime:
    """Return the start of the day ``days`` before a moment, in its zone, or of the first day of the calendar."""
    try:
        begun = datetime.combine(moment.date() - timedelta(days=days), time.min, tzinfo=moment.tzinfo or UTC)
        return begun if is_storable(begun) else EARLIEST
    except OverflowError:
        return EARLIEST


def check_budget(budget: int) -> None:
    """Check a number of tokens.

    Raises:
        BadRequest: it is out of range.
    """
    if not 1 <= budget <= LARGEST_BUDGET:
        raise BadRequest(f"budget must be from 1 to {LARGEST_BUDGET} tokens, not {budget}")


def look_back(session: UserSession, request: RecentRequest) -> Recent:
    """Return the view of a period; if nothing was said in it, that of the latest days with messages.

    The number of statements, and of drawers read, is bounded.
    """
    until, is_earlier = request.now, False
    said = _read(session, request, until)
    if not any(each.at >= request.since for each in said):
        last = find_last_said(session, until=request.now, scope=request.scope)
        if last is None:
            return Recent(request.since, request.now)
        until, is_earlier, request = last, True, request.ending_at(last)
        said = _read(session, request, until)
    informative, ends, standing = _choose(session, said, request)
    parts = _, _, ahead = informative, ends, standing[: request.limit]
    drawers = get_drawers(session, {each.sentence.said.drawer_id for part in parts for each in part})
    if request.scope.is_confined:
        drawers = {drawer_id: drawer.alone() for drawer_id, drawer in drawers.items()}

    def filled(part: Sequence[Item]) -> tuple[RecentItem, ...]:
        # A drawer may have been deleted meanwhile.
        there = ((drawers.get(each.sentence.said.drawer_id), each) for each in part)
        return tuple(
            RecentItem(drawer, each.sentence.shown(), each.why, each.sentence.said.at, each.score, each.due)
            for drawer, each in there
            if drawer is not None
        )

    within = sum(each.at >= request.since for each in said)
    warning = f"so much was said that {within:,} drawers were read, in turns from each day and room"
    warnings = (warning,) if within >= LIMITS.most else ()
    more = len(standing) - len(ahead)
    return Recent(request.since, until, filled(informative), filled(ends), filled(ahead), more, is_earlier, warnings)


def _read(session: UserSession, request: RecentRequest, until: datetime) -> list[SaidDrawer]:
    stretch, changing = Stretch(request.since, until), CHANGES.source("changed")
    said = recent_candidates(session, stretch, now=request.now, scope=request.scope, limits=LIMITS, changing=changing)
    own = find_own(session, {each.drawer_id for each in said}, request.names)
    return [each._replace(is_own=each.drawer_id in own) for each in said]


def _choose(session: UserSession, said: Sequence[SaidDrawer], request: RecentRequest) -> tuple[list[Item], ...]:
    """Choose informative sentences, open ends, and all upcoming dates; each sentence is in one of them."""
    read = [Read(each, sentences_of(each)) for each in said]
    ahead, changes = coming(read, request.now)
    taken = {_place(each.sentence) for each in ahead}
    recent = [drawer for drawer in read if drawer.said.at >= request.since]
    ends = [end for end in open_ends(recent, request.limit) if _place(end.sentence) not in taken]
    taken |= {_place(end.sentence) for end in ends}
    others = [
        each
        for drawer in recent
        for each in drawer.sentences
        if _place(each) not in taken and not supersedes(changes, each, drawer.said.at)
    ]
    standing = [each for each in ahead if not each.is_over]
    return _most_telling(session, others, request.limit), ends[: request.limit], standing


def _place(sentence: Sentence) -> tuple[int, int]:
    return sentence.said.drawer_id, sentence.span.start


def _most_telling(session: UserSession, sentences: Sequence[Sentence], limit: int) -> list[Item]:
    """Choose the most informative sentences, ordered by wing and day."""
    # Answered questions are not informative; the others are open ends.
    first = sorted((each for each in sentences if not each.asks), key=outlook, reverse=True)[:MOST_WEIGHED]
    counts = count_holding(session, {word for sentence in first for word in sentence.words})
    rare = rarity(counts, get_counts(session)["passage"])
    scored = [Item(sentence, score=telling(sentence, rare)) for sentence in first]
    chosen = choose([each for each in scored if each.score >= LEAST_TOLD], limit)
    newest_first = sorted(chosen, key=lambda each: (each.sentence.said.at, each.sentence.said.drawer_id), reverse=True)
    wings = list(dict.fromkeys(each.sentence.said.wing_id for each in newest_first))
    by_wing = sorted(newest_first, key=lambda each: wings.index(each.sentence.said.wing_id))
    return [each._replace(why=kind_of(each.sentence)) for each in by_wing]
