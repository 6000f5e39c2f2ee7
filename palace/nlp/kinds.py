"""Kinds of things ("dog", "medicine") of the names in a conversation, and kinds that a query asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from palace.models.claims import EntityType
from palace.nlp.claims.kinds import in_english, kin, roles, words
from palace.nlp.names.lexicon import folded, heads, is_medicine, is_ordinary
from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS

_RULES = rules("kinds", "around")

WIDTH = 60
"""Characters read before a name and behind it."""


def phrases_around(before: str, behind: str) -> Iterator[str]:
    """Yield the lower-case phrases that say what a name between two texts is; the last word of each is its noun."""
    if found := _RULES["before"].search(before):
        yield _RULES["called"].sub("", found["phrase"].casefold())
    for name in ("behind_is", "behind_comma", "behind_the"):
        if (found := _RULES[name].search(behind)) and (phrase := _RULES["stop"].split(found["phrase"])[0].strip()):
            yield phrase.casefold()


def is_title(before: str) -> bool:
    """Check whether a doctor's title stands before a name."""
    return _RULES.finds("title", before)


def is_of_a_trip(before: str, behind: str) -> bool:
    """Check whether the text around a place's name tells of a trip to it."""
    found = _RULES["trip"].search(before)
    if found is None:
        return False
    return found[0].strip().casefold() != "nach" or _RULES.finds("nach", behind)


def nouns_of(phrase: str) -> tuple[str, ...]:
    """Return the nouns to look a phrase up by, the longest first: its last three words, two, and the last."""
    words = phrase.split()
    return tuple(" ".join(words[-size:]) for size in (3, 2, 1) if size <= len(words))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things."""

    name: str
    """The general word: "musical instrument"."""
    asked: tuple[tuple[str, ...], ...]
    """English phrases that ask for it, each as the stems of its words; none where only its name does."""
    german: frozenset[str]
    """German words that ask for it, in lower case."""
    stems: frozenset[str]
    """Stems, as Postgres makes them, of the English nouns of this kind."""


@cache
def kinds() -> tuple[Kind, ...]:
    """Load the kinds, those with the fewest nouns first."""
    nouns = dict(line.split(": ", 1) for line in _lines("nouns.txt"))
    found = []
    for line in _lines("words.txt"):
        key, name, german = (part.strip() for part in line.split(":"))
        asked = tuple(tuple(each.split()) for each in key.split("|") if each)
        stems = frozenset(nouns[key].split(", ")) if key else frozenset()
        found.append(Kind(name, asked, frozenset(german.split(", ")), stems))
    return tuple(sorted(found, key=lambda kind: len(kind.stems)))


@cache
def names_of_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map folded well-known names to their kinds."""
    return _grouped((folded(name), kind) for kind, name in _rows("names.txt"))


@cache
def german_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map lower-case German nouns to their kinds."""
    return _grouped((noun, kind) for kind, noun in _rows("german.txt"))


@cache
def words_of_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map kinds to their German nouns and well-known names, in lower case; without names that are English words."""
    names = ((kind, name.casefold()) for kind, name in _rows("names.txt") if not all(map(is_ordinary, name.split())))
    return _grouped((*_rows("german.txt"), *names))


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key, value in pairs:
        found[key] = (*found.get(key, ()), value)
    return found


@cache
def general_words() -> frozenset[str]:
    """Return further words that say what a thing or person is: "band", "NAS", "landlord", "museum"."""
    of_people = (*kin(), *roles())
    lists = (word for name in ("animals", "owned", "jobs", "groups", "instruments") for word in words(name))
    return frozenset((*of_people, *lists, *heads(), *(kind.name for kind in kinds()))) - _RULES.words("vague")


def _rows(file: str) -> Iterator[tuple[str, str]]:
    for line in _lines(file):
        kind, _, listed = line.partition(": ")
        yield from ((kind, each) for each in listed.split(", "))


def _lines(file: str) -> list[str]:
    return files("palace").joinpath("data", "kinds", file).read_text(encoding="utf-8").splitlines()


MOST_KINDS = 8
"""Most general words for one name."""

Stems = Callable[[Sequence[str]], Mapping[str, str]]
"""Maps English words to their stems, as Postgres makes them."""

_PLAYED = frozenset({"musical instrument", "game", "board game", "card game", "video game", "sport"})
_OF_OBJECTS = {
    "takes": "medicine",
    "speaks": "language",
    "visited": "trip",
}
_DONE = frozenset({"hobby", "sport", "subject", "occupation", "craft", "dance"})
"""Kinds of activities."""
_HEADED = frozenset({EntityType.PLACE, EntityType.ORGANISATION, EntityType.EVENT})
_NAMED = frozenset({EntityType.PERSON, EntityType.TIME})
"""Entity types that the lists of well-known names do not cover."""

_THINGS = frozenset({EntityType.ITEM, EntityType.EVENT, EntityType.PROJECT})
_MADE = frozenset({"car", "vehicle", "device"})
"""Kinds of products that go by their maker's name."""
_HAD = frozenset({"owns", "uses", "likes", "prefers"})


@dataclass(frozen=True, slots=True)
class NameRead:
    """A name of a conversation, with the evidence for its kinds."""

    folded: str
    name: str
    type: EntityType
    is_named: bool
    around: Sequence[tuple[str, str]] = ()
    """The texts before and behind it, for each mention by a person."""
    claims: Sequence[tuple[str, str]] = ()
    """Claims with it as subject: predicate and object."""
    claimed: Sequence[tuple[str, str]] = ()
    """Claims with it as object: folded subject and predicate."""


@dataclass(slots=True)
class _Evidence:
    """Evidence for the kinds of one name."""

    nouns: list[tuple[str, ...]] = field(default_factory=list)
    """For each noun, the forms to look it up by, the longest first."""
    kinds: list[str] = field(default_factory=list)
    """General words that need no lookup."""
    played: bool = False


def kinds_of(names: Sequence[NameRead], stems: Stems) -> list[tuple[str, ...]]:
    """Return the general words for each name, in order of ``names``, the most specific first; () for none."""
    told = [_evidence_of(name) for name in names]
    asked = sorted({noun for one in told for forms in one.nouns for noun in forms})
    stemmed = stems(sorted({word for noun in asked for word in noun.split()})) if asked else {}
    known = {noun: _known(noun, stemmed) for noun in asked}
    return [_chosen(one, known) for one in told]


def _evidence_of(name: NameRead) -> _Evidence:
    evidence = _Evidence()
    if name.type is EntityType.TIME:
        return evidence
    _by_claims(name, evidence)
    for before, behind in name.around:
        evidence.nouns += [nouns_of(phrase) for phrase in phrases_around(before, behind)]
        if name.type is EntityType.PERSON and is_title(before):
            evidence.kinds.append("doctor")
        if name.type is EntityType.PLACE and is_of_a_trip(before, behind):
            evidence.kinds.append("trip")
    _by_name(name, evidence)
    return evidence


def _by_claims(name: NameRead, evidence: _Evidence) -> None:
    for predicate, target in name.claims:
        if predicate == "is":
            evidence.nouns.append(nouns_of(target.casefold().removeprefix("a ").removeprefix("an ")))
    for subject, predicate in name.claimed:
        if predicate == "called":
            evidence.nouns.append(nouns_of(subject))
        elif predicate.startswith("has_"):
            evidence.nouns.append((predicate.removeprefix("has_").replace("_", " "),))
        elif predicate in _OF_OBJECTS and (predicate != "visited" or name.type is EntityType.PLACE):
            evidence.kinds.append(_OF_OBJECTS[predicate])
        evidence.played |= predicate == "plays"


def _by_name(name: NameRead, evidence: _Evidence) -> None:
    words = name.folded.split()
    if not name.is_named or (name.name == name.name.lower() and name.type in _THINGS):
        # Only in lower case is the name itself a noun: "cello", but not Fiona the flower or Marseille the cloth.
        evidence.nouns.append(nouns_of(name.folded))
    if name.is_named and name.type not in _NAMED:
        evidence.kinds += _listed(name)
    is_headed = len(words) > 1 and name.is_named and name.type in _HEADED
    if is_headed and words[-1] not in _RULES.words("no_kinds") and heads().get(words[-1]) is name.type:
        evidence.nouns.append((words[-1],))
        evidence.kinds.append(words[-1])
    if len(words) == 1 and name.type is EntityType.ITEM and is_medicine(words[0]):
        evidence.kinds.append("medicine")


def _listed(name: NameRead) -> tuple[str, ...]:
    """Return the kinds of a well-known name; those of a maker's products only where it is used as a product."""
    kinds = names_of_kinds().get(name.folded, ())
    if name.type in _THINGS or any(predicate in _HAD for _, predicate in name.claimed):
        return kinds
    return tuple(kind for kind in kinds if kind not in _MADE)


def _known(noun: str, stemmed: Mapping[str, str]) -> tuple[str, ...]:
    """Return the general words for a noun, itself first; () for a noun that names no kind."""
    stem = " ".join(stemmed.get(word, word) for word in noun.split())
    above = [kind.name for kind in kinds() if stem in kind.stems or kind.name == noun]
    above += german_kinds().get(noun, ())
    is_thing = noun in general_words() or not _DONE.issuperset(above)
    if is_thing:
        # "Beagle" has the stem of the activity "beagling", "school" that of "schooling".
        above = [kind for kind in above if kind not in _DONE]
    elif not above:
        return ()
    return tuple(dict.fromkeys((in_english(noun), *above)))


def _chosen(evidence: _Evidence, known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    found: list[str] = []
    for forms in evidence.nouns:
        found += next((known[noun] for noun in forms if known[noun]), ())
    chosen: Iterator[str] = iter(dict.fromkeys((*found, *evidence.kinds)))
    if evidence.played and _PLAYED.intersection(found):
        general = {kind.name for kind in kinds()} - _PLAYED
        chosen = (kind for kind in dict.fromkeys((*found, *evidence.kinds)) if kind not in general)
    return tuple(chosen)[:MOST_KINDS]


_WORD = re.compile(r"[^\W\d_][\w'-]*")
_ENDINGS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", ""))
MOST_WORDS = 40
"""Most words of a query that are read."""


@dataclass(frozen=True, slots=True)
class AskedKinds:
    """The kinds that a query asks for."""

    names: frozenset[str]
    """General words as stored with entities: names of the kinds, and the query's own words."""
    stems: frozenset[str] = frozenset()
    """Stems, as Postgres makes them, of the kinds' English nouns."""
    words: frozenset[str] = frozenset()
    """The kinds' German nouns and well-known names, in lower case."""


def kinds_asked(query: str, lexemes: Collection[str]) -> AskedKinds:
    """Return the kinds that a query with these stems asks for; "board games" asks for board games, not all games."""
    words = [word.casefold() for word in _WORD.findall(query)[:MOST_WORDS]]
    own = frozenset(_singular(words))
    by_stems = (kind for kind in kinds() for name in kind.asked if set(name) <= set(lexemes))
    by_name = (kind for kind in kinds() if kind.name in own)
    asked = {kind.name: kind for kind in (*by_stems, *by_name, *_in_german(words))}
    longer = {part for name in asked if " " in name for part in name.split()}
    narrow = {name: kind for name, kind in asked.items() if name not in longer}
    return AskedKinds(
        frozenset(narrow) | (own - longer),
        frozenset(stem for kind in narrow.values() for stem in kind.stems),
        frozenset(word for name in narrow for word in words_of_kinds().get(name, ())),
    )


def _in_german(words: Collection[str]) -> Iterator[Kind]:
    return (kind for kind in kinds() if not kind.german.isdisjoint(words))


def _singular(words: list[str]) -> Iterator[str]:
    """Yield the words, and pairs of neighbours, in the singular."""
    for place, word in enumerate(words):
        if word not in STOP_WORDS and word not in _RULES.words("no_kind"):
            one = _one(word)
            yield one
            if place and words[place - 1] not in STOP_WORDS and words[place - 1] not in _RULES.words("no_kind"):
                yield f"{words[place - 1]} {one}"


def _one(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            return word.removesuffix(ending) + instead
    return word
