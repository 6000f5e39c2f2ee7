"""Key phrases that name each part of a conversation: frequent in this part and rare in the others.

Candidates are runs of words within a clause, in English, German and Romance languages.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS, TALK_WORDS, WORD, fold, prose, says_something

_ENGLISH, _GERMAN, _ROMANCE = (rules("keyphrases", each) for each in ("english", "german", "romance"))

LONGEST_PHRASE = 3
READ_CHARACTERS = 2_000
"""Most characters of a text that are read: enough to name it, and mining waits for this."""

OPENING_CHARACTERS = 400
"""Characters at the beginning of a part whose phrases count once more, as a part tends to begin with its topic."""

MAIN_NOUNS = 4
"""Number of a part's top nouns, one of which each of its key phrases contains."""

_LENGTH_BONUS = (0.0, 1.0, 2.8, 3.4)
_SAID_ONCE = 0.6
"""Factor for a phrase of several words that occurs once, which may be chance."""

_UNSURE = 0.15
"""Least certainty that a word is a noun."""

_Key = tuple[str, ...]


class _Phrase(NamedTuple):
    """A phrase of a text: its folded words, and the words as written."""

    key: _Key
    written: str


def key_phrases(
    parts: Sequence[Sequence[str]], limit: int = 3, *, speakers: Collection[str] = ()
) -> tuple[tuple[str, ...], ...]:
    """Find the key phrases, of one to three words, of each part of a conversation, a part being a sequence of texts.

    Returns one tuple for each part, best first, at most ``limit``, no word twice, in the most frequent spelling.
    Phrases end with a noun, begin with no verb, and contain one of the part's top nouns; they are scored by how many
    of its texts contain them, how often, their length, and how few other parts contain them. English, German and
    Romance languages are told apart by their function words, any other language is read as English. Names of
    ``speakers`` are left out, as people address each other by name. A part of small talk or code may have no phrase.
    """
    called = frozenset(fold(word) for name in speakers for word in WORD.findall(name))
    counts = [_Counts(part, called) for part in parts]
    uses: Counter[_Key] = Counter()
    for each in counts:
        uses.update(each.texts.keys())
    return tuple(_best(each, uses, len(parts), limit) for each in counts)


class _Counts:
    """Counts of a part: the texts that each phrase occurs in, its spellings, and how surely its words are nouns."""

    def __init__(self, part: Sequence[str], called: frozenset[str]) -> None:
        self.texts: Counter[_Key] = Counter()
        self.written: dict[_Key, Counter[str]] = defaultdict(Counter)
        self.nouns: dict[str, float] = defaultdict(float)
        """For each word, the certainty that it is a noun, summed over its occurrences in the part."""
        for text in part:
            runs = list(_runs(text[:READ_CHARACTERS]))
            phrases = list(_phrases(runs, called))
            self.texts.update({phrase.key for phrase in phrases})
            for phrase in phrases:
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
    """Yield the phrases of a run: one to three words that end with a noun; a weak word only behind another."""
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
    """Return words that name no topic alone: those of talk, measures and days."""
    return frozenset(map(fold, TALK_WORDS | _ENGLISH.words("measures") | _ENGLISH.words("sayings")))


def _runs_in(clauses: Sequence[Clause]) -> Callable[[Clause], Iterator[Run]]:
    """Choose the function that finds runs, by the language of most function words; English in doubt."""
    words = [word.lower() for clause in clauses for word in clause.words]
    known = (STOP_WORDS, _GERMAN.words("function_words"), _ROMANCE.words("function_words"))
    shares = [sum(word in each for word in words) for each in known]
    if shares[2] > max(shares[:2]):
        return romance_runs
    return german_runs if shares[1] > shares[0] else english_runs


def _display(written: Counter[str]) -> str:
    """Choose the most frequent spelling; among equals the one with the fewest capitals."""
    chosen = min(written, key=lambda text: (-written[text], sum(map(str.isupper, text)), text))
    return chosen.removesuffix("'s").removesuffix("’s")


_CLAUSE_END = re.compile(r"[.,;:!?()\[\]{}\"“”«»„|*#>=<…。、！？\n\t/\\]+|\s[-–—]\s|—")
_SENTENCE_END = re.compile(r"[.:!?\n*#|>…。！？]")


class Clause(NamedTuple):
    """The words between two punctuation marks."""

    words: tuple[str, ...]
    opens: bool
    """Whether a sentence begins with the clause, so that its first capital letter means nothing."""


class Run(NamedTuple):
    """Consecutive words of a clause that may be parts of a topic's name."""

    words: tuple[str, ...]
    nouns: tuple[float, ...]
    """For each word, the certainty from 0 to 1 that it is a noun here, by the words around it."""
    heads: tuple[bool, ...]
    """For each word, whether a topic's name may end with it."""
    openings: tuple[bool, ...]
    """For each word, whether a topic's name of several words may begin with it."""


def clauses_of(text: str) -> Iterator[Clause]:
    """Split the prose of a text into clauses of at least one word, in order."""
    text, start, opens = prose(text), 0, True
    for end in _CLAUSE_END.finditer(text):
        if words := tuple(WORD.findall(text[start : end.start()])):
            yield Clause(words, opens)
            opens = False
        opens, start = opens or _SENTENCE_END.search(end.group()) is not None, end.end()
    if words := tuple(WORD.findall(text[start:])):
        yield Clause(words, opens)


class _Kind(Enum):
    """The part of speech of a word, as far as runs depend on it."""

    OTHER = 0
    """A function word, a number, a verb, an adverb: no part of a name."""
    ADJECTIVE = 1
    GERUND = 2
    NOUN = 3


def english_runs(clause: Clause) -> Iterator[Run]:
    """Yield the runs of an English clause that may name a topic, in order."""
    if len(clause.words) == 1 and clause.words[0][0].isupper():
        # "Wow!", "Thanks, Caroline": an address or exclamation, no topic.
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
        # The whole run stands behind "the", so its last word is its head noun.
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
    """Check whether all words are adjectives."""
    return all(kind is _Kind.ADJECTIVE for kind in kinds)


def _surely(clause: Clause, lower: Sequence[str], kinds: Sequence[_Kind], place: int, is_led: bool) -> float:
    """Return the certainty from 0 to 1 that a word is a noun here."""
    is_name = clause.words[place][0].isupper() and (place > 0 or not clause.opens)
    if is_name or (is_led and kinds[place] is _Kind.NOUN):
        return 1.0
    return 0.5 if is_led or lower[place].endswith(_endings("noun_endings")) else 0.0


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
    """Check whether a word ends a word for kin: "my mother in law"."""
    return place > 1 and lower[place - 1 : place + 1] == ["in", "law"] and lower[place - 2] in _ENGLISH.words("kin")


def _is_verb(word: str, before: str, after: str, kind_before: _Kind | None) -> bool:
    if word in _verbs():
        return True
    if before in _ENGLISH.words("verb_cues") and not word.endswith(_endings("noun_endings")):
        return word not in _ENGLISH.words("adjectives")
    if after in _ENGLISH.words("objects") and not _leads(before) and kind_before is not _Kind.ADJECTIVE:
        return True
    if kind_before is _Kind.NOUN and after and says_something(after) and _by_itself(word) is _Kind.GERUND:
        # "Challenges facing expats".
        return True
    # "The wiring overheated": a participle behind a noun is its verb.
    return _is_participle(word) and kind_before in (_Kind.NOUN, _Kind.GERUND)


@lru_cache(1 << 14)
def _by_itself(word: str) -> _Kind:
    if word.endswith("ly") and word not in _ENGLISH.words("ly_nouns"):
        return _Kind.OTHER
    if word in _ENGLISH.words("adjectives") or _is_participle(word):
        return _Kind.ADJECTIVE
    if word.endswith(_endings("adjective_endings")) and word not in _ENGLISH.words("no_adjectives"):
        return _Kind.ADJECTIVE
    if word.endswith("ing") and word not in _ENGLISH.words("ing_nouns"):
        return _Kind.GERUND
    return _Kind.NOUN


def _is_participle(word: str) -> bool:
    return len(word) > 3 and word.endswith("ed") and word not in _ENGLISH.words("ed_nouns")


@cache
def _endings(name: str) -> tuple[str, ...]:
    return tuple(_ENGLISH.words(name))


@cache
def _verbs() -> frozenset[str]:
    """Return the forms of verbs that are hardly ever nouns."""
    forms = (form for verb in _ENGLISH.words("bare") for form in _inflected(verb))
    return frozenset(forms) - _ENGLISH.words("found_as_nouns")


def _inflected(verb: str) -> tuple[str, ...]:
    stem = verb.removesuffix("e")
    last = f"{verb}{verb[-1]}"
    return (verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing", f"{last}ed", f"{last}ing")


def german_runs(clause: Clause) -> Iterator[Run]:
    """Yield the runs of capitalised words of a German clause that may be nouns, in order.

    At the beginning of a sentence a capital letter counts for nothing.
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
    """Yield the nouns of a Romance clause: behind an article, or capitalised within a sentence.

    Each is one word, as adjectives behind a noun cannot be told from other words there.
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
