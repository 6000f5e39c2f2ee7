"""Asking the arms side by side, each on a connection of its own; what they propose comes back as values."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from palace.embedding.protocol import EmbeddedTexts, Embedder
from palace.errors import EmbeddingError, OutOfTime
from palace.paying import Purse
from palace.recall.arms.protocol import Arm, ArmRequest, ChoosyArm, Near, Proposal
from palace.recall.arms.understand import Understood, understand
from palace.records import CallSubject, DailyBudget, Generation, Scope, doubts
from palace.store.candidates.named import NamedPlace
from palace.store.candidates.words import Word
from palace.store.database import UserDatabase, UserSession
from palace.store.ledger import NOTHING
from palace.store.statements.bounds import bounds_of

ABREAST = 3
"""Arms that are asked at once, each on a connection: a server has a hundred for all who use it."""

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
    """What the embedding of the query and each arm came to, in their order."""

    embedded: Proposal
    by_arm: Mapping[str, Proposal]
    understood: Understood
    """What the query says."""
    spent_ms: float = 0.0
    """How long it took to find out."""

    @property
    def near(self) -> Near | None:
        """The query's own vector; None where it has none."""
        return self.embedded.near

    @property
    def rooms(self) -> dict[int, float]:
        """What arms think of rooms, by id; of several arms the highest."""
        found: dict[int, float] = {}
        for proposal in self.by_arm.values():
            for room, score in proposal.rooms.items():
                found[room] = max(score, found.get(room, score))
        return found

    @property
    def places(self) -> tuple[NamedPlace, ...]:
        """Places whose names say what the query says."""
        return tuple(place for proposal in self.by_arm.values() for place in proposal.places)

    @property
    def tells(self) -> dict[int, float]:
        """How much it tells that a drawer names an entity of the query's, by its id."""
        return {entity: share for proposal in self.by_arm.values() for entity, share in proposal.tells.items()}

    @property
    def holding(self) -> dict[int, float]:
        """How far drawers tell what the query asks about its entities, by drawer id."""
        return {drawer: share for proposal in self.by_arm.values() for drawer, share in proposal.holding.items()}

    @property
    def nouns(self) -> tuple[Word, ...]:
        """Nouns of a kind that the query asks for."""
        return tuple(noun for proposal in self.by_arm.values() for noun in proposal.nouns)

    @property
    def of_kind(self) -> set[int]:
        """Drawers that name what is of a kind that the query asks for."""
        return {drawer for proposal in self.by_arm.values() for drawer in proposal.of_kind}

    @property
    def drawer_ids(self) -> set[int]:
        """Every drawer proposed."""
        return {each.key.drawer_id for proposal in self.by_arm.values() for each in proposal.candidates}

    @property
    def scores(self) -> dict[str, dict[int, float]]:
        """Each arm's own score of each drawer that it proposes: that of its best passage."""
        found: dict[str, dict[int, float]] = {}
        for name, proposal in self.by_arm.items():
            best = found.setdefault(name, {})
            for key, score in proposal.candidates:
                best[key.drawer_id] = max(score, best.get(key.drawer_id, score))
        return found

    @property
    def warnings(self) -> tuple[str, ...]:
        """What went wrong on the way."""
        return tuple(warning for each in self._all for warning in each.warnings)

    @property
    def timings_ms(self) -> dict[str, float]:
        """How long each step took."""
        by_step = {step: spent for each in self._all for step, spent in each.timings_ms.items()}
        return {"words": self.spent_ms, **by_step}

    @property
    def _all(self) -> tuple[Proposal, ...]:
        return (self.embedded, *self.by_arm.values())


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
        return Proposals(embedded, by_arm, understood, read.spent_ms)


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
