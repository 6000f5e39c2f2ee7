"""Checks a model's reply against the turns it cites: nothing is accepted that is not said there. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from html import unescape
from typing import Any

from palace.graph.resolve import fold_name
from palace.mining.extraction.reply import (
    LONGEST_TOPIC,
    MOST_TOPICS,
    WORD,
    Replied,
    RepliedAssertion,
    RepliedEntity,
    clause_of,
    dumped,
    items_of,
    place_of_a_word,
    places_of,
    words_of,
)
from palace.mining.extraction.windows import SaidTurn, Window
from palace.models.claims import SELF, Action, Claim, NamedSpan, Precision, Reading, VagueDate
from palace.nlp.kinds import general_words, kinds

MOST_NAMES = 60
"""Most different names of one turn."""
MOST_CLAIMS = 30
"""Most claims of one turn."""

_PREDICATES = """
    lives_in comes_from works_at works_as studies_at studies married_to partner_of parent_of child_of sibling_of
    friend_of colleague_of related_to owns has uses takes does plays speaks likes dislikes prefers allergic_to
    member_of called costs located_in is planned visited leads works_on
"""
PREDICATES = frozenset(_PREDICATES.split())
_PROPERTY = "has_"
_HAPPEN = frozenset({"planned", "visited"})
_SELVES = frozenset({"i", "me", "myself", "user", "the user", "ich"})
_PRONOUN_WORDS = """
    he she it they we you him her them us this that these those who someone somebody nobody everyone one
    er sie es wir ihr du man jemand niemand
"""
_PRONOUNS = frozenset(_PRONOUN_WORDS.split())
_DATES = (
    (re.compile(r"(\d{4})-(\d{2})-(\d{2})"), Precision.DAY),
    (re.compile(r"(\d{4})-(\d{2})"), Precision.MONTH),
    (re.compile(r"(\d{4})"), Precision.YEAR),
)
_COARSENESS = [Precision.DAY, Precision.MONTH, Precision.SEASON, Precision.YEAR, Precision.VAGUE]


@dataclass(slots=True)
class Checked:
    """The parts of a reply that its window supports."""

    kept: dict[str, Any]
    """Supported items, in the format of a reply."""
    readings: dict[int, Reading]
    """Names and claims by drawer; drawers without any are left out."""
    topics: tuple[str, ...]
    kinds: dict[str, str]
    """Kinds of things by folded name; only known kinds."""
    dropped: int
    """Number of unsupported items and of those beyond a limit."""


def check_reply(replied: Replied, window: Window) -> Checked:
    """Return the parts of a reply that have known types, cite existing turns and are supported by them."""
    entities, dropped = items_of(RepliedEntity, replied.entities)
    assertions, further = items_of(RepliedAssertion, replied.assertions)
    draft = _Draft(window)
    names = [item for item in entities if draft.take_name(item)]
    claims = [item for item in assertions if draft.take_claim(item)]
    topics = _topics(replied, window)
    kinds_told = _kinds(names)
    names = [name if name.kind in _known_kinds() else name.model_copy(update={"kind": None}) for name in names]
    kept = {"entities": [dumped(name) for name in names], "assertions": [dumped(claim) for claim in claims]}
    dropped += further + len(entities) + len(assertions) - len(names) - len(claims)
    return Checked({**kept, "topics": topics}, draft.readings(), tuple(topics), kinds_told, dropped)


def _kinds(names: Sequence[RepliedEntity]) -> dict[str, str]:
    """Return the kinds of names, limited to known kinds, because an unknown word could say anything."""
    found: dict[str, str] = {}
    for each in names:
        if each.kind in _known_kinds():
            found.setdefault(fold_name(each.text), str(each.kind))
    return found


@cache
def _known_kinds() -> frozenset[str]:
    return general_words() | {kind.name for kind in kinds()}


@dataclass(slots=True)
class _Draft:
    """The accepted names and claims of a window while its reply is checked."""

    window: Window
    names: dict[int, list[NamedSpan]] = field(default_factory=dict)
    claims: dict[int, list[Claim]] = field(default_factory=dict)
    seen: Counter[int] = field(default_factory=Counter)

    def take_name(self, item: RepliedEntity) -> bool:
        """Accept a name wherever it occurs in its turn; in an assistant's turn only if a person says it as well."""
        turn = self.window.turn(item.turn)
        if turn is None or self.seen[turn.drawer_id] >= MOST_NAMES:
            return False
        if not turn.is_persons and not any(places_of(item.text, each) for each in self.window.turns if each.is_persons):
            return False
        places = places_of(item.text, turn)
        if not places or item.text.strip().lower() in _PRONOUNS | _SELVES:
            return False
        here = self.names.setdefault(turn.drawer_id, [])
        content = turn.said.content
        spans = [NamedSpan(start, end, content[start:end], item.type) for start, end in places]
        new = [span for span in spans if not any(_overlap(span, other) for other in here)]
        here += new
        self.seen[turn.drawer_id] += bool(new)
        return bool(new)

    def take_claim(self, item: RepliedAssertion) -> bool:
        """Accept a claim if a person makes it and its names occur in the turn."""
        turn = self.window.turn(item.turn)
        if turn is None or not turn.is_persons or item.negated or item.hypothetical:
            return False
        here = self.claims.setdefault(turn.drawer_id, [])
        claim = _claim_of(item, turn, self.window)
        if claim is None or claim in here or len(here) >= MOST_CLAIMS:
            return False
        here.append(claim)
        return True

    def readings(self) -> dict[int, Reading]:
        """Return what was accepted, by drawer, in order of position."""
        return {
            drawer_id: Reading(
                tuple(sorted(self.names.get(drawer_id, ()), key=lambda span: span.start)),
                tuple(sorted(self.claims.get(drawer_id, ()), key=lambda claim: claim.start)),
            )
            for drawer_id in self.window.drawers
            if self.names.get(drawer_id) or self.claims.get(drawer_id)
        }


def _claim_of(item: RepliedAssertion, turn: SaidTurn, window: Window) -> Claim | None:
    subject, target = _meant(item.subject, turn), _meant(item.target, turn)
    action = item.action or _action_of(item)
    is_known = item.predicate in PREDICATES or item.predicate.startswith(_PROPERTY)
    has_object = target is not None or (action is Action.ENDS and not item.target.strip())
    if subject is None or not is_known or not has_object:
        return None
    begin, end = date_of(item.valid_from, item.precision), date_of(item.valid_to, item.precision_to)
    is_dated = bool(begin) == bool(item.valid_from) and bool(end) == bool(item.valid_to)
    if not is_dated or (begin and end and end.day < begin.day):
        return None
    place = _anchor(turn, subject, target or "", window)
    if place is None:
        return None
    return Claim(subject, item.predicate, target or "", action, *clause_of(turn.said.content, *place), begin, end)


def _action_of(item: RepliedAssertion) -> Action:
    if item.predicate in _HAPPEN:
        return Action.HAPPENS
    if item.valid_to:
        return Action.WAS if item.valid_from else Action.ENDS
    return Action.BEGINS if item.valid_from else Action.HOLDS


def _meant(name: str, turn: SaidTurn) -> str | None:
    """Return whom a name means, resolving "I" to the speaker; None for other pronouns and empty names."""
    written = " ".join(unescape(name).split())
    if written.lower() in _SELVES:
        return SELF if turn.said.is_self or not turn.said.speaker else turn.said.speaker
    return None if not written or written.lower() in _PRONOUNS else written


def _anchor(turn: SaidTurn, subject: str, target: str, window: Window) -> tuple[int, int] | None:
    """Return the position of a claim in its turn, or None if its names are not said.

    One of its names, or a word of one, must occur in the turn ("Derek Hughes" if the turn has "Derek"), and every
    significant word in the window.
    """
    given = [name for name in (target, subject) if name and name != SELF]
    words = words_of(window) | {word.casefold() for word in WORD.findall(turn.said.speaker or "")}
    if not all(_is_said(name, words) for name in given):
        return None
    whole = (place for name in given for place in places_of(name, turn))
    return next(whole, None) or next(filter(None, (place_of_a_word(name, turn) for name in given)), None)


def _is_said(name: str, words: set[str]) -> bool:
    """Check whether a name is said: all its capitalised words and numbers, or one word of a common noun."""
    parts = [word for word in WORD.findall(name) if len(word) > 2 or word.isdigit() or word[0].isupper()]
    telling = [word for word in parts if word[0].isupper() or any(map(str.isdigit, word))]
    if telling:
        return all(word.casefold() in words or _is_joined(word.casefold(), words) for word in telling)
    return any(word.casefold() in words for word in parts or WORD.findall(name))


def _is_joined(word: str, words: set[str]) -> bool:
    """Check whether a number with its unit ("24v20ah") is composed of said words ("24v", "20ah", "24", "v")."""
    parts = re.findall(r"\d+|[^\W\d]+", word)
    units = re.findall(r"\d+[^\W\d]*", word)
    return any(len(cut) > 1 and all(part in words for part in cut) for cut in (units, parts))


def _overlap(one: NamedSpan, other: NamedSpan) -> bool:
    return one.start < other.end and other.start < one.end


def date_of(written: str | None, precision: str | None) -> VagueDate | None:
    """Parse an ISO date of a day, month or year, with ``precision`` if coarser; None for anything else."""
    for pattern, finest in _DATES if written else ():
        if found := pattern.fullmatch((written or "").strip()):
            year, month, day = (*map(int, found.groups()), 1, 1)[:3]
            try:
                read = date(year, month, day)
            except ValueError:
                return None
            return VagueDate(read, _coarser(finest, precision))
    return None


def _coarser(finest: Precision, told: str | None) -> Precision:
    known = next((each for each in _COARSENESS if each == (told or "").strip().lower()), finest)
    return max(finest, known, key=_COARSENESS.index)


def _topics(replied: Replied, window: Window) -> list[str]:
    """Return the topics whose words are all said in the window."""
    words = words_of(window)
    return list(dict.fromkeys(_told(replied.topics, words)))[:MOST_TOPICS]


def _told(topics: list[Any], words: set[str]) -> Iterator[str]:
    for topic in topics[:100]:
        if isinstance(topic, str) and len(topic) <= LONGEST_TOPIC and topic.isprintable():
            written = [word.casefold() for word in WORD.findall(topic)]
            if written and all(word in words for word in written):
                yield " ".join(topic.split())
