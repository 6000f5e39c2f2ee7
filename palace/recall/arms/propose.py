"""Asking the arms side by side, each on a connection of its own; what they propose comes back as values."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from palace.ai.embedders.protocol import EmbeddedTexts, Embedder
from palace.budget import Purse
from palace.db.candidates.named import NamedPlace
from palace.db.candidates.words import QueryWords, Word
from palace.db.database import UserDatabase, UserSession
from palace.db.ledger import NOTHING
from palace.db.standing import bounds_of
from palace.errors import EmbeddingError, OutOfTime
from palace.models import CallSubject, Correction, DailyBudget, Generation, Scope, doubts
from palace.recall.arms.protocol import Arm, ArmRequest, ChoosyArm, Near, Proposal
from palace.recall.arms.understand import Understood, understand

ABREAST = 3
"""Arms that are asked at once, each on a connection: a server has a hundred for all who use it."""

NO_WORDS = QueryWords((), ())
Model = tuple[Generation, Embedder]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose palace is asked."""

    database: UserDatabase
    find_model: Callable[[], Model | None]
    """Gives the active generation and its embedder; None before anything was mined."""
    likely_embedder: Callable[[], Embedder | None] = lambda: None
    """Gives the embedder that will most likely turn out to be the generation's; None where nobody can tell."""

    budget: Callable[[], DailyBudget] | None = None
    """What calls of models may take today; without one, nothing is held back."""
    subject: CallSubject = NOTHING
    """What the calls are about, for the ledger."""

    @property
    def purse(self) -> Purse:
        """What pays for calls of models."""
        return Purse(self.database, self.budget, self.subject)


@dataclass(frozen=True, slots=True)
class Proposals:
    """What the query says, its vector, and what all arms came to."""

    words: QueryWords = NO_WORDS
    corrections: tuple[Correction, ...] = ()
    near: Near | None = None
    """The query's own vector; None where it has none."""
    scores: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """Each arm's own score of each drawer that it proposes: that of its best passage."""
    rooms: Mapping[int, float] = field(default_factory=dict)
    """What arms think of rooms, by id; of several arms the highest."""
    places: tuple[NamedPlace, ...] = ()
    """Places whose names say what the query says."""
    tells: Mapping[int, float] = field(default_factory=dict)
    """How much it tells that a drawer names an entity of the query's, by its id."""
    holding: Mapping[int, float] = field(default_factory=dict)
    """How far drawers tell what the query asks about its entities, by drawer id."""
    nouns: tuple[Word, ...] = ()
    """Nouns of a kind that the query asks for."""
    of_kind: frozenset[int] = frozenset()
    """Drawers that name what is of a kind that the query asks for."""
    warnings: tuple[str, ...] = ()
    """What went wrong on the way."""
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    @property
    def drawer_ids(self) -> set[int]:
        """Every drawer proposed."""
        return {drawer_id for scores in self.scores.values() for drawer_id in scores}


def _together(read: _Read, embedded: Proposal, by_arm: Mapping[str, Proposal]) -> Proposals:
    scores: dict[str, dict[int, float]] = {}
    rooms: dict[int, float] = {}
    tells: dict[int, float] = {}
    holding: dict[int, float] = {}
    for name, proposal in by_arm.items():
        best = scores.setdefault(name, {})
        for key, score in proposal.candidates:
            best[key.drawer_id] = max(score, best.get(key.drawer_id, score))
        for room, score in proposal.rooms.items():
            rooms[room] = max(score, rooms.get(room, score))
        tells |= proposal.tells
        holding |= proposal.holding
    every = by_arm.values()
    timings = {"words": read.spent_ms}
    for each in (embedded, *every):
        timings |= each.timings_ms
    return Proposals(
        read.understood.words,
        read.understood.corrections,
        embedded.near,
        scores,
        rooms,
        tuple(place for each in every for place in each.places),
        tells,
        holding,
        tuple(noun for each in every for noun in each.nouns),
        frozenset().union(*(each.of_kind for each in every)),
        tuple(warning for each in (embedded, *every) for warning in each.warnings),
        timings,
    )


def propose(asked: Asked, request: ArmRequest) -> Proposals:
    """Ask every arm of the strategy. Without the model those that need no vector answer alone, with a warning.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    arms = request.strategy.arms
    with ThreadPoolExecutor(max_workers=ABREAST) as pool:

        def submit(work: Callable[[], Result]) -> Future[Result]:
            return pool.submit(copy_context().run, work)

        # In front of the arms, which wait for them.
        reading = submit(lambda: _understand(asked, request))
        finding = submit(asked.find_model)

        def ask(arm: Arm, near: Near | None = None) -> Future[Proposal]:
            return submit(lambda: _ask(asked, arm, _understood(request, reading.result(), near)))

        running = {arm.name: ask(arm) for arm in arms if not arm.needs_vector}
        embedded = _embed(asked, request.query, finding)
        read = reading.result()
        understood = read.understood
        if understood.corrections and embedded.near is not None:
            # What was typed says less to a model than what was meant.
            embedded = _embed(asked, understood.query, finding)
        if embedded.near is not None:
            running |= {arm.name: ask(arm, embedded.near) for arm in arms if arm.needs_vector}
        by_arm = {arm.name: running[arm.name].result() for arm in arms if arm.name in running}
        return _together(read, embedded, by_arm)


class _Read(NamedTuple):
    """What all arms are told."""

    understood: Understood
    bounds: Scope
    spent_ms: float


def _understand(asked: Asked, request: ArmRequest) -> _Read:
    """Find out what the query says, and what of the scope keeps anything out."""
    started = time.perf_counter()
    share = request.strategy.keyword.corrected

    def read(session: UserSession) -> tuple[Understood, Scope]:
        bounds = bounds_of(session, request.scope)
        return understand(session, request.query, share=share, scope=bounds), bounds

    return _Read(*asked.database.run(read), _since(started))


def _understood(request: ArmRequest, read: _Read, near: Near | None) -> ArmRequest:
    said = read.understood
    return replace(request, query=said.query, words=said.words, near=near, bounds=read.bounds)


def _ask(asked: Asked, arm: Arm, request: ArmRequest) -> Proposal:
    started = time.perf_counter()
    if isinstance(arm, ChoosyArm) and not arm.is_asked(request):
        return Proposal(timings_ms={arm.name: _since(started)})
    try:
        proposal = asked.database.run(lambda session: arm.propose(session, request))
    except OutOfTime:
        proposal = Proposal(warnings=(f"the {arm.name} arm took too long and proposes nothing",))
    return replace(proposal, timings_ms={**proposal.timings_ms, arm.name: _since(started)})


def _embed(asked: Asked, query: str, finding: Future[Model | None]) -> Proposal:
    """Embed the query while the palace's model is being found: it is most likely the one of the palaces before."""
    embedder = asked.likely_embedder()
    started = time.perf_counter()
    outcome = _embed_with(asked, embedder, query) if embedder else None
    model = finding.result()
    if outcome and (model is None or embedder is not model[1]):
        outcome = None
    if model is None:
        return Proposal()
    generation, its_own = model
    outcome = outcome or _embed_with(asked, its_own, query)
    spent = _since(started)
    near: Near | None = None
    warnings: tuple[str, ...] = ()
    if isinstance(outcome, EmbeddingError):
        warnings = (f"keywords only, the query could not be embedded: {outcome}",)
    else:
        near = (generation, outcome.vectors[0].tolist())
    return Proposal(
        near=near, warnings=(*warnings, *doubts(outcome.calls)), calls=outcome.calls, timings_ms={"embed": spent}
    )


def _embed_with(asked: Asked, embedder: Embedder, query: str) -> EmbeddedTexts | EmbeddingError:
    try:
        return asked.purse.embed(embedder, [query], are_queries=True)
    except EmbeddingError as problem:
        return problem


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
