"""The steps in front of the model, in order; what each came to is kept, so that a deadline loses only the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

from palace.llm.tokens import TokenCounter
from palace.mining.filing.identity import content_digest
from palace.recall.recent.request import RecentRequest
from palace.recall.recent.waking import look_back
from palace.recall.request import RecallRequest
from palace.recall.strategy import Strategy
from palace.records import CallSubject, Recollection
from palace.settings import Settings
from palace.settings.personal.effective import Effective
from palace.store.database import UserDatabase, UserSession
from palace.store.injections import KeptBlock, drop_block, drop_expired, find_blocks, keep_block
from palace.store.ledger import NOTHING
from palace.store.settings.stored import held_settings
from palace.turns.chat.messages import Message
from palace.turns.exchange.known_rules import KnownRules
from palace.turns.gate import Decision
from palace.turns.injection.finding import Finder, Sought, Visible
from palace.turns.injection.writing import Writer, Written
from palace.turns.loop.chosen import Models, options_of
from palace.turns.loop.guard import Guard
from palace.turns.loop.known import decide
from palace.turns.loop.options import TurnOptions
from palace.turns.loop.trimming import Trimming, Whole
from palace.turns.query import Query, query
from palace.turns.query.asking import Asked, ask_for_query
from palace.working.stored.checkpoints import Talk
from palace.working.summary.checkpoint import Checkpoint

Answer = Callable[[RecallRequest, Effective, CallSubject], Recollection]
"""Recalls for a request, as settings say; what it calls models for is about a subject."""
CONTINUED = Decision(False, "tools have answered: memory was asked for this message before", "continued")
USEFUL_DAYS = 30
"""An empty message is answered from so many days."""
USEFUL = 10
"""Items that it is answered with, unless told otherwise."""
SWEEPING = 8
"""Of 256 blocks kept, so many take away those that expired."""
ASKING_SHARE = 0.6
"""Of the time that memory may take, what a model may take at most over the query: recall has the rest."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What turns of one palace stand on."""

    database: UserDatabase
    settings: Settings
    strategy: Strategy
    answer: Answer
    models: Models
    trimming: Trimming
    """Chooses what of a long conversation is sent."""
    person: tuple[str, ...] = ()
    """What queries may call the person whose palace it is."""
    rules: KnownRules | None = None
    """What is taken out of what is said."""
    known: dict[str, Effective] = field(default_factory=dict)
    """The settings as they were last read, by agent: they hold while nobody can look."""
    asking: Guard = field(default_factory=Guard)
    """Waits for the model that writes queries, and no longer than it may."""

    @property
    def zone(self) -> tzinfo:
        """The person's."""
        return self.settings.zone

    def options(self, given: TurnOptions | None, agent: str | None) -> TurnOptions:
        """Say how a turn is taken, by the settings as they were last read."""
        effective = self.known.get(agent or "") or Effective.of(self.settings, {}, agent)
        return options_of(given, effective, self.models)

    def seconds(self, options: TurnOptions) -> float:
        """Say how long memory may take of a turn."""
        return self.settings.turn_timeout_seconds if options.timeout is None else options.timeout


@dataclass(frozen=True, slots=True)
class Request:
    """A message with those before it, and what each is known by."""

    before: tuple[Message, ...]
    message: Message
    after: tuple[Message, ...]
    """What tools and the model said to it since; then it was recalled for already."""
    keys: tuple[bytes, ...]
    """Of all these messages, in order."""

    def whole(self, blocks: Mapping[int, str], options: TurnOptions, talk: Talk | None) -> Whole:
        """Give all messages, with blocks at their places."""
        return Whole((*self.before, self.message, *self.after), blocks, options.place, talk)

    @property
    def own_key(self) -> bytes:
        """The key of the message at hand."""
        return self.keys[len(self.before)]

    @property
    def users(self) -> dict[int, bytes]:
        """The keys of the person's messages, by their place; the message at hand is the last."""
        places = [place for place, each in enumerate(self.before) if each.is_user]
        return {place: self.keys[place] for place in (*places, len(self.before))}


@dataclass(slots=True)
class State:
    """How far a turn is: what was found out, by a thread that may be left behind."""

    options: TurnOptions
    talk: Talk | None = None
    """What the conversation is known by, where it is summed up."""
    step: str = "gate"
    decision: Decision | None = None
    query: Query | None = None
    earlier: Mapping[bytes, KeptBlock] | None = None
    """Blocks that stand beside messages, by key; None while nobody could look."""
    checkpoint: Checkpoint | None = None
    """How far the conversation is summed up."""
    written: Written = field(default_factory=Written)
    timings: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Do a step, and note how many milliseconds it takes."""
        self.step, started = step, time.perf_counter()
        try:
            yield
        finally:
            self.timings[step] = (time.perf_counter() - started) * 1000


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is done for one message before it is sent."""

    ground: Ground
    given: TurnOptions | None
    agent: str | None
    request: Request
    state: State
    subject: CallSubject = NOTHING
    """What calls of models are about, for the ledger."""

    @property
    def options(self) -> TurnOptions:
        """How the turn is taken."""
        return self.state.options

    def run(self) -> None:
        """Decide, ask, choose, write and keep.

        Raises:
            PalaceError: a step failed; those before it stand.
        """
        state, key = self.state, self.request.own_key
        with state.timed("blocks"):
            state.earlier = self._look()
        if self.request.after:
            state.decision = CONTINUED
            return
        with state.timed("gate"):
            state.decision = self.decide()
        if state.decision.searched:
            self._recall()
        if state.written.block:
            with state.timed("keep"):
                self._keep(key, state.written)
        elif key in state.earlier:
            # This message was asked before, and had a block then: the next request must not bring that back.
            with state.timed("keep"):
                self.ground.database.run(lambda session: drop_block(session, key), flush=False)

    def decide(self) -> Decision:
        """Decide whether to look at all."""
        if not self.options.memory:
            return Decision(False, "memory is switched off for this turn", "off")
        if self.request.message.shape.get("content") and not self.request.message.text.strip():
            return Decision(False, "it has no words", "wordless")
        return decide(self.request.message.text, self.request.before, self.options.rules, self.ground.database)

    def _look(self) -> Mapping[bytes, KeptBlock]:
        """Find the settings that hold, the summary and the blocks that stand, in one transaction."""
        keys, agent, ground = set(self.request.users.values()), self.agent or "", self.ground

        def look(session: UserSession) -> Mapping[bytes, KeptBlock]:
            if ground.rules is not None:
                ground.rules.find(session)  # so that they are known while the database is away
            ground.known[agent] = Effective.of(ground.settings, held_settings(session, agent), self.agent)
            self.state.options = ground.options(self.given, self.agent)
            whole = self.request.whole({}, self.options, self.state.talk)
            self.state.checkpoint = ground.trimming.find(session, self.options.working, whole)
            return find_blocks(session, keys)

        return ground.database.run(look)

    def _recall(self) -> None:
        state = self.state
        with state.timed("query"):
            state.query = self._ask()
        with state.timed("recall"):
            write = self._search(state.query) if state.query.text else self._most_useful()
        with state.timed("write"):
            state.written = write()

    def _ask(self) -> Query:
        text, strategy = self.request.message.text, self.options.strategy
        history = [dict(message.shape) for message in self.request.before]
        if strategy == "local" or strategy == "prepend":  # noqa: PLR1714 — mypy narrows by this alone
            return query(text, history, strategy)
        assert self.options.rewriter is not None
        ground, rewriter, told = self.ground, self.options.rewriter, list[Asked]()
        seconds = ASKING_SHARE * ground.seconds(self.options)
        # In a thread of its own: what the model's client waits for or loads is not to cost the recall.
        outcome = ground.asking.run(
            lambda: told.append(ask_for_query(ground.database, rewriter, text, history, strategy, self.subject)),
            seconds,
        )
        if outcome.is_done:
            self.state.notes += told[0].warnings
            return told[0].query
        why = {"timeout": f"the model took longer than {seconds:g} seconds", "overdue": "earlier calls still wait"}
        self.state.notes.append(f"the query was not rewritten: {why.get(outcome.code, outcome.note)}")
        return query(text, history)

    def _search(self, asked: Query) -> Callable[[], Written]:
        """Recall; give what writes the block."""
        options, ground = self.options, self.ground
        sought = Sought(
            asked.text,
            self.request.message.text,
            options.within,
            options.top_k,
            options.floor,
            options.least_similarity,
            self._visible(),
        )
        held = ground.known[self.agent or ""]
        finder = Finder(
            lambda request: ground.answer(request, held, self.subject), ground.strategy, ground.zone, ground.person
        )
        found, told, wanted = finder.find(sought)
        self.state.notes += found.warnings
        self.state.timings |= {f"recall.{step}": spent for step, spent in found.timings_ms.items() if step != "total"}
        return lambda: self._writer().of_hits(found, told, wanted)

    def _most_useful(self) -> Callable[[], Written]:
        most, now = self.options.top_k or USEFUL, datetime.now(self.ground.zone)
        within, names = self.options.within, tuple(self.ground.person)
        request = RecentRequest.of(days=USEFUL_DAYS, since=None, now=now, limit=most, scope=within, names=names)
        found = self.ground.database.run(lambda session: look_back(session, request))
        return lambda: self._writer().of_recent(found, most)

    def _visible(self) -> Visible:
        """Say what the model sees already: digests of what was said, and the drawers that earlier blocks quote."""
        own, earlier = self.request.own_key, self.state.earlier or {}
        standing = {place: earlier[key] for place, key in self.request.users.items() if key in earlier and key != own}
        everything = (*self.request.before, self.request.message)
        sent = self._sent(everything, {place: each.block for place, each in standing.items()})
        said = {content_digest(everything[place].text) for place in sent if everything[place].text}
        quoted = {each for place, block in standing.items() if place in sent for each in block.drawer_ids}
        return frozenset(said | quoted)

    def _sent(self, everything: Sequence[Message], blocks: Mapping[int, str]) -> frozenset[int]:
        """Give the places of the messages that are sent: what is left out is no longer seen."""
        working, state = self.options.working, self.state
        if working is None:
            return frozenset(range(len(everything)))
        whole = Whole(everything, blocks, self.options.place, state.talk)
        return self.ground.trimming.places(working, whole, state.checkpoint)

    def _writer(self) -> Writer:
        options = self.options
        counter, zone = TokenCounter.of(options.model), self.ground.zone
        return Writer(options.format, counter, options.token_budget, zone, options.accounts)

    def _keep(self, key: bytes, written: Written) -> None:
        kept, lasting = (
            KeptBlock(written.block, tuple(sorted(written.drawer_ids))),
            timedelta(days=self.options.keep_days),
        )
        if (self.state.earlier or {}).get(key) == kept:
            return

        def keep(session: UserSession) -> None:
            keep_block(session, key, kept, lasting=lasting)
            if key[0] < SWEEPING:
                drop_expired(session)

        self.ground.database.run(keep, flush=False)
