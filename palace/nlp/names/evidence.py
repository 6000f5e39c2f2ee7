"""Everything that a conversation says for and against names, and what is concluded from it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from palace.models.claims import EntityType
from palace.nlp.names.cues import Clue
from palace.nlp.names.lexicon import (
    folded,
    given_names,
    is_ordinary,
    kind_by_words,
    places,
    well_known,
    with_short_forms,
)

_ARTICLE = re.compile(r"(?:the|der|die|das|den|dem) ")
_POSSESSIVE = re.compile(r"'s?$")
_PARTICLES = frozenset(("van", "von", "vom", "zu", "ter", "bin", "ibn"))
"""Words before somebody's last name."""
_CAMEL = re.compile(r"[A-Z]?[a-z]+(?:[A-Z][a-z]*)+")
ENOUGH = 1.0
"""Of what speaks for a name, to take it for one."""
_PLAIN = 1.5
"""What a clue is worth that says in so many words what a thing is called; its type outdoes what surroundings tell."""
_MOST_VOTES = 4.0
_SUPPORT, _LEAD = 0.8, 0.3
"""What speaks for a type at least, and how much more than for any other, to take a name for one."""
_NONE = dict.fromkeys((EntityType.ORGANISATION, EntityType.PERSON), 0.0)
_MOST_OF = {"around": 1.6, "nearby": 0.6, "animals": 0.75, "full_name": 2.4}
"""What one kind of evidence may count for one type, however often it is seen."""


@dataclass(slots=True)
class _Case:
    """What is known of one name."""

    worth: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """The best of each kind of evidence that it is a name."""
    votes: dict[str, dict[EntityType, float]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(float)))
    seen: int = 0
    is_camel: bool = False
    """Whether it is written like "LibreOffice", as software mostly is."""
    lower_seen: int = 0
    """How often somebody named it without a capital."""


class Evidence:
    """The names of a conversation while reasons for them are gathered; each goes by its key."""

    def __init__(self) -> None:
        self._cases: dict[str, _Case] = defaultdict(_Case)

    def add(self, text: str, clue: Clue, kind: str) -> None:
        """Add a clue of one kind of evidence ("capitals", "cues", "lists")."""
        written = text[clue.start : clue.end]
        key = key_of(written)
        if not key.strip():
            return
        case = self._cases[key]
        if not clue.is_typing_only:
            case.worth[kind] = max(case.worth[kind], clue.worth)
            case.seen += 1
            case.lower_seen += written.islower()
            case.is_camel |= bool(_CAMEL.fullmatch(written))
        if clue.type is not None:
            self.vote(key, clue.type, clue.worth * (2 if clue.worth >= _PLAIN else 1), kind)

    def vote(self, key: str, type_: EntityType, worth: float, kind: str) -> None:
        """Add a vote for the type of a name, by one kind of evidence."""
        votes = self._cases[key].votes[kind]
        votes[type_] = min(_MOST_VOTES, votes[type_] + worth)

    def lower(self) -> frozenset[str]:
        """Return the keys of what somebody named without a capital, on strong grounds."""
        return frozenset(
            key
            for key, case in self._cases.items()
            if case.lower_seen and case.worth.get("cues", 0) > (1.0 if key in places() else 1.5)
        )

    def accepted(self, common: Counter[str]) -> frozenset[str]:
        """Choose the keys that are names. ``common`` counts words in lower case where capitals tell."""
        return frozenset(key for key, case in self._cases.items() if _is_name(key, case, common))

    def types(self, keys: frozenset[str]) -> Mapping[str, tuple[EntityType, bool]]:
        """Return what each name names, and whether that is sure, also from longer names which it is a part of."""
        votes = {key: _votes(key, self._cases[key]) for key in keys}
        parts = defaultdict(list)
        for key in keys:
            words = key.split()
            if len(words) > 1:
                parts[words[0]].append(key)
                parts[words[-1]].append(key)
        found = {}
        for key in keys:
            counted = defaultdict(float, votes[key])
            for longer in parts.get(key, ()):
                best = max(votes[longer].items(), key=lambda each: each[1], default=None)
                if best and not (best[0] is EntityType.PLACE and longer.split()[0] == key):
                    counted[best[0]] += 0.8 * min(2.0, best[1])
            found[key] = _chosen(counted)
        return found


@lru_cache(1 << 14)
def key_of(written: str) -> str:
    """Return the key of a name as written: folded, without article and possessive."""
    key = _POSSESSIVE.sub("", folded(written).strip(" .,;:&-"))
    return _ARTICLE.sub("", key, count=1) if _ARTICLE.match(key) else key


def _is_name(key: str, case: _Case, common: Counter[str]) -> bool:
    worth = sum(case.worth.values()) + 0.1 * min(3, case.seen - 1)
    words = key.split()
    if len(words) == 1 and is_ordinary(key):
        return worth >= ENOUGH + (0.6 if common[key] else 0.0)
    return worth >= ENOUGH - (0.2 if len(words) > 1 else 0.0)


def _votes(key: str, case: _Case) -> dict[EntityType, float]:
    votes: dict[EntityType, float] = defaultdict(float)
    for source, each in case.votes.items():
        for type_, worth in each.items():
            votes[type_] += min(worth, _MOST_OF.get(source, _MOST_VOTES))
    for type_, worth in (*_by_its_words(key.split()), *_by_lists(key)):
        votes[type_] += worth
    if case.is_camel:
        votes[EntityType.ITEM] += 0.5
    return votes


def _by_its_words(words: list[str]) -> Iterator[tuple[EntityType, float]]:
    """Return the types that the words of a name suggest: "Road", a number, a leading given name."""
    if kind := kind_by_words(words):
        yield kind, 2.2
    elif len(words) > 1 and words[0] in well_known():
        yield EntityType.ITEM, 1.0
    if words[0] in given_names() and not any(map(is_ordinary, words[1:])):
        is_other = is_ordinary(words[0]) or " ".join(words) in places()
        yield EntityType.PERSON, 1.4 if not is_other else 1.0 if words[0] in with_short_forms() else 0.7
    if len(words) > 2 and words[1] in _PARTICLES and " ".join(words) not in places():
        yield EntityType.PERSON, 1.4
    if any(word[0].isdigit() or word[-1].isdigit() for word in words):
        yield EntityType.ITEM, 0.7
    if "&" in words:
        yield EntityType.ORGANISATION, 1.0


def _by_lists(key: str) -> Iterator[tuple[EntityType, float]]:
    if kind := well_known().get(key) or well_known().get(f"the {key}"):
        yield kind, 3.0
    if key in places():
        yield EntityType.PLACE, 1.6


def _chosen(votes: Mapping[EntityType, float]) -> tuple[EntityType, bool]:
    (type_, best), (_, second) = Counter({**_NONE, **votes}).most_common(2)
    return type_, best >= _SUPPORT and best - second >= _LEAD
