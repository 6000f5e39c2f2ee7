"""The steps of a turn before the model is called; what each came to is kept, so that a deadline loses only the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from typing import cast

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.stored import Talk, working_memory_of
from palace.agent.context_window.summariser import Summariser
from palace.agent.context_window.windows import WorkingMemory
from palace.agent.finding import Finder, Sought, Visible, decide
from palace.agent.gate import Decision
from palace.agent.gate.deciding import rules_for
from palace.agent.guard import Guard
from palace.agent.inject import Format, Writer, Written
from palace.agent.known_rules import KnownRules
from palace.agent.messages import Message
from palace.agent.options import QueryStrategy, TurnOptions
from palace.agent.query import Query, query
from palace.agent.rewriting import Asked, Rewriter, ask_for_query
from palace.agent.trimming import Trimming, Whole
from palace.ai.tokens import TokenCounter
from palace.config.effective import Effective
from palace.config.settings import Settings
from palace.config.table import ASKING
from palace.db.database import UserDatabase, UserSession
from palace.db.injections import KeptBlock, drop_block, drop_expired, find_blocks, keep_block
from palace.db.ledger import NOTHING
from palace.db.settings import held_settings
from palace.mining.filing.identity import content_digest
from palace.models import CallSubject, Recollection
from palace.recall.recent.look_back import RecentRequest, look_back
from palace.recall.request import RecallRequest
from palace.recall.strategy import Strategy

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
class Models:
    """The language models that settings name."""

    rewriter_of: Callable[[str], Rewriter]
    summariser_of: Callable[[str], Summariser]

    def options(self, given: TurnOptions | None, effective: Effective) -> TurnOptions:
        """Return how a turn is taken: what the program gives goes before the settings, but for what these turn off."""
        if given is not None:
            working = given.working or self._working(effective, given.model)
            memory, files = given.memory and effective.enabled, given.files and effective.auto_mine
            return replace(given, memory=memory, files=files, working=working)
        strategy, model = cast(QueryStrategy, effective.query_strategy), effective.query_model
        if strategy in ASKING and model is None:
            # The environment and the file are not looked at together: no turn fails for what they say.
            strategy = "local"
        return TurnOptions(
            memory=effective.enabled,
            files=effective.auto_mine,
            top_k=effective.top_k,
            token_budget=effective.injection_tokens,
            format=cast(Format, effective.injection),
            accounts=effective.accounts,
            strategy=strategy,
            rewriter=self.rewriter_of(model) if model and strategy in ASKING else None,
            rules=rules_for(effective.gate),
            floor=effective.floor,
            least_similarity=effective.similarity_threshold,
            working=self._working(effective, None),
        )

    def _working(self, effective: Effective, model: str | None) -> WorkingMemory | None:
        if effective.working_memory == "none":
            return None  # the history is the program's: it is sent to the byte
        return working_memory_of(effective, self.summariser_of, model=model)


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
        """Return the person's time zone."""
        return self.settings.zone

    def options(self, given: TurnOptions | None, agent: str | None) -> TurnOptions:
        """Return how a turn is taken, by the settings as they were last read."""
        effective = self.known.get(agent or "") or Effective.of(self.settings, {}, agent)
        return self.models.options(given, effective)

    def seconds(self, options: TurnOptions) -> float:
        """Return how long memory may take of a turn."""
        return self.settings.turn_timeout_seconds if options.timeout is None else options.timeout


@dataclass(frozen=True, slots=True)
class Request:
    """A message with those before it, and the key of each."""

    before: tuple[Message, ...]
    message: Message
    after: tuple[Message, ...]
    """What tools and the model said to it since; then it was recalled for already."""
    keys: tuple[bytes, ...]
    """Of all these messages, in order."""

    @property
    def own_key(self) -> bytes:
        """Return the key of the message at hand."""
        return self.keys[len(self.before)]

    @property
    def users(self) -> dict[int, bytes]:
        """Return the keys of the person's messages, by their index; the message at hand is the last."""
        places = [place for place, each in enumerate(self.before) if each.is_user]
        return {place: self.keys[place] for place in (*places, len(self.before))}

    def whole(self, blocks: Mapping[int, str], options: TurnOptions, talk: Talk | None) -> Whole:
        """Return all messages, with blocks at their places."""
        return Whole((*self.before, self.message, *self.after), blocks, options.place, talk)

    def history(self) -> list[dict[str, object]]:
        """Return the messages before as mappings."""
        return [dict(message.shape) for message in self.before]


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
        """Return how the turn is taken."""
        return self.state.options

    def run(self) -> None:
        """Decide, ask, choose, write and keep.

        Raises:
            PalaceError: a step failed; those before it stand.
        """
        state, key, database = self.state, self.request.own_key, self.ground.database
        with state.timed("blocks"):
            state.earlier = database.run(self._look)
        if self.request.after:
            state.decision = CONTINUED
            return
        with state.timed("gate"):
            state.decision = self._decide()
        if state.decision.searched:
            with state.timed("query"):
                state.query = self._ask()
            with state.timed("recall"):
                write = self._search(state.query) if state.query.text else self._most_useful()
            with state.timed("write"):
                state.written = write()
        if state.written.block:
            with state.timed("keep"):
                self._keep(key, state.written)
        elif key in state.earlier:
            # This message was asked before, and had a block then: the next request must not bring that back.
            with state.timed("keep"):
                database.run(lambda session: drop_block(session, key), flush=False)

    def _look(self, session: UserSession) -> Mapping[bytes, KeptBlock]:
        """Find the settings that hold, the summary and the blocks that stand, in one transaction."""
        ground, state = self.ground, self.state
        if ground.rules is not None:
            ground.rules.find(session)  # so that they are known while the database is away
        agent = self.agent or ""
        ground.known[agent] = Effective.of(ground.settings, held_settings(session, agent), self.agent)
        state.options = ground.options(self.given, self.agent)
        whole = self.request.whole({}, self.options, state.talk)
        state.checkpoint = ground.trimming.find(session, self.options.working, whole)
        return find_blocks(session, set(self.request.users.values()))

    def _decide(self) -> Decision:
        if not self.options.memory:
            return Decision(False, "memory is switched off for this turn", "off")
        if self.request.message.shape.get("content") and not self.request.message.text.strip():
            return Decision(False, "it has no words", "wordless")
        return decide(self.request.message.text, self.request.before, self.options.rules, self.ground.database)

    def _ask(self) -> Query:
        text, strategy, history = self.request.message.text, self.options.strategy, self.request.history()
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
        """Recall; return what writes the block."""
        options, ground, state = self.options, self.ground, self.state
        held = ground.known[self.agent or ""]
        sought = Sought(
            asked.text,
            self.request.message.text,
            options.within,
            options.top_k,
            options.floor,
            options.least_similarity,
            self._visible(),
        )
        finder = Finder(
            lambda request: ground.answer(request, held, self.subject), ground.strategy, ground.zone, ground.person
        )
        found, told, wanted = finder.find(sought)
        state.notes += found.warnings
        state.timings |= {f"recall.{step}": spent for step, spent in found.timings_ms.items() if step != "total"}
        return lambda: self._writer().of_hits(found, told, wanted)

    def _most_useful(self) -> Callable[[], Written]:
        most, now = self.options.top_k or USEFUL, datetime.now(self.ground.zone)
        within, names = self.options.within, tuple(self.ground.person)
        request = RecentRequest.of(days=USEFUL_DAYS, since=None, now=now, limit=most, scope=within, names=names)
        found = self.ground.database.run(lambda session: look_back(session, request))
        return lambda: self._writer().of_recent(found, most)

    def _writer(self) -> Writer:
        options = self.options
        counter = TokenCounter.of(options.model)
        return Writer(options.format, counter, options.token_budget, self.ground.zone, options.accounts)

    def _visible(self) -> Visible:
        """Return what the model sees already: digests of what was said, and the drawers that earlier blocks quote."""
        own, earlier = self.request.own_key, self.state.earlier or {}
        standing = {place: earlier[key] for place, key in self.request.users.items() if key in earlier and key != own}
        everything = (*self.request.before, self.request.message)
        sent = self._sent(everything, {place: each.block for place, each in standing.items()})
        said = {content_digest(everything[place].text) for place in sent if everything[place].text}
        quoted = {each for place, block in standing.items() if place in sent for each in block.drawer_ids}
        return frozenset(said | quoted)

    def _sent(self, everything: Sequence[Message], blocks: Mapping[int, str]) -> frozenset[int]:
        """Return the indices of the messages that are sent: what is left out is no longer seen."""
        working, state = self.options.working, self.state
        if working is None:
            return frozenset(range(len(everything)))
        whole = Whole(everything, blocks, self.options.place, state.talk)
        return self.ground.trimming.places(working, whole, state.checkpoint)

    def _keep(self, key: bytes, written: Written) -> None:
        kept = KeptBlock(written.block, tuple(sorted(written.drawer_ids)))
        if (self.state.earlier or {}).get(key) == kept:
            return

        def keep(session: UserSession) -> None:
            keep_block(session, key, kept, lasting=timedelta(days=self.options.keep_days))
            if key[0] < SWEEPING:
                drop_expired(session)

        self.ground.database.run(keep, flush=False)
