"""What kinds of things a conversation's names are of, and which a query asks for by a general word."""

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
"""Characters before a name and behind it that are looked at."""


def phrases_around(before: str, behind: str) -> Iterator[str]:
    """Find the phrases, in lower case, that say what a name between two texts is; the last word is the noun."""
    if found := _RULES["before"].search(before):
        yield _RULES["called"].sub("", found["phrase"].casefold())
    for name in ("behind_is", "behind_comma", "behind_the"):
        if (found := _RULES[name].search(behind)) and (phrase := _RULES["stop"].split(found["phrase"])[0].strip()):
            yield phrase.casefold()


def is_title(before: str) -> bool:
    """Tell whether a doctor's title stands before a name."""
    return _RULES.finds("title", before)


def is_of_a_trip(before: str, behind: str) -> bool:
    """Tell whether the name of a place stands where somebody tells of going there or of having been there."""
    found = _RULES["trip"].search(before)
    if found is None:
        return False
    return found[0].strip().casefold() != "nach" or _RULES.finds("nach", behind)


def nouns_of(phrase: str) -> tuple[str, ...]:
    """Return what a phrase may be looked up as, the longest first: its last three words, two, and the last."""
    words = phrase.split()
    return tuple(" ".join(words[-size:]) for size in (3, 2, 1) if size <= len(words))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things."""

    name: str
    """What it is called: "musical instrument"."""
    asked: tuple[tuple[str, ...], ...]
    """The words that ask for it, each as its words' stems in English; none where its name alone does."""
    german: frozenset[str]
    """German words that ask for it, in lower case."""
    stems: frozenset[str]
    """English nouns that are of it, as Postgres stems them."""


@cache
def kinds() -> tuple[Kind, ...]:
    """Read the kinds, those of the fewest nouns first."""
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
    """Map names that many people know, folded, to the kinds that they are of."""
    return _grouped((folded(name), kind) for kind, name in _rows("names.txt"))


@cache
def german_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map German nouns, in lower case, to the kinds that they are of."""
    return _grouped((noun, kind) for kind, noun in _rows("german.txt"))


@cache
def words_of_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map kinds to German nouns and to names of them, in lower case; without what is a word of ordinary English."""
    names = ((kind, name.casefold()) for kind, name in _rows("names.txt") if not all(map(is_ordinary, name.split())))
    return _grouped((*_rows("german.txt"), *names))


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key, value in pairs:
        found[key] = (*found.get(key, ()), value)
    return found


@cache
def general_words() -> frozenset[str]:
    """Return the words that say what something is, beside the nouns of kinds: "band", "NAS", "landlord", "museum"."""
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
"""Of one name."""

Stems = Callable[[Sequence[str]], Mapping[str, str]]
"""Gives English words as Postgres stems them."""

_PLAYED = frozenset({"musical instrument", "game", "board game", "card game", "video game", "sport"})
_OF_OBJECTS = {
    "takes": "medicine",
    "speaks": "language",
    "visited": "trip",
}
_DONE = frozenset({"hobby", "sport", "subject", "occupation", "craft", "dance"})
"""Kinds of what is done."""
_HEADED = frozenset({EntityType.PLACE, EntityType.ORGANISATION, EntityType.EVENT})
_NAMED = frozenset({EntityType.PERSON, EntityType.TIME})
"""Types of names that no list of well-known names is of."""

_THINGS = frozenset({EntityType.ITEM, EntityType.EVENT, EntityType.PROJECT})
_MADE = frozenset({"car", "vehicle", "device"})
"""Kinds of what goes by the name of who makes it."""
_HAD = frozenset({"owns", "uses", "likes", "prefers"})


@dataclass(frozen=True, slots=True)
class NameRead:
    """A name as a conversation uses it, with all that tells what it is."""

    folded: str
    name: str
    type: EntityType
    is_named: bool
    around: Sequence[tuple[str, str]] = ()
    """What stands before it and behind it, wherever a person says it."""
    claims: Sequence[tuple[str, str]] = ()
    """What is claimed of it: predicates with their objects."""
    claimed: Sequence[tuple[str, str]] = ()
    """What it is the object of: subjects, folded, with the predicates."""


@dataclass(slots=True)
class _Evidence:
    """What tells the kinds of one name."""

    nouns: list[tuple[str, ...]] = field(default_factory=list)
    """Nouns, each with what it may be looked up as, the longest first."""
    kinds: list[str] = field(default_factory=list)
    """General words that need no looking up."""
    played: bool = False


def kinds_of(names: Sequence[NameRead], stems: Stems) -> list[tuple[str, ...]]:
    """Return the general words for each name, in their order, the most special first; none where nothing says it."""
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
        # Without a capital a cello is one, but a Fiona is no flower, and Marseille no cloth.
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
    """Return the kinds that lists know a name as; of a maker's name that of what it makes only where one has that."""
    kinds = names_of_kinds().get(name.folded, ())
    if name.type in _THINGS or any(predicate in _HAD for _, predicate in name.claimed):
        return kinds
    return tuple(kind for kind in kinds if kind not in _MADE)


def _known(noun: str, stemmed: Mapping[str, str]) -> tuple[str, ...]:
    """Return the general words for a noun, itself in front; none where it is none that says what something is."""
    stem = " ".join(stemmed.get(word, word) for word in noun.split())
    above = [kind.name for kind in kinds() if stem in kind.stems or kind.name == noun]
    above += german_kinds().get(noun, ())
    is_thing = noun in general_words() or not _DONE.issuperset(above)
    if is_thing:
        # A beagle is no beagling, and a school no schooling: both have one stem.
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
"""Words of a query that are looked at."""


@dataclass(frozen=True, slots=True)
class AskedKinds:
    """The kinds that a query asks for."""

    names: frozenset[str]
    """General words as entities have them, those of the kinds and the query's own."""
    stems: frozenset[str] = frozenset()
    """English nouns of the kinds, as Postgres stems them."""
    words: frozenset[str] = frozenset()
    """German nouns and names of the kinds, in lower case."""


def kinds_asked(query: str, lexemes: Collection[str]) -> AskedKinds:
    """Give the kinds that a query of such stems asks for. Of "board games" those of board games, not those of games."""
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
    """Find words and pairs of neighbours in the singular."""
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
