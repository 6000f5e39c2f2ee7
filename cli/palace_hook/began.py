"""What is read of an event before Palace is there, and where its session began, as ``palace.hooks.began`` writes it.

It is written before a worker is asked and before anything is imported: what hangs later leaves nothing open.
"""

from __future__ import annotations

import os

from palace_hook.written import read, write_ascii

FOLDER = "began"
MOST = 8
LARGEST = 1 << 20
LONGEST_PATH, LONGEST_NAME, LONGEST_PLAIN = 4096, 200, 64
PRIVATE = 0o700
ON = ("resume", "clear", "compact")
START = "sessionstart"
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_NO = ("0", "off", "f", "false", "n", "no")


class Event:
    """What is read of an event."""

    def __init__(self, fields: dict[str, object], name: str, session: str, folder: str) -> None:
        """``name`` is what the program calls the event, in small letters and digits alone."""
        self.fields, self.name, self.session, self.folder = fields, name, session, folder


def event_of(request: dict[str, object]) -> Event | None:
    """Read an event; None where it is none, is of an agent that the agent started, or hooks are switched off."""
    if any(name.upper() == "PALACE_HOOKS" and value.lower() in _NO for name, value in os.environ.items()):
        return None
    try:
        fields = read(str(request["input"]))
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or text_in(fields, "agent_id"):
        return None
    called = text_in(fields, "hook_event_name") or str(request["event"])
    names = (text_in(fields, "session_id"), text_in(fields, "conversation_id"))
    session = next((_known_by(whole(name)) for name in names if name), "")
    roots = fields.get("workspace_roots")
    root = usable(roots[0]) if isinstance(roots, list) and roots else ""
    folder = usable(fields.get("cwd")) or root or str(request["folder"])
    return Event(fields, "".join(sign for sign in called.lower() if sign.isalnum()), session, folder)


def begin(home: str, event: Event, *, is_late: bool = False) -> list[str]:
    """Write down where a session is at work, unless that is known; give all folders that it was started in.

    ``is_late`` says that it was heard of before, when nothing was written down: where it began, nobody knows. Nothing
    is given where the system refuses, which the process that answers says, and of a session without a name.
    """
    if not event.session:
        return []
    source = text_in(event.fields, "source") or text_in(event.fields, "trigger")
    try:
        folder = make_private(home, "hooks", FOLDER)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(os.path.join(folder, file_name(event.session)), flags, 0o600)
        try:
            if is_late:
                os.write(descriptor, write_ascii("") + b"\n")
                os.lseek(descriptor, 0, os.SEEK_SET)
            return _begin(descriptor, event.folder, anew=event.name == START and source not in ON)
        finally:
            os.close(descriptor)
    except OSError:
        return []


def _begin(descriptor: int, folder: str, *, anew: bool) -> list[str]:
    known = [_folder(line) for line in os.read(descriptor, LARGEST).splitlines(keepends=True)]
    if folder and (not known or (anew and folder not in known and len(known) <= MOST)):
        folder = folder if len(known) < MOST else ""
        os.write(descriptor, write_ascii(folder) + b"\n")
        known.append(folder)
    os.utime(descriptor)
    return known


def make_private(home: str, *names: str) -> str:
    """Make a folder in a home, and those around it, for this account alone, as ``palace.folders`` does.

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


def file_name(session: str) -> str:
    """Give the name of a session's file."""
    if len(session) <= LONGEST_PLAIN and PLAIN.issuperset(session):
        return f"s-{session}"
    from hashlib import sha256  # takes long to import, and most names do without

    return f"h-{sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def text_in(fields: dict[str, object], name: str) -> str:
    """Read a text; "" where it is missing or none."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def usable(value: object) -> str:
    """Read a path; "" where it is none."""
    return value if isinstance(value, str) and len(value) <= LONGEST_PATH and "\0" not in value else ""


def whole(text: str) -> str:
    """Give a text that can be written anywhere."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _known_by(session: str) -> str:
    if len(session) <= LONGEST_NAME:
        return session
    from hashlib import sha256

    return sha256(session.encode()).hexdigest()


def _folder(line: bytes) -> str:
    try:
        told = read(line) if line.endswith(b"\n") else ""
    except (ValueError, RecursionError):
        return ""
    return told if isinstance(told, str) else ""
