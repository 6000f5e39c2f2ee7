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
from palace.hooks.events import FILES, HookEvent, Moment, Unintelligible, read, write
from palace.hooks.failures import code_of, note
from palace.hooks.inbox import Left, leave
from palace.hooks.sessions import GOES_ON, Session, Sessions, agreed, begin
from palace.hooks.worth import why_not

if TYPE_CHECKING:
    from palace.agent.guard import Guard
    from palace.agent.inject import Written
    from palace.config.effective import Effective
    from palace.hooks.recalling import Recalling
    from palace.models import ProjectScope
    from palace.opened import OpenPalace

PROTOCOL = 1
"""Of what goes over the socket; one that names another is declined."""
LONGEST_SECONDS = 10.0
SECONDS = 1.5
"""What memory may take of a prompt; after that the program goes on without."""
SWEEPING = 16
"""Of so many beginnings of a session, one looks for what is left of old ones."""


@dataclass(frozen=True, slots=True)
class HookRequest:
    """One call of ``palace hook``, through the socket of a worker or in the process that the host started."""

    text: str
    """What the program sent, as it was read from standard input."""
    event: str = ""
    """What the command line calls the event."""
    harness: str | None = None
    user: str | None = None
    """Whose palace the command line names; None for that of the settings."""
    folder: str = ""
    """Where the hook was started, for what does not say where it is at work."""
    seconds: float = LONGEST_SECONDS
    """What is left of the time, as whoever asks has it."""
    is_left: bool = False
    """Whether whoever asks has left the note that the transcript has grown."""

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> HookRequest:
        """Read a request as it is sent over the socket; what is of another type counts as missing."""
        named = {name: told.get(name) for name in ("event", "harness", "user", "folder", "input")}
        said = {name: value if isinstance(value, str) else None for name, value in named.items()}
        seconds = told.get("seconds")
        is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0
        return cls(
            said["input"] or "",
            said["event"] or "",
            said["harness"] or None,
            said["user"],
            said["folder"] or "",
            float(seconds) if is_number and seconds is not None else LONGEST_SECONDS,
            told.get("left") is True,
        )


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
    """Where the palace is that is open here, as ``palace.hooks.askers`` says it: what is left is filed there."""
    guard: list[Guard] = field(default_factory=list)
    """Holds the one guard, which is made when it is first needed."""


def answer_request(ground: Ground, told: Mapping[str, Any]) -> str:
    """Answer a request as it is sent over the socket; "" where nothing is to be said, or something failed and is noted.

    Never raises.
    """
    request = HookRequest.of(told)
    moment, harness = request.event, request.harness or ""
    until = time.monotonic() + min(ground.seconds, request.seconds)
    try:
        event = read(request.text, event=request.event, harness=request.harness)
        moment, harness = event.moment.value, event.harness.value
        if not ground.enabled or event.is_of_agent:
            return ""
        return write(event, _answered(ground, request, event, until))
    except Unintelligible as problem:
        note(ground.home, moment, harness, str(problem), step="read")
    except Exception as problem:  # noqa: BLE001 — the program around must not notice, whatever it is
        note(ground.home, moment, harness, code_of(problem), step="answer")
    return ""


def _answered(ground: Ground, request: HookRequest, event: HookEvent, until: float) -> str:
    user = request.user or ground.user
    sessions = Sessions(ground.home, user)
    event = replace(event, folder=event.folder or request.folder)
    known = _known(ground, event, sessions)
    if event.moment in FILES:
        _leave(ground, request, event, sessions, known)
        return ""
    is_prompt = event.moment is Moment.PROMPT and not why_not(event.prompt)
    if not known.folder or not (is_prompt or event.moment is Moment.START):
        return ""
    if is_prompt:
        # Beside what takes longest to import: what is to be searched for is known only behind that.
        ground.prepare()
    from palace.hooks.recalling import Recalling

    recalling = Recalling(partial(ground.open, user), event, known, _wake_up)
    block = _within(ground, recalling, until)
    if recalling.known != known or event.moment is Moment.START:
        sessions.save(event.session, recalling.known)
    return block


def _known(ground: Ground, event: HookEvent, sessions: Sessions) -> Session:
    """Return what is known of the session, and no folder if it began in several projects.

    Where it began is written down first, at whichever event.
    """
    is_start = event.moment is Moment.START
    began = begin(ground.home, event.session, event.folder, anew=is_start and event.source not in GOES_ON)
    known = sessions.load(event.session)
    if is_start and sum(event.session.encode("utf-8", "surrogatepass")) % SWEEPING == 0:
        sessions.sweep()
    if is_start and event.source != "resume":  # the model sees none of it any longer
        known = Session(known.folder)
    return replace(known, folder=agreed((known.folder, *began) if known.folder else began))


def _leave(ground: Ground, request: HookRequest, event: HookEvent, sessions: Sessions, known: Session) -> None:
    if event.moment is Moment.END and known.prompts:
        sessions.save(event.session, replace(known, prompts=()))
    if not request.is_left:
        if not event.transcript:
            return
        database, schema = ground.where or (None, "")
        left = Left(
            event.harness.value,
            event.session,
            event.transcript,
            known.folder,
            request.user or ground.user,
            event.moment.value,
            time.time(),
            is_typed=request.user is not None,
            database=database,
            schema=schema,
        )
        leave(ground.home, left)
    ground.wake()


def _wake_up(opened: OpenPalace, where: ProjectScope, effective: Effective) -> Written:
    # Of what begins a session no prompt wants anything.
    from palace.hooks.waking import wake_up

    return wake_up(opened, where, effective)


def _within(ground: Ground, recalling: Recalling, until: float) -> str:
    """Recall within the time there is; "" where it failed, which is noted."""
    from palace.agent.guard import Guard

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
