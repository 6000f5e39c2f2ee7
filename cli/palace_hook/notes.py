"""What hooks write below the home: where a session began, which transcript has grown, and what failed.

It is written before a worker is asked and before anything is imported that may hang: on a busy machine importing Palace
alone may take all the time there is. Nothing that anybody said stands in it.
"""

from __future__ import annotations

import os
from time import gmtime, monotonic_ns, strftime, time

from palace_hook.events import FILES, START, HookEvent, Unintelligible, digest, read_event
from palace_hook.written import read_json, write_ascii

HOOKS, BEGAN, INBOX, LOG = "hooks", "began", "inbox", "failures.log"
MOST_FOLDERS, MOST_NOTES = 8, 2000
"""Folders that are kept of a session, and notes that wait at most: every session has but one."""
LARGEST = 1 << 20
LARGEST_LOG = 64 * 1024
"""Bytes of the log; where it has grown larger, its older half goes."""
PRIVATE = 0o700
GOES_ON = ("resume", "clear", "compact")
"""Why a session starts that was there before: where that happens says nothing of where it began."""
WHOSE = ("PALACE_HOME", "PALACE_USER", "PALACE_PERSON", "PALACE_HOOKS", "PALACE_DATABASE_SCHEMA")
"""Variables that say whose palace it is, beside who is logged in; none holds a secret."""
ADDRESS = "PALACE_DATABASE_URL"
"""Says so as well, and may hold one: of it no more is kept than ``place_of`` gives."""
_NO = ("0", "off", "f", "false", "n", "no")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-")
_APPENDED = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def write_down(home: str, request: dict[str, object]) -> None:
    """Write down where the session began, and leave the note that its transcript has grown.

    A home that is not there is made for a note alone: nothing was ever filed in it, so there is nothing to answer.
    """
    event, is_late = event_of(request), not os.path.isdir(home)
    if event is None or (is_late and event.moment not in FILES):
        return
    try:
        folders = begin(home, event, is_late=is_late)
        if event.moment in FILES and (folders or not event.session):
            request["left"] = leave(home, event, request, folders)
    except OSError:  # the process that answers says so
        pass


def event_of(request: dict[str, object]) -> HookEvent | None:
    """Read an event; None where it is none, is of an agent that the agent started, or hooks are switched off."""
    if any(name.upper() == "PALACE_HOOKS" and value.lower() in _NO for name, value in os.environ.items()):
        return None
    named = str(request["harness"]) if request["harness"] else None
    try:
        event = read_event(
            str(request["input"]), event=str(request["event"]), harness=named, folder=str(request["folder"])
        )
    except Unintelligible:
        return None
    return None if event.is_of_agent else event


def begin(home: str, event: HookEvent, *, is_late: bool = False) -> tuple[str, ...]:
    """Write down where a session is at work, unless that is known; return all folders that it was started in.

    The file has a line for each, written as JSON; the first is where it began. A session that is being started by its
    program and does not go on may be another one of that name. ``is_late`` says that it was heard of before, when
    nothing was written down: where it began, nobody knows. A session without a name has no folder.

    Raises:
        OSError: the system refuses.
    """
    if not event.session:
        return ()
    descriptor = os.open(os.path.join(make_private(home, HOOKS, BEGAN), file_name(event.session)), _APPENDED, 0o600)
    try:
        if is_late:
            os.write(descriptor, write_ascii("") + b"\n")
            os.lseek(descriptor, 0, os.SEEK_SET)
        known = [_folder(line) for line in os.read(descriptor, LARGEST).splitlines(keepends=True)]
        is_anew = event.moment == START and event.source not in GOES_ON
        is_other = is_anew and event.folder not in known and len(known) <= MOST_FOLDERS
        if event.folder and (not known or is_other):
            known.append(event.folder if len(known) < MOST_FOLDERS else "")
            os.write(descriptor, write_ascii(known[-1]) + b"\n")
        os.utime(descriptor)
    finally:
        os.close(descriptor)
    return tuple(known)


def leave(home: str, event: HookEvent, request: dict[str, object], folders: tuple[str, ...]) -> bool:
    """Leave a note of an event, in the place of the one of the same transcript; False where it names no transcript.

    Whoever mines it reads whose it is.

    Raises:
        OSError: the system refuses, or as many wait as ever may; nothing of it is left.
    """
    if not event.transcript:
        return False
    environment, user = request.get("environment"), request.get("user")
    variables = [*environment.items()] if isinstance(environment, dict) else []
    addresses = (value for name, value in reversed(variables) if name.upper() == ADDRESS)
    note: dict[str, object] = {
        "harness": event.harness,
        "session": event.session,
        "transcript": event.transcript,
        "folder": folders[0] if len({*folders}) == 1 else "",
        "user": user,
        "event": event.moment,
        "at": time(),
        "is_typed": user is not None,
        "variables": {
            name: value for name, value in variables if not name.upper().startswith("PALACE_") or name.upper() in WHOSE
        },
        "database": next(map(place_of, addresses), ""),
    }
    import json

    folder = make_private(home, HOOKS, INBOX)
    whose = json.dumps([user, note["variables"], event.transcript, note["database"]])
    path = os.path.join(folder, f"{digest(whose.encode())}.json")
    if not os.path.exists(path) and len(os.listdir(folder)) >= MOST_NOTES:
        raise OSError
    write_whole(path, json.dumps(note).encode())
    return True


def write_whole(path: str, content: bytes) -> None:
    """Write a file for its owner alone, in one step.

    Raises:
        OSError: the system refuses; nothing of it is left.
    """
    folder, name = os.path.split(path)
    new = os.path.join(folder, f".{name}.{os.getpid()}.{monotonic_ns()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.replace(new, path)
    except OSError:
        os.unlink(new)
        raise


def note_failure(home: str, event: object, harness: object, code: str, step: str) -> None:
    """Write down that a hook failed; where that fails as well, or there is no home, nothing is done.

    A line says when, which event of which program, and what kind of failure, by words of ours alone.
    """
    words = " ".join(map(_word, (event, harness, code, step)))
    try:
        if not os.path.isdir(home):
            return
        path = os.path.join(make_private(home, HOOKS), LOG)
        log = os.open(path, _APPENDED, 0o600)
        try:
            os.write(log, f"{strftime('%Y-%m-%dT%H:%M:%SZ', gmtime())} {words}\n".encode())
            size = os.fstat(log).st_size
            kept = os.pread(log, size, size - LARGEST_LOG // 2) if size > LARGEST_LOG else b""
        finally:
            os.close(log)
        if kept:  # whole lines; whoever writes meanwhile may lose one
            write_whole(path, kept.partition(b"\n")[2])
    except OSError:
        pass


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
    """Return the name of the file of where a session began, the same for all users."""
    if len(session) <= 64 and _PLAIN.issuperset(session):
        return f"s-{session}"
    return f"h-{digest(session.encode('utf-8', 'surrogatepass'))}"


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
    named = (host.lower(), options.get("port") or port or "5432", name, options.get("service") or "")
    return digest(json.dumps(named).encode())


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


def _folder(line: bytes) -> str:
    """Read a folder; what makes no sense is one that no project has."""
    try:
        folder = read_json(line) if line.endswith(b"\n") else ""
    except (ValueError, RecursionError):
        return ""
    return folder if isinstance(folder, str) else ""


def _word(value: object) -> str:
    shown = "".join(each if each in _WORD else " " for each in value) if isinstance(value, str) else ""
    return "_".join(shown.split())[:60] or "-"
