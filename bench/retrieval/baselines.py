"""Rankings of our own harness that need no palace: over the same passages and the same embeddings, all of them."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bench.retrieval.dataset import Haystack, Question, Turn
from bench.retrieval.log import Ranking, Scored
from palace import BadRequest, Embedder
from palace.nlp.passages import split_passages

Scores = npt.NDArray[np.float64]
"""One for each document."""

TURNS_KEPT = 200
DELIVERED = 5
_FUNCTION_WORDS = """
a an the and or of to in on at for with is are was were be been do does did have has had i you he she it we they my your
his her its our their me him them us this that these those there what when where who whom which how why as by from not
no but if so
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
ENDINGS = ("ing", "edly", "ed", "ies", "es", "s", "ly")
SHORTEST_STEM = 3

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Options:
    """What a variant may say of a baseline."""

    k1: float = 1.5
    """How soon BM25 has enough of a word."""
    b: float = 0.75
    """How much BM25 minds a document's length."""
    speaker: bool = False
    """Whether a passage begins with who said it, where the data says so."""
    weight: float = 0.5
    """Share of the vectors in half-and-half."""


class Documents:
    """Texts that are ranked."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self.texts = texts
        self._embedder = embedder

    def similarities(self, query: str) -> Scores:
        """Give each document's cosine similarity to a query."""
        asked = self._embedder.embed_queries([query]).vectors[0]
        return np.asarray(self._vectors @ asked, np.float64)

    def bm25(self, query: str, options: Options) -> Scores:
        """Give each document's BM25 score, with Lucene's idf, which is never negative; 0 where no word is shared."""
        scores = np.zeros(len(self.texts))
        postings, lengths = self._words
        norm = options.k1 * (1 - options.b + options.b * lengths / max(lengths.mean(), 1e-9))
        for word in set(words_of(query)) & postings.keys():
            places, counts = postings[word]
            idf = math.log(1 + (len(self.texts) - len(places) + 0.5) / (len(places) + 0.5))
            scores[places] += idf * counts * (options.k1 + 1) / (counts + norm[places])
        return scores

    @cached_property
    def _vectors(self) -> npt.NDArray[np.float32]:
        return self._embedder.embed_passages(self.texts).vectors

    @cached_property
    def _words(self) -> tuple[dict[str, tuple[npt.NDArray[np.intp], Scores]], Scores]:
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = np.zeros(len(self.texts))
        for place, text in enumerate(self.texts):
            counts = Counter(words_of(text))
            lengths[place] = counts.total()
            for word, count in counts.items():
                found[word].append((place, count))
        postings = {
            word: (np.array([place for place, _ in pairs]), np.array([count for _, count in pairs], np.float64))
            for word, pairs in found.items()
        }
        return postings, lengths


@dataclass(frozen=True)
class Corpus:
    """A haystack ready to be ranked."""

    haystack: Haystack
    embedder: Embedder
    options: Options = field(default_factory=Options)

    @cached_property
    def turns(self) -> list[tuple[str, Turn]]:
        """Every turn with its session's id, in order."""
        return [(session.id, turn) for session in self.haystack.sessions for turn in session.turns]

    @cached_property
    def passages(self) -> Documents:
        """Every passage, as mining cuts them."""
        return Documents([text for _, text in self._cut], self.embedder)

    @cached_property
    def _cut(self) -> list[tuple[int, str]]:
        return [
            (number, self._text(turn, turn.content[span.start : span.end]))
            for number, (_, turn) in enumerate(self.turns)
            for span in split_passages(turn.content)
        ]

    def _text(self, turn: Turn, said: str) -> str:
        return f"{turn.speaker}: {said}" if self.options.speaker and turn.speaker else said

    def by_turn_and_session(self, passage_scores: Scores) -> tuple[Scores, Scores]:
        """Give each turn the score of its best passage, and each session that of its best turn.

        A turn without passages ranks last.
        """
        turns = np.full(len(self.turns), -np.inf)
        np.maximum.at(turns, np.array([turn for turn, _ in self._cut], np.intp), passage_scores)
        sessions = np.full(len(self.haystack.sessions), -np.inf)
        places = {session.id: place for place, session in enumerate(self.haystack.sessions)}
        np.maximum.at(sessions, [places[session] for session, _ in self.turns], turns)
        return sessions, turns


def rank(kind: str, corpus: Corpus, question: Question) -> Ranking:
    """Rank every session of a haystack, and its 200 best turns; ties stay in the haystack's order.

    Raises:
        BadRequest: there is no baseline of that kind.
    """
    if kind not in KINDS:
        raise BadRequest(f"there is no ranking {kind!r}: one of product, {', '.join(KINDS)}")
    sessions, turns = KINDS[kind](corpus, question)
    ranked = _ordered([turn.id for _, turn in corpus.turns], turns)[:TURNS_KEPT]
    by_session = _ordered([session.id for session in corpus.haystack.sessions], sessions)
    return Ranking(by_session, ranked, delivered=[turn for turn, _ in ranked[:DELIVERED]])


def _bm25(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    return corpus.by_turn_and_session(corpus.passages.bm25(question.text, corpus.options))


def _vector(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    return corpus.by_turn_and_session(corpus.passages.similarities(question.text))


def _half_and_half(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    """Add both, each stretched to [0, 1] over all of the haystack: sessions among sessions, turns among turns."""
    pairs = zip(_vector(corpus, question), _bm25(corpus, question), strict=True)
    share = corpus.options.weight
    sessions, turns = (share * _stretched(near) + (1 - share) * _stretched(worded) for near, worded in pairs)
    return sessions, turns


KINDS: Mapping[str, Callable[[Corpus, Question], tuple[Scores, Scores]]] = {
    "bm25": _bm25,
    "vector": _vector,
    "half-and-half": _half_and_half,
}
"""Each gives a score to every session and to every turn."""


def words_of(text: str) -> list[str]:
    """Give a text's words for counting: in lower case, without function words, common English endings cut off."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS]


def _stem(word: str) -> str:
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + SHORTEST_STEM:
            return word.removesuffix(ending)
    return word


def _stretched(scores: Scores) -> Scores:
    finite = scores[np.isfinite(scores)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    return (scores - low) / (high - low) if high > low else np.where(np.isfinite(scores), 0.0, scores)


def _ordered(names: Sequence[str], scores: Scores) -> Scored:
    order = np.argsort(-scores, kind="stable")
    return [(names[place], round(float(scores[place]), 6)) for place in order if np.isfinite(scores[place])]
