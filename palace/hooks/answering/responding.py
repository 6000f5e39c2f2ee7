"""Answering a hook: never raises, takes no longer than it may, and says nothing where there is nothing to say.

What takes longest to import is imported where it is needed: to leave a note for the worker takes nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palace.errors import NotFound
from palace.hooks.answering.asked.worth import is_worth_asking
from palace.hooks.began import ON, agreed, begin
from palace.hooks.contract.events import FILES, HookEvent, Moment
from palace.hooks.contract.reading import Unintelligible, read
from palace.hooks.contract.writing import write
from palace.hooks.failures import note
from palace.hooks.inbox.left import Left, leave
from palace.hooks.request import HookRequest
from palace.hooks.sessions import Session, Sessions

if TYPE_CHECKING:
    from palace.hooks.answering.recalling import Recalling
    from palace.opened import OpenPalace
    from palace.turns.loop.guard import Guard

SECONDS = 1.5
"""What memory may take of a prompt; after that the program goes on without."""
SWEEPING = 16
"""Of so many beginnings of a session, one looks for what is left of old ones."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What hooks of one home stand on; safe to share between threads."""

    home: Path
    user: str
    """Whose palace it is where the command line names nobody."""
    open: Callable[[str], OpenPalace]
    """Opens the palace of a user who is known. It may raise whatever it likes."""
    seconds: float = SECONDS
    """What an answer may take."""
    wake: Callable[[], object] = lambda: None
    """Sees that somebody mines what was left."""
    enabled: bool = True
    """Whether hooks do anything."""
    prepare: Callable[[], object] = lambda: None
    """Has a model loaded beside, which a search for a prompt will need: few prompts are passed over."""
    where: tuple[str, str] | None = None
    """Where the palace is that is open here, as ``palace.hooks.inbox.whose`` says it: what is left is filed there."""
    guard: list[Guard] = field(default_factory=list)
    """Holds the one guard, which is made when it is first needed."""


def answer_request(ground: Ground, told: Mapping[str, Any]) -> str:
    """Answer a request as it is sent over the socket; "" is no answer. Never raises."""
    return answer(ground, HookRequest.of(told))


def answer(ground: Ground, request: HookRequest) -> str:
    """Answer one hook; "" where nothing is to be said, or something failed, which is noted."""
    moment, harness = request.event, request.harness or ""
    until = time.monotonic() + min(ground.seconds, request.seconds)
    try:
        event = read(request.text, event=request.event, harness=request.harness)
        moment, harness = event.moment.value, event.harness.value
        return write(event, _answered(ground, request, event, until)) if ground.enabled else ""
    except Unintelligible as problem:
        note(ground.home, moment, harness, str(problem), step="read")
    except Exception as problem:  # noqa: BLE001 — the program around must not notice, whatever it is
        note(ground.home, moment, harness, _code_of(problem), step="answer")
    return ""


def _answered(ground: Ground, request: HookRequest, event: HookEvent, until: float) -> str:
    if event.is_of_agent:
        return ""
    sessions = Sessions(ground.home, request.user or ground.user)
    event = replace(event, folder=event.folder or request.folder)
    known = _known(ground, event, sessions)
    if event.moment in FILES:
        _leave(ground, request, event, sessions, known)
        return ""
    is_asked = event.moment is Moment.START or (event.moment is Moment.PROMPT and is_worth_asking(event.prompt))
    if not is_asked or not known.folder:
        return ""
    if event.moment is Moment.PROMPT:
        # Beside what takes longest to import: what is to be searched for is known only behind that.
        ground.prepare()
    from palace.hooks.answering.recalling import Recalling

    recalling = Recalling(partial(ground.open, request.user or ground.user), event, known)
    block = _within(ground, recalling, until)
    if recalling.known != known or event.moment is Moment.START:
        sessions.save(event.session, recalling.known)
    return block


def _known(ground: Ground, event: HookEvent, sessions: Sessions) -> Session:
    """Say what is known of the session, and of no folder where it began in several projects.

    Where it began is written down first, at whichever event.
    """
    is_start = event.moment is Moment.START
    began = begin(ground.home, event.session, event.folder, anew=is_start and event.source not in ON)
    known = sessions.load(event.session)
    if is_start and hash_of(event.session) % SWEEPING == 0:
        sessions.sweep()
    kept = known.emptied() if is_start and event.source != "resume" else known
    return replace(kept, folder=agreed((known.folder, *began) if known.folder else began))


def hash_of(session: str) -> int:
    """Give a number to a session, the same in every process."""
    return sum(session.encode("utf-8", "surrogatepass"))


def _leave(ground: Ground, request: HookRequest, event: HookEvent, sessions: Sessions, known: Session) -> None:
    if event.moment is Moment.END and known.prompts:
        sessions.save(event.session, known.ended())
    if request.is_left:
        ground.wake()
        return
    if not event.transcript:
        return
    whose, is_typed = request.user or ground.user, request.user is not None
    what = (event.harness.value, event.session, event.transcript, known.folder)
    database, schema = ground.where or (None, "")
    left = Left(*what, whose, event.moment.value, time.time(), is_typed, database=database, schema=schema)
    leave(ground.home, left)
    ground.wake()


def _within(ground: Ground, recalling: Recalling, until: float) -> str:
    """Recall within the time there is; "" where it failed, which is noted."""
    from palace.turns.loop.guard import Guard

    if not ground.guard:
        ground.guard.append(Guard())
    outcome = ground.guard[0].run(recalling.run, max(until - time.monotonic(), 0.001))
    if outcome.is_done:
        return recalling.block
    # Of whom nothing was ever filed, nothing is known: that is no failure.
    if outcome.code != NotFound.code:
        event = recalling.event
        note(ground.home, event.moment.value, event.harness.value, outcome.code, step=recalling.step)
    return ""


def _code_of(problem: Exception) -> str:
    code = getattr(problem, "code", None)
    return code if isinstance(code, str) else type(problem).__name__
