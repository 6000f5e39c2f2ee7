"""Ranks the newest of several drawers about the same thing first. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from palace.models import Alike, Compared
from palace.nlp.questions.states import Earlier
from palace.nlp.rules import rules
from palace.recall.fuse import Fused
from palace.recall.intent import Intent
from palace.recall.signals import says_nothing

CHANGES = rules("recall", "changes")
"""What says that something is otherwise than it was."""
AS_MUCH = 0.99
"""The share from which on one holds as much of the query as another: lengths differ a little."""


class Of(Enum):
    """What a newer drawer must state to be ranked before an older one."""

    KIND = auto()
    """The same kind of thing."""
    ONE = auto()
    """The answer, if a single statement gives it."""
    NAMED = auto()
    """The answer, if a single statement with a number or a time gives it."""
    AMOUNT = auto()
    """An amount that grows with time."""

    @classmethod
    def asked_by(cls, intent: Intent) -> Of:
        """Return what the newest drawer must state for a query."""
        if intent.amount:
            return cls.AMOUNT
        if not intent.asks_what_is:
            return cls.KIND
        return cls.ONE if intent.answers_name is None else cls.NAMED


@dataclass(frozen=True, slots=True)
class Present:
    """When a newer drawer is about the same thing as an older one: both are similar and contain the query's words.

    If a single statement answers the query, less is required of drawers that share a rare word and contain the kind of
    value that the answer needs; least if both contain the amount that the query asks for.
    """

    drawers: int = 30
    """Number of the best drawers that are compared; 0 for none."""
    alike: float = 0.65
    """Least likeness (cosine) of the two."""
    behind: float = 0.2
    """By how much the newer may be less similar to the query."""
    words: float = 0.5
    """Least share of the query's rare-word weight in each; the newer must have as much as the older."""
    alike_of_one: float = 0.4
    """Least likeness if they share a rare word and a single statement answers."""
    alike_unnamed: float = 0.55
    """The same where the question asks for no number or time."""
    behind_of_one: float = 0.15
    """By how much the newer may then be less similar to the query."""
    words_of_one: float = 0.8
    """Share of the older one's words of the query that the newer must then have."""
    worth_of_one: float = 0.3
    """By how much the newer one's score may then be lower."""
    drawers_of_one: int = 15
    """Number of the best drawers that are then compared."""
    alike_of_amount: float = 0.4
    """Least likeness if they share a rare word and both contain the amount that the query asks for."""
    behind_of_amount: float = 0.22
    """By how much the newer may then be less similar to the query."""
    words_of_amount: float = 0.5
    """Share of the older one's words of the query that the newer must then have; any if ``alike``."""
    alike_of_change: float = 0.45
    """The least likeness of a statement of a change and an older drawer that shares a rare word with it."""
    behind_of_change: float = 0.3
    """By how much the statement of a change may be less similar to the query."""
    rare: int = 8
    """Most passages that may contain a rare word; 2 % of the drawers of a larger palace."""


SAME = 0.96
"""Likeness above which two drawers repeat each other, so that neither is news."""


def asked_of(ranked: Sequence[Fused], intent: Intent, present: Present) -> list[int]:
    """List the ids of the best drawers said by the person, among which newer ones are ranked before older ones.

    Empty if the query asks about the past, an event, or several statements.
    """
    is_past = intent.asks_several or (intent.asks_past and not intent.earlier)
    if any(each.end <= intent.now for each in intent.windows) or (is_past and not intent.amount):
        return []
    said = (fused.drawer for fused in ranked[: present.drawers])
    return [each.id for each in said if each.is_person and not each.is_replaced and not says_nothing(each)]


def rare_in(drawers: int, present: Present) -> int:
    """Return the most passages that may contain a word for it to be rare, in a palace of so many drawers."""
    return max(present.rare, drawers // 50)


def of_one_number(ranked: Sequence[Fused], alike: Mapping[frozenset[int], Alike]) -> dict[frozenset[int], Alike]:
    """Keep pairs of which both or neither contain a number of the query beside the same words, and all with a change.

    "Tree number 77" and "tree number 1486 bears 77 kg" are about different things. A statement of a change may leave
    out the number that it changes.
    """
    phrases = {fused.id: fused.drawer.phrase for fused in ranked}

    def are_of_one(pair: frozenset[int]) -> bool:
        said = [phrases.get(drawer_id, 0.0) for drawer_id in pair]
        return min(said) >= max(said) * AS_MUCH

    marked = {pair: replace(known, is_of_one_number=are_of_one(pair)) for pair, known in alike.items()}
    return {pair: known for pair, known in marked.items() if known.changing or known.is_of_one_number}


def latest_first(
    ranked: Sequence[Fused],
    alike: Mapping[frozenset[int], Alike],
    present: Present,
    of: Of = Of.KIND,
) -> list[Fused]:
    """Place a drawer before the best older one about the same thing, with at least its score."""
    renewed = _renewed(ranked, alike, present, of)
    placed: list[Fused] = []
    for fused in ranked:
        older = renewed.get(fused.id, frozenset())
        place = next((at for at, other in enumerate(placed) if other.id in older), None) if older else None
        if place is None:
            placed.append(fused)
        else:
            placed.insert(place, replace(fused, score=max(fused.score, placed[place].score)))
    newer: dict[int, Compared] = {}
    for fused in placed:
        for drawer_id in renewed.get(fused.id, frozenset()):
            newer.setdefault(drawer_id, fused.drawer)
    return [replace(each, newer=newer.get(each.id)) if newer else each for each in placed]


def earlier_first(
    ranked: Sequence[Fused], alike: Mapping[frozenset[int], Alike], present: Present, asked: Earlier
) -> list[Fused]:
    """Place the first, or the previous, drawer about the same thing as the best one before it.

    The best one states what the query mentions: "before the move".
    """
    best, *others = ranked[: present.drawers_of_one]
    earlier = [fused for fused in others if _precedes(fused, best, alike, present)]
    if not earlier:
        return list(ranked)
    meant = sorted(earlier, key=lambda fused: fused.drawer.said_at)[0 if asked is Earlier.FIRST else -1]
    return [replace(meant, score=best.score), *(fused for fused in ranked if fused is not meant)]


def _precedes(earlier: Fused, best: Fused, alike: Mapping[frozenset[int], Alike], present: Present) -> bool:
    one, other = earlier.drawer, best.drawer
    known = alike.get(frozenset((one.id, other.id)))
    return (
        known is not None
        and known.shares
        and known.is_of_one_number
        and present.alike_of_one <= known.likeness <= SAME
        and one.id in known.naming
        and _is_later(other, one)
        and (one.similarity or 0.0) >= (other.similarity or 0.0) - present.behind
        and earlier.score >= best.score - present.worth_of_one
    )


def _renewed(
    ranked: Sequence[Fused], alike: Mapping[frozenset[int], Alike], present: Present, of: Of
) -> dict[int, frozenset[int]]:
    """Map ids of newer drawers to those of the older ones that each replaces."""
    by_id = {fused.id: fused for fused in ranked}
    close = {fused.id for fused in ranked[: present.drawers_of_one]}
    found: dict[int, frozenset[int]] = {}
    for pair, known in alike.items():
        for newer in pair:
            (older,) = pair - {newer}
            if newer not in by_id or older not in by_id:
                continue
            one, other = by_id[newer], by_id[older]
            is_close, is_of_one = pair <= close, known.is_of_one_number
            is_news = (
                (is_of_one and of is not Of.AMOUNT and _renews(one, other, known, present))
                or (is_of_one and is_close and _renews_one(one, other, known, present, of))
                or (is_close and _changes(one, other, known, present))
            )
            if is_news:
                found[newer] = found.get(newer, frozenset()) | {older}
    naming = frozenset(drawer_id for known in alike.values() for drawer_id in known.naming)
    return _joined(found, naming, by_id, present) if of in (Of.AMOUNT, Of.NAMED) else found


def _joined(
    renewed: Mapping[int, frozenset[int]], naming: frozenset[int], by_id: Mapping[int, Fused], present: Present
) -> dict[int, frozenset[int]]:
    """Let each drawer with the amount replace all older ones that are linked to it through others with the amount.

    Two statements may have no words in common, but share some with a statement made between them. The newer must still
    match the query about as well.
    """

    def renews(newer: Compared, older: Compared) -> bool:
        is_near = (newer.similarity or 0.0) >= (older.similarity or 0.0) - present.behind_of_amount
        return _is_later(newer, older) and is_near and newer.coverage >= older.coverage * present.words_of_one

    groups: list[set[int]] = []
    for newer, older in renewed.items():
        giving = naming & {newer, *older}
        linked = [group for group in groups if group & giving]
        groups = [group for group in groups if group not in linked]
        groups.append(set(giving).union(*linked))
    found = dict(renewed)
    for group in groups:
        for one in group:
            older = frozenset(each for each in group if renews(by_id[one].drawer, by_id[each].drawer))
            if older:
                found[one] = found.get(one, frozenset()) | older
    return found


def _renews(newer: Fused, older: Fused, known: Alike, present: Present) -> bool:
    """Check whether a later drawer repeats what an older one says, or says something else about the same."""
    one, other = newer.drawer, older.drawer
    if known.likeness < present.alike or not _is_later(one, other):
        return False
    holds_words = present.words <= one.coverage >= other.coverage * AS_MUCH
    return holds_words and (one.similarity or 0.0) >= (other.similarity or 0.0) - present.behind


def _renews_one(newer: Fused, older: Fused, known: Alike, present: Present, of: Of) -> bool:
    """Check the same if a single statement answers: both share a rare word, and the newer has the needed kind of value.

    If that is an amount, the older must have it too.
    """
    one, other = newer.drawer, older.drawer
    # What is said in nearly the same words of an amount needs no rare word to be of the same one.
    shares = known.shares or (of is Of.AMOUNT and known.likeness >= present.alike)
    if of is Of.KIND or not shares or not _is_later(one, other):
        return False
    if of is Of.AMOUNT:
        least, behind = present.alike_of_amount, present.behind_of_amount
        words = present.words_of_amount if known.likeness < present.alike else 0.0
    else:
        least = present.alike_of_one if of is Of.NAMED else present.alike_unnamed
        words, behind = present.words_of_one, present.behind_of_one
    # An older one that gives no amount answers nothing: what says the same with an amount does.
    says_same = known.likeness >= present.alike and one.coverage >= other.coverage * present.words_of_one
    naming = {one.id}
    if of is Of.AMOUNT and not says_same:
        naming.add(other.id)
    return (
        naming <= known.naming
        and least <= known.likeness <= SAME
        and one.coverage >= other.coverage * words
        and (one.similarity or 0.0) >= (other.similarity or 0.0) - behind
        and newer.score >= older.score - present.worth_of_one
    )


def _changes(newer: Fused, older: Fused, known: Alike, present: Present) -> bool:
    """Check whether a newer drawer states a change of what an older one says."""
    one, other = newer.drawer, older.drawer
    return (
        one.id in known.changing
        and known.shares
        and present.alike_of_change <= known.likeness <= SAME
        and _is_later(one, other)
        and (one.similarity or 0.0) >= (other.similarity or 0.0) - present.behind_of_change
    )


def _is_later(one: Compared, other: Compared) -> bool:
    return one.said_at > other.said_at and one.is_dated and other.is_dated
