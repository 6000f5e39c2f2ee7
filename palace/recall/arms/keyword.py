"""The arms of words: ``keyword`` proposes passages with the query's words, ``named`` searches in places named so.

The query's words are weighed, and probable typing errors corrected, before the arms are queried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress, islice

from palace.db.candidates.keyword import LongWord, are_unsaid, keyword_candidates, words_like, words_written
from palace.db.candidates.named import NamedPlace, named_drawers, named_places
from palace.db.candidates.words import QueryWords, Word, weigh_words
from palace.db.database import UserSession
from palace.errors import OutOfTime
from palace.models import Correction, NamedLimits, Scope
from palace.nlp.further import words_asked
from palace.nlp.spelling import LONGER, MOST, doubtful_words, likely_meant, one_edit_from, pieces_of, put_right
from palace.nlp.words import STOP_WORDS
from palace.recall.arms.protocol import ArmRequest, Proposal


@dataclass(frozen=True, slots=True)
class KeywordArm:
    """The arm that proposes passages by words."""

    name: str = "keyword"
    needs_vector: bool = False

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose passages and rooms by the query's rarer words; only a warning if that takes too long."""
        words = words_in(session, request)
        try:
            found = keyword_candidates(session, words, scope=request.within, limits=request.strategy.keyword)
        except OutOfTime:
            return Proposal(warnings=("the keywords took too long and propose nothing",))
        return Proposal(found.passages, found.rooms)


@dataclass(frozen=True, slots=True)
class NamedArm:
    """The arm that proposes drawers by the names of conversations, closets and wings."""

    name: str = "named"
    needs_vector: bool = True

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        """Propose the nearest drawers in the places whose names contain most of the query."""
        words = words_in(session, request)
        limits = request.strategy.named
        places = named_places(session, words, most=limits.names)
        chosen = _telling(places, words, limits)
        if request.near is None or not chosen:
            return Proposal(places=tuple(places))
        found = named_drawers(session, chosen, request.near, limits=limits, scope=request.scope)
        return Proposal(tuple(found), places=tuple(places))


def _telling(places: list[NamedPlace], words: QueryWords, limits: NamedLimits) -> list[NamedPlace]:
    """Return the places whose names contain enough of the query, the best first."""

    def held(place: NamedPlace) -> float:
        return sum(words.words[number].idf for number in place.words) / (words.weight or 1.0)

    return sorted((place for place in places if held(place) >= limits.share), key=lambda p: -held(p))[: limits.places]


_ALL = Scope()


@dataclass(frozen=True, slots=True)
class Understood:
    """A query with corrected and weighted words."""

    query: str
    """With probable typing errors corrected."""
    words: QueryWords
    corrections: tuple[Correction, ...] = ()


def words_of(session: UserSession, query: str) -> QueryWords:
    """Weigh the words of a query, including the parts of names and codes and the n-grams of scripts without spaces."""
    asked = words_asked(query)
    return weigh_words(session, asked.text, parts=asked.parts, grams=asked.grams)


def words_in(session: UserSession, request: ArmRequest) -> QueryWords:
    """Return the words of a request, weighing them first if an arm is called on its own."""
    return words_of(session, request.query) if request.words is None else request.words


def understand(session: UserSession, query: str, *, share: float, scope: Scope = _ALL) -> Understood:
    """Weigh the words of a query; replace an unknown word by the user's word that was probably meant.

    A corrected word counts ``share`` of its weight. A query of known words costs nothing extra. Only words in ``scope``
    are considered.
    """
    words = words_of(session, query)
    if all(word.df for word in words.words):
        return Understood(query, words)
    doubtful = doubtful_words(query)
    unsaid = compress(doubtful, are_unsaid(session, doubtful)) if doubtful else ()
    meant = {typed: word for typed in islice(unsaid, MOST) if (word := _meant_by(session, typed, scope)) is not None}
    if not meant:
        return Understood(query, words)
    right = put_right(query, meant)
    typed_right = {word.query for word in (*words.words, *words.pairs)}
    corrected = words_of(session, right)
    return Understood(
        right,
        QueryWords(
            tuple(_weighed(word, typed_right, share) for word in corrected.words),
            tuple(_weighed(pair, typed_right, share) for pair in corrected.pairs),
            grams=corrected.grams,
        ),
        tuple(Correction(typed, word) for typed, word in meant.items()),
    )


def _meant_by(session: UserSession, typed: str, scope: Scope) -> str | None:
    """Return the user's own word that was probably meant, or None if none is similar enough.

    Words at two edits are searched only without a closer one, because that takes longest.
    """
    meant = _likely(session, typed, words_like(session, one_edit_from(typed)), scope)
    if meant is not None or len(typed) < LONGER:
        return meant
    return _likely(session, typed, words_like(session, (), LongWord(pieces_of(typed))), scope)


def _likely(session: UserSession, typed: str, known: Mapping[str, int], scope: Scope) -> str | None:
    likely = likely_meant(typed, known)
    written = set(words_written(session, likely, scope)) if likely else set()
    return next((word for word in likely if word in written or word in STOP_WORDS), None)


def _weighed(word: Word, typed_right: set[str], share: float) -> Word:
    return word if word.query in typed_right else word._replace(idf=word.idf * share)
