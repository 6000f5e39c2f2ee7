"""Leaving the note that a transcript has grown, as ``palace.hooks.inbox.left`` does, before Palace is there.

On a busy machine importing it alone may take all the time there is; what was said would never be filed.
"""

from __future__ import annotations

import json
import os
from time import monotonic_ns, time

from palace_hook.began import Event, make_private, text_in, usable

MOMENTS = {
    **dict.fromkeys(("stop", "afteragent"), "stop"),
    **dict.fromkeys(("precompact", "precompress"), "pre-compact"),
    "sessionend": "session-end",
}
"""What leaves a note, by what any program calls it."""
HARNESSES = ("claude-code", "codex", "gemini", "cursor")
WHOSE = ("PALACE_HOME", "PALACE_USER", "PALACE_PERSON", "PALACE_HOOKS", "PALACE_DATABASE_SCHEMA")
"""Variables that say whose palace it is, beside who is logged in; none holds a secret."""
ADDRESS = "PALACE_DATABASE_URL"
"""Says so as well, and may hold one: of it no more is kept than ``place_of`` gives."""
MOST = 2000


def leave(home: str, request: dict[str, object], event: Event, folders: list[str]) -> bool:
    """Leave a note of an event that has one; tell whether one is there. Whoever mines it reads whose it is."""
    transcript, harness = usable(event.fields.get("transcript_path")), harness_of(request, event)
    is_refused = event.session and not folders
    if event.name not in MOMENTS or is_refused or not (transcript and harness):
        return False
    note = {
        "harness": harness,
        "session": event.session,
        "transcript": transcript,
        "folder": folders[0] if len({*folders}) == 1 else "",
        "user": request["user"],
        "event": MOMENTS[event.name],
        "at": time(),
        "is_typed": request["user"] is not None,
        "variables": _variables(request),
        "database": _database(request),
    }
    try:
        _write(home, note)
    except OSError:
        return False
    return True


def harness_of(request: dict[str, object], event: Event) -> str:
    """Tell which program has sent an event; "" of one that is not known."""
    if request["harness"]:
        return str(request["harness"]) if request["harness"] in HARNESSES else ""
    fields, called = event.fields, text_in(event.fields, "hook_event_name")
    if "conversation_id" in fields or "cursor_version" in fields:
        return "cursor"
    if "turn_id" in fields or "rollout-" in text_in(fields, "transcript_path"):
        return "codex"
    if "timestamp" in fields or called in ("BeforeAgent", "AfterAgent", "PreCompress"):
        return "gemini"
    return "cursor" if called[:1].islower() else "claude-code"


def _variables(request: dict[str, object]) -> dict[str, str]:
    said = request["environment"]
    given = said.items() if isinstance(said, dict) else ()
    return {name: value for name, value in given if not name.upper().startswith("PALACE_") or name.upper() in WHOSE}


def _database(request: dict[str, object]) -> str:
    """Say where the database is that the environment names; "" where it names none: then the settings do."""
    said = request["environment"]
    given = said.items() if isinstance(said, dict) else ()
    return next((place_of(value) for name, value in reversed([*given]) if name.upper() == ADDRESS), "")


def place_of(address: str) -> str:
    """Give a digest of where a database is: host, port and name alone, so that nothing of a password is in it."""
    from hashlib import sha256
    from urllib.parse import parse_qsl, unquote

    rest, _, query = address.partition("://")[2].partition("?")
    authority, _, path = rest.partition("/")
    place = authority.rpartition("@")[2]
    host, _, port = place.rpartition(":") if ":" in place.rpartition("]")[2] else (place, "", "")
    options = dict(parse_qsl(query))
    host = options.get("host") or options.get("hostaddr") or host or "localhost"
    name = unquote(path) or options.get("dbname") or ""
    told = (host.lower(), options.get("port") or port or "5432", name, options.get("service") or "")
    return sha256(json.dumps(told).encode()).hexdigest()[:32]


def _write(home: str, note: dict[str, object]) -> None:
    """Write a note for its owner alone, in one step, in the place of the one of the same transcript.

    Raises:
        OSError: the system refuses, or as many wait as ever may; nothing of it is left.
    """
    from hashlib import sha256

    folder = make_private(home, "hooks", "inbox")
    told = json.dumps([note["user"], note["variables"], note["transcript"], note["database"]])
    path = os.path.join(folder, f"{sha256(told.encode()).hexdigest()[:32]}.json")
    if not os.path.exists(path) and len(os.listdir(folder)) >= MOST:
        raise OSError
    new = os.path.join(folder, f".{os.path.basename(path)}.{os.getpid()}.{monotonic_ns()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(json.dumps(note).encode())
        os.replace(new, path)
    except OSError:
        os.unlink(new)
        raise
