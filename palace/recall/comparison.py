"""Every drawer that an arm proposes, compared with the query in every way."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from palace.recall.arms.propose import Asked, Proposals, propose
from palace.recall.arms.protocol import ArmRequest
from palace.recall.by_time.words import timed
from palace.recall.facts.changes import Changed, find_changed
from palace.recall.facts.naming import of_entities, of_kinds
from palace.recall.intent import Intent, read_intent
from palace.recall.ranking.calibration import calibration_of
from palace.recall.ranking.signals import Background
from palace.recall.ranking.speakers import discount_speakers
from palace.recall.request import RecallRequest
from palace.recall.strategy import Strategy
from palace.recall.wanted.standing import Held, find_held
from palace.records import Calibration, Compared
from palace.store.candidates.compare import compare_drawers
from palace.store.candidates.named import Around, named_around
from palace.store.candidates.words import QueryWords
from palace.store.database import UserSession
from palace.text.asked.questions import answers_nothing, asks_again

_USUAL = Strategy()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every drawer that an arm proposes, compared with the query in every way; what all of ranking is made from."""

    drawers: list[Compared]
    background: Background
    calibration: Calibration
    """Of the model that the query was embedded with."""
    words: QueryWords
    """What the query says."""
    held: Sequence[Held] = ()
    """What the person asked for once and for all that holds for such a query, best first."""
    around: Mapping[int, Around] = field(default_factory=dict)
    """What the names around drawers say beside them, by id."""
    changed: Changed = field(default_factory=Changed)
    """What of them stopped being so."""


def compare(asked: Asked, request: RecallRequest, strategy: Strategy = _USUAL) -> Comparison:
    """Propose and compare, and go no further: for who measures how ranking should be.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    intent = read_intent(request.query, request.now)
    proposals = propose(asked, ArmRequest(request.sought, intent, request.scope, strategy, wishes=request.wishes))
    return asked.database.run(lambda session: compare_proposed(session, proposals, request, intent, strategy))


def compare_proposed(
    session: UserSession, proposals: Proposals, request: RecallRequest, intent: Intent, strategy: Strategy
) -> Comparison:
    """Compare every drawer that an arm proposes in every way, so that no arm's silence counts against it.

    What took the place of one is compared as well, unless the caller said where to look.
    """
    words = timed(session, proposals.understood.words, request, intent, share=strategy.times.elsewhere)
    windows = [(window.start, window.end) for window in intent.windows]
    calibration = calibration_of(proposals.near[0].model if proposals.near else None)
    held = find_held(session, request, intent, proposals.near, strategy.floor or calibration.floor, strategy.standing)
    found: dict[int, Compared] = {}
    wanted = proposals.drawer_ids | {each.drawer_id for each in held}

    def compare(drawer_ids: Collection[int]) -> list[Compared]:
        return compare_drawers(session, sorted(drawer_ids), words, proposals.near, windows=windows, scope=request.scope)

    while wanted:
        more = compare(wanted)
        found |= {drawer.passage.drawer_id: drawer for drawer in more}
        if not request.scope.is_open:
            break
        wanted = {drawer.replaced_by for drawer in more if drawer.replaced_by is not None} - found.keys() - wanted
    changed = find_changed(session, found, request, intent, strategy.changes, compare)
    # The server gives them in no order, and two wordings of one message share their turn.
    drawers = sorted(found.values(), key=lambda drawer: drawer.passage)
    drawers = discount_speakers(_mark_empty_answers(drawers, request.query), request.query, words)
    around = named_around(session, [drawer.passage for drawer in drawers], words, proposals.places)
    drawers = [
        replace(each, named=by.share) if (by := around.get(each.passage.drawer_id)) else each for each in drawers
    ]
    if proposals.tells or proposals.holding:
        intent = replace(intent, names_known=True)
        drawers = of_entities(session, drawers, proposals.tells, proposals.holding, strategy.graph.tag)
    if proposals.nouns or proposals.of_kind:
        intent = replace(intent, names_kind=True)
        drawers = of_kinds(session, drawers, proposals.nouns, proposals.of_kind)
    known = [each.similarity for each in drawers if each.similarity is not None]
    usual = math.fsum(known) / len(known) if known else 0.0
    background = Background(intent, proposals.rooms, proposals.scores, strategy.times, usual)
    return Comparison(drawers, background, calibration, words, held, around, changed)


def _mark_empty_answers(drawers: Sequence[Compared], query: str) -> list[Compared]:
    """Mark what answers nothing: replies to the query or to what was asked before them, and the query asked before."""
    asked = {each.turn: each.asked for each in drawers if each.asked}

    def is_empty(drawer: Compared) -> bool:
        conversation, position = drawer.turn
        before = asked.get((conversation, position - 1)) or ""
        if drawer.text is None:
            return False
        return asks_again(drawer.text, query) if drawer.is_person else answers_nothing(drawer.text, query, before)

    return [replace(each, is_empty=True) if is_empty(each) else each for each in drawers]
