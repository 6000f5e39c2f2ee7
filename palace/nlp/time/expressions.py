"""Find expressions of time in a text and resolve them."""

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
    """A pattern for expressions of time, with the function that resolves them."""

    kind: str
    """Kind of word that a text must contain for the rule to apply."""
    expression: re.Pattern[str]
    resolve: Callable[[Words, Clock], Period | None]
    """Returns the period that is meant; None, or raises ValueError (30 February), for none."""
    means_else: str
    """Key of ``leads`` in the data if the expression is ambiguous; "" if it is not."""
    leads: frozenset[str]
    """Words of which one must stand before an ambiguous expression ("may", "march", "2021")."""
    alone: tuple[str, ...]
    """Groups of which one shows an ambiguous expression to be a time."""

    def wanted_leads(self, words: Words, written: str) -> frozenset[str] | None:
        """Return the words of which one must stand before an expression; None where it needs none."""
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
    """An expression found in a text, not yet resolved."""

    rule: _Rule
    words: Words
    written: str

    @property
    def length(self) -> int:
        return self.words.end() - self.words.start()

    @property
    def is_floating(self) -> bool:
        """Check whether it is a name or number without a year, whose meaning depends on the moment."""
        groups = self.words.groupdict()
        is_told = any(groups.get(group) for group in ("year", "relative", "decade", "which", "week"))
        return not is_told and self.rule.kind not in ("near", "unit")

    @property
    def is_relative(self) -> bool:
        """Check whether it is counted from the moment of speaking, as weekdays are too."""
        groups = self.words.groupdict()
        is_placed = any(groups.get(group) for group in ("relative", "which"))
        return is_placed or (self.rule.kind in ("near", "unit", "weekday") and not groups.get("year"))

    @property
    def is_day_of_month(self) -> bool:
        """Check whether it is a day without its month: "the 9th" in "from July 4th till the 9th"."""
        groups = self.words.groupdict()
        return bool(groups.get("day")) and "month" not in groups and not groups.get("which")

    def resolve(self, clock: Clock) -> Period | None:
        """Return the period that is meant; None for one outside the calendar."""
        try:
            return self.rule.resolve(self.words, clock)
        except (ValueError, OverflowError, IndexError, StopIteration):
            return None

    def is_told(self, text: str, lead: Lead) -> bool:
        """Check by the words before it that it is a time, and not recurring."""
        leads = self.rule.wanted_leads(self.words, self.written)
        if leads is not None and not leads & lead.words:
            return False
        return lead.word is not None or not is_habit(text, lead.start)


_FIRST_YEAR, _LAST_YEAR = 100, 9900
"""Range of years of ``now`` that leaves room for yearly events and soft edges on both sides."""


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """An expression of time in a text, with its resolved parts."""

    span: Span
    """Offsets of the expression in the text, with its preposition."""
    lead: Lead
    opening: Period
    """The time itself, or the part of it that is meant, without an open side; the first end of a range."""
    closing: Period | None
    """The other end of a range: "from May to July"."""
    window: TimeWindow
    """The whole time that is meant."""


def find_times(text: str, now: datetime, *, tense: Tense = Tense.PAST) -> tuple[TimeWindow, ...]:
    """Find the times in a text, resolved against ``now``, in order and without overlap.

    Windows are half-open and in the time zone of ``now``. Of overlapping expressions the longest is taken. Durations
    ("for three weeks"), recurring times ("every Friday") and times relative to another event ("three days later") are
    left out. English; numeric dates as in the United States where both orders are possible. Returns () if ``now`` is
    before the year 100 or after 9900. Takes time linear in the text's length. Raises BadRequest when ``now`` has no
    time zone.
    """
    return tuple(told.window for told in find_expressions(text, now, tense=tense))


def find_expressions(text: str, now: datetime, *, tense: Tense = Tense.PAST) -> tuple[TimeExpression, ...]:
    """Find the times in a text as ``find_times`` does, each with its span, lead and parts."""
    if now.utcoffset() is None:
        raise BadRequest("times can only be resolved against a moment with a time zone")
    if not _FIRST_YEAR <= now.year <= _LAST_YEAR:
        return ()
    folded = fold(text)
    kinds = {found.lastgroup for found in _hints().finditer(folded)}
    if not kinds:
        return ()
    rules = (_rule(number) for number, row in enumerate(_DATA.table("times")) if row["kind"] in kinds)
    finds = [find for rule in rules for find in _apply(rule, folded, text)]
    return tuple(_expressions(folded, _longest(finds, len(text)), Clock(now, tense)))


@cache
def _hints() -> re.Pattern[str]:
    """Return a pattern of the words that each kind of rule needs; most sentences contain none of them."""
    kinds = (rf"(?P<{kind}>{_DATA.filled(words)})" for kind, words in _DATA.table("kinds").items())
    return compiled(rf"(?<!\w)(?:{'|'.join(kinds)})(?!\w)")


@cache
def _rule(number: int) -> _Rule:
    """Return one of the rules; most texts need the patterns of few."""
    row = _DATA.table("times")[number]
    else_, pattern = row.get("leads", ""), compiled(rf"(?<!\w)(?:{_DATA.filled(row['pattern'])})(?!\w)")
    leads = _DATA.table("leads").get(else_, {})
    words = (BOUNDS - {*leads.get("but", ())}).union(leads["words"]) if "words" in leads else frozenset({else_})
    return _Rule(row["kind"], pattern, _READS[row["reads"]], else_, words, tuple(leads.get("alone", ())))


def _apply(rule: _Rule, folded: str, text: str) -> Iterator[_Find]:
    for words in rule.expression.finditer(folded):
        yield _Find(rule, words, text[words.start() : words.end()])


def _longest(finds: list[_Find], length: int) -> list[_Find]:
    """Keep the longest of overlapping expressions, in order of the text."""
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
    """Resolve the first expression alone, with the words around it up to the next one."""
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
    """Return the previous occurrence of a period whose stated part has not begun: "since the end of May"."""
    if lead.part is None or clock.tense is Tense.FUTURE or not find.is_floating:
        return period
    part = bounded(period, lead._replace(word=None), clock)
    if part is None or part.start.timestamp() <= clock.now.timestamp():
        return period
    return find.resolve(clock.around(clock.at(period.start.date() - DAY))) or period


def _range(text: str, finds: Sequence[_Find], floor: int, clock: Clock) -> TimeExpression | None:
    """Resolve two expressions as the ends of a range; None if they are none."""
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
    """Resolve the ends of a range, so that one without a year lies on the right side of the other."""
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
    """Check whether a period with its soft edges lies in the calendar."""
    try:
        return period.start - period.softness < period.end + period.softness
    except OverflowError:
        return False
