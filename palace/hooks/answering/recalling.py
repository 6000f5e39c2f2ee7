"""What is recalled for an event: in the wings that are allowed where it happens, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from palace.hooks.answering.budget import MOST_TOKENS, writer_of
from palace.hooks.answering.stance import likely, stance_of
from palace.hooks.answering.waking import wake_up
from palace.hooks.contract.events import HookEvent, Moment
from palace.hooks.sessions import Session
from palace.mining.redaction.rules import rules_of
from palace.opened import OpenPalace
from palace.records import CallSubject, Hit, ProjectScope
from palace.settings.personal.effective import Effective
from palace.store.filing.conversations import list_of_session
from palace.text.secrets import redact
from palace.turns.chat.messages import read_messages
from palace.turns.gate import Rules, gate
from palace.turns.injection.finding import Finder, Sought
from palace.turns.injection.writing import Written
from palace.turns.loop.known import decide
from palace.turns.query import query
from palace.verbs.projects import project_scope
from palace.verbs.recall import answer


@dataclass(slots=True)
class Recalling:
    """Recalls for one event, in a thread that may be left behind: what it came to stands here when it is done."""

    opening: Callable[[], OpenPalace]
    event: HookEvent
    known: Session
    prepare: Callable[[], object] = lambda: None
    """Has the model loaded beside, where a search will need it."""
    block: str = ""
    step: str = "open"

    def run(self) -> None:
        """Recall, and write the block.

        Raises:
            PalaceError: a step failed.
        """
        if self.event.moment is Moment.PROMPT and gate(self.event.prompt, _history(self.known)).searched:
            self.prepare()
        opened = self.opening()
        self.step = "scope"
        effective = opened.effective(self.event.harness.value)
        where = project_scope(opened, self.known.folder)
        if not effective.enabled or not where.wing_ids:
            return
        self.step = "recall"
        if self.event.moment is Moment.START:
            written = wake_up(opened, where, effective)
        else:
            written = self._recall(opened, where, effective)
        self.known = self.known.told(written.drawer_ids)
        self.block = written.block

    def _recall(self, opened: OpenPalace, where: ProjectScope, effective: Effective) -> Written:
        known = self.known
        said = redact(self.event.prompt, rules_of(opened.settings)).text
        self.known = known.asked(said)
        return recall_for(opened, self.event, known, where, effective)


def recall_for(
    opened: OpenPalace, event: HookEvent, known: Session, where: ProjectScope, effective: Effective
) -> Written:
    """Recall for a prompt as a turn does, strictly: nothing where nothing is certain to be of use."""
    history = _history(known)
    rules = Rules(
        greeting="greeting" in effective.gate, tool="tool" in effective.gate, knowledge="knowledge" in effective.gate
    )
    if not decide(event.prompt, read_messages(history), rules, opened.database).searched:
        return Written()
    subject = CallSubject(source=f"hook:{event.harness.value}")
    finder = Finder(
        lambda request: answer(opened, request, effective, rerank=False, subject=subject),
        opened.strategy,
        opened.settings.zone,
        opened.names,
    )
    sought = Sought(
        query(event.prompt, history).text,
        event.prompt,
        where.scope,
        effective.top_k,
        "strict",
        effective.similarity_threshold,
        frozenset(known.drawers),
    )
    found, told, wanted = finder.find(sought)
    hits = _of_others(opened, told, event.session)
    if not likely(hits, stance_of(event.prompt)):
        return Written()
    return writer_of(opened.settings.zone, effective, MOST_TOKENS).of_hits(found, hits, wanted)


def _history(known: Session) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt} for prompt in known.prompts]


def _of_others(opened: OpenPalace, hits: list[Hit], session: str) -> list[Hit]:
    """Leave out what this very session said itself: the model has it in front of it."""
    if not hits or not session:
        return hits
    ids = [hit.drawer.id for hit in hits]
    own = opened.run(lambda opened_session: list_of_session(opened_session, ids, session))
    return [hit for hit in hits if hit.drawer.id not in own]
