"""Queries the arms that need the query's vector beside those that do not, and passes on their proposals."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from palace.ai.embedders.protocol import Embedder
from palace.budget import Purse
from palace.db.candidates.named import NamedPlace
from palace.db.candidates.words import QueryWords, Word
from palace.db.database import UserDatabase, UserSession
from palace.db.generations import Basis, Sizes, get_basis
from palace.db.ledger import NOTHING
from palace.db.standing import bounds_of
from palace.errors import EmbeddingError, OutOfTime
from palace.models import CallSubject, Correction, DailyBudget, Generation, doubts
from palace.recall.arms.keyword import understand
from palace.recall.arms.protocol import Arm, ArmRequest, Near, Proposal
from palace.recall.request import RecallRequest
from palace.recall.strategy import Strategy

Result = TypeVar("Result")
NO_WORDS = QueryWords((), ())
Model = tuple[Generation, Embedder]


@dataclass(frozen=True, slots=True)
class Asked:
    """The palace that a query is addressed to, and how its models are found and paid."""

    database: UserDatabase
    model_of: Callable[[Basis], Model | None]
    """Returns the active generation and its embedder; None before anything was mined."""
    budget: Callable[[], DailyBudget] | None = None
    """Returns the daily limits of model calls; None for no limits."""
    subject: CallSubject = NOTHING
    """What the calls are recorded under in the ledger."""
    basis: Basis | None = None  # None to have it looked up

    @property
    def purse(self) -> Purse:
        """The ledger access that pays for model calls."""
        return Purse(self.database, self.budget, self.subject)


@dataclass(slots=True)
class Proposals:
    """The query's words and vector, and the merged proposals of all arms."""

    words: QueryWords = NO_WORDS
    corrections: tuple[Correction, ...] = ()
    near: Near | None = None
    """The query's embedding; None without one."""
    drawers: int = 0
    """Number of drawers in the palace."""
    scores: dict[str, dict[int, float]] = field(default_factory=dict)
    """By arm, the score of each proposed drawer: that of its best passage."""
    rooms: dict[int, float] = field(default_factory=dict)
    """Scores of rooms by id; the highest of several arms."""
    places: list[NamedPlace] = field(default_factory=list)
    """Conversations, closets and wings whose names contain words of the query."""
    tells: dict[int, float] = field(default_factory=dict)
    """Weight of naming each entity of the query, by entity id."""
    holding: dict[int, float] = field(default_factory=dict)
    """How far drawers state what the query asks about its entities, by drawer id."""
    nouns: list[Word] = field(default_factory=list)
    """Nouns of a kind that the query asks for."""
    of_kind: set[int] = field(default_factory=set)
    """Drawers that name an entity of a requested kind."""
    warnings: list[str] = field(default_factory=list)
    """Problems on the way, for the caller."""
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def drawer_ids(self) -> set[int]:
        """Ids of all proposed drawers."""
        return {drawer_id for scores in self.scores.values() for drawer_id in scores}

    def add(self, arm: str, proposal: Proposal) -> None:
        """Merge the proposal of an arm."""
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
    """The request to the arms, and the time it took to prepare."""

    request: ArmRequest
    corrections: tuple[Correction, ...]
    spent_ms: float


class _Embedded(NamedTuple):
    """The query's vector, if it could be computed."""

    near: Near | None = None
    warnings: tuple[str, ...] = ()
    spent_ms: float | None = None


def propose(
    asked: Asked, what: RecallRequest, strategy: Strategy, use: Callable[[UserSession, Proposals], Result]
) -> Result:
    """Query every arm of the strategy, and return what ``use`` makes of the proposals in the last transaction.

    Without an embedding, arms that need a vector are left out, with a warning.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    request = ArmRequest(what.read.sought, what.intent, what.scope, strategy, wishes=what.read.wishes)
    basis = asked.basis
    if basis is None or basis.generation is None:  # something may have been mined since
        basis = asked.database.run(get_basis)
    arms, run = strategy.arms, _ArmRun(asked, basis.sizes)
    with ThreadPoolExecutor(max_workers=1) as pool:
        by_words = [arm for arm in arms if not arm.needs_vector]
        words_run = pool.submit(copy_context().run, run.run_by_words, request, by_words)
        embedded = _embed(asked, request.query, basis)
        read = run.read.result()
        if read.corrections and embedded.near is not None:
            # The corrected query gives a better vector than the mistyped one.
            embedded = _embed(asked, read.request.query, basis)
        by_vector = [arm for arm in arms if arm.needs_vector and embedded.near is not None]
        request = replace(read.request, near=embedded.near)

        def attempt(session: UserSession) -> list[Result]:
            run.run_each(session, request, by_vector)
            # Not for the end of the other transaction, which may need a connection once more.
            run.by_words.result()
            run.run_each(session, request, by_words)
            return [] if session.has_failed else [use(session, _merged(arms, run, embedded))]

        # What follows an arm that took too long needs a new transaction.
        made: list[Result] = []
        while not made:
            made = asked.database.run(attempt)
        words_run.result()
    return made[0]


def _merged(arms: Sequence[Arm], run: _ArmRun, embedded: _Embedded) -> Proposals:
    """Merge what the arms propose, in their order."""
    read = run.read.result()
    size = read.request.sizes.drawers if read.request.sizes else 0
    found = Proposals(read.request.words or NO_WORDS, read.corrections, embedded.near, size)
    found.warnings += embedded.warnings
    found.timings_ms["words"] = read.spent_ms
    if embedded.spent_ms is not None:
        found.timings_ms["embed"] = embedded.spent_ms
    for name in (arm.name for arm in arms if arm.name in run.answers):
        proposal, found.timings_ms[name] = run.answers[name]
        found.add(name, proposal)
    return found


@dataclass(frozen=True, slots=True)
class _ArmRun:
    """The arms of one recall: one transaction for those without the vector, one for those that need it.

    The second is entered after the first and queries what that left out, so that recalls never wait for each other.
    """

    asked: Asked
    sizes: Sizes
    read: Future[_Read] = field(default_factory=Future)
    by_words: Future[None] = field(default_factory=Future)
    """Done when the first transaction has queried its arms."""
    answers: dict[str, tuple[Proposal, float]] = field(default_factory=dict)
    """By arm, its proposal and the time in milliseconds."""

    def run_by_words(self, request: ArmRequest, arms: Sequence[Arm]) -> None:
        """Read the query's words, and query the arms that need no vector."""
        try:
            self.asked.database.run(lambda session: self._begin(session, request, arms))
        except BaseException as problem:
            for waiting in (self.read, self.by_words):
                if not waiting.done():
                    waiting.set_exception(problem)
            raise

    def _begin(self, session: UserSession, request: ArmRequest, arms: Sequence[Arm]) -> None:
        # When the work is retried after a lost connection, this is set already.
        if not self.read.done():
            self.read.set_result(_read(session, request, self.sizes))
        self.run_each(session, self.read.result().request, arms)
        if not self.by_words.done():
            self.by_words.set_result(None)

    def run_each(self, session: UserSession, request: ArmRequest, arms: Sequence[Arm]) -> None:
        """Query those of some arms that have not answered, until one takes too long."""
        for arm in (each for each in arms if each.name not in self.answers and not session.has_failed):
            started = time.perf_counter()
            try:
                proposal = arm.propose(session, request)
            except OutOfTime:
                proposal = Proposal(warnings=(f"the {arm.name} arm took too long and proposes nothing",))
            self.answers[arm.name] = proposal, _since(started)


def _read(session: UserSession, request: ArmRequest, sizes: Sizes) -> _Read:
    """Weigh and correct the query's words, and determine the bounds of the scope."""
    started = time.perf_counter()
    bounds = bounds_of(session, request.scope)
    found = understand(session, request.query, share=request.strategy.keyword.corrected, scope=bounds)
    understood = replace(request, query=found.query, words=found.words, sizes=sizes, bounds=bounds)
    return _Read(understood, found.corrections, _since(started))


def _embed(asked: Asked, query: str, basis: Basis) -> _Embedded:
    model = asked.model_of(basis)
    if model is None:
        return _Embedded()
    generation, embedder = model
    started = time.perf_counter()
    try:
        outcome = asked.purse.embed(embedder, [query], are_queries=True)
    except EmbeddingError as problem:
        warnings = (f"keywords only, the query could not be embedded: {problem}", *doubts(problem.calls))
        return _Embedded(None, warnings, _since(started))
    warnings = tuple(doubts(outcome.calls)) if outcome.calls else ()
    return _Embedded((generation, outcome.vectors[0].tolist()), warnings, _since(started))


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
