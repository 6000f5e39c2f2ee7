"""Which phrases name a part: those whose nouns it says most, and that the other parts say least."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from palace.nlp.keyphrase_runs import Clause, Run, clauses_of, english_runs, german_runs, romance_runs
from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS, TALK_WORDS, WORD, fold

LONGEST_PHRASE = 3
READ_CHARACTERS = 2_000
"""Characters of a text that are looked at: enough to name it, and mining waits for this."""

OPENING_CHARACTERS = 400
"""A part tends to say at its beginning what it is about: phrases there count more."""

MAIN_NOUNS = 4
"""Nouns that a part says most: what names it holds one of them."""

_LENGTH_BONUS = (0.0, 1.0, 2.8, 3.4)
_SAID_ONCE = 0.6
"""What a phrase of several words counts for that is said once: chance puts words together."""

_UNSURE = 0.15
"""What a word counts for that nothing says is a noun."""

_SAYINGS = frozenset({"basic", "basics", "case", "cases"})
"""Of what is said of anything: "first the basics", "in most cases"."""

_Key = tuple[str, ...]


class _Phrase(NamedTuple):
    """A phrase where it stands: folded words, and the words as written."""

    key: _Key
    written: str


def key_phrases(
    parts: Sequence[Sequence[str]], limit: int = 3, *, speakers: Collection[str] = ()
) -> tuple[tuple[str, ...], ...]:
    """Find for each part of a conversation, itself a row of texts, the phrases of one to three words that stand out.

    Best first, at most ``limit`` a part, no word twice within a part, written as they mostly are in it. They end with a
    noun, begin with no verb, and hold one of the nouns that the part says most; scored by how many of its texts hold
    them, how often, their length, and how few other parts hold them. English, German and Romance languages are told
    apart by their function words, any other language is read as English. Who speaks names no part: they call each other
    by name all the time. A part of small talk or code may have none.
    """
    called = frozenset(fold(word) for name in speakers for word in WORD.findall(name))
    counts = [_Counts(part, called) for part in parts]
    uses: Counter[_Key] = Counter()
    for each in counts:
        uses.update(each.texts.keys())
    return tuple(_best(each, uses, len(parts), limit) for each in counts)


class _Counts:
    """In how many texts of a part each phrase occurs, how often, how it is written there, and whether it is a noun."""

    def __init__(self, part: Sequence[str], called: frozenset[str]) -> None:
        self.texts: Counter[_Key] = Counter()
        self.written: dict[_Key, Counter[str]] = defaultdict(Counter)
        self.nouns: dict[str, float] = defaultdict(float)
        """Of each word, how surely it is a noun in the part, added up over its places."""
        for text in part:
            runs = list(_runs(text[:READ_CHARACTERS]))
            self.texts.update({phrase.key for phrase in _phrases(runs, called)})
            for phrase in _phrases(runs, called):
                self.written[phrase.key][phrase.written] += 1
            for run in runs:
                for word, noun in zip(run.words, run.nouns, strict=True):
                    self.nouns[fold(word)] += noun
        opening = _phrases(_runs(part[0][:OPENING_CHARACTERS]), called) if part else ()
        self.texts.update({phrase.key for phrase in opening})

    def weight(self, key: _Key) -> float:
        said = self.written[key].total()
        weight = math.pow(self.texts[key], 0.7) * math.log1p(said) * min(max(self.nouns[key[-1]], _UNSURE), 1.0)
        return weight * _SAID_ONCE if said == 1 and len(key) > 1 else weight


def _best(counts: _Counts, uses: Counter[_Key], parts: int, limit: int) -> tuple[str, ...]:
    def score(key: _Key) -> float:
        distinct = math.log((parts + 1) / uses[key]) / math.log(parts + 1)
        return counts.weight(key) * _LENGTH_BONUS[len(key)] * (0.2 + distinct)

    ranked = sorted(counts.written, key=lambda key: (-score(key), key))
    main = set([key[0] for key in ranked if len(key) == 1][:MAIN_NOUNS])
    chosen: list[str] = []
    taken: set[str] = set()
    for key in ranked:
        if len(chosen) == limit:
            break
        if not taken & set(key) and (not main or main & set(key)):
            chosen.append(_display(counts.written[key]))
            taken.update(key)
    return tuple(chosen)


def _runs(text: str) -> Iterator[Run]:
    clauses = list(clauses_of(text))
    runs = _runs_in(clauses)
    for clause in clauses:
        yield from runs(clause)


def _phrases(runs: Iterable[Run], called: frozenset[str]) -> Iterator[_Phrase]:
    for run in runs:
        yield from (phrase for phrase in _within(run) if not called.intersection(phrase.key))


def _within(run: Run) -> Iterator[_Phrase]:
    """List the phrases of a run: one to three words that end with a noun, a weak word only behind another."""
    folded = [fold(word) for word in run.words]
    for end in range(1, len(folded) + 1):
        for start in range(max(0, end - LONGEST_PHRASE), end):
            key = tuple(folded[start:end])
            is_long = end - start > 1
            if not run.heads[end - 1] or (is_long and not run.openings[start]):
                continue
            if all(key) and not _weak().intersection(key[:-1] or key):
                yield _Phrase(key, " ".join(run.words[start:end]))


@cache
def _weak() -> frozenset[str]:
    """Return words that name nothing alone: those of talk, measures and days."""
    return frozenset(map(fold, TALK_WORDS | rules("keyphrases", "english").words("measures") | _SAYINGS))


def _runs_in(clauses: Sequence[Clause]) -> Callable[[Clause], Iterator[Run]]:
    """Return the reader for the language whose function words a text mostly has; in doubt that for English."""
    words = [word.lower() for clause in clauses for word in clause.words]
    german, romance = (rules("keyphrases", each).words("function_words") for each in ("german", "romance"))
    shares = [sum(word in known for word in words) for known in (STOP_WORDS, german, romance)]
    if shares[2] > max(shares[:2]):
        return romance_runs
    return german_runs if shares[1] > shares[0] else english_runs


def _display(written: Counter[str]) -> str:
    """Choose the commonest spelling; of two as common, the one with fewer capitals."""
    chosen = min(written, key=lambda text: (-written[text], sum(map(str.isupper, text)), text))
    return chosen.removesuffix("'s").removesuffix("’s")
