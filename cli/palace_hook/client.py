"""``palace hook EVENT``: ask the worker that has everything loaded, else answer in a child process.

Whatever happens, it takes at most a second and a half, writes a whole answer or nothing, and exits with 0: the calling
program must not notice failures. So nothing of Palace is imported here, and few other modules: each import adds to the
time of every prompt.
"""

from __future__ import annotations

import os
import select
from time import CLOCK_BOOTTIME, clock_gettime, monotonic

from palace_hook import PROTOCOL, VERSION
from palace_hook.asking import ask, find_home
from palace_hook.events import MOST_BYTES, TOOLS, moment_of
from palace_hook.notes import note_failure, write_down

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes as long to import as everything else here
    from typing import NoReturn

SECONDS, TOOL_SECONDS = 1.5, 0.5
"""Seconds for everything, from when the host started this process; the second for what a tool waits for."""
LONGEST_START = 0.6
"""The most of that to attribute to the interpreter's start, in case the system's clocks disagree."""
MARGIN = 0.05
"""Seconds that remain after a worker has used its time."""
LOGINS = ("LOGNAME", "USER", "LNAME", "USERNAME")
"""Variables with the login name (as in ``getpass.getuser``)."""
_AT_ONCE = 1 << 16
_ATOMIC = 4096


class Unasked(Exception):
    """No request can be made; the message is a one-word reason."""


def main(words: list[str]) -> NoReturn:
    """Answer an event, and exit the process."""
    deadline = monotonic() - _age()
    try:
        _hold_streams()
        named = _named(words)
        is_tool = moment_of(str(named["event"])) in TOOLS
        _answer(named, deadline + (TOOL_SECONDS if is_tool else SECONDS), is_tool=is_tool)
    finally:  # the calling program must not notice any failure
        os._exit(0)


def _answer(named: dict[str, object], deadline: float, *, is_tool: bool) -> None:
    home, request = find_home(), {"v": PROTOCOL, "version": VERSION, **named}
    try:
        request.update(folder=_folder(), environment=environment_of(home), input=_read_input(deadline))
    except Unasked as problem:
        note_failure(home, request["event"], request["harness"], str(problem), "client")
        return
    if not is_tool:
        write_down(home, request)
    if not os.path.isdir(home):
        return
    out = ask(request, home, deadline - MARGIN - monotonic())
    if out is None and is_tool:  # a tool does not wait until Palace is imported
        return
    if out is None:
        from palace_hook.child_process import answer_in_child

        out = answer_in_child(request, home, deadline)
    _write_output(out.encode("utf-8", "replace"), deadline)


def _age() -> float:
    """Return the age of this process in seconds: on a busy machine the interpreter starts slowly."""
    try:
        own = os.open("/proc/self/stat", os.O_RDONLY)
        told = os.read(own, 4096)
        os.close(own)
        # proc(5): the 22nd field, in clock ticks since boot; the second is a name, in parentheses.
        began = int(told.rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return min(max(clock_gettime(CLOCK_BOOTTIME) - began, 0.0), LONGEST_START)
    except (OSError, ValueError, IndexError):
        return 0.0


def _named(words: list[str]) -> dict[str, object]:
    """Parse the command line: the event, ``--harness`` and ``--user``; anything else is ignored."""
    told: dict[str, object] = {"event": "", "harness": None, "user": None}
    left = iter(words)
    for word in left:
        name, sign, value = word.partition("=")
        if name in ("--harness", "--user", "-u"):
            told[{"-u": "user"}.get(name, name[2:])] = value if sign else next(left, None)
        elif not word.startswith("-") and not told["event"]:
            told["event"] = word
    return told


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder was removed
        return os.environ.get("PWD", "")


def environment_of(home: str) -> dict[str, str]:
    """Return the variables that settings are read from; the worker answers under the caller's settings."""
    said = {name: value for name, value in os.environ.items() if name.upper().startswith("PALACE_")}
    login = next((name for name in LOGINS if os.environ.get(name)), None)
    others = {name: os.environ[name] for name in (login, "TZ") if name and name in os.environ}
    return {**said, **others, "PALACE_HOME": home}


def _read_input(deadline: float) -> str:
    """Read standard input to its end, even if it is too large, so that the sender is not blocked."""
    parts, size = [], 0
    while True:
        if not _is_ready(0, select.POLLIN, deadline):
            raise Unasked("input_did_not_end")
        part = os.read(0, _AT_ONCE)
        size += len(part)
        if not part:
            break
        if size <= MOST_BYTES:
            parts.append(part)
    if size > MOST_BYTES:
        raise Unasked("too_large")
    return b"".join(parts).decode("utf-8", "replace")


def _write_output(out: bytes, deadline: float) -> None:
    left = memoryview(out)
    while left and _is_ready(1, select.POLLOUT, deadline):
        left = left[os.write(1, left[:_ATOMIC]) :]


def _is_ready(number: int, for_what: int, deadline: float) -> bool:
    poll = select.poll()
    poll.register(number, for_what)
    return bool(poll.poll(max(0.0, deadline - monotonic()) * 1000))


def _hold_streams() -> None:
    """Open /dev/null for closed standard streams, before a socket gets their number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
