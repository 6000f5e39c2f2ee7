"""What the person asked for once and for all, where a query gives a task: chosen, and placed among the hits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from palace.db.database import UserSession
from palace.db.standing import alike_statements, standing_candidates
from palace.models import ArmScore, Floor, PassageKey, Statement
from palace.nlp.caching import cache_by_digest
from palace.nlp.instructions import Aspect, aspects_of_statement, aspects_of_task, is_against, revokes, topic_of
from palace.nlp.own import LONGEST_TYPED, own_words
from palace.recall.arms.protocol import Near
from palace.recall.floor import relevance_of
from palace.recall.fuse import Fused
from palace.recall.request import RecallRequest


@dataclass(frozen=True, slots=True)
class Standing:
    """How what holds from then on is held against a task."""

    newest: int = 1000
    """Statements that are looked at, the latest filed; 0 for none."""
    nearest: int = 100
    """Of these, how many are weighed."""
    aspect: float = 0.2
    """Added to the similarity of what is about the same aspect of a task: its code, its wording, its hours."""
    manner: float = 0.08
    """Added for being about how to answer, whatever is asked."""
    repeated: float = 0.03
    """Added for every doubling of how often it was said, three times at most."""
    above: float = 0.1
    """By how much it must be above the floor of a single hit."""
    alike: float = 0.45
    """The likeness (cosine) from which on one may repeat another, or speak against it."""
    same: float = 0.8
    """The likeness from which on they say the same, which takes one place."""
    share: float = 0.4
    """Of the hits that are given back, at most."""
    direct: float = 0.5
    """The relevance of a hit that stays in front of them."""


@dataclass(frozen=True, slots=True)
class Held:
    """A statement that is to be placed among the hits."""

    statement: Statement
    score: float
    earlier: frozenset[int] = field(default_factory=frozenset)
    """Drawers, by id, that said otherwise before, or the same."""

    def said_after(self, other: Held) -> bool:
        """Whether it was said later than another; of one moment, what was filed later."""
        return (self.statement.said_at, self.statement.key) > (other.statement.said_at, other.statement.key)

    @property
    def drawer_id(self) -> int:
        """The drawer that says it."""
        return self.statement.key.drawer_id


def find_held(
    session: UserSession, request: RecallRequest, near: Near | None, floor: Floor, numbers: Standing
) -> list[Held]:
    """Choose what holds for a task, best first, one for each drawer; none where the query gives no task.

    Without a vector of the query there is nothing to choose by.
    """
    if near is None or not request.intent.wants_work or not numbers.newest:
        return []
    said = standing_candidates(
        session, near, newest=numbers.newest, limit=numbers.nearest, names=request.person, scope=request.scope
    )
    wanted, least = aspects_of_task(request.query), floor.hit + numbers.above
    weighed = [Held(each, each.similarity + _about(aspects_of_statement(each.text), wanted, numbers)) for each in said]
    weighed.sort(key=lambda each: (-each.score, each.statement.key))
    if not weighed or weighed[0].score < least:
        return []
    # What was said against the likely ones need not be near to the task itself.
    short = (held for held in weighed if len(held.statement.message) <= LONGEST_TYPED)  # a longer one is a document
    typed = (held for held in short if _is_own(held.statement.text, held.statement.message))
    own = list(islice(typed, LOOKED_AT))
    alike = alike_statements(session, [held.statement.key for held in own], near[0], least=numbers.alike)
    return latest(own, alike, numbers, least=least)


LOOKED_AT = 40
"""Statements that are held against each other."""


@cache_by_digest(1024)
def _is_own(statement: str, message: str) -> bool:
    """Check whether a statement is in the person's own words of a message."""
    return statement in own_words(message)


def latest(
    held: Sequence[Held], alike: Mapping[frozenset[PassageKey], float], numbers: Standing, *, least: float = 0.0
) -> list[Held]:
    """Keep of those that say the same the latest, stronger the more often it was said, and of those that speak against
    each other the latest alone.

    It counts as the best of them does, so that it is as near to the task as the one in whose place it stands.
    """
    by_key = {each.statement.key: each for each in held}
    like_of: dict[PassageKey, list[Held]] = {}
    for pair in alike:
        for key in pair:
            like_of.setdefault(key, []).extend(by_key[other] for other in pair - {key} if other in by_key)

    def is_instead(later: Held, earlier: Held) -> bool:
        likeness = alike[frozenset((later.statement.key, earlier.statement.key))]
        return likeness >= numbers.same or speaks_against(later, earlier)

    chosen: dict[int, Held] = {}
    for each in held:
        like = like_of.get(each.statement.key, ())
        if any(other.said_after(each) and is_instead(other, each) for other in like):
            continue
        older = [other for other in like if each.said_after(other) and is_instead(each, other)]
        times = 1 + len({other.drawer_id for other in like if not speaks_against(each, other)})
        best = max(other.score for other in (each, *older))
        score = best + numbers.repeated * min(math.log2(times), 3.0)
        if score < least:
            continue
        found = replace(each, score=score, earlier=frozenset(other.drawer_id for other in older))
        if found.drawer_id not in chosen or chosen[found.drawer_id].score < score:
            chosen[found.drawer_id] = found
    return sorted(chosen.values(), key=lambda each: (-each.score, each.statement.key))


def speaks_against(one: Held, other: Held) -> bool:
    """Check whether the later of two instructions revokes the earlier, or forbids what it asks for or the reverse."""
    later, earlier = sorted((one, other), key=lambda each: (each.statement.said_at, each.statement.key))[::-1]
    if revokes(later.statement.text):
        return True
    differs = is_against(later.statement.text) != is_against(earlier.statement.text)
    return differs and bool(topic_of(later.statement.text) & topic_of(earlier.statement.text))


def with_standing(
    relevant: Sequence[Fused],
    ranked: Sequence[Fused],
    held: Sequence[Held],
    numbers: Standing,
    *,
    floor: Floor,
    wanted: int,
) -> list[Fused]:
    """Place standing instructions behind the first hits that answer by themselves, up to a share of ``wanted``.

    ``ranked`` are all compared drawers, ``relevant`` those above the floor. No score exceeds the one before it.
    """
    if not held:
        return list(relevant)
    by_id = {fused.id: fused for fused in ranked}
    known = [each for each in held if each.drawer_id in by_id]
    near = _leading(relevant, floor, numbers)
    most = round(numbers.share * min(wanted, 5)) + (0 if near else 1)
    in_front = relevant[: min(near, max(wanted - most, 0))]
    placed = [replace(by_id[each.drawer_id], standing=_reason(each, held)) for each in known[: min(most, wanted)]]
    ids = {fused.id for fused in placed}
    newer = {earlier: by_id[each.drawer_id].drawer for each in known[:most] for earlier in each.earlier}
    order = [*(each for each in in_front if each.id not in ids), *placed]
    order += [each for each in relevant if each.id not in {other.id for other in order}]
    return _descending([replace(each, newer=each.newer or newer.get(each.id)) for each in order])


def _about(said: frozenset[Aspect], wanted: frozenset[Aspect], numbers: Standing) -> float:
    if said & wanted:
        return numbers.aspect
    return numbers.manner if Aspect.MANNER in said else 0.0


def _leading(relevant: Sequence[Fused], floor: Floor, numbers: Standing) -> int:
    """Count the first hits that answer the query by themselves."""
    return len(list(takewhile(lambda each: relevance_of(each, floor) >= numbers.direct, relevant)))


def _reason(each: Held, held: Sequence[Held]) -> ArmScore:
    return ArmScore("standing", min(each.score, 1.0), 1 + sum(other.score > each.score for other in held))


def _descending(placed: Sequence[Fused]) -> list[Fused]:
    """Raise scores so that none is lower than a score behind it."""
    best, found = 0.0, []
    for each in reversed(placed):
        best = max(best, each.score)
        found.append(replace(each, score=best))
    return found[::-1]
