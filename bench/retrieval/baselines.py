"""Rankings of our own harness that need no palace: over the same passages and the same embeddings, all of them."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bench.retrieval.dataset import Haystack, Question, Turn
from bench.retrieval.log import Ranking, Scored
from palace.embedding.protocol import Embedder, Vectors
from palace.errors import BadRequest
from palace.text.passages import split_passages

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
_NEVER = datetime.min.replace(tzinfo=UTC)


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
    """Texts that are ranked, each standing for a turn or a session."""

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
    def _vectors(self) -> Vectors:
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
    def turn_of_passage(self) -> npt.NDArray[np.intp]:
        """Which turn each passage belongs to, by place."""
        return np.array([turn for turn, _ in self._cut], np.intp)

    @cached_property
    def whole_sessions(self) -> Documents:
        """Each session as one document of its user turns, of which the model reads the first 256 tokens."""
        said = ["\n".join(turn.content for turn in session.turns if turn.is_user) for session in self.haystack.sessions]
        return Documents(said, self.embedder)

    @cached_property
    def _cut(self) -> list[tuple[int, str]]:
        return [
            (place, self._text(turn, turn.content[span.start : span.end]))
            for place, (_, turn) in enumerate(self.turns)
            for span in split_passages(turn.content)
        ]

    def _text(self, turn: Turn, said: str) -> str:
        return f"{turn.speaker}: {said}" if self.options.speaker and turn.speaker else said

    def turn_scores(self, passage_scores: Scores) -> Scores:
        """Give each turn the score of its best passage; one without passages ranks last."""
        scores = np.full(len(self.turns), -np.inf)
        np.maximum.at(scores, self.turn_of_passage, passage_scores)
        return scores

    def session_scores(self, turn_scores: Scores) -> Scores:
        """Give each session the score of its best turn."""
        scores = np.full(len(self.haystack.sessions), -np.inf)
        places = {session.id: place for place, session in enumerate(self.haystack.sessions)}
        np.maximum.at(scores, [places[session] for session, _ in self.turns], turn_scores)
        return scores


def rank(kind: str, corpus: Corpus, question: Question) -> Ranking:
    """Rank every session of a haystack, and its 200 best turns; ties stay in the haystack's order.

    Raises:
        BadRequest: there is no baseline of that kind.
    """
    if kind not in KINDS:
        raise BadRequest(f"there is no ranking {kind!r}: one of product, {', '.join(KINDS)}")
    sessions, turns = KINDS[kind](corpus, question)
    ranked = _ordered([turn.id for _, turn in corpus.turns], turns)[:TURNS_KEPT]
    return Ranking(
        sessions=_ordered([session.id for session in corpus.haystack.sessions], sessions),
        turns=ranked,
        delivered=[turn for turn, _ in ranked[:DELIVERED]],
    )


def _random(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    chance = random.Random(question.id)
    sessions = np.array([chance.random() for _ in corpus.haystack.sessions])
    return sessions, np.array([chance.random() for _ in corpus.turns])


def _recency(corpus: Corpus, _question: Question) -> tuple[Scores, Scores]:
    order = sorted(range(len(corpus.haystack.sessions)), key=lambda place: _date(corpus, place))
    sessions = np.empty(len(order))
    sessions[order] = np.arange(len(order))
    age = {session.id: float(sessions[place]) for place, session in enumerate(corpus.haystack.sessions)}
    # Within a session what was said last is newest.
    return sessions, np.array([age[session] + place / 1e6 for place, (session, _) in enumerate(corpus.turns)])


def _date(corpus: Corpus, place: int) -> datetime:
    return corpus.haystack.sessions[place].date or _NEVER


def _bm25(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    turns = corpus.turn_scores(corpus.passages.bm25(question.text, corpus.options))
    return corpus.session_scores(turns), turns


def _vector(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    turns = corpus.turn_scores(corpus.passages.similarities(question.text))
    return corpus.session_scores(turns), turns


def _half_and_half(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    """Add both, each stretched to [0, 1] over all of the haystack: sessions among sessions, turns among turns."""
    pairs = zip(_vector(corpus, question), _bm25(corpus, question), strict=True)
    share = corpus.options.weight
    sessions, turns = (share * _stretched(near) + (1 - share) * _stretched(worded) for near, worded in pairs)
    return sessions, turns


def _whole_session(corpus: Corpus, question: Question) -> tuple[Scores, Scores]:
    """Rank sessions as documents; a turn has its session's score, so turns stand in the order they were said."""
    sessions = corpus.whole_sessions.similarities(question.text)
    scores = {session.id: sessions[place] for place, session in enumerate(corpus.haystack.sessions)}
    return sessions, np.array([scores[session] for session, _ in corpus.turns])


KINDS: Mapping[str, Callable[[Corpus, Question], tuple[Scores, Scores]]] = {
    "random": _random,
    "recency": _recency,
    "bm25": _bm25,
    "vector": _vector,
    "whole-session": _whole_session,
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
