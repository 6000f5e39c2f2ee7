"""Runs of English words that may be names: no verbs, no adverbs, and what stands around a word says what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from palace.text.keyphrases.clauses import Clause, Run
from palace.text.keyphrases.vocabulary import (
    ADJECTIVES,
    ADVERBS,
    DETERMINERS,
    ED_NOUNS,
    ING_NOUNS,
    LY_NOUNS,
    MEASURES,
    OBJECTS,
    PREPOSITIONS,
    VERB_CUES,
    VERBS,
)
from palace.text.words import says_something

_NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ship", "ism", "ist", "ology", "graph", "hood", "ance", "ence")
_ADJECTIVE_ENDINGS = ("ful", "ous", "less", "able", "ible", "ish", "est")
_NO_ADJECTIVES_WRITTEN = """
table cable vegetable vegetables fish dish finish polish english spanish rubbish radish nest test guest request
forest interest chest west rest harvest priest contest digest invest protest cottage blessing handful
"""
_KIN = frozenset({"brother", "brothers", "sister", "sisters", "father", "mother", "son", "daughter", "parents"})
_NO_ADJECTIVES = frozenset(_NO_ADJECTIVES_WRITTEN.split())


class _Kind(Enum):
    """What a word is taken for where it stands."""

    OTHER = 0
    """A function word, a number, a verb, an adverb: no part of a name."""
    ADJECTIVE = 1
    GERUND = 2
    NOUN = 3


def english_runs(clause: Clause) -> Iterator[Run]:
    """List the runs of words of a clause that may be names, in order."""
    if len(clause.words) == 1 and clause.words[0][0].isupper():
        # "Wow!", "Thanks, Caroline": said to somebody, about nothing.
        return
    lower = [word.lower().replace("’", "'") for word in clause.words]
    kinds = _kinds(clause, lower)
    start = 0
    for end in range(len(lower) + 1):
        if end < len(lower) and kinds[end] is not _Kind.OTHER:
            continue
        if end > start:
            yield _run(clause, lower, kinds, start, end)
        start = end + 1


def _run(clause: Clause, lower: Sequence[str], kinds: Sequence[_Kind], start: int, end: int) -> Run:
    is_led = start > 0 and _leads(lower[start - 1])
    nouns = [0.0] * (end - start)
    for place in range(start, end):
        nouns[place - start] = _surely(clause, lower, kinds, place, is_led and all_lead(kinds[start:place]))
    if is_led and end - start > 1:
        # The whole run stands behind "the": its last word is what it is about.
        nouns[-1] = max(nouns[-1], 0.3 if lower[end - 2] in MEASURES else 0.7)
    heads = [
        kinds[place] is _Kind.NOUN or (kinds[place] is _Kind.GERUND and (nouns[place - start] > 0 or place > start))
        for place in range(start, end)
    ]
    openings = [
        lower[place] not in MEASURES and (kinds[place] is not _Kind.GERUND or (place == start and is_led))
        for place in range(start, end)
    ]
    return Run(clause.words[start:end], tuple(nouns), tuple(heads), tuple(openings))


def all_lead(kinds: Sequence[_Kind]) -> bool:
    """Whether nothing but adjectives stands there."""
    return all(kind is _Kind.ADJECTIVE for kind in kinds)


def _surely(clause: Clause, lower: Sequence[str], kinds: Sequence[_Kind], place: int, is_led: bool) -> float:
    """Say how surely a word is a noun where it stands."""
    is_name = clause.words[place][0].isupper() and (place > 0 or not clause.opens)
    if is_name or (is_led and kinds[place] is _Kind.NOUN):
        return 1.0
    return 0.5 if is_led or lower[place].endswith(_NOUN_ENDINGS) else 0.0


def _leads(word: str) -> bool:
    return word in DETERMINERS or word in PREPOSITIONS or word[:1].isdigit() or word.endswith("'s")


def _kinds(clause: Clause, lower: Sequence[str]) -> list[_Kind]:
    kinds: list[_Kind] = []
    for place, word in enumerate(lower):
        before = lower[place - 1] if place else ""
        after = lower[place + 1] if place + 1 < len(lower) else ""
        is_name = clause.words[place][0].isupper() and (place > 0 or not clause.opens)
        if not says_something(clause.words[place]) or word in ADVERBS:
            kind = _Kind.OTHER
        elif is_name and word not in VERBS:
            kind = _Kind.NOUN
        elif _is_in_law(lower, place) or _is_verb(word, before, after, kinds[-1] if kinds else None):
            kind = _Kind.OTHER
        elif after in ("one", "ones"):
            # "The cheaper one first."
            kind = _Kind.ADJECTIVE
        else:
            kind = _by_itself(word)
        kinds.append(kind)
    return kinds


def _is_in_law(lower: Sequence[str], place: int) -> bool:
    """Whether it ends a word for kin: "my mother in law"."""
    return place > 1 and lower[place - 1 : place + 1] == ["in", "law"] and lower[place - 2] in _KIN


def _is_verb(word: str, before: str, after: str, kind_before: _Kind | None) -> bool:
    if word in VERBS:
        return True
    if before in VERB_CUES and not word.endswith(_NOUN_ENDINGS):
        return word not in ADJECTIVES
    if after in OBJECTS and not _leads(before) and kind_before is not _Kind.ADJECTIVE:
        return True
    if kind_before is _Kind.NOUN and after and says_something(after) and _by_itself(word) is _Kind.GERUND:
        # "Challenges facing expats".
        return True
    # "The wiring overheated": a participle behind a noun is what happened to it.
    return _is_participle(word) and kind_before in (_Kind.NOUN, _Kind.GERUND)


def _by_itself(word: str) -> _Kind:
    if word.endswith("ly") and word not in LY_NOUNS:
        return _Kind.OTHER
    if word in ADJECTIVES or _is_participle(word):
        return _Kind.ADJECTIVE
    if word.endswith(_ADJECTIVE_ENDINGS) and word not in _NO_ADJECTIVES:
        return _Kind.ADJECTIVE
    if word.endswith("ing") and word not in ING_NOUNS:
        return _Kind.GERUND
    return _Kind.NOUN


def _is_participle(word: str) -> bool:
    return len(word) > 3 and word.endswith("ed") and word not in ED_NOUNS
