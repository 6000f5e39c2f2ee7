"""Files that hooks write in the home folder: where a session began, which transcript has grown, and what failed.

They are written before a worker is asked and before any slow import: on a busy machine importing Palace alone may use
up the time. They contain no messages.
"""

from __future__ import annotations

import os
from time import gmtime, monotonic_ns, strftime, time

from palace_hook.events import FILES, START, HookEvent, Unintelligible, digest, read_event
from palace_hook.fast_json import read_json, write_ascii

HOOKS, BEGAN, INBOX, LOG = "hooks", "began", "inbox", "failures.log"
MOST_FOLDERS, MOST_NOTES = 8, 2000
"""Folders per session, and waiting notes, at most; a session has one note."""
LARGEST = 1 << 20
LARGEST_LOG = 64 * 1024
"""Bytes of the log; when it grows larger, its older half is deleted."""
PRIVATE = 0o700
GOES_ON = ("resume", "clear", "compact")
"""Sources of a session start that continue an existing session: the folder is then not where it began."""
WHOSE = ("PALACE_HOME", "PALACE_USER", "PALACE_PERSON", "PALACE_HOOKS", "PALACE_DATABASE_SCHEMA")
"""Variables that select the palace, in addition to the login name; none holds a secret."""
ADDRESS = "PALACE_DATABASE_URL"
"""Selects the palace as well, but may hold a password: only ``place_of`` of it is stored."""
_NO = ("0", "off", "f", "false", "n", "no")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-")
_APPENDED = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def write_down(home: str, request: dict[str, object]) -> None:
    """Record where the session began, and leave a note that its transcript has grown.

    A missing home is created only for a note: nothing was filed in it yet, so there is nothing to answer.
    """
    event, is_late = event_of(request), not os.path.isdir(home)
    if event is None or (is_late and event.moment not in FILES):
        return
    try:
        folders = begin(home, event, is_late=is_late)
        if event.moment in FILES and (folders or not event.session):
            request["left"] = leave(home, event, request, folders)
    except OSError:  # the answering process reports it
        pass


def event_of(request: dict[str, object]) -> HookEvent | None:
    """Read the event of a request; None if it is invalid, is caused by a subagent, or hooks are switched off."""
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
    """Record the folder of a session, unless known; return all folders in which it was started.

    The file has one folder per line, as JSON; the first is where it began. A new start of the same session in another
    folder, which does not continue it, is added, since it may be another session of that name. ``is_late`` means that
    earlier events were not recorded, so that the first folder is unknown. A session without an id has no folder.

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
    """Leave a note of an event, replacing the one of the same transcript; return False if it names no transcript.

    The worker that mines it finds out the palace.

    Raises:
        OSError: the system refuses, or too many notes wait; then nothing is left.
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
    """Write a file for its owner alone, atomically.

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
    """Log the failure of a hook; does nothing if that fails as well, or there is no home.

    A line has the time, the event, the program, and codes for failure and step; it quotes nothing.
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
        if kept:  # whole lines; a line that another process writes meanwhile may be lost
            write_whole(path, kept.partition(b"\n")[2])
    except OSError:
        pass


def make_private(home: str, *names: str) -> str:
    """Create a folder in the home folder, with its parents, for this account alone, as ``palace.config.folders`` does.

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
    """Return the name of the file with a session's folders, the same for all users."""
    if len(session) <= 64 and _PLAIN.issuperset(session):
        return f"s-{session}"
    return f"h-{digest(session.encode('utf-8', 'surrogatepass'))}"


def place_of(address: str) -> str:
    """Return a digest of a database's location: of host, port and name alone, so that no password enters it."""
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
    """Create the home folder, closed to others, unless it exists; that of root may be traversed."""
    mode, missing = 0o711 if os.geteuid() == 0 else PRIVATE, [home]
    while not os.path.exists(os.path.dirname(missing[-1])):
        missing.append(os.path.dirname(missing[-1]))
    for folder in reversed(missing):
        if _make(folder, mode):
            os.chmod(folder, mode)


def _make(folder: str, mode: int) -> bool:
    try:
        os.mkdir(folder, mode)
    except FileExistsError:  # or another process created it meanwhile
        return False
    return True


def _folder(line: bytes) -> str:
    """Read a folder from a line; "" if it is invalid."""
    try:
        folder = read_json(line) if line.endswith(b"\n") else ""
    except (ValueError, RecursionError):
        return ""
    return folder if isinstance(folder, str) else ""


def _word(value: object) -> str:
    shown = "".join(each if each in _WORD else " " for each in value) if isinstance(value, str) else ""
    return "_".join(shown.split())[:60] or "-"
