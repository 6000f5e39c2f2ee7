"""The command lines by which clients run this program. Pure, except for finding it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from palace.errors import BadRequest

PASSED_ON = ("PALACE_HOME", "PALACE_USER", "PALACE_DATABASE_SCHEMA", "PALACE_DATABASE_URL")
"""Variables that select the palace; a client started from a desktop does not have those of a terminal."""
HOOK = "hook"
SERVER = ("mcp",)
WING = "--wing"
"""The option that limits the server to one wing."""

_HOOK_LINE = re.compile(r"(?:^|[/\s])palace['\"]? hook [A-Za-z]+ --harness [a-z-]+(?: \|\| true)?\s*$")


@dataclass(frozen=True, slots=True)
class Program:
    """The program as a configuration names it."""

    command: str
    """An absolute path, or in shared files a name that is searched on PATH."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables to set for it."""
    wing: str | None = None
    """The wing that the server is limited to; None keeps that of an existing entry."""

    def hook(self, event: str, harness: str) -> str:
        """Return the command line of a hook; it succeeds silently if the program does not exist."""
        line = f"{shlex.quote(self.command)} {HOOK} {event} --harness {harness} || true"
        if self.is_shared:
            return f"command -v {self.command} >/dev/null 2>&1 && {line}"
        return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in sorted(self.variables.items())), line])

    @property
    def server(self) -> tuple[str, ...]:
        """Return the arguments that start the server."""
        return SERVER if self.wing is None else (*SERVER, WING, self.wing)

    @property
    def is_shared(self) -> bool:
        """Whether the program is searched on PATH."""
        return not self.command.startswith("/")


SHARED = Program("palace")
"""The program in files that people share, such as in a repository."""


def installed(user: str | None = None, wing: str | None = None) -> Program:
    """Find the installed program, with the variables that select the palace, and ``user`` if named.

    Its server is limited to the ``wing``, if given.

    Raises:
        BadRequest: there is no executable, or its path, a variable or the wing cannot be written into a configuration.
    """
    beside = Path(sys.executable).with_name("palace")
    found = str(beside) if beside.is_file() else shutil.which("palace")
    if not found:
        raise BadRequest(f"no executable called palace lies beside {sys.executable} or on PATH: install Palace first")
    variables = _variables() | ({"PALACE_USER": user} if user else {})
    for text in (found, *variables.values(), wing or ""):
        if not text.isprintable() or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise BadRequest(f"{text!r} cannot be written into a configuration: it has signs that are no text")
    return Program(str(Path(found).absolute()), variables, wing)


def is_hook(line: object) -> bool:
    """Return whether a command line is a hook of Palace, wherever the program was installed then."""
    return isinstance(line, str) and _HOOK_LINE.search(line) is not None


def is_server(entry: object) -> bool:
    """Return whether a server's entry is one of Palace, regardless of what a person added."""
    words = server_words(entry)
    return len(words) > 1 and words[0].rpartition("/")[2] == "palace" and words[1] == SERVER[0]


def server_words(entry: object) -> list[str]:
    """Return the command and arguments of a server's entry as a list, in any client's format; empty if malformed."""
    if not isinstance(entry, dict):
        return []
    command, arguments = entry.get("command"), entry.get("args")
    words = [
        *(command if isinstance(command, list) else [command]),
        *(arguments if isinstance(arguments, list) else []),
    ]
    told = [word for word in words if isinstance(word, str)]
    return told if len(told) == len(words) else []


def confined(words: Sequence[str], wing: str | None) -> list[str]:
    """Return a server's arguments with the wing replaced; unchanged if ``wing`` is None.

    >>> confined(["mcp", "--wing=Boat", "--profile", "full"], "Garden")
    ['mcp', '--profile', 'full', '--wing', 'Garden']
    """
    if wing is None:
        return [*words]
    values = {index + 1 for index, word in enumerate(words) if word == WING}
    kept = (word for index, word in enumerate(words) if index not in values and not is_confined([word]))
    return [*kept, WING, wing]


def is_confined(words: Sequence[str]) -> bool:
    """Return whether a server's arguments limit it to one wing."""
    return any(word == WING or word.startswith(f"{WING}=") for word in words)


def hook_command(line: str) -> str:
    """Return the executable in a hook's command line; "" if it cannot be parsed."""
    try:
        words = shlex.split(line)
    except ValueError:
        return ""
    places = [index for index, word in enumerate(words) if word == HOOK]
    return words[places[0] - 1] if places and places[0] else ""


def _variables() -> dict[str, str]:
    """Return the variables to pass on."""
    from palace.config.address import secrets_in
    from palace.config.settings import configured_home

    given = {name: os.environ[name] for name in PASSED_ON if os.environ.get(name)}
    if "PALACE_DATABASE_URL" in given and secrets_in(given["PALACE_DATABASE_URL"]):
        raise BadRequest(
            "PALACE_DATABASE_URL holds a password, which is not written into a client's configuration: put"
            " database_url into config.toml in the palace's home, readable for you alone, and unset the variable"
        )
    if "PALACE_HOME" in given or os.environ.get("XDG_DATA_HOME"):
        given["PALACE_HOME"] = str(configured_home().absolute())
    return given
