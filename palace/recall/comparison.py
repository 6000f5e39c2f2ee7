"""Compares every drawer that an arm proposes with the query in every way."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from palace.db.candidates.compare import Sought, compare_drawers
from palace.db.candidates.words import QueryWords
from palace.db.database import UserSession
from palace.db.graph.tags import list_about
from palace.models import Calibration, Compared, Floor
from palace.models.place import LONGEST_NAME
from palace.nlp.names.lexicon import is_surely_given
from palace.nlp.questions.questions import answers_nothing, asks_again
from palace.nlp.questions.states import names
from palace.nlp.rules import late
from palace.nlp.words import content_words
from palace.recall.arms.protocol import Near
from palace.recall.changes import Changed, asks_for_state, find_changed
from palace.recall.floor import MANY, UNKNOWN, Features, calibration_of, similarity_or_words
from palace.recall.intent import asks_for_words_said
from palace.recall.propose import Asked, Proposals, propose
from palace.recall.request import RecallRequest
from palace.recall.signals import Background, says_nothing
from palace.recall.standing import Held, find_held
from palace.recall.strategy import USUAL, Strategy
from palace.recall.temporal import timed


@dataclass(frozen=True, slots=True)
class Comparison:
    """The compared drawers and everything that ranking uses."""

    drawers: list[Compared]
    background: Background
    calibration: Calibration
    """Calibration of the query's embedding model."""
    words: QueryWords
    """The weighted words of the query."""
    held: Sequence[Held] = ()
    """Standing instructions that apply to the query, best first."""
    changed: Changed = field(default_factory=Changed)
    """Statements among them that ceased to hold."""
    near: Near | None = None
    """The query's embedding; None without one."""
    floor: Floor = UNKNOWN.floor
    """The relevance filter."""
    palace_drawers: int = 0
    """Number of drawers in the palace."""
    is_unknown: bool = False
    """Whether the query has a given name that no drawer contains."""

    def features(self, first: str, *, is_answer: bool) -> Features:
        """Return the features for ``Chance``, in its order; ``first`` is the text of the first hit."""
        intent, telling = self.background.intent, [each for each in self.drawers if not says_nothing(each)]
        second, best = sorted([0.0, 0.0, *map(similarity_or_words, telling)])[-2:]
        coverage = max((min(1.0, each.coverage + each.named) - MANY for each in telling), default=0.0)
        is_one = intent.answers_name is not None and not (intent.asks_several or intent.breadth.is_broad)
        lacks = is_one and not names(intent.answers_name or "", first)
        tens = math.log10(max(self.palace_drawers, 1))
        of_hit = (float(lacks), float(is_answer), float(self.is_unknown))
        return (best, max(coverage, 0.0), best - second, tens, *of_hit)


def compare(asked: Asked, request: RecallRequest, strategy: Strategy = USUAL) -> Comparison:
    """Return the comparison without ranking, for measurements of ranking.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    return propose(asked, request, strategy, lambda session, found: compare_proposed(session, found, request, strategy))


def compare_proposed(
    session: UserSession, proposals: Proposals, request: RecallRequest, strategy: Strategy
) -> Comparison:
    """Compare every proposed drawer in every way, so that none suffers for an arm that did not propose it.

    Replacements of drawers within the scope are compared as well.
    """
    intent, near, scope = request.intent, proposals.near, request.scope
    words = timed(session, proposals.words, request, share=strategy.times.elsewhere)
    windows = [(window.start, window.end) for window in intent.windows]
    calibration = calibration_of(near[0].model if near else None)
    floor = strategy.floor or calibration.floor
    held = find_held(session, request, near, floor, strategy.standing)
    wants_state = asks_for_state(intent, strategy.changes)
    found: dict[int, Compared] = {}
    wanted = proposals.drawer_ids | {each.drawer_id for each in held}

    sought = Sought(words, near, windows, proposals.nouns, proposals.places)

    def compare(drawer_ids: Collection[int]) -> list[Compared]:
        return compare_drawers(session, sorted(drawer_ids), sought, scope)

    while wanted:
        more = compare(wanted)
        found |= {drawer.id: drawer for drawer in more}
        wanted = {drawer.replaced_by for drawer in more if drawer.replaced_by is not None} - found.keys() - wanted
    changed = find_changed(session, found, request, strategy.changes, compare) if wants_state else Changed()
    # The server returns no order, and two wordings of one message share their turn.
    drawers = sorted(found.values(), key=lambda drawer: drawer.passage)
    if proposals.tells or proposals.holding:
        intent = replace(intent, names_known=True)
        _mark_entities(session, drawers, proposals, strategy.graph.tag)
    if proposals.nouns or proposals.of_kind:
        intent = replace(intent, names_kind=True)
        for each in drawers:
            each.names_kind = each.id in proposals.of_kind
            each.is_of_kind |= each.names_kind
    _mark_empty_answers(drawers, request.query)
    _discount_speakers(drawers, request.query, words)
    known = [each.similarity for each in drawers if each.similarity is not None]
    usual = math.fsum(known) / len(known) if known else 0.0
    background = Background(intent, proposals.rooms, proposals.scores, strategy.times, usual)
    is_unknown = not proposals.tells and names_unknown(request.read.sought, words)
    size = proposals.drawers
    return Comparison(drawers, background, calibration, words, held, changed, near, floor, size, is_unknown)


_CAPITALISED = late(r"\b[^\W\d_a-z]\w+")


def names_unknown(query: str, words: QueryWords) -> bool:
    """Check whether a query has a given name that no drawer contains; names of months and days do not count."""
    unsaid = {lexeme for word in words.words if not word.df for lexeme in word.lexemes} - words.time.lexemes
    names = (found for found in _CAPITALISED.findall(query) if found.lower().startswith(tuple(unsaid)))
    return bool(unsaid) and any(map(is_surely_given, names))


def _mark_empty_answers(drawers: Sequence[Compared], query: str) -> None:
    """Mark drawers that answer nothing: empty replies to the query or the turn before, and repeated queries."""
    asked = {each.turn: each.asked for each in drawers if each.asked}
    for each in drawers:
        if each.text is not None and each.is_person:
            each.is_empty = asks_again(each.text, query)
        elif each.text is not None:
            conversation, position = each.turn
            each.is_empty = answers_nothing(each.text, query, asked.get((conversation, position - 1)) or "")


_EXPONENT = 2
"""Exponent of the share of a text that is not the name: if the name is half of it, a quarter of its value is left."""


def _discount_speakers(drawers: Sequence[Compared], query: str, words: QueryWords) -> None:
    """Reduce the scores of drawers whose speaker the query names, by the share of the indexed text that is the name.

    Drawers with another word of the query stay, and all do if the query asks for what somebody said.
    """
    asked = frozenset(content_words(query))
    if asks_for_words_said(query):
        return
    for each in drawers:
        speaker = (each.speaker or "")[:LONGEST_NAME]
        names = asked.intersection(content_words(speaker)) if speaker else ()
        if not names:
            continue
        of_name = sum(idf for stem, idf in words.lexemes.items() if any(name.startswith(stem) for name in names))
        if each.coverage * words.weight > of_name * 1.001:
            continue
        share = (each.size / (each.size + len(speaker.encode()))) ** _EXPONENT
        each.similarity = each.similarity and min(each.similarity, each.similarity * share)
        each.keyword *= share
        each.phrase *= share
        each.coverage *= share


def _mark_entities(session: UserSession, drawers: Sequence[Compared], proposals: Proposals, tag: float) -> None:
    """Add to drawers how far they name the query's entities, and how far they tell what it asks about them.

    Being about an entity without naming it counts for ``tag`` of that.
    """
    tells = proposals.tells
    entities = list_about(session, [each.id for each in drawers], tells)
    for each in drawers:
        each.holds = proposals.holding.get(each.id, 0.0)
        if each.id in entities:
            known_here = sorted(entities[each.id].items())
            each.about = sum(tells[entity_id] for entity_id, is_named in known_here if is_named)
            each.about += tag * sum(tells[entity_id] for entity_id, is_named in known_here if not is_named)
