"""The steps of a turn before the model is called; each stores its result, so that a deadline loses only the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import cast

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.stored import ChatKey, working_memory_of
from palace.agent.context_window.summariser import ModelSummariser
from palace.agent.gate import Decision
from palace.agent.gate.deciding import rules_for
from palace.agent.guard import Guard
from palace.agent.hit_search import HitSearch, Visible, decide, find_hits
from palace.agent.inject import BlockWriter, Format, MemoryBlock
from palace.agent.known_rules import KnownRules
from palace.agent.options import QueryStrategy, SomeOptions, TurnOptions
from palace.agent.query import Query, query
from palace.agent.request import Request
from palace.agent.rewriting import Rewriter, ask_for_query
from palace.agent.trimming import FullRequest, Trimming
from palace.ai.tokens import TokenCounter
from palace.config.effective import Effective
from palace.config.settings import Settings
from palace.config.table import ASKING
from palace.db.database import UserDatabase, UserSession
from palace.db.generations import Basis, ask_basis
from palace.db.injections import KeptBlock, ask_blocks, drop_block, drop_expired, keep_block
from palace.db.settings import ask_own_settings
from palace.mining.filing.identity import content_digest
from palace.mining.redaction import NAMES
from palace.models import CallSubject, Recollection
from palace.recall.recent.look_back import RecentRequest, look_back
from palace.recall.request import RecallRequest
from palace.recall.strategy import Strategy

Answer = Callable[[RecallRequest, Effective, CallSubject, Basis | None], Recollection]
"""Runs recall for a request under the user's settings; the ledger records its model calls for the subject."""
CONTINUED = Decision(False, "tools have answered: memory was asked for this message before", "continued")
USEFUL_DAYS = 30
"""Days from which an empty message gets the most useful memories."""
USEFUL = 10
"""Memories that an empty message gets, unless ``top_k`` is set."""
SWEEPING = 8
"""Out of 256: how often storing a block also deletes the expired ones."""
ASKING_SHARE = 0.6
"""Share of memory's time that the model may take for the query; recall has the rest."""


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What all turns of one palace share."""

    database: UserDatabase
    settings: Settings
    strategy: Strategy
    answer: Answer
    rewriter_of: Callable[[str], Rewriter]
    """Returns the model that writes queries, by its name in the settings."""
    summariser_of: Callable[[str], ModelSummariser]
    trimming: Trimming
    """Chooses what of a long conversation is sent."""
    rules: KnownRules
    """The user's redaction rules."""
    person: tuple[str, ...] = ()
    """Names that queries may use for the owner of the palace."""
    known: dict[str, Effective] = field(default_factory=dict)
    """Settings as last read, by agent; used while the database is away."""
    asking: Guard = field(default_factory=Guard)
    """Runs the model that writes queries, within its time limit."""

    def options(self, given: SomeOptions, agent: str | None, effective: Effective | None = None) -> TurnOptions:
        """Return the options of a turn, by the settings as last read unless ``effective`` is passed.

        The program's own options take precedence, except for what the settings turn off; a mapping has only some.
        """
        if isinstance(given, Mapping):
            given = replace(self.options(None, agent, effective), **given)
        effective = effective or self.known.get(agent or "") or Effective.of(self.settings, {}, agent)
        working = None  # the program's history is sent unchanged, byte for byte
        if effective.working_memory != "none":
            model = given.model if given else None
            working = working_memory_of(effective, self.summariser_of, model=model)
        if given is not None:
            memory, files = given.memory and effective.enabled, given.files and effective.auto_mine
            return replace(given, memory=memory, files=files, working=given.working or working)
        strategy, model = cast(QueryStrategy, effective.query_strategy), effective.query_model
        if strategy in ASKING and model is None:
            # Environment and file are not validated together; no turn fails because they disagree.
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
            floor=effective.model_floor,
            least_similarity=effective.similarity_threshold,
            working=working,
        )

    def seconds(self, options: TurnOptions) -> float:
        """Return how many seconds memory may take of a turn."""
        return self.settings.turn_timeout_seconds if options.timeout is None else options.timeout


@dataclass(slots=True)
class Steps:
    """The work for one message before it is sent, and its progress; runs in a thread that may be abandoned."""

    context: TurnContext
    given: SomeOptions
    request: Request
    options: TurnOptions
    subject: CallSubject
    """What the ledger records model calls for."""
    chat: ChatKey | None = None
    """Identifies the chat, where it can be summarised."""
    step: str = "gate"
    decision: Decision | None = None
    query: Query | None = None
    earlier: Mapping[bytes, KeptBlock] | None = None
    """Stored blocks of earlier messages, by key; None until the database was read."""
    basis: Basis | None = None
    """What recall needs to know of the palace; None until the database was read."""
    checkpoint: Checkpoint | None = None
    """How far the conversation is summarised."""
    written: MemoryBlock = field(default_factory=MemoryBlock)
    timings: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Run all steps: read blocks, decide, write the query, recall, write the block and store it.

        Raises:
            PalaceError: a step failed; the results of those before it stay.
        """
        key, database = self.request.own_key, self.context.database
        with self.timed("blocks"):
            self.earlier = database.run(self._look)
        if self.request.after:
            self.decision = CONTINUED
            return
        with self.timed("gate"):
            self.decision = self._decide()
        if self.decision.searched:
            with self.timed("query"):
                self.query = self._ask()
            with self.timed("recall"):
                write = self._search(self.query.text) if self.query.text else self._look_back()
            with self.timed("write"):
                self.written = write()
        if self.written.block:
            with self.timed("keep"):
                self._keep(key)
        elif key in self.earlier:
            # This message had a block in an earlier request; later requests must not repeat that block.
            with self.timed("keep"):
                database.run(lambda session: drop_block(session, key), flush=False)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Run a step, and record its duration in milliseconds."""
        self.step, started = step, time.perf_counter()
        try:
            yield
        finally:
            self.timings[step] = (time.perf_counter() - started) * 1000

    def full_request(self, blocks: Mapping[int, str]) -> FullRequest:
        """Return the whole request, with blocks at the given indices."""
        return FullRequest(self.request.messages, blocks, self.options.place, self.chat)

    def _look(self, session: UserSession) -> Mapping[bytes, KeptBlock]:
        """Load the settings, the basis of a recall, the summary and the stored blocks, in one transaction."""
        context, agent = self.context, self.request.agent
        stored, basis = ask_own_settings(session, NAMES), ask_basis(session, agent or "")
        blocks = ask_blocks(session, set(self.request.users.values()))
        context.rules.note(stored.get())  # remembered for when the database is away
        self.basis = basis.get()
        context.known[agent or ""] = Effective.of(context.settings, self.basis.stored, agent)
        self.options = context.options(self.given, agent)
        self.checkpoint = context.trimming.find(session, self.options.working, self.full_request({}))
        return blocks.get()

    def _decide(self) -> Decision:
        message = self.request.message
        if not self.options.memory:
            return Decision(False, "memory is switched off for this turn", "off")
        if message.shape.get("content") and not message.text.strip():
            return Decision(False, "it has no words", "wordless")
        return decide(message.text, self.request.before, self.options.rules, self.context.database)

    def _ask(self) -> Query:
        text, strategy, history = self.request.message.text, self.options.strategy, self.request.history()
        if strategy == "local" or strategy == "prepend":  # noqa: PLR1714 — mypy narrows by this alone
            return query(text, history, strategy)
        assert self.options.rewriter is not None
        context, rewriter, answers = self.context, self.options.rewriter, list[tuple[Query, tuple[str, ...]]]()
        seconds = ASKING_SHARE * context.seconds(self.options)
        self.basis = None  # the palace may have another embedding model by the time that a model has answered
        # In a thread of its own, so that a slow model client leaves time for recall.
        outcome = context.asking.run(
            lambda: answers.append(ask_for_query(context.database, rewriter, text, history, strategy, self.subject)),
            seconds,
        )
        if outcome.is_done:
            written, warnings = answers[0]
            self.notes += warnings
            return written
        why = {"timeout": f"the model took longer than {seconds:g} seconds", "overdue": "earlier calls still wait"}
        self.notes.append(f"the query was not rewritten: {why.get(outcome.code, outcome.note)}")
        return query(text, history)

    def _search(self, asked: str) -> Callable[[], MemoryBlock]:
        options, context = self.options, self.context
        held = context.known[self.request.agent or ""]
        search = HitSearch(
            asked,
            self.request.message.text,
            options.within,
            options.top_k,
            options.floor,
            options.least_similarity,
            self._visible(),
            person=context.person,
        )
        found, shown, wanted = find_hits(
            search,
            lambda request: context.answer(request, held, self.subject, self.basis),
            context.strategy,
            datetime.now(context.settings.zone),
        )
        self.notes += found.warnings
        self.timings |= {f"recall.{step}": spent for step, spent in found.timings_ms.items() if step != "total"}
        return lambda: self._writer().of_hits(found, shown, wanted)

    def _look_back(self) -> Callable[[], MemoryBlock]:
        """Find the most useful recent memories; return a function that writes the block."""
        most, now = self.options.top_k or USEFUL, datetime.now(self.context.settings.zone)
        request = RecentRequest.of(
            days=USEFUL_DAYS, since=None, now=now, limit=most, scope=self.options.within, names=self.context.person
        )
        found = self.context.database.run(lambda session: look_back(session, request))
        return lambda: self._writer().of_recent(found, most)

    def _writer(self) -> BlockWriter:
        options, counter = self.options, TokenCounter.of(self.options.model)
        return BlockWriter(options.format, counter, options.token_budget, self.context.settings.zone, options.accounts)

    def _visible(self) -> Visible:
        """Return what the model sees already: digests of texts, and ids of the drawers in earlier blocks."""
        own, earlier, messages = self.request.own_key, self.earlier or {}, self.request.messages
        standing = {index: earlier[key] for index, key in self.request.users.items() if key in earlier and key != own}
        sent = frozenset(range(len(messages)))
        if self.options.working is not None:  # messages that are left out are not seen
            full = self.full_request({index: each.block for index, each in standing.items()})
            sent = self.context.trimming.places(self.options.working, full, self.checkpoint)
        said = {content_digest(messages[index].text) for index in sent if messages[index].text}
        quoted = {each for index, block in standing.items() if index in sent for each in block.drawer_ids}
        return frozenset(said | quoted)

    def _keep(self, key: bytes) -> None:
        kept = KeptBlock(self.written.block, tuple(sorted(self.written.drawer_ids)))
        if (self.earlier or {}).get(key) == kept:
            return

        def keep(session: UserSession) -> None:
            keep_block(session, key, kept, lasting=timedelta(days=self.options.keep_days))
            if key[0] < SWEEPING:
                drop_expired(session)

        self.context.database.run(keep, flush=False)
