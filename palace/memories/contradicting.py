"""Tell whether one short statement says otherwise than another: by claims, numbers, negation, or another value.

Precision goes before recall: other subjects, other times and additions say nothing against a statement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo
from functools import cache

from palace.graph.predicates import is_single_valued
from palace.mining.extraction.rules import read_by_rules
from palace.models import Role
from palace.models.claims import Action, Claim, Said
from palace.nlp.instructions import is_against
from palace.nlp.rules import rules

_RULES = rules("memories", "otherwise")
_TOKEN = re.compile(r"[$€£]?\w+(?:[.,:/'’@+-]\w+)*%?")
_ENDING = re.compile(r"(?:ing|ed|en|es|e|s|t)$")
_NEGATION = re.compile(r"(?:n't|n’t)$")
_SHORT = re.compile(r"(?i)(?<=\bi)'(?:m|re|s|ve|d|ll)\b")
_LONGEST = 400
"""Most characters of a statement that is compared; a longer one says many things."""
_LEAST_SHARED = 2
_LONGEST_NAME = 2
"""Most words of a name that is the whole value."""
_HOLDING = (Action.HOLDS, Action.BEGINS, Action.CORRECTS)
_CHANGING = (Action.BEGINS, Action.ENDS)
_ENDING_ACTIONS = (Action.ENDS, Action.DENIES)
_BONDS = frozenset(["married_to", "partner_of"])
_OPPOSED = {"likes": "dislikes", "dislikes": "likes"}


@dataclass(frozen=True, slots=True)
class Read:
    """A statement as it is compared."""

    text: str
    tokens: tuple[str, ...]
    """Its words in order, in lower case, without fillers."""
    names: frozenset[str]
    """Those of its words that are names: with a capital behind the beginning."""
    words: frozenset[str]
    """Stems of the words that say what it is about, without numbers."""
    numbers: frozenset[str]
    """Numbers, days and times in it."""
    persons: frozenset[str]
    """Pronouns of whom it is about ("I")."""
    is_against: bool
    is_ended: bool
    """Whether it says that something ended."""
    adds: bool
    is_past: bool


class ClaimReader:
    """Reads what statements claim, each once: parsing takes longer than all else."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._read: dict[str, tuple[Claim, ...]] = {}

    def __call__(self, text: str) -> tuple[Claim, ...]:
        """Return the claims of a statement."""
        if text not in self._read:
            self._read[text] = read_by_rules([Said(text, Role.USER)], (), self._zone)[0].claims
        return self._read[text]

    def probes(self, text: str) -> list[str]:
        """Return texts that are like statements which a statement may contradict by its claims, two at most."""
        claims = self(text) if len(text) <= _LONGEST else ()
        single = (each for each in claims if each.action in _ENDING_ACTIONS or is_single_valued(each.predicate))
        found = (f"{each.subject} {each.predicate.replace('_', ' ')}" for each in single if each.predicate != "called")
        return list(dict.fromkeys(found))[:2]


def texts_contradict(older: str, newer: str, claims_of: ClaimReader | None = None) -> bool:
    """Check whether of two alike statements the newer cannot hold beside the older.

    Without ``claims_of``, their claims are not compared.
    """
    if max(len(older), len(newer)) > _LONGEST:
        return False
    if claims_of is not None and claims_contradict(older, newer, claims_of):
        return True
    one, other = read(older), read(newer)
    is_denied = one.is_against != other.is_against and _is_denied(one, other)
    if one.is_past or other.is_past:
        is_same_time = one.is_past and other.is_past and one.numbers == other.numbers
        if not is_same_time and not (other.is_ended and not one.is_past and is_denied):
            return False
    if one.persons != other.persons:
        return False
    if one.is_against != other.is_against:
        return is_denied or _is_replaced(one, other)
    return (
        _is_replaced(one, other)
        or _is_opposite(one, other)
        or (not other.adds and (_has_another_number(one, other) or _has_another_value(one, other)))
    )


def claims_contradict(older: str, newer: str, claims_of: ClaimReader) -> bool:
    """Check by claims alone whether the newer of two statements, alike or not, cannot hold beside the older."""
    one, other = read(older), read(newer)
    is_change = other.is_past and not one.is_past and not other.numbers  # "Yesterday I moved to Porto"
    is_other_time = one.is_past != other.is_past or (one.is_past and one.numbers != other.numbers)
    if other.adds or (is_other_time and not is_change) or max(len(older), len(newer)) > _LONGEST:
        return False
    return any(
        _excludes(former, latter)
        for former in claims_of(older)
        for latter in claims_of(newer)
        if not is_change or latter.action in _CHANGING
    )


def says_the_same(one: str, other: str) -> bool:
    """Check whether two statements of very similar meaning can be the same: no number, name or subject differs."""
    a, b = read(one), read(other)
    left, right = a.words - b.words, b.words - a.words
    return (
        a.numbers == b.numbers
        and a.persons == b.persons
        and a.is_against == b.is_against
        and not (len(left) == len(right) == 1 or (left | right) & {stem(each) for each in a.names | b.names})
    )


def read(text: str) -> Read:
    """Read a statement for comparison."""
    plain = _SHORT.sub("", _RULES["moved"].sub("is in", text.replace("’", "'").strip()))
    written = _TOKEN.findall(plain)
    lowered = [each.lower() for each in written]
    function, filler, number = (_RULES.words(each) for each in ("function", "filler", "number"))
    tokens = [each.removesuffix("'s") for each in lowered if each not in filler]
    names = {each.lower().removesuffix("'s") for each in written[1:] if each[:1].isupper() and each != "I"}
    numbers = {each for each in tokens if each in number or any(map(str.isdigit, each))}
    told = [each for each in tokens if each not in function and each not in numbers and not _NEGATION.search(each)]
    persons = {each for each in tokens if each in _RULES.words("person")}
    low = plain.lower()
    is_ended = _RULES.finds("ends", low)
    return Read(
        text,
        tuple(tokens),
        frozenset(names),
        frozenset(map(stem, told)) - _persons() - _negations(low),
        frozenset(map(_bare_number, numbers)),
        frozenset("i" if each in ("we", "ich", "wir") else each for each in persons),
        is_against(_RULES["ends"].sub("", low)) != is_ended,
        is_ended,
        _RULES.finds("adds", low),
        _RULES["past"].search(low) is not None,
    )


def stem(word: str) -> str:
    """Return the beginning that forms of a word share."""
    bare = word.lower().removesuffix("'s")
    return _ENDING.sub("", bare)[:7] if len(bare) > 4 else bare.removesuffix("s") if len(bare) > 3 else bare


def _bare_number(word: str) -> str:
    return word.removesuffix("s") if word.isalpha() else word


@cache
def _persons() -> frozenset[str]:
    owners = _RULES.words("definite") | _RULES.words("person")
    return frozenset(map(stem, owners))


def _negations(text: str) -> frozenset[str]:
    """Return the stems of the words by which a text denies something."""
    against = (rules("standing", each)["AGAINST"] for each in ("english", "german"))
    found = (
        word for pattern in (*against, _RULES["ends"]) for each in pattern.finditer(text) for word in each[0].split()
    )
    telling = set(map(stem, _RULES.words("condition")))
    return (frozenset(map(stem, found)) | {"any", "more", "mehr", "longer"}) - telling


def _excludes(older: Claim, newer: Claim) -> bool:
    if older.subject.casefold() != newer.subject.casefold() or older.action not in _HOLDING:
        return False
    one, other = older.object.casefold(), newer.object.casefold()
    if newer.action in _ENDING_ACTIONS:
        is_same = older.predicate == newer.predicate or {older.predicate, newer.predicate} <= _BONDS
        return is_same and set(other.split()) <= set(one.split())
    if newer.action not in _HOLDING:
        return False
    if _OPPOSED.get(older.predicate) == newer.predicate:
        return one == other
    is_single = is_single_valued(older.predicate) and older.predicate not in ("is", "called", "works_as")
    return is_single and older.predicate == newer.predicate and not (one in other or other in one)


def _has_another_number(one: Read, other: Read) -> bool:
    """Check whether two statements have the same words but other numbers."""
    return one.words == other.words and bool(one.numbers - other.numbers) and bool(other.numbers - one.numbers)


def _is_denied(one: Read, other: Read) -> bool:
    """Check whether one of two statements, of which one is negative, denies what the other says."""
    if one.numbers and other.numbers and not one.numbers & other.numbers and not other.is_ended:
        return False
    short, long = sorted((one.words, other.words), key=len)
    return bool(short) and short <= long and len(long - short) <= len(short) + 2


def _is_replaced(one: Read, other: Read) -> bool:
    """Check whether one names what the other says as what no longer holds: "nox instead of tox"."""
    for teller, told in ((other, one), (one, other)):
        for found in _RULES["instead"].finditer(teller.text.lower()):
            old = {stem(word) for group in found.groups() if group for word in group.split()}
            old -= {stem(word) for word in _RULES.words("function")}
            if old and old <= told.words and len((teller.words & told.words) - old) >= 1:
                return True
    return False


def _is_opposite(one: Read, other: Read) -> bool:
    left, right = one.words - other.words, other.words - one.words
    if one.numbers != other.numbers or max(len(left), len(right)) > _LONGEST_NAME:
        return False
    if not one.words & other.words and not one.persons:
        return False
    return any(frozenset((a, b)) in _opposites() for a in left for b in right)


@cache
def _opposites() -> frozenset[frozenset[str]]:
    pairs = _RULES.table("opposites").items()
    return frozenset(frozenset((stem(one), stem(each))) for one, others in pairs for each in others.split())


def _has_another_value(one: Read, other: Read) -> bool:
    """Check whether two statements are the same but for one stretch, in a place that holds one value."""
    before, (left, right), after = _apart(one.tokens, other.tokens)
    if not left or not right or (one.numbers ^ other.numbers and not one.numbers & other.numbers):
        return False
    if not before:
        is_role = after[:2] in (("is", "the"), ("are", "the"), ("ist", "der"), ("ist", "die"))
        return is_role and len(left) == len(right) == 1 and len(after) > _LEAST_SHARED + 1
    if _is_named(left, one) != _is_named(right, other):
        return _is_moved(before, left, right)
    if not _RULES.words("be").isdisjoint(before[1:]):
        is_whole = _names_one(left, one) and _names_one(right, other) and before[0] in _RULES.words("definite")
        if is_whole or not _RULES.words("slot").isdisjoint(before):
            return True
    tail = set(after) - _RULES.words("function")
    is_short = _is_named(left, one) and max(len(left), len(right)) <= _LONGEST_NAME
    return not _RULES.words("exclusive").isdisjoint(before) and (bool(tail) or is_short)


def _apart(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return what two texts share at their beginning, what each has then, and what they share at the end."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    end = 0
    while end < min(len(one), len(other)) - same and one[-1 - end] == other[-1 - end]:
        end += 1
    cut = (one[same : len(one) - end], other[same : len(other) - end])
    return one[:same], cut, one[len(one) - end :]


def _is_named(stretch: tuple[str, ...], of: Read) -> bool:
    """Check whether a stretch names something by a name."""
    return any(each in of.names for each in stretch)


def _is_moved(before: tuple[str, ...], left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Check whether two stretches say by different prepositions where the one thing is that stands before them."""
    place, be = _RULES.words("place"), _RULES.words("be")
    is_definite = before[0] in _RULES.words("definite") and before[-1] in be
    return is_definite and left[0] in place and right[0] in place


def _names_one(stretch: tuple[str, ...], of: Read) -> bool:
    """Check whether a stretch is a name, has an article, or says where something is: not a bare quality."""
    definite = _RULES.words("definite") | {"a", "an", "ein", "eine"}
    return _is_named(stretch, of) or stretch[0] in definite or stretch[0] in _RULES.words("place")
