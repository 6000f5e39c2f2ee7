"""Recall for a prompt, or for the start of a session, in the wings that its project allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import cast

from palace.agent.gate import Decision, gate
from palace.agent.gate.deciding import rules_for
from palace.agent.hit_search import HitSearch, decide, find_hits
from palace.agent.inject import BlockWriter, Format, MemoryBlock
from palace.agent.messages import read_messages
from palace.agent.query import query
from palace.ai.tokens import TokenCounter, estimate_tokens
from palace.config.effective import Effective
from palace.config.zones import in_zone
from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.filing.conversations import list_of_session
from palace.db.generations import Basis
from palace.db.recent import find_last_said
from palace.db.standing import find_own, list_standing
from palace.hooks.instructions import without_requests
from palace.hooks.prompt_kind import PromptKind, kind_of_prompt
from palace.hooks.relevance import least_of, relevance, relevant_hits
from palace.hooks.sessions import Session
from palace.mining.redaction import rules_of
from palace.models import CallSubject, Hit, ProjectScope, Recollection, Role
from palace.nlp.secrets import redact
from palace.opened import OpenPalace
from palace.operations.projects import project_scope
from palace.operations.recall import answer
from palace.recall.instructions import instructions_in, one_a_message
from palace.recall.intent import deciding_words
from palace.recall.recent.look_back import RecentRequest, look_back
from palace_hook.events import START, HookEvent

MOST_TOKENS = 2000
"""Tokens of any block, at most: every program accepts as many."""
MOST_CHARACTERS = 8000
DOUBTED = frozenset({"tool", "knowledge"})
"""Gate rules whose skip is not final for a person's prompt: a project has its own meaning for many words."""
OF_AN_ERROR = 1
"""Turns to fetch beside each hit: the fix for an error follows it, and seldom names it."""
_SPOKEN = frozenset({Role.USER, Role.ASSISTANT})
WAKE_TOKENS = 600
"""Tokens of the block at the start of a session."""
DAYS = 14
"""Days that it looks back from the last message."""
ITEMS = 8
NEWEST = 200
"""Drawers with standing statements that are examined, and with decisions, the most recently filed ones."""


@dataclass(frozen=True, slots=True)
class PromptRecall:
    """The result of recalling for a prompt."""

    decision: Decision
    kind: PromptKind
    is_doubted: bool = False
    """Whether the gate would skip it: then hits must be more relevant."""
    found: Recollection | None = None
    """None where recall did not run."""
    hits: tuple[Hit, ...] = ()
    """The hits that say something and that the model does not see yet, best first."""
    kept: tuple[Hit, ...] = ()
    """Those of them that are relevant enough to the prompt."""
    wanted: int = 0
    """How many of them to show at most."""

    @property
    def is_searched(self) -> bool:
        """Return whether recall runs."""
        return self.decision.searched or self.is_doubted

    @property
    def least(self) -> float:
        """Return the relevance that the best hit needs."""
        return least_of(self.kind, is_doubted=self.is_doubted)


@dataclass(slots=True)
class HookRecall:
    """Recalls for one event, in a thread that may be abandoned; its fields hold the results."""

    opening: Callable[[], OpenPalace]
    event: HookEvent
    known: Session
    block: str = ""
    step: str = "open"

    def run(self) -> None:
        """Recall, and write the block.

        Raises:
            PalaceError: a step failed.
        """
        opened = self.opening()
        self.step = "scope"
        effective, basis = opened.effective_and_basis(self.event.harness)
        where = project_scope(opened, self.known.folder)
        if not effective.enabled or not where.wing_ids:
            return
        self.step = "recall"
        if self.event.moment == START:
            written = wake_up(opened, where, effective)
        else:
            known = self.known
            self.known = known.with_prompt(redact(self.event.prompt, rules_of(opened.settings)).text)
            recalled = look_up(opened, self.event, known, where, effective, basis)
            written = written_of(opened, recalled, effective)
        self.known = self.known.with_drawers(written.drawer_ids)
        self.block = written.block


def look_up(
    opened: OpenPalace, event: HookEvent, known: Session, where: ProjectScope, effective: Effective, basis: Basis
) -> PromptRecall:
    """Recall for a prompt as a turn does, with a strict floor, and keep the hits that are relevant enough.

    Raises:
        PalaceError: recall failed.
    """
    prompt, history = event.prompt, [{"role": "user", "content": said} for said in known.prompts]
    recalled = _decided(opened, prompt, history, effective)
    if not recalled.is_searched:
        return recalled
    subject, seen = CallSubject(source=f"hook:{event.harness}"), frozenset(known.drawers)
    now = datetime.now(opened.settings.zone)
    search = HitSearch(
        query(prompt, history).text,
        prompt,
        where.scope,
        effective.top_k,
        "strict",
        effective.similarity_threshold,
        seen,
        OF_AN_ERROR if recalled.kind is PromptKind.ERROR else 0,
        opened.names,
    )
    found, shown, wanted = find_hits(
        search,
        lambda request: answer(opened, request, effective, rerank=False, subject=subject, basis=basis),
        opened.strategy,
        now,
    )
    hits = [_with_reply(hit) for hit in _of_others(opened, shown, event.session)]
    candidates = hits
    if recalled.kind is PromptKind.WORKS and not any(relevance(hit, recalled.kind) >= recalled.least for hit in hits):
        own = opened.run(lambda session: find_own(session, [hit.drawer.id for hit in hits], opened.names))
        candidates = [hit for hit in hits if hit.drawer.id in own]
    before = [hit for hit in found.hits[:wanted] if hit.drawer.id in seen]
    kept = relevant_hits(candidates, prompt, recalled.kind, recalled.least, seen=before, today=now.date())
    return replace(recalled, found=found, hits=tuple(hits), kept=tuple(kept), wanted=wanted)


def wake_up(opened: OpenPalace, where: ProjectScope, effective: Effective) -> MemoryBlock:
    """Write the standing instructions and decisions of a project, then what was said, is open or is coming up.

    It is computed as of the project's last message, so that the time of the call makes no difference.
    """
    wing_id = where.wing_id
    if wing_id is None:
        return MemoryBlock()
    zone, names, scope = opened.settings.zone, opened.names, replace(where.scope, wing_ids=(wing_id,))

    def look(session: UserSession) -> MemoryBlock:
        last = find_last_said(session, until=datetime.now(zone), scope=scope)
        if last is None:
            return MemoryBlock()
        now = in_zone(last, zone)
        request = RecentRequest.of(days=DAYS, since=None, now=now, limit=ITEMS, scope=scope, names=names)
        readers = where.scope.without_readers or ()
        ids = {
            drawer_id
            for words in ((), deciding_words())
            for drawer_id in list_standing(
                session, wing_id, words=words, names=names, without_readers=readers, newest=NEWEST
            )
        }
        first = one_a_message(instructions_in(drawer.alone() for drawer in get_drawers(session, ids).values()))
        return writer_of(zone, effective, WAKE_TOKENS).of_recent(
            without_requests(look_back(session, request)), ITEMS, first
        )

    return opened.run(look)


def written_of(opened: OpenPalace, recalled: PromptRecall, effective: Effective) -> MemoryBlock:
    """Write the hits that were kept as a block; an empty one if none were."""
    if recalled.found is None or not recalled.kept:
        return MemoryBlock()
    return writer_of(opened.settings.zone, effective, MOST_TOKENS).of_hits(
        recalled.found, recalled.kept, recalled.wanted
    )


def writer_of(zone: tzinfo, effective: Effective, tokens: int) -> BlockWriter:
    """Return a writer of blocks of at most so many tokens, or fewer if the settings say so."""
    budget = min(tokens, effective.injection_tokens, MOST_TOKENS)
    counter = TokenCounter("hooks", is_exact=False, count=_weigh)
    return BlockWriter(cast(Format, effective.injection), counter, budget, zone, effective.accounts)


def _weigh(block: str) -> int:
    """Count the tokens of a block, so that none within ``MOST_TOKENS`` has more than ``MOST_CHARACTERS``."""
    return max(estimate_tokens(block), -(-len(block) * MOST_TOKENS // MOST_CHARACTERS))


def _decided(opened: OpenPalace, prompt: str, history: list[dict[str, str]], effective: Effective) -> PromptRecall:
    """Decide whether to recall for a prompt; names that the palace knows count.

    Raises:
        DatabaseError: the palace cannot be read.
    """
    rules = rules_for(effective.gate)
    kind, decision = kind_of_prompt(prompt), gate(prompt, history, rules=rules)
    if decision.searched:
        return PromptRecall(decision, kind)
    if decision.rule in DOUBTED and kind is not PromptKind.SHOWS:
        return PromptRecall(decision, kind, is_doubted=True)
    return PromptRecall(decide(prompt, read_messages(history), rules, opened.database), kind)


def _with_reply(hit: Hit) -> Hit:
    """Return a hit without earlier turns, and of later ones only those of the person and the assistant."""
    return replace(hit, before=(), after=tuple(each for each in hit.after if each.role in _SPOKEN))


def _of_others(opened: OpenPalace, hits: list[Hit], session: str) -> list[Hit]:
    """Leave out drawers of this very session, which the model sees anyway."""
    if not hits or not session:
        return hits
    ids = [hit.drawer.id for hit in hits]
    own = opened.run(lambda opened_session: list_of_session(opened_session, ids, session))
    return [hit for hit in hits if hit.drawer.id not in own]
