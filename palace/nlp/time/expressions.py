"""Find the times that a text speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import NamedTuple

from palace.errors import BadRequest
from palace.models import Span
from palace.nlp.rules import rules
from palace.nlp.time import dates, relative
from palace.nlp.time.bounds import Lead, bounded, is_habit, is_range, joined, lead_of, narrowed, shut_out
from palace.nlp.time.periods import DAY, Clock, Period, Tense, TimeWindow
from palace.nlp.time.vocabulary import BOUNDS, ORDINALS, Words, compiled, fold

_DATA = rules("times", "english")
_READS: dict[str, Callable[[Words, Clock], Period | None]] = {**relative.READS, **dates.READS}


@dataclass(frozen=True, slots=True)
class _Rule:
    """One way of telling a time."""

    kind: str
    """The kind of word without which it cannot apply."""
    expression: re.Pattern[str]
    resolve: Callable[[Words, Clock], Period | None]
    """What is meant; None, or a ValueError of the calendar (30 February), when nothing is."""
    means_else: str
    """What else it may mean, by the name of what has to stand before it then; "" if nothing."""
    leads: frozenset[str]
    """The words of which one has to stand before it then ("may", "march", "2021")."""
    alone: tuple[str, ...]
    """The groups of which one says that it is a time all the same."""

    def wanted_leads(self, words: Words, written: str) -> frozenset[str] | None:
        """Return the words of which one has to stand before an expression; None where it stands alone."""
        groups = words.groupdict()
        group = "month" if "month" in groups else "weekday" if "weekday" in groups else None
        name = words[group].rstrip(".") if group and words[group] else ""
        is_lower = bool(name) and written[words.start(group or 0) - words.start()].islower()
        is_verb = is_lower and name in _DATA.words("verbs")
        is_said = is_verb and groups.get("which") == "this" and not groups.get("year")
        is_other = is_said or name in _DATA.words("short_words")
        if is_lower and is_other and self.means_else in ("weekday", "month"):
            return frozenset()
        if not self.means_else or any(groups.get(each) is not None for each in self.alone):
            return None
        is_month = self.means_else == "month" and name in _DATA.words("sure_months")
        is_date = self.means_else == "date" and not is_verb and words["day"] not in ORDINALS
        return None if is_month or is_date else self.leads


class _Find(NamedTuple):
    """An expression where it stands, before it is known what it means."""

    rule: _Rule
    words: Words
    written: str

    @property
    def length(self) -> int:
        return self.words.end() - self.words.start()

    @property
    def is_floating(self) -> bool:
        """Whether it is a name or a number without its year, so that it means another time at another moment."""
        groups = self.words.groupdict()
        is_told = any(groups.get(group) for group in ("year", "relative", "decade", "which", "week"))
        return not is_told and self.rule.kind not in ("near", "unit")

    @property
    def is_relative(self) -> bool:
        """Whether it is counted from the moment it is said at, as weekdays are too."""
        groups = self.words.groupdict()
        is_placed = any(groups.get(group) for group in ("relative", "which"))
        return is_placed or (self.rule.kind in ("near", "unit", "weekday") and not groups.get("year"))

    @property
    def is_day_of_month(self) -> bool:
        """Whether it is a day whose month is told elsewhere: "from July 4th till the 9th"."""
        groups = self.words.groupdict()
        return bool(groups.get("day")) and "month" not in groups and not groups.get("which")

    def resolve(self, clock: Clock) -> Period | None:
        """Say what is meant; None for what the calendar does not have, at its first and last years as well."""
        try:
            return self.rule.resolve(self.words, clock)
        except (ValueError, OverflowError, IndexError, StopIteration):
            return None

    def is_told(self, text: str, lead: Lead) -> bool:
        """Whether it is meant as one time, judged by what stands before it."""
        leads = self.rule.wanted_leads(self.words, self.written)
        if leads is not None and not leads & lead.words:
            return False
        return lead.word is not None or not is_habit(text, lead.start)


_FIRST_YEAR, _LAST_YEAR = 100, 9900
"""Of moments from which the calendar goes on to both sides, for what comes back every year and for soft edges."""


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time as it is told, before what stands around it opens it to one side."""

    span: Span
    """The expression's place in the text, with the preposition that belongs to it."""
    lead: Lead
    opening: Period
    """The time itself, the part of it that is meant; of a stretch with two ends, the first."""
    closing: Period | None
    """The other end of a stretch that is told by both: "from May to July"."""
    window: TimeWindow
    """All that is meant by it."""


def find_times(text: str, now: datetime, *, tense: Tense = Tense.PAST) -> tuple[TimeWindow, ...]:
    """Find the times that a text speaks of, resolved against a moment, in order and without overlap.

    Windows are half-open and in the time zone of ``now``. Of expressions that overlap the longest is taken. What lasts
    or comes back is not a time ("for three weeks", "every Friday"), neither is one counted from another event ("three
    days later"). English; dates in figures as in the United States where both orders are possible. None where the
    calendar ends: before the year 100 and after 9900. Takes time linear in the text's length. Raises BadRequest when
    ``now`` has no time zone.
    """
    return tuple(told.window for told in find_expressions(text, now, tense=tense))


def find_expressions(text: str, now: datetime, *, tense: Tense = Tense.PAST) -> tuple[TimeExpression, ...]:
    """Find the times that a text speaks of, as ``find_times`` does, each as it is told as well."""
    if now.utcoffset() is None:
        raise BadRequest("times can only be resolved against a moment with a time zone")
    if not _FIRST_YEAR <= now.year <= _LAST_YEAR:
        return ()
    folded = fold(text)
    kinds = {found.lastgroup for found in _hints().finditer(folded)}
    if not kinds:
        return ()
    finds = _longest(
        [find for rule in _rules() if rule.kind in kinds for find in _apply(rule, folded, text)], len(text)
    )
    return tuple(_expressions(folded, finds, Clock(now, tense)))


@cache
def _hints() -> re.Pattern[str]:
    """Return a pattern for words without which no rule of a kind applies: most sentences hold none."""
    kinds = (rf"(?P<{kind}>{_DATA.filled(words)})" for kind, words in _DATA.table("kinds").items())
    return compiled(rf"(?<!\w)(?:{'|'.join(kinds)})(?!\w)")


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(map(_rule, _DATA.table("times")))


def _rule(row: dict[str, str]) -> _Rule:
    else_, pattern = row.get("leads", ""), compiled(rf"(?<!\w)(?:{_DATA.filled(row['pattern'])})(?!\w)")
    leads = _DATA.table("leads").get(else_, {})
    words = (BOUNDS - {*leads.get("but", ())}).union(leads["words"]) if "words" in leads else frozenset({else_})
    return _Rule(row["kind"], pattern, _READS[row["reads"]], else_, words, tuple(leads.get("alone", ())))


def _apply(rule: _Rule, folded: str, text: str) -> Iterator[_Find]:
    for words in rule.expression.finditer(folded):
        yield _Find(rule, words, text[words.start() : words.end()])


def _longest(finds: list[_Find], length: int) -> list[_Find]:
    """Keep of overlapping expressions the longest, in order of place."""
    taken, kept = bytearray(length), []
    for find in sorted(finds, key=lambda find: (-find.length, find.words.start())):
        start, end = find.words.span()
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\x01" * (end - start)
            kept.append(find)
    return sorted(kept, key=lambda find: find.words.start())


def _expressions(text: str, finds: Sequence[_Find], clock: Clock) -> Iterator[TimeExpression]:
    floor, place = 0, 0
    while place < len(finds):
        told = _range(text, finds[place : place + 2], floor, clock)
        place += 2 if told else 1
        if told is None:
            told = _single(text, finds[place - 1 : place + 1], floor, clock)
        if told is not None:
            floor = told.span.end
            yield told


def _single(text: str, finds: Sequence[_Find], floor: int, clock: Clock) -> TimeExpression | None:
    """Read the first of some expressions alone, with what stands around it up to the next."""
    find = finds[0]
    lead = lead_of(text, find.words.start(), floor)
    if clock.tense is Tense.FUTURE:
        lead = shut_out(text, lead)
    period = find.resolve(clock) if find.is_told(text, lead) else None
    if period is None:
        return None
    ceiling = finds[1].words.start() if len(finds) > 1 else len(text)
    period, end = narrowed(text, _begun(find, period, lead, clock), find.words.end(), ceiling, clock)
    window = _window(bounded(period, lead, clock), Span(lead.start, end), find.is_relative)
    own = bounded(period, lead._replace(word=None), clock)
    return TimeExpression(window.span, lead, own, None, window) if window and own else None


def _begun(find: _Find, period: Period, lead: Lead, clock: Clock) -> Period:
    """Take what comes back for the one before where the part that is meant has not begun: "since the end of May"."""
    if lead.part is None or clock.tense is Tense.FUTURE or not find.is_floating:
        return period
    part = bounded(period, lead._replace(word=None), clock)
    if part is None or part.start.timestamp() <= clock.now.timestamp():
        return period
    return find.resolve(clock.around(clock.at(period.start.date() - DAY))) or period


def _range(text: str, finds: Sequence[_Find], floor: int, clock: Clock) -> TimeExpression | None:
    """Read two expressions as the ends of one stretch, if that is what they are."""
    if len(finds) < 2:
        return None
    first, last = finds
    lead, end = lead_of(text, first.words.start(), floor), first.words.end()
    inner = lead_of(text, last.words.start(), end)
    if inner.word is not None or inner.part is None:
        inner = Lead(last.words.start())
    if not is_range(text, end, inner.start, lead, sure=first.is_told(text, lead)):
        return None
    opening, closing = _ends(first, last, clock)
    start = bounded(opening, lead, clock) if opening else None
    stop = bounded(closing, inner, clock) if closing else None
    if start is None or stop is None:
        return None
    span = Span(lead.start, last.words.end())
    window = _window(joined(start, stop), span, first.is_relative or last.is_relative)
    return TimeExpression(span, lead, start, stop, window) if window else None


def _ends(first: _Find, last: _Find, clock: Clock) -> tuple[Period | None, Period | None]:
    """Resolve the ends of a stretch, so that one without a year lies on the right side of the other."""
    start, end = first.resolve(clock), last.resolve(clock)
    if start and last.is_day_of_month:
        end = last.resolve(Clock(start.start, Tense.FUTURE))
    elif start and end and first.is_floating and end.start.timestamp() < start.start.timestamp():
        start = first.resolve(Clock(end.start, Tense.PAST))
    elif start and last.is_floating and not first.is_floating:
        end = last.resolve(Clock(start.start, Tense.FUTURE))
    return start, end


def _window(period: Period | None, span: Span, is_relative: bool) -> TimeWindow | None:
    if period is None or period.start.timestamp() >= period.end.timestamp() or not _has_edges(period):
        return None
    return TimeWindow(period.start, period.end, span, period.softness, is_relative)


def _has_edges(period: Period) -> bool:
    """Tell whether the calendar has a period with its soft edges."""
    try:
        return period.start - period.softness < period.end + period.softness
    except OverflowError:
        return False
