"""Answer a hook within its time: never raise, and return "" where there is nothing to say.

Slow imports are made where they are needed, so that leaving a note for the worker needs none of them.
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
from palace.hooks.tool_use import ToolUse, tool_use_of
from palace_hook import events, notes

if TYPE_CHECKING:
    from palace.agent.guard import Guard
    from palace.hooks.hand_over import CachedPalace, HandOver
    from palace.hooks.recalling import HookRecall
    from palace.opened import OpenPalace

LONGEST_SECONDS = 10.0
SECONDS = 1.5
"""Seconds that memory may take for a prompt; after that the program continues without."""
SWEEPING = 16
"""One in so many session starts removes the files of old sessions."""
SHORTEST = 15
"""Characters below which a prompt is not searched."""
_COMMANDS = ("/", "!", "#")
"""Prefixes of prompts that are commands to the program or the shell, not messages to the model."""
_WRITTEN = "<"
"""Prefix of prompts that programs wrote."""


@dataclass(frozen=True, slots=True)
class HookContext:
    """What the hooks of one home share; safe to share between threads."""

    home: Path
    user: str
    """The user whose palace it is if the command line names none."""
    open: Callable[[str], OpenPalace]
    """Opens the palace of an existing user. It may raise any error."""
    seconds: float = SECONDS
    """Seconds that an answer may take."""
    wake: Callable[[], object] = lambda: None
    """Makes sure that a worker mines the notes that were left."""
    enabled: bool = True
    """Whether hooks do anything."""
    prepare: Callable[[], object] = lambda: None
    """Starts to load the model in the background, because most prompts need a search."""
    guard: list[Guard] = field(default_factory=list)
    """Holds the one guard, created on first use."""
    cache: dict[str, CachedPalace] = field(default_factory=dict)
    """The palaces that tools were answered from, by user; of these settings alone."""


def answer_request(context: HookContext, request: Mapping[str, Any]) -> str:
    """Answer one call of ``palace hook``, as sent over the socket; return "" where there is nothing to say.

    ``input`` is what the program sent; ``event``, ``harness`` and ``user`` come from the command line; ``folder`` is
    the working folder, ``seconds`` the time left, and ``left`` says that the note on the transcript was already
    written. A value of a wrong type counts as missing. Never raises; failures are logged for doctor.
    """
    names = ("input", "event", "harness", "user", "folder")
    given = {name: value if isinstance(value := request.get(name), str) else "" for name in names}
    user = given["user"] if isinstance(request.get("user"), str) else None
    seconds = request.get("seconds")
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0
    until = time.monotonic() + min(context.seconds, seconds if is_number and seconds is not None else LONGEST_SECONDS)
    moment, harness = given["event"], given["harness"]
    try:
        event = events.read_event(given["input"], event=moment, harness=harness or None, folder=given["folder"])
        moment, harness = event.moment, event.harness
        use = tool_use_of(event) if event.moment in events.TOOLS else None
        if not context.enabled or event.is_of_agent:
            return ""
        sessions = Sessions(context.home, user or context.user)
        began, known = _find_session(context, event, sessions)
        if event.moment in events.FILES:
            if event.moment == events.END and known.prompts:
                sessions.save(event.session, replace(known, prompts=()))
            if request.get("left") is True or notes.leave(str(context.home), event, {**request, "user": user}, began):
                context.wake()
            return ""
        return events.write_answer(event, _recall(context, event, use, sessions, known, until))
    except events.Unintelligible as problem:
        note(context.home, moment, harness, str(problem), step="read")
    except Exception as problem:  # noqa: BLE001 — the program around must not notice, whatever it is
        note(context.home, moment, harness, code_of(problem), step="answer")
    return ""


def why_not(prompt: str) -> str:
    """Return why a prompt is not searched, or "" if it may refer to something said before.

    >>> why_not("!ls"), why_not("yarn add dayjs"), why_not("why did we drop Redis?")
    ('it is a command: it begins with !', 'it has less than 15 characters (14)', '')
    """
    said = prompt.strip()
    if said.startswith(_COMMANDS):
        return f"it is a command: it begins with {said[0]}"
    if said.startswith(_WRITTEN):
        return f"a program wrote it: it begins with {_WRITTEN}"
    return "" if len(said) >= SHORTEST else f"it has less than {SHORTEST} characters ({len(said)})"


def _find_session(context: HookContext, event: events.HookEvent, sessions: Sessions) -> tuple[tuple[str, ...], Session]:
    """Return the folders in which a session began and its state; its folder is "" if they are of several projects.

    The folder is written first, at whichever event.
    """
    is_start = event.moment == events.START
    began = notes.begin(str(context.home), event)
    known = sessions.load(event.session)
    if is_start and sum(event.session.encode("utf-8", "surrogatepass")) % SWEEPING == 0:
        sessions.sweep()
    if is_start and event.source != "resume":  # the model no longer sees any of it
        known = Session(known.folder)
    return began, replace(known, folder=agreed((known.folder, *began) if known.folder else began))


def _recall(
    context: HookContext,
    event: events.HookEvent,
    use: ToolUse | None,
    sessions: Sessions,
    known: Session,
    until: float,
) -> str:
    """Return the block for an event; "" if that failed, which is logged for doctor."""
    is_tool, is_start = use is not None, event.moment == events.START
    is_prompt = event.moment == events.PROMPT and not why_not(event.prompt)
    if not known.folder or use == ToolUse() or not (is_prompt or is_start or is_tool):
        return ""
    if is_prompt:
        # In parallel with the slow imports below.
        context.prepare()
    from palace.agent.guard import Guard

    if not context.guard:
        context.guard.append(Guard())
    recalling: HandOver | HookRecall
    if use is not None:
        from palace.hooks.hand_over import HandOver

        recalling = HandOver(partial(context.open, sessions.user), context.cache, event, use, known, sessions)
    else:
        from palace.hooks.recalling import HookRecall

        recalling = HookRecall(partial(context.open, sessions.user), event, known)
    outcome = context.guard[0].run(recalling.run, max(until - time.monotonic(), 0.001))
    # A user without any rows is no failure: there is nothing to recall.
    if not outcome.is_done and outcome.code != NotFound.code:
        note(context.home, event.moment, event.harness, outcome.code, step=recalling.step)
    if not is_tool and (recalling.known != known or is_start):
        sessions.save(event.session, recalling.known)
    return recalling.block if outcome.is_done else ""
