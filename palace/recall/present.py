"""The present in front: of drawers that say the same kind of thing, the newest. Pure."""

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
    """What a newer drawer is to say anew."""

    KIND = auto()
    """The same kind of thing."""
    ONE = auto()
    """What one statement answers, which may name anything."""
    NAMED = auto()
    """What one statement answers that names a number or a moment."""
    AMOUNT = auto()
    """An amount that grows with time."""

    @classmethod
    def asked_by(cls, intent: Intent) -> Of:
        """Return what a query asks the newest of."""
        if intent.amount:
            return cls.AMOUNT
        if not intent.asks_what_is:
            return cls.KIND
        return cls.ONE if intent.answers_name is None else cls.NAMED


@dataclass(frozen=True, slots=True)
class Present:
    """When two drawers say the same kind of thing: alike, and both with the query's words.

    Where one statement answers, the newest, less is asked of what shares a rare word and names what the answer must;
    least of two that both give the amount asked for.
    """

    drawers: int = 30
    """How many of the best are looked at; 0 for none."""
    alike: float = 0.65
    """The likeness (cosine) of what they say from which on they do."""
    behind: float = 0.2
    """By how much the newer may be less similar to the query."""
    words: float = 0.5
    """The share of the query's words, by their rarity, that each holds, the newer as many as the older."""
    alike_of_one: float = 0.4
    """The likeness from which on they do where they share a rare word, and one statement answers."""
    alike_unnamed: float = 0.55
    """The same where an answer may name anything, so that it tells nothing of the two."""
    behind_of_one: float = 0.15
    """By how much the newer may be less similar to the query there."""
    words_of_one: float = 0.8
    """How much of the query's words the newer must hold there, as a share of what the older does."""
    worth_of_one: float = 0.3
    """By how much the newer may be worth less there."""
    drawers_of_one: int = 15
    """How many of the best are looked at there."""
    alike_of_amount: float = 0.4
    """The likeness from which on they do where they share a rare word, and both name the amount asked for."""
    behind_of_amount: float = 0.22
    """By how much the newer may be less similar to the query there."""
    words_of_amount: float = 0.5
    """How much of the query's words the newer must hold there, as a share of what the older does; any if ``alike``."""
    alike_of_change: float = 0.45
    """The least likeness of a statement of a change and an older drawer that shares a rare word with it."""
    behind_of_change: float = 0.3
    """By how much the statement of a change may be less similar to the query."""
    rare: int = 8
    """In how many passages a word may stand at most to be rare; in 2 % of a larger palace's drawers."""


SAME = 0.96
"""The likeness from which on two say the very same, so that neither is news."""


def asked_of(ranked: Sequence[Fused], intent: Intent, present: Present) -> list[int]:
    """List the drawers, by id, of which the newest is to stand in front: the best ones, said by the person.

    None where the query asks for a time that is over, for what happened, or for several statements.
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
    """Keep those pairs that both say a number as the query has it, beside the same words, or neither does.

    Of "tree number 77" and "tree number 1486 bears 77 kg", none says anew what the other does. What says that something
    is otherwise now may leave out a number that it changes.
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
    """Put a drawer in front of the best older one that says the same kind of thing; it is worth as much."""
    renewed = _renewed(ranked, alike, present, of)
    placed: list[Fused] = []
    for fused in ranked:
        older = renewed.get(fused.id, frozenset())
        place = next((at for at, other in enumerate(placed) if other.id in older), None)
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
    """Put an earlier drawer that says the same kind of thing as the best one in front of it: the first, or the former.

    What the query tells of ("before the move") is what the best one says.
    """
    best, *others = ranked[: present.drawers_of_one]
    earlier = [fused for fused in others if _precedes(fused, best, alike, present)]
    if not earlier:
        return list(ranked)
    told = sorted(earlier, key=lambda fused: fused.drawer.said_at)[0 if asked is Earlier.FIRST else -1]
    return [replace(told, score=best.score), *(fused for fused in ranked if fused is not told)]


def _precedes(earlier: Fused, best: Fused, alike: Mapping[frozenset[int], Alike], present: Present) -> bool:
    one, other = earlier.drawer, best.drawer
    known = alike.get(frozenset((one.id, other.id)))
    if (
        known is None
        or not (known.shares and known.is_of_one_number)
        or not present.alike_of_one <= known.likeness <= SAME
    ):
        return False
    return (
        one.id in known.naming
        and _is_later(other, one)
        and (one.similarity or 0.0) >= (other.similarity or 0.0) - present.behind
        and earlier.score >= best.score - present.worth_of_one
    )


def _renewed(
    ranked: Sequence[Fused], alike: Mapping[frozenset[int], Alike], present: Present, of: Of
) -> dict[int, frozenset[int]]:
    """Map drawers, by id, to those that each says anew."""
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
    """Have each that gives an amount, linked over any number of others that give it, renew all that are older than it.

    Two of them may say it in quite other words, and what was said between them in the words of both. The newer one must
    say as much of the query all the same.
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
    """Tell the same of two where one statement answers: they share a rare word, and the newer names what it must.

    Where it is an amount, the older names it as well.
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
    """Check whether a later drawer states that what an older one says has changed."""
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
