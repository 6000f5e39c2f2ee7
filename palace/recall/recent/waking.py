"""Looking back on some days: read, choose what tells, what stands open and what is coming up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from palace.db.counts import get_counts
from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.recent import RecentLimits, count_holding, find_last_said, recent_candidates
from palace.db.standing import find_own
from palace.models import Recent, RecentItem, SaidDrawer, Stretch, Why
from palace.recall.recent.ahead import Coming, OpenEnd, Read, coming, open_ends
from palace.recall.recent.request import RecentRequest
from palace.recall.recent.sentences import Scored, Sentence, choose, kind_of, outlook, rarity, sentences_of, telling

LIMITS = RecentLimits()

MOST_WEIGHED = 80
"""Sentences whose words are looked up: those that look like telling most."""

LEAST_TOLD = 0.2
"""What a sentence has to tell to be shown: beneath are those of one word that is not rare, and requests."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What is shown, by drawer id, before the drawers are read."""

    told: Sequence[Scored]
    open: Sequence[OpenEnd]
    coming: Sequence[Coming]

    def ids(self) -> set[int]:
        sentences = (each.sentence for part in (self.told, self.open, self.coming) for each in part)
        return {sentence.said.drawer_id for sentence in sentences}


def look_back(session: UserSession, request: RecentRequest) -> Recent:
    """Choose what matters of a stretch of days and what stands open at its end.

    Where nothing was said in it, the latest days take its place in which something was. Five statements at most; what
    is read is bounded, however much was said.
    """
    until, is_earlier = request.now, False
    said = _read(session, request, until)
    if not any(each.at >= request.since for each in said):
        last = find_last_said(session, until=request.now, scope=request.scope)
        if last is None:
            return Recent(request.since, request.now)
        until, is_earlier, request = last, True, request.ending_at(last)
        said = _read(session, request, until)
    empty = Recent(request.since, until, is_earlier=is_earlier, warnings=_warnings(said, request))
    return _filled(session, empty, _choose(session, said, request), request)


def _warnings(said: Sequence[SaidDrawer], request: RecentRequest) -> tuple[str, ...]:
    within = sum(each.at >= request.since for each in said)
    if within < LIMITS.most:
        return ()
    return (f"so much was said that {within:,} drawers were read, in turns from each day and room",)


def _read(session: UserSession, request: RecentRequest, until: datetime) -> list[SaidDrawer]:
    stretch = Stretch(request.since, until)
    said = recent_candidates(session, stretch, now=request.now, scope=request.scope, limits=LIMITS)
    own = find_own(session, {each.drawer_id for each in said}, request.names)
    return [each._replace(is_own=each.drawer_id in own) for each in said]


def _choose(session: UserSession, said: Sequence[SaidDrawer], request: RecentRequest) -> _Chosen:
    read = [Read(each, sentences_of(each)) for each in said]
    ahead = coming(read, request.now)
    taken = {_place(each.sentence) for each in ahead}
    recent = [drawer for drawer in read if drawer.said.at >= request.since]
    ends = [end for end in open_ends(recent, request.limit) if _place(end.sentence) not in taken]
    taken |= {_place(end.sentence) for end in ends}
    told = _told(
        session, [each for drawer in recent for each in drawer.sentences if _place(each) not in taken], request.limit
    )
    standing = [each for each in ahead if not each.is_over]
    return _Chosen(told, ends[: request.limit], standing[: request.limit])


def _place(sentence: Sentence) -> tuple[int, int]:
    return sentence.said.drawer_id, sentence.span.start


def _told(session: UserSession, sentences: Sequence[Sentence], limit: int) -> list[Scored]:
    """Choose what tells most, in order of wing and day."""
    # A question tells nothing where it was answered, and stands open where not.
    first = sorted((each for each in sentences if not each.asks), key=outlook, reverse=True)[:MOST_WEIGHED]
    counts = count_holding(session, {word for sentence in first for word in sentence.words})
    rare = rarity(counts, get_counts(session)["passage"])
    scored = [Scored(sentence, telling(sentence, rare)) for sentence in first]
    chosen = choose([each for each in scored if each.score >= LEAST_TOLD], limit)
    return _by_wing(chosen)


def _by_wing(chosen: Iterable[Scored]) -> list[Scored]:
    newest_first = sorted(chosen, key=lambda each: (each.sentence.said.at, each.sentence.said.drawer_id), reverse=True)
    wings = list(dict.fromkeys(each.sentence.said.wing_id for each in newest_first))
    return sorted(newest_first, key=lambda each: wings.index(each.sentence.said.wing_id))


def _filled(session: UserSession, recent: Recent, chosen: _Chosen, request: RecentRequest) -> Recent:
    """Fill in the records of what is chosen; a drawer that is gone meanwhile is left out."""
    drawers = get_drawers(session, chosen.ids())
    if request.scope.is_confined:
        drawers = {drawer_id: drawer.alone() for drawer_id, drawer in drawers.items()}

    def made(sentence: Sentence, why: Why, score: float = 0.0, due: Stretch | None = None) -> list[RecentItem]:
        drawer = drawers.get(sentence.said.drawer_id)
        return [] if drawer is None else [RecentItem(drawer, sentence.shown(), why, sentence.said.at, score, due)]

    return replace(
        recent,
        told=tuple(item for each in chosen.told for item in made(each.sentence, kind_of(each.sentence), each.score)),
        open=tuple(item for each in chosen.open for item in made(each.sentence, each.why)),
        coming=tuple(item for each in chosen.coming for item in made(each.sentence, Why.DATE, due=each.due)),
    )
