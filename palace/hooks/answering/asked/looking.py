"""Whether memory is looked at for a prompt, what is found, and what of it bears on the prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from palace.hooks.answering.asked.bearing import bearing_on, is_enough, least_of
from palace.hooks.answering.asked.stance import Stance, stance_of
from palace.hooks.contract.events import HookEvent
from palace.hooks.sessions import Session
from palace.opened import OpenPalace
from palace.records import CallSubject, Hit, ProjectScope, Recollection, Role
from palace.settings.personal.effective import Effective
from palace.store.database import UserDatabase
from palace.store.filing.conversations import list_of_session
from palace.store.statements.standing import find_own
from palace.turns.chat.messages import read_messages
from palace.turns.gate import Decision, Rules, gate
from palace.turns.injection.finding import Finder, Sought
from palace.turns.loop.known import decide
from palace.turns.query import query
from palace.verbs.recall import answer

DOUBTED = frozenset({"tool", "knowledge"})
"""What the gate passes over that is looked at here where a person wrote it: a project has its own words for much."""

OF_AN_ERROR = 1
"""Turns beside each hit: what helped against an error stands behind it, and seldom names it."""
SPOKEN = frozenset({Role.USER, Role.ASSISTANT})


@dataclass(frozen=True, slots=True)
class Entry:
    """Whether memory is looked at for a prompt."""

    decision: Decision
    stance: Stance
    is_doubted: bool = False
    """The gate would pass it over: what is found is to bear more on it."""

    @property
    def is_searched(self) -> bool:
        """Whether it is looked at."""
        return self.decision.searched or self.is_doubted

    @property
    def least(self) -> float:
        """What the best hit must bear on it."""
        return least_of(self.stance, is_doubted=self.is_doubted)


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of a look."""

    entry: Entry
    query: str = ""
    found: Recollection | None = None
    hits: tuple[Hit, ...] = ()
    """What the model does not see yet and says something, the best first."""
    kept: tuple[Hit, ...] = ()
    """What of them bears enough on the prompt."""
    wanted: int = 0
    """How many are shown at most."""
    is_rest: bool = False
    """The model sees some of what was found already."""


def enter(
    prompt: str, history: Sequence[Mapping[str, str]], rules: Rules, database: UserDatabase | None = None
) -> Entry:
    """Decide whether memory is looked at; with a ``database`` names are known that make it so.

    Raises:
        DatabaseError: the palace cannot be asked.
    """
    stance, decision = stance_of(prompt), gate(prompt, history, rules=rules)
    if decision.searched:
        return Entry(decision, stance)
    if decision.rule in DOUBTED and stance is not Stance.SHOWS:
        return Entry(decision, stance, is_doubted=True)
    return Entry(decide(prompt, read_messages(history), rules, database) if database else decision, stance)


def rules_in(effective: Effective) -> Rules:
    """Give the rules of the gate that the settings leave on."""
    return Rules(
        greeting="greeting" in effective.gate, tool="tool" in effective.gate, knowledge="knowledge" in effective.gate
    )


def history_of(known: Session) -> list[dict[str, str]]:
    """Give what a session was asked last, as messages."""
    return [{"role": "user", "content": prompt} for prompt in known.prompts]


def look_up(opened: OpenPalace, event: HookEvent, known: Session, where: ProjectScope, effective: Effective) -> Looked:
    """Recall for a prompt as a turn does, strictly, and keep what bears enough on it.

    Raises:
        PalaceError: recall failed.
    """
    history = history_of(known)
    entry = enter(event.prompt, history, rules_in(effective), opened.database)
    if not entry.is_searched:
        return Looked(entry)
    subject = CallSubject(source=f"hook:{event.harness.value}")
    finder = Finder(
        lambda request: answer(opened, request, effective, rerank=False, subject=subject),
        opened.strategy,
        opened.settings.zone,
        opened.names,
    )
    asked, seen = query(event.prompt, history).text, frozenset(known.drawers)
    similar = effective.similarity_threshold
    context = OF_AN_ERROR if entry.stance is Stance.ERROR else 0
    sought = Sought(asked, event.prompt, where.scope, effective.top_k, "strict", similar, seen, context)
    found, told, wanted = finder.find(sought)
    hits = [_with_reply(hit) for hit in _of_others(opened, told, event.session)]
    is_rest = any(hit.drawer.id in seen for hit in found.hits[:wanted])
    today = datetime.now(opened.settings.zone).date()
    bearing = hits
    if entry.stance is Stance.WORKS and not any(is_enough(hit, entry.stance, entry.least) for hit in hits):
        own = opened.run(lambda session: find_own(session, [hit.drawer.id for hit in hits], opened.names))
        bearing = [hit for hit in hits if hit.drawer.id in own]
    kept = bearing_on(bearing, event.prompt, entry.stance, entry.least, is_rest=is_rest, today=today)
    return Looked(entry, asked, found, tuple(hits), tuple(kept), wanted, is_rest)


def _with_reply(hit: Hit) -> Hit:
    """Give a hit with what was said behind it alone: what tools returned has to be allowed, and is no reply."""
    return replace(hit, before=(), after=tuple(each for each in hit.after if each.role in SPOKEN))


def _of_others(opened: OpenPalace, hits: list[Hit], session: str) -> list[Hit]:
    """Leave out what this very session said itself: the model has it in front of it."""
    if not hits or not session:
        return hits
    ids = [hit.drawer.id for hit in hits]
    own = opened.run(lambda opened_session: list_of_session(opened_session, ids, session))
    return [hit for hit in hits if hit.drawer.id not in own]
