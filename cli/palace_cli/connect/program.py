"""How a client is told to run this program. Pure but for finding it."""

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
"""Variables that say which palace is meant; a program started from a desktop does not have those of a terminal."""
HOOK = "hook"
SERVER = ("mcp",)
WING = "--wing"
"""The option of the server that confines it."""

_HOOK_LINE = re.compile(r"(?:^|[/\s])palace['\"]? hook [A-Za-z]+ --harness [a-z-]+(?: \|\| true)?\s*$")


@dataclass(frozen=True, slots=True)
class Program:
    """The program as a configuration names it."""

    command: str
    """An absolute path; in what several people share, a name that is looked for."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """What it is given of the environment."""
    wing: str | None = None
    """What the server is confined to; None leaves a server that is there as it is."""

    def hook(self, event: str, harness: str) -> str:
        """Write the command line of a hook: it does nothing but succeed where the program is not there."""
        line = f"{shlex.quote(self.command)} {HOOK} {event} --harness {harness} || true"
        if self.is_shared:
            return f"command -v {self.command} >/dev/null 2>&1 && {line}"
        return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in sorted(self.variables.items())), line])

    @property
    def server(self) -> tuple[str, ...]:
        """What stands behind the program where it is to be the server."""
        return SERVER if self.wing is None else (*SERVER, WING, self.wing)

    @property
    def is_shared(self) -> bool:
        """Whether it is looked for by name."""
        return not self.command.startswith("/")


SHARED = Program("palace")
"""As everybody has it who has one: for what lies in a repository."""


def installed(user: str | None = None, wing: str | None = None) -> Program:
    """Find the program that runs, and what says which palace is meant: the environment, and the ``user`` named here.

    Its server is confined to the ``wing``, where one is named.

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
    """Whether a command line is one that was written here, wherever the program lay then."""
    return isinstance(line, str) and _HOOK_LINE.search(line) is not None


def is_server(entry: object) -> bool:
    """Whether a server's entry is one that was written here; what a person added to it since does not matter."""
    words = server_words(entry)
    return len(words) > 1 and words[0].rpartition("/")[2] == "palace" and words[1] == SERVER[0]


def server_words(entry: object) -> list[str]:
    """Return the command of a server's entry as words, however the client has it written."""
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
    """Confine a server's arguments to a wing, in place of the one that they name; None leaves them as they are.

    >>> confined(["mcp", "--wing=Boat", "--profile", "full"], "Garden")
    ['mcp', '--profile', 'full', '--wing', 'Garden']
    """
    if wing is None:
        return [*words]
    values = {place + 1 for place, word in enumerate(words) if word == WING}
    kept = (word for place, word in enumerate(words) if place not in values and not is_confined([word]))
    return [*kept, WING, wing]


def is_confined(words: Sequence[str]) -> bool:
    """Whether a server's arguments name the one wing that it looks at."""
    return any(word == WING or word.startswith(f"{WING}=") for word in words)


def hook_command(line: str) -> str:
    """Return the executable that a hook's command line runs; empty where it cannot be told."""
    try:
        words = shlex.split(line)
    except ValueError:
        return ""
    places = [place for place, word in enumerate(words) if word == HOOK]
    return words[places[0] - 1] if places and places[0] else ""


def _variables() -> dict[str, str]:
    """Choose what is passed on.

    Raises:
        BadRequest: the address of the database holds a password.
    """
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
