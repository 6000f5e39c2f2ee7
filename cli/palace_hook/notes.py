"""What must not be lost is written down before a worker is asked and before anything is imported that may hang.

Where a session began, as ``palace.hooks.sessions`` writes it, and the note that a transcript has grown, as
``palace.hooks.inbox`` leaves it: on a busy machine importing Palace alone may take all the time there is.
"""

from __future__ import annotations

import os
from time import monotonic_ns, time

from palace_hook.written import read, write_ascii

MOST_FOLDERS, MOST_NOTES = 8, 2000
LARGEST = 1 << 20
LONGEST_PATH, LONGEST_NAME, LONGEST_PLAIN = 4096, 200, 64
PRIVATE = 0o700
GOES_ON = ("resume", "clear", "compact")
START = "sessionstart"
MOMENTS = {
    **dict.fromkeys(("stop", "afteragent"), "stop"),
    **dict.fromkeys(("precompact", "precompress"), "pre-compact"),
    "sessionend": "session-end",
}
"""What leaves a note, by what any program calls it."""
HARNESSES = ("claude-code", "codex", "gemini", "cursor")
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
WHOSE = ("PALACE_HOME", "PALACE_USER", "PALACE_PERSON", "PALACE_HOOKS", "PALACE_DATABASE_SCHEMA")
"""Variables that say whose palace it is, beside who is logged in; none holds a secret."""
ADDRESS = "PALACE_DATABASE_URL"
"""Says so as well, and may hold one: of it no more is kept than ``place_of`` gives."""
_NO = ("0", "off", "f", "false", "n", "no")


class Event:
    """What is read of an event."""

    def __init__(self, fields: dict[str, object], name: str, session: str, folder: str) -> None:
        """``name`` is what the program calls the event, in small letters and digits alone."""
        self.fields, self.name, self.session, self.folder = fields, name, session, folder


def write_down(home: str, request: dict[str, object]) -> None:
    """Write down where the session began, and leave the note that its transcript has grown.

    A home that is not there is made for a note alone: nothing was ever filed in it, so there is nothing to answer.
    """
    event, is_late = event_of(request), not os.path.isdir(home)
    if event is None or (is_late and event.name not in MOMENTS):
        return
    folders = begin(home, event, is_late=is_late)
    if event.name in MOMENTS:
        request["left"] = _leave(home, request, event, folders)


def event_of(request: dict[str, object]) -> Event | None:
    """Read an event; None where it is none, is of an agent that the agent started, or hooks are switched off."""
    if any(name.upper() == "PALACE_HOOKS" and value.lower() in _NO for name, value in os.environ.items()):
        return None
    try:
        fields = read(str(request["input"]))
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or _text(fields, "agent_id"):
        return None
    called = _text(fields, "hook_event_name") or str(request["event"])
    session = _text(fields, "session_id") or _text(fields, "conversation_id")
    if not session.isascii():  # halves of characters are signs of what is missing
        session = session.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if len(session) > LONGEST_NAME:
        session = _digest(session.encode(), 64)
    roots = fields.get("workspace_roots")
    root = _path(roots[0]) if isinstance(roots, list) and roots else ""
    folder = _path(fields.get("cwd")) or root or str(request["folder"])
    return Event(fields, "".join(sign for sign in called.lower() if sign.isalnum()), session, folder)


def begin(home: str, event: Event, *, is_late: bool = False) -> list[str]:
    """Write down where a session is at work, unless that is known; return all folders that it was started in.

    ``is_late`` says that it was heard of before, when nothing was written down: where it began, nobody knows. Nothing
    is returned where the system refuses, which the process that answers says, and of a session without a name.
    """
    if not event.session:
        return []
    source = _text(event.fields, "source") or _text(event.fields, "trigger")
    try:
        folder = make_private(home, "hooks", "began")
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(os.path.join(folder, file_name(event.session)), flags, 0o600)
        try:
            if is_late:
                os.write(descriptor, write_ascii("") + b"\n")
                os.lseek(descriptor, 0, os.SEEK_SET)
            return _begin(descriptor, event.folder, anew=event.name == START and source not in GOES_ON)
        finally:
            os.close(descriptor)
    except OSError:
        return []


def make_private(home: str, *names: str) -> str:
    """Make a folder in a home, and those around it, for this account alone, as ``palace.config.folders`` does.

    Raises:
        OSError: the system refuses.
    """
    folder = os.path.join(home, *names)
    try:
        os.mkdir(folder, PRIVATE)
    except FileExistsError:
        return folder
    except FileNotFoundError:
        _make_home(home)
        for number in range(len(names)):
            _make(os.path.join(home, *names[: number + 1]), PRIVATE)
    return folder


def file_name(session: str) -> str:
    """Return the name of the file of where a session began."""
    if len(session) <= LONGEST_PLAIN and PLAIN.issuperset(session):
        return f"s-{session}"
    return f"h-{_digest(session.encode('utf-8', 'surrogatepass'))}"


def harness_of(request: dict[str, object], event: Event) -> str:
    """Return which program has sent an event; "" of one that is not known."""
    if request["harness"]:
        return str(request["harness"]) if request["harness"] in HARNESSES else ""
    fields, called = event.fields, _text(event.fields, "hook_event_name")
    if "conversation_id" in fields or "cursor_version" in fields:
        return "cursor"
    if "turn_id" in fields or "rollout-" in _text(fields, "transcript_path"):
        return "codex"
    if "timestamp" in fields or called in ("BeforeAgent", "AfterAgent", "PreCompress"):
        return "gemini"
    return "cursor" if called[:1].islower() else "claude-code"


def place_of(address: str) -> str:
    """Return a digest of where a database is: host, port and name alone, so that nothing of a password is in it."""
    import json
    from urllib.parse import parse_qsl, unquote

    rest, _, query = address.partition("://")[2].partition("?")
    authority, _, path = rest.partition("/")
    place = authority.rpartition("@")[2]
    host, _, port = place.rpartition(":") if ":" in place.rpartition("]")[2] else (place, "", "")
    options = dict(parse_qsl(query))
    host = options.get("host") or options.get("hostaddr") or host or "localhost"
    name = unquote(path) or options.get("dbname") or ""
    told = (host.lower(), options.get("port") or port or "5432", name, options.get("service") or "")
    return _digest(json.dumps(told).encode())


def _leave(home: str, request: dict[str, object], event: Event, folders: list[str]) -> bool:
    """Leave a note of an event; return whether one is there. Whoever mines it reads whose it is."""
    transcript, harness = _path(event.fields.get("transcript_path")), harness_of(request, event)
    is_refused = event.session and not folders
    if is_refused or not (transcript and harness):
        return False
    environment = request["environment"]
    variables = [*environment.items()] if isinstance(environment, dict) else []
    addresses = (value for name, value in reversed(variables) if name.upper() == ADDRESS)
    note = {
        "harness": harness,
        "session": event.session,
        "transcript": transcript,
        "folder": folders[0] if len({*folders}) == 1 else "",
        "user": request["user"],
        "event": MOMENTS[event.name],
        "at": time(),
        "is_typed": request["user"] is not None,
        "variables": {
            name: value for name, value in variables if not name.upper().startswith("PALACE_") or name.upper() in WHOSE
        },
        "database": next(map(place_of, addresses), ""),
    }
    try:
        _write(home, note)
    except OSError:
        return False
    return True


def _write(home: str, note: dict[str, object]) -> None:
    """Write a note for its owner alone, in one step, in the place of the one of the same transcript.

    Raises:
        OSError: the system refuses, or as many wait as ever may; nothing of it is left.
    """
    import json

    folder = make_private(home, "hooks", "inbox")
    told = json.dumps([note["user"], note["variables"], note["transcript"], note["database"]])
    path = os.path.join(folder, f"{_digest(told.encode())}.json")
    if not os.path.exists(path) and len(os.listdir(folder)) >= MOST_NOTES:
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


def _begin(descriptor: int, folder: str, *, anew: bool) -> list[str]:
    known = [_folder(line) for line in os.read(descriptor, LARGEST).splitlines(keepends=True)]
    if folder and (not known or (anew and folder not in known and len(known) <= MOST_FOLDERS)):
        folder = folder if len(known) < MOST_FOLDERS else ""
        os.write(descriptor, write_ascii(folder) + b"\n")
        known.append(folder)
    os.utime(descriptor)
    return known


def _make_home(home: str) -> None:
    """Make a home where there is none, closed to others; root's can be passed through."""
    mode, missing = 0o711 if os.geteuid() == 0 else PRIVATE, [home]
    while not os.path.exists(os.path.dirname(missing[-1])):
        missing.append(os.path.dirname(missing[-1]))
    for folder in reversed(missing):
        if _make(folder, mode):
            os.chmod(folder, mode)


def _make(folder: str, mode: int) -> bool:
    try:
        os.mkdir(folder, mode)
    except FileExistsError:  # or somebody else has made it meanwhile
        return False
    return True


def _digest(content: bytes, length: int = 32) -> str:
    from hashlib import sha256  # takes long to import, and most hooks do without

    return sha256(content).hexdigest()[:length]


def _text(fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _path(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_PATH and "\0" not in value else ""


def _folder(line: bytes) -> str:
    try:
        told = read(line) if line.endswith(b"\n") else ""
    except (ValueError, RecursionError):
        return ""
    return told if isinstance(told, str) else ""
