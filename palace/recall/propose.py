"""Asking the arms side by side, each on a connection of its own; what they propose comes back as values."""

from __future__ import annotations

import time
from collections.abc import Callable
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
from palace.models import CallSubject, Correction, DailyBudget, Generation, doubts
from palace.recall.arms.keyword import understand
from palace.recall.arms.protocol import Arm, ArmRequest, ChoosyArm, Near, Proposal
from palace.recall.request import RecallRequest
from palace.recall.strategy import Strategy

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


@dataclass(slots=True)
class Proposals:
    """What the query says, its vector, and what all arms came to."""

    words: QueryWords = NO_WORDS
    corrections: tuple[Correction, ...] = ()
    near: Near | None = None
    """The query's own vector; None where it has none."""
    scores: dict[str, dict[int, float]] = field(default_factory=dict)
    """Each arm's own score of each drawer that it proposes: that of its best passage."""
    rooms: dict[int, float] = field(default_factory=dict)
    """What arms think of rooms, by id; of several arms the highest."""
    places: list[NamedPlace] = field(default_factory=list)
    """Places whose names say what the query says."""
    tells: dict[int, float] = field(default_factory=dict)
    """How much it tells that a drawer names an entity of the query's, by its id."""
    holding: dict[int, float] = field(default_factory=dict)
    """How far drawers tell what the query asks about its entities, by drawer id."""
    nouns: list[Word] = field(default_factory=list)
    """Nouns of a kind that the query asks for."""
    of_kind: set[int] = field(default_factory=set)
    """Drawers that name what is of a kind that the query asks for."""
    warnings: list[str] = field(default_factory=list)
    """What went wrong on the way."""
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def drawer_ids(self) -> set[int]:
        """Every drawer proposed."""
        return {drawer_id for scores in self.scores.values() for drawer_id in scores}

    def add(self, arm: str, proposal: Proposal) -> None:
        """Add what an arm came to."""
        best = self.scores.setdefault(arm, {})
        for key, score in proposal.candidates:
            best[key.drawer_id] = max(score, best.get(key.drawer_id, score))
        for room, score in proposal.rooms.items():
            self.rooms[room] = max(score, self.rooms.get(room, score))
        self.places += proposal.places
        self.tells |= proposal.tells
        self.holding |= proposal.holding
        self.nouns += proposal.nouns
        self.of_kind |= proposal.of_kind
        self.warnings += proposal.warnings


class _Read(NamedTuple):
    """What all arms are asked, and what it took to find that out."""

    request: ArmRequest
    corrections: tuple[Correction, ...]
    spent_ms: float


class _Embedded(NamedTuple):
    """The query's vector, where it has one."""

    near: Near | None = None
    warnings: tuple[str, ...] = ()
    spent_ms: float | None = None


def propose(asked: Asked, what: RecallRequest, strategy: Strategy) -> Proposals:
    """Ask every arm of the strategy. Without the model those that need no vector answer alone, with a warning.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    request = ArmRequest(what.read.sought, what.intent, what.scope, strategy, wishes=what.read.wishes)
    arms = strategy.arms
    with ThreadPoolExecutor(max_workers=ABREAST) as pool:

        def submit(work: Callable[[], Result]) -> Future[Result]:
            return pool.submit(copy_context().run, work)

        # In front of the arms, which wait for them.
        reading = submit(lambda: _read(asked, request))
        finding = submit(asked.find_model)

        def ask(arm: Arm, near: Near | None = None) -> Future[tuple[Proposal, float]]:
            return submit(lambda: _ask(asked, arm, replace(reading.result().request, near=near)))

        running = {arm.name: ask(arm) for arm in arms if not arm.needs_vector}
        embedded = _embed(asked, request.query, finding)
        read = reading.result()
        if read.corrections and embedded.near is not None:
            # What was typed says less to a model than what was meant.
            embedded = _embed(asked, read.request.query, finding)
        if embedded.near is not None:
            running |= {arm.name: ask(arm, embedded.near) for arm in arms if arm.needs_vector}
        found = Proposals(read.request.words or NO_WORDS, read.corrections, embedded.near)
        found.warnings += embedded.warnings
        found.timings_ms["words"] = read.spent_ms
        if embedded.spent_ms is not None:
            found.timings_ms["embed"] = embedded.spent_ms
        for name in (arm.name for arm in arms if arm.name in running):
            proposal, found.timings_ms[name] = running[name].result()
            found.add(name, proposal)
        return found


def _read(asked: Asked, request: ArmRequest) -> _Read:
    """Find out what the query says, and what of the scope keeps anything out."""
    started = time.perf_counter()

    def read(session: UserSession) -> _Read:
        bounds = bounds_of(session, request.scope)
        found = understand(session, request.query, share=request.strategy.keyword.corrected, scope=bounds)
        understood = replace(request, query=found.query, words=found.words, bounds=bounds)
        return _Read(understood, found.corrections, _since(started))

    return asked.database.run(read)


def _ask(asked: Asked, arm: Arm, request: ArmRequest) -> tuple[Proposal, float]:
    """Ask one arm; the milliseconds it took come with what it proposes."""
    started = time.perf_counter()
    if isinstance(arm, ChoosyArm) and not arm.is_asked(request):
        return Proposal(), _since(started)
    try:
        proposal = asked.database.run(lambda session: arm.propose(session, request))
    except OutOfTime:
        proposal = Proposal(warnings=(f"the {arm.name} arm took too long and proposes nothing",))
    return proposal, _since(started)


def _embed(asked: Asked, query: str, finding: Future[Model | None]) -> _Embedded:
    """Embed the query while the palace's model is being found: it is most likely the one of the palaces before."""
    embedder = asked.likely_embedder()
    started = time.perf_counter()
    outcome = _embed_with(asked, embedder, query) if embedder else None
    model = finding.result()
    if model is None:
        return _Embedded()
    generation, its_own = model
    if outcome is None or embedder is not its_own:
        outcome = _embed_with(asked, its_own, query)
    spent = _since(started)
    if isinstance(outcome, EmbeddingError):
        warnings = (f"keywords only, the query could not be embedded: {outcome}", *doubts(outcome.calls))
        return _Embedded(None, warnings, spent)
    warnings = tuple(doubts(outcome.calls)) if outcome.calls else ()
    return _Embedded((generation, outcome.vectors[0].tolist()), warnings, spent)


def _embed_with(asked: Asked, embedder: Embedder, query: str) -> EmbeddedTexts | EmbeddingError:
    try:
        return asked.purse.embed(embedder, [query], are_queries=True)
    except EmbeddingError as problem:
        return problem


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
