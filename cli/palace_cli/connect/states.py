"""How clients stand on this machine, and what `palace connect` answers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from palace.errors import BadRequest
from palace.models import MineSummary
from palace_cli.connect import contents
from palace_cli.connect.clients import Client
from palace_cli.connect.files import read
from palace_cli.connect.jsonc import Refused
from palace_cli.connect.program import hook_command, is_server, server_words


class Level(StrEnum):
    """Whose files are meant."""

    USER = "user"
    """The person's own, which count everywhere."""
    PROJECT = "project"
    """Those in a project's folder, which everybody has who works there."""


class FileState(StrEnum):
    """What becomes of a file, or became."""

    UNCHANGED = "unchanged"
    NEW = "new"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """What becomes of one file of a client's configuration."""

    file: str
    state: FileState
    difference: str = ""
    """Line by line, as `diff -u` has it; long lines are cut, and secrets left out."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """What a client has kept of earlier sessions, and what mining all of it would come to, mined before or not."""

    folders: tuple[str, ...]
    """What is mined."""
    sessions: int
    size_bytes: int
    oldest_at: datetime | None
    """When the session was last written to that was left first."""
    newest_at: datetime | None
    """When any was last written to."""
    sampled: int
    """How many of them were read for the estimate."""
    drawers: int | None
    """An estimate; none where no session could be read."""
    minutes: float | None
    """What filing and embedding them may take, an estimate."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What connecting a client did, would do, or took back."""

    client: str
    level: Level
    done: bool
    """Whether the files are so now; what was only shown is not done."""
    files: tuple[ConfigChange, ...]
    notices: tuple[str, ...] = ()
    """What a person has to do or to know, one line each."""
    sessions: Sessions | None = None
    mined: MineSummary | None = None
    """What mining those filed, where that was asked for."""


@dataclass(frozen=True, slots=True)
class ClientState:
    """A client as it stands on this machine."""

    client: str
    title: str
    is_found: bool
    """It is installed, or has been used."""
    level: Level
    server: bool
    """Whether the server stands in its configuration."""
    hooks: tuple[str, ...]
    """The events that run a hook of ours."""
    lacking: tuple[str, ...]
    """The events of it that do not."""
    program: str
    """The executable that its configuration names; empty where it names none."""
    is_runnable: bool
    """Whether that is there and can be run; true where none is named."""
    problem: str = ""
    """Why its configuration cannot be read."""
    sessions: Sessions | None = None


def state_of(client: Client, root: Path | None = None, sessions: Sessions | None = None) -> ClientState:
    """Look at a client: at the user's files, or at those of a project. Nothing is written."""
    problems, programs, has_server, lines = list[str](), list[str](), False, dict[str, str]()
    for roles, data in contents_of(client, root, problems):
        entry = contents.value_at(data, contents.server_path(client, data)) if "server" in roles else None
        if is_server(entry):
            has_server, programs = True, [*programs, server_words(entry)[0]]
        for event in client.events if "hooks" in roles else ():
            for path in contents.hook_paths(data, event, client.layout):
                lines[event] = str(contents.value_at(data, path)["command"])
    programs += [hook_command(line) for line in lines.values()]
    broken = [each for each in programs if not _is_runnable(each)]
    is_found = client.folder().is_dir() or any(shutil.which(program) for program in client.programs)
    return ClientState(
        client.name,
        client.title,
        is_found,
        Level.USER if root is None else Level.PROJECT,
        has_server,
        tuple(lines),
        tuple(event for event in client.events if event not in lines),
        (*broken, *programs, "")[0],
        not broken,
        (*problems, "")[0],
        sessions,
    )


def contents_of(client: Client, root: Path | None, problems: list[str]) -> Iterator[tuple[frozenset[str], Any]]:
    """Parse a client's files that can be read, each with its roles; why others cannot be is added to the problems."""
    for path, roles in client.files(root).items():
        try:
            data = contents.parse(read(path, within=root).text, client, roles)
        except Refused as refusal:
            problems.append(f"{path}: {refusal}")
        except BadRequest as refusal:
            problems.append(str(refusal))
        else:
            yield roles, data


def _is_runnable(program: str) -> bool:
    if not program.startswith("/"):
        return shutil.which(program) is not None
    return Path(program).is_file() and os.access(program, os.X_OK)
