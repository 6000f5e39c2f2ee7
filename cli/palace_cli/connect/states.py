"""The state of clients on this machine, and the results and views of `palace connect`."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from palace.errors import BadRequest
from palace.models import MineSummary
from palace_cli.connect import contents
from palace_cli.connect.clients import Client
from palace_cli.connect.files import read
from palace_cli.connect.jsonc import Refused, value_at
from palace_cli.connect.program import hook_command, is_server, server_words
from palace_cli.render.figures import count, moment, size
from palace_cli.render.layout import cell, named_values, table
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import ASIDE, GOOD, HEADING, PROBLEM


class Level(StrEnum):
    """The level of configuration files."""

    USER = "user"
    """The user's own files, which apply everywhere."""
    PROJECT = "project"
    """Files in a project's folder, which apply to everybody who works there."""


class FileState(StrEnum):
    """The change to a file, planned or made."""

    UNCHANGED = "unchanged"
    NEW = "new"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """The change to one configuration file of a client."""

    file: str
    state: FileState
    difference: str = ""
    """The difference in the format of `diff -u`; long lines are cut, and secrets removed. Empty for our plug-in."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """A client's stored sessions, and an estimate of mining all of them."""

    folders: tuple[str, ...]
    """The paths to mine."""
    sessions: int
    size_bytes: int
    oldest_at: datetime | None
    """Last modification of the oldest session."""
    newest_at: datetime | None
    """Last modification of the newest session."""
    sampled: tuple[str, ...]
    """The files that were read for the estimate; none for a database."""
    drawers: int | None
    """Estimated number of drawers; None if no session could be read."""
    minutes: float | None
    """Estimated minutes to file and embed them."""
    new_share: float | None = None
    """The share of the sampled messages that is not filed yet; None if the palace was not asked."""


@dataclass(frozen=True, slots=True)
class Connection:
    """The result of connecting or disconnecting a client, or of a dry run."""

    client: str
    level: Level
    done: bool
    """Whether the files were changed; False for a dry run."""
    files: tuple[ConfigChange, ...]
    notices: tuple[str, ...] = ()
    """Remarks and next steps for the person, one line each."""
    sessions: Sessions | None = None
    mined: MineSummary | None = None
    """The result of mining the sessions, if that was asked for."""


@dataclass(frozen=True, slots=True)
class ClientState:
    """The state of a client on this machine."""

    client: str
    title: str
    is_found: bool
    """Whether it is installed, or has been used."""
    level: Level
    server: bool
    """Whether its configuration contains the server."""
    hooks: tuple[str, ...]
    """The events with a hook of Palace."""
    lacking: tuple[str, ...]
    """The events that lack one."""
    program: str
    """The executable that its configuration names; empty if it names none."""
    is_runnable: bool
    """Whether that exists and is executable; true if none is named."""
    problem: str = ""
    """Why its configuration cannot be read."""
    sessions: Sessions | None = None


def state_of(client: Client, root: Path | None = None, sessions: Sessions | None = None) -> ClientState:
    """Return the state of a client by the user's files, or by those of a project. Nothing is written."""
    problems, programs, has_server, lines = list[str](), list[str](), False, dict[str, str]()
    for roles, data in contents_of(client, root, problems):
        entry = value_at(data, contents.server_path(client, data)) if "server" in roles else None
        if is_server(entry):
            has_server, programs = True, [*programs, server_words(entry)[0]]
        for event in client.events if "hooks" in roles else ():
            for path in contents.hook_paths(data, event, client.layout):
                lines[event] = str(value_at(data, path)["command"])
    programs += [hook_command(line) for line in lines.values()]
    broken = [each for each in programs if not shutil.which(each)]
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
    """Parse a client's readable files, and yield each with its roles; append errors to ``problems``."""
    for path, roles in client.files(root).items():
        try:
            data = contents.editor(client, roles).data_of(read(path, within=root).text)
        except Refused as refusal:
            problems.append(f"{path}: {refusal}")
        except BadRequest as refusal:
            problems.append(str(refusal))
        else:
            yield roles, data


WHOLE = "whether mined already or not"
"""Qualifies an estimate for which the palace, which knows what was mined, was not asked."""
ALL = "mining all of it"
"""The column heading for these estimates."""
_STYLES = {"+++": HEADING, "---": HEADING, "+": GOOD, "-": PROBLEM}


def states_view(states: Sequence[ClientState]) -> RenderableType:
    """Return a table with a row for each client that is present, and the names of the others."""
    shown = table("client", "connected", "sessions", "size", "last", ALL, elastic=("connected", ALL))
    others = [state.client for state in states if not _matters(state)]
    for state in filter(_matters, states):
        kept = state.sessions
        name = state.client if state.level is Level.USER else f"{state.client} (project)"
        counted = (f"{kept.sessions:,}", size(kept.size_bytes), moment(kept.newest_at)) if kept else ("", "", "")
        shown.add_row(name, cell(standing(state)), *counted, cell(estimate(kept) if kept else ""))
    named = Text(f"not found here: {', '.join(others)}", style=ASIDE)
    return Group(*([shown] if len(others) < len(states) else []), *([named] if others else []))


def standing(state: ClientState) -> str:
    """Return in a few words what is connected, and any problem."""
    if state.problem:
        return state.problem
    parts = ["server"] if state.server else []
    if state.hooks:
        parts.append(
            count(len(state.hooks), "hook") + (f" of {len(state.hooks + state.lacking)}" if state.lacking else "")
        )
    missing = "" if state.is_runnable else f"; {state.program} cannot be run"
    return (", ".join(parts) or "no") + missing


def estimate(kept: Sessions) -> str:
    """Return the estimate of mining what is not filed in words: "about 1,200 drawers, 2 minutes"."""
    if kept.drawers is None or kept.minutes is None:
        return "no message could be read in those that were looked at"
    share = 1 if kept.new_share is None else kept.new_share
    left = math.ceil(kept.drawers * share)
    rounded = round(left, -max(len(str(left)) - 2, 0))
    return f"about {count(rounded, 'drawer')}, {count(max(math.ceil(kept.minutes * share), 1), 'minute')}"


def sessions_line(kept: Sessions) -> str:
    """Return a line about stored sessions: number, period, size, folders and estimate."""
    where = ", ".join(kept.folders[:3]) + (" and others" if len(kept.folders) > 3 else "")
    since = moment(kept.oldest_at)[:10], moment(kept.newest_at)[:10]
    held = f"{count(kept.sessions, 'session')} in files of {since[0]} to {since[1]}, {size(kept.size_bytes)}"
    counted = WHOLE if kept.new_share is None else "without what is filed"
    return f"{held}, in {where}: {estimate(kept)}{f', {counted}' if kept.drawers is not None else ''}"


def changes_view(changes: Sequence[ConfigChange]) -> Group:
    return Group(*(line for change in changes for line in _difference(change)))


def connection_view(connection: Connection) -> RenderableType:
    rows = [("written" if each.state is FileState.NEW else each.state.value, each.file) for each in connection.files]
    mined = connection.mined
    read = f"{count(mined.drawers_new, 'drawer')} new, {mined.drawers_unchanged:,} unchanged" if mined else ""
    return named_values([*rows, ("mined", read), *(("note", one_line(each)) for each in connection.notices)])


def _difference(change: ConfigChange) -> list[Text]:
    if change.state is FileState.UNCHANGED:
        return [Text(f"{one_line(change.file)}: nothing to change", style=ASIDE)]
    if not change.difference:
        return [Text(f"{one_line(change.file)}: {change.state.value}")]
    lines = map(visible, change.difference.split("\n"))
    return [Text(line, next((style for sign, style in _STYLES.items() if line.startswith(sign)), "")) for line in lines]


def _matters(state: ClientState) -> bool:
    return bool(state.is_found or state.server or state.hooks or state.problem or state.sessions)
