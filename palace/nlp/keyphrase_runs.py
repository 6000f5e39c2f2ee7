"""Runs of words that may be names of topics, clause by clause: English, German and Romance languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from palace.nlp.rules import rules
from palace.nlp.words import WORD, prose, says_something

_ENGLISH, _GERMAN, _ROMANCE = (rules("keyphrases", each) for each in ("english", "german", "romance"))
_NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ship", "ism", "ist", "ology", "graph", "hood", "ance", "ence")
_ADJECTIVE_ENDINGS = ("ful", "ous", "less", "able", "ible", "ish", "est")
_CLAUSE_END = re.compile(r"[.,;:!?()\[\]{}\"“”«»„|*#>=<…。、！？\n\t/\\]+|\s[-–—]\s|—")
_SENTENCE_END = re.compile(r"[.:!?\n*#|>…。！？]")


class Clause(NamedTuple):
    """Words between two signs."""

    words: tuple[str, ...]
    opens: bool
    """Whether a sentence begins with it, so that a capital there says nothing."""


class Run(NamedTuple):
    """Words of a clause that follow each other and may be parts of names."""

    words: tuple[str, ...]
    nouns: tuple[float, ...]
    """For each word, how surely it is a noun here: 0 where nothing says so, 1 where what stands around it does."""
    heads: tuple[bool, ...]
    """For each word, whether a name may end with it."""
    openings: tuple[bool, ...]
    """For each word, whether a name of several words may begin with it."""


def clauses_of(text: str) -> Iterator[Clause]:
    """Cut the prose of a text into clauses of at least a word, in order."""
    text, start, opens = prose(text), 0, True
    for end in _CLAUSE_END.finditer(text):
        if words := tuple(WORD.findall(text[start : end.start()])):
            yield Clause(words, opens)
            opens = False
        opens, start = opens or _SENTENCE_END.search(end.group()) is not None, end.end()
    if words := tuple(WORD.findall(text[start:])):
        yield Clause(words, opens)


_KIN = frozenset({"brother", "brothers", "sister", "sisters", "father", "mother", "son", "daughter", "parents"})


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
        nouns[place - start] = _surely(clause, lower, kinds, place, is_led and _all_lead(kinds[start:place]))
    if is_led and end - start > 1:
        # The whole run stands behind "the": its last word is what it is about.
        nouns[-1] = max(nouns[-1], 0.3 if lower[end - 2] in _ENGLISH.words("measures") else 0.7)
    heads = [
        kinds[place] is _Kind.NOUN or (kinds[place] is _Kind.GERUND and (nouns[place - start] > 0 or place > start))
        for place in range(start, end)
    ]
    openings = [
        lower[place] not in _ENGLISH.words("measures")
        and (kinds[place] is not _Kind.GERUND or (place == start and is_led))
        for place in range(start, end)
    ]
    return Run(clause.words[start:end], tuple(nouns), tuple(heads), tuple(openings))


def _all_lead(kinds: Sequence[_Kind]) -> bool:
    """Whether nothing but adjectives stands there."""
    return all(kind is _Kind.ADJECTIVE for kind in kinds)


def _surely(clause: Clause, lower: Sequence[str], kinds: Sequence[_Kind], place: int, is_led: bool) -> float:
    """Say how surely a word is a noun where it stands."""
    is_name = clause.words[place][0].isupper() and (place > 0 or not clause.opens)
    if is_name or (is_led and kinds[place] is _Kind.NOUN):
        return 1.0
    return 0.5 if is_led or lower[place].endswith(_NOUN_ENDINGS) else 0.0


def _leads(word: str) -> bool:
    is_listed = word in _ENGLISH.words("determiners") or word in _ENGLISH.words("prepositions")
    return is_listed or word[:1].isdigit() or word.endswith("'s")


def _kinds(clause: Clause, lower: Sequence[str]) -> list[_Kind]:
    kinds: list[_Kind] = []
    for place, word in enumerate(lower):
        before = lower[place - 1] if place else ""
        after = lower[place + 1] if place + 1 < len(lower) else ""
        is_name = clause.words[place][0].isupper() and (place > 0 or not clause.opens)
        if not says_something(clause.words[place]) or word in _ENGLISH.words("adverbs"):
            kind = _Kind.OTHER
        elif is_name and word not in _verbs():
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
    if word in _verbs():
        return True
    if before in _ENGLISH.words("verb_cues") and not word.endswith(_NOUN_ENDINGS):
        return word not in _ENGLISH.words("adjectives")
    if after in _ENGLISH.words("objects") and not _leads(before) and kind_before is not _Kind.ADJECTIVE:
        return True
    if kind_before is _Kind.NOUN and after and says_something(after) and _by_itself(word) is _Kind.GERUND:
        # "Challenges facing expats".
        return True
    # "The wiring overheated": a participle behind a noun is what happened to it.
    return _is_participle(word) and kind_before in (_Kind.NOUN, _Kind.GERUND)


def _by_itself(word: str) -> _Kind:
    if word.endswith("ly") and word not in _ENGLISH.words("ly_nouns"):
        return _Kind.OTHER
    if word in _ENGLISH.words("adjectives") or _is_participle(word):
        return _Kind.ADJECTIVE
    if word.endswith(_ADJECTIVE_ENDINGS) and word not in _ENGLISH.words("no_adjectives"):
        return _Kind.ADJECTIVE
    if word.endswith("ing") and word not in _ENGLISH.words("ing_nouns"):
        return _Kind.GERUND
    return _Kind.NOUN


def _is_participle(word: str) -> bool:
    return len(word) > 3 and word.endswith("ed") and word not in _ENGLISH.words("ed_nouns")


@cache
def _verbs() -> frozenset[str]:
    """Return forms of verbs that are hardly ever nouns."""
    forms = (form for verb in _ENGLISH.words("bare") for form in _inflected(verb))
    return frozenset(forms) - _ENGLISH.words("found_as_nouns")


def _inflected(verb: str) -> tuple[str, ...]:
    stem = verb.removesuffix("e")
    last = f"{verb}{verb[-1]}"
    return (verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing", f"{last}ed", f"{last}ing")


def german_runs(clause: Clause) -> Iterator[Run]:
    """List the runs of words with a capital that may be nouns, in order.

    At the beginning of a sentence every word has one, which says nothing by itself.
    """
    run: list[tuple[str, float]] = []
    for place, word in enumerate((*clause.words, "")):
        if word and word[0].isupper() and _may_name(word):
            before = clause.words[place - 1].lower() if place else ""
            is_opening = place == 0 and clause.opens
            run.append((word, 0.0 if is_opening else 1.0 if before in _GERMAN.words("leading") or run else 0.7))
            continue
        if run:
            words, nouns = zip(*run, strict=True)
            openings = tuple(noun > 0 for noun in nouns)
            yield Run(words, nouns, (True,) * len(words), openings)
        run = []


def _may_name(word: str) -> bool:
    plain = word.lower()
    return plain not in _GERMAN.words("function_words") and plain not in _GERMAN.words("weak") and says_something(word)


def romance_runs(clause: Clause) -> Iterator[Run]:
    """List the nouns of a clause: each stands behind an article, or is written with a capital within a sentence.

    Only one word each: what describes a noun stands behind it, among what else may stand there.
    """
    for place, word in enumerate(clause.words):
        plain = word.lower().rpartition("'")[2].rpartition("’")[2]
        if plain in _ROMANCE.words("function_words") or not says_something(plain):
            continue
        before = clause.words[place - 1].lower() if place else ""
        is_elided = word.lower().startswith(("l'", "l’", "d'", "d’"))
        is_name = word[0].isupper() and (place > 0 or not clause.opens)
        if is_elided or is_name or before in _ROMANCE.words("articles"):
            yield Run((word[len(word) - len(plain) :],), (1.0,), (True,), (True,))
