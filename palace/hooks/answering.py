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
from palace.hooks.failures import code_of, note
from palace.hooks.sessions import Session, Sessions, agreed
from palace_hook import events, notes

if TYPE_CHECKING:
    from palace.agent.guard import Guard
    from palace.opened import OpenPalace

LONGEST_SECONDS = 10.0
SECONDS = 1.5
"""What memory may take of a prompt; after that the program goes on without."""
SWEEPING = 16
"""Of so many beginnings of a session, one looks for what is left of old ones."""
SHORTEST = 15
"""Characters of a prompt; what is shorter asks for nothing that was said in another session."""
_COMMANDS = ("/", "!", "#")
"""How begins what no person says to the model: commands of the program and of the shell."""
_WRITTEN = "<"
"""How begins what programs wrote."""


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
    guard: list[Guard] = field(default_factory=list)
    """Holds the one guard, which is made when it is first needed."""


def answer_request(ground: Ground, request: Mapping[str, Any]) -> str:
    """Answer one call of ``palace hook``, as it is sent over the socket; "" where nothing is to be said.

    Its ``input`` is what the program sent; ``event``, ``harness`` and ``user`` are what the command line says;
    ``folder`` is where it was started, ``seconds`` what is left of the time, and ``left`` says that the note of the
    transcript is left. What is of another type counts as missing. Never raises; what failed is noted.
    """
    names = ("input", "event", "harness", "user", "folder")
    given = {name: value if isinstance(value := request.get(name), str) else "" for name in names}
    user = given["user"] if isinstance(request.get("user"), str) else None
    seconds = request.get("seconds")
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0
    until = time.monotonic() + min(ground.seconds, seconds if is_number and seconds is not None else LONGEST_SECONDS)
    moment, harness = given["event"], given["harness"]
    try:
        event = events.read_event(given["input"], event=moment, harness=harness or None, folder=given["folder"])
        moment, harness = event.moment, event.harness
        if not ground.enabled or event.is_of_agent:
            return ""
        sessions = Sessions(ground.home, user or ground.user)
        began, known = _find_session(ground, event, sessions)
        if event.moment in events.FILES:
            if event.moment == events.END and known.prompts:
                sessions.save(event.session, replace(known, prompts=()))
            if request.get("left") is True or notes.leave(str(ground.home), event, {**request, "user": user}, began):
                ground.wake()
            return ""
        return events.write_answer(event, _recall(ground, event, sessions, known, until))
    except events.Unintelligible as problem:
        note(ground.home, moment, harness, str(problem), step="read")
    except Exception as problem:  # noqa: BLE001 — the program around must not notice, whatever it is
        note(ground.home, moment, harness, code_of(problem), step="answer")
    return ""


def why_not(prompt: str) -> str:
    """Say what keeps a prompt from being looked at; "" where it may be about something that was said before.

    >>> why_not("!ls"), why_not("yarn add dayjs"), why_not("why did we drop Redis?")
    ('it is a command: it begins with !', 'it has less than 15 characters (14)', '')
    """
    said = prompt.strip()
    if said.startswith(_COMMANDS):
        return f"it is a command: it begins with {said[0]}"
    if said.startswith(_WRITTEN):
        return f"a program wrote it: it begins with {_WRITTEN}"
    return "" if len(said) >= SHORTEST else f"it has less than {SHORTEST} characters ({len(said)})"


def _find_session(ground: Ground, event: events.HookEvent, sessions: Sessions) -> tuple[tuple[str, ...], Session]:
    """Return the folders in which a session began, and what is known of it; no folder if these are of several projects.

    Where it began is written down first, at whichever event.
    """
    is_start = event.moment == events.START
    began = notes.begin(str(ground.home), event)
    known = sessions.load(event.session)
    if is_start and sum(event.session.encode("utf-8", "surrogatepass")) % SWEEPING == 0:
        sessions.sweep()
    if is_start and event.source != "resume":  # the model sees none of it any longer
        known = Session(known.folder)
    return began, replace(known, folder=agreed((known.folder, *began) if known.folder else began))


def _recall(ground: Ground, event: events.HookEvent, sessions: Sessions, known: Session, until: float) -> str:
    """Return the block for a prompt, or the beginning of a session; "" where it failed, which is noted."""
    is_start = event.moment == events.START
    is_prompt = event.moment == events.PROMPT and not why_not(event.prompt)
    if not known.folder or not (is_prompt or is_start):
        return ""
    if is_prompt:
        # Beside what takes longest to import: what is to be searched for is known only behind that.
        ground.prepare()
    from palace.agent.guard import Guard
    from palace.hooks.recalling import Recalling

    if not ground.guard:
        ground.guard.append(Guard())
    recalling = Recalling(partial(ground.open, sessions.user), event, known)
    outcome = ground.guard[0].run(recalling.run, max(until - time.monotonic(), 0.001))
    # Of whom nothing was ever filed, nothing is known: that is no failure.
    if not outcome.is_done and outcome.code != NotFound.code:
        note(ground.home, event.moment, event.harness, outcome.code, step=recalling.step)
    if recalling.known != known or is_start:
        sessions.save(event.session, recalling.known)
    return recalling.block if outcome.is_done else ""
