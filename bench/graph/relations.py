"""Relations that a palace holds, compared with labels; dates, and whether two of them agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from bench.graph.identities import Names
from bench.graph.predicates import (
    is_about_things,
    is_event,
    is_single,
    meaning,
    noun_of,
    same_predicate,
    turned,
)
from bench.graph.words import tokens

_COARSENESS = {"moment": 0, "day": 0, "month": 1, "season": 2, "year": 3, "vague": 4}
_PRECISION_OF_LENGTH = {4: "year", 7: "month", 10: "day"}
VAGUELY = timedelta(days=92)
"""How far a vague date may lie from another."""


@dataclass(frozen=True, slots=True)
class Told:
    """A date, and how exactly it is known: moment, day, month, season, year or vague."""

    day: date
    precision: str


def read_date(text: str | None, precision: str | None = None) -> Told | None:
    """Read "2026-04-30", "2026-04" or "2026"; a precision that is not given is what the text has.

    Raises:
        ValueError: the text is none of these, or the precision is not known.
    """
    if text is None:
        return None
    known = precision or _PRECISION_OF_LENGTH.get(len(text), "")
    if known not in _COARSENESS:
        raise ValueError(f"{text!r} is no date of precision {precision!r}")
    padded = text + "-01-01"[: 10 - len(text)] if len(text) < 10 else text[:10]
    return Told(date.fromisoformat(padded), known)


def agree(one: Told, other: Told) -> bool:
    """Tell whether two dates are the same at the coarser precision of the two.

    A season is its first day; a vague date agrees within three months, and within its year.
    """
    coarser = max(one.precision, other.precision, key=_COARSENESS.__getitem__)
    if coarser == "vague":
        return abs(one.day - other.day) <= VAGUELY or one.day.year == other.day.year
    return _begin(one.day, coarser) == _begin(other.day, coarser)


def ends_agree(labelled: Told, found: Told) -> bool:
    """Tell whether two ends agree: a last day that it was so is the day before the first that it was not."""
    before = Told(found.day - timedelta(days=1), found.precision)
    after = Told(found.day + timedelta(days=1), found.precision)
    return any(agree(labelled, each) for each in (found, before, after))


def _begin(day: date, precision: str) -> date:
    if precision == "year":
        return day.replace(month=1, day=1)
    if precision == "month":
        return day.replace(day=1)
    if precision == "season":
        # Winter begins in December of the year before.
        month = day.month // 3 * 3
        return date(day.year, month, 1) if month else date(day.year - 1, 12, 1)
    return day


Turn = tuple[str, int]
"""A conversation, and the place of a message in it, from 0."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation as labelled."""

    id: str
    subject: str
    predicate: str
    kind: str
    object: str
    evidence: tuple[Turn, ...]
    valid_from: Told | None = None
    valid_to: Told | None = None
    must_not: bool = False
    """What a careless reader would store."""


@dataclass(frozen=True, slots=True)
class Held:
    """A relation as a palace holds it."""

    subject: frozenset[str]
    """All the names of the subject."""
    predicate: str
    object: frozenset[str]
    """All the names of the object; of a value itself."""
    valid_from: Told | None = None
    valid_to: Told | None = None
    recorded_at: datetime | None = None
    superseded_at: datetime | None = None
    evidence: frozenset[Turn] = frozenset()

    def __str__(self) -> str:
        """Write it in a line."""
        times = "".join(
            f" {word} {told.day}" for word, told in (("from", self.valid_from), ("to", self.valid_to)) if told
        )
        return f"{'|'.join(sorted(self.subject))} {self.predicate} {'|'.join(sorted(self.object))}{times}"


@dataclass(slots=True)
class Relations:
    """How many relations are labelled, held, and held rightly."""

    held: int = 0
    """Believed now."""
    right: int = 0
    """Labelled, with the same dates."""
    triples_right: int = 0
    """Labelled, whatever the dates."""
    held_by: Counter[str] = field(default_factory=Counter)
    """Held, by predicate; so is the next."""
    right_by: Counter[str] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)
    """Labelled, by kind; so are the next three."""
    known: Counter[str] = field(default_factory=Counter)
    """Of these, held with the same dates."""
    triples_known: Counter[str] = field(default_factory=Counter)
    """Of these, held whatever the dates."""
    told: Counter[str] = field(default_factory=Counter)
    """Relations held that say one labelled with this kind, whatever the dates."""
    told_right: Counter[str] = field(default_factory=Counter)
    """Of these, those with the same dates."""
    must_nots: Counter[str] = field(default_factory=Counter)
    """Labelled as what must not be held, by kind."""
    stored: Counter[str] = field(default_factory=Counter)
    """Of these, held."""
    missed: list[str] = field(default_factory=list)
    """A line each of what was missed or is wrong."""


def judge(counts: Relations, names: Names, facts: Sequence[Fact], held: Sequence[Held], said: dict[Turn, Told]) -> None:
    """Count one person's relations; ``said`` has the day of each message. What is superseded is not looked at."""
    now = [each for each in held if each.superseded_at is None]
    wanted = [fact for fact in facts if not fact.must_not]
    meanings = {fact.id: [each for each in now if says(names, each, fact)] for fact in facts}
    for fact in wanted:
        _judge_fact(counts, names, fact, wanted, meanings[fact.id], said)
    for each in now:
        if _only_names(each) and not any(each in meanings[fact.id] for fact in wanted):
            continue
        said_so = [fact for fact in wanted if each in meanings[fact.id]]
        agreeing = [fact for fact in said_so if dates_agree(each, fact, said, corrected_by(names, fact, wanted))]
        _judge_held(counts, each, said_so, agreeing)
    right = {each for fact in wanted for each in meanings[fact.id]}
    for fact in facts:
        if fact.must_not:
            _judge_must_not(counts, fact, meanings[fact.id], right)


def says(names: Names, held: Held, fact: Fact) -> bool:
    """Tell whether a relation says what is labelled, whatever the dates."""
    if same_predicate(held.predicate, fact.predicate):
        for other_way in turned(held.predicate, fact.predicate):
            subject, object = (held.object, held.subject) if other_way else (held.subject, held.object)
            if names.same(subject, fact.subject) and names.same(object, fact.object):
                return True
    return _says_of_thing(names, held, fact)


def dates_agree(held: Held, fact: Fact, said: dict[Turn, Told], corrected: Sequence[Fact] = ()) -> bool:
    """Tell whether both dates are as labelled; where no beginning is, that of the first evidence does as well.

    What happens ends by itself, whether or not that is labelled. A correction was so all along: since what it corrects
    was said, or is labelled to have begun.
    """
    if fact.valid_from:
        began = held.valid_from is not None and agree(fact.valid_from, held.valid_from)
    else:
        turns = (*fact.evidence, *held.evidence, *(turn for other in corrected for turn in other.evidence))
        days = [said[turn] for turn in turns if turn in said]
        days += [other.valid_from for other in corrected if other.valid_from]
        began = held.valid_from is None or any(agree(day, held.valid_from) for day in days)
    if fact.valid_to is None and is_event(fact.predicate):
        return began
    if fact.valid_to is None or held.valid_to is None:
        return began and fact.valid_to is held.valid_to
    return began and ends_agree(fact.valid_to, held.valid_to)


def is_corrected(names: Names, fact: Fact, facts: Sequence[Fact]) -> bool:
    """Tell whether a fact is one as first said, of which a correction is labelled as well."""
    return any(
        other.kind == "correction"
        and other is not fact
        and fact.kind != "correction"
        and names.same({other.subject}, fact.subject)
        and same_predicate(other.predicate, fact.predicate)
        and (is_single(fact.predicate) or names.same({other.object}, fact.object))
        for other in facts
    )


def corrected_by(names: Names, fact: Fact, facts: Sequence[Fact]) -> list[Fact]:
    """List what a correction corrects; nothing of another fact."""
    return [other for other in facts if is_corrected(names, other, [fact])]


def _judge_fact(
    counts: Relations,
    names: Names,
    fact: Fact,
    facts: Sequence[Fact],
    same: Sequence[Held],
    said: dict[Turn, Told],
) -> None:
    known = any(dates_agree(each, fact, said, corrected_by(names, fact, facts)) for each in same)
    if not known and is_corrected(names, fact, facts):
        return
    counts.wanted[fact.kind] += 1
    counts.known[fact.kind] += known
    counts.triples_known[fact.kind] += bool(same)
    if not known:
        what = f"{fact.id} {fact.kind}: {fact.subject} {fact.predicate} {fact.object}{_times(fact)}"
        counts.missed.append(f"dates   {what}; held: {same[0]}" if same else f"missed  {what}")


def _judge_held(counts: Relations, held: Held, facts: Sequence[Fact], right: Sequence[Fact]) -> None:
    counts.held += 1
    counts.right += bool(right)
    counts.triples_right += bool(facts)
    counts.held_by[held.predicate] += 1
    counts.right_by[held.predicate] += bool(right)
    if facts:
        kind = (right or facts)[0].kind
        counts.told[kind] += 1
        counts.told_right[kind] += bool(right)
    else:
        counts.missed.append(f"made up {held} ({', '.join(f'{name} {turn}' for name, turn in sorted(held.evidence))})")


def _judge_must_not(counts: Relations, fact: Fact, same: Sequence[Held], right: set[Held]) -> None:
    counts.must_nots[fact.kind] += 1
    stored = [each for each in same if each not in right or each.evidence & set(fact.evidence)]
    if stored:
        counts.stored[fact.kind] += 1
        counts.missed.append(f"stored  {fact.id} {fact.kind}: {stored[0]}")


def _only_names(held: Held) -> bool:
    """Tell whether it says of something that it is called what it is called."""
    return meaning(held.predicate).family == "called" and bool(
        {tokens(name) for name in held.subject} & {tokens(name) for name in held.object}
    )


def _says_of_thing(names: Names, held: Held, fact: Fact) -> bool:
    """Lay "I has_rent 1,450" on "rent costs 1,450", in both directions."""
    for noun, subject, other in (
        (noun_of(held.predicate), [fact.subject], fact.predicate),
        (noun_of(fact.predicate), held.subject, held.predicate),
    ):
        if noun and is_about_things(other) and any(tokens(name)[-1:] == (noun,) for name in subject):
            return names.same(held.object, fact.object)
    return False


def _times(fact: Fact) -> str:
    return "".join(
        f" {word} {told.day} ({told.precision})"
        for word, told in (("from", fact.valid_from), ("to", fact.valid_to))
        if told
    )
