"""How clients stand on this machine: which are there, what is connected, and whether what they name can be run."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from palace.errors import BadRequest
from palace_cli.connect.answers import ClientState, Level, Sessions
from palace_cli.connect.clients import Client
from palace_cli.connect.contents import entries, texts
from palace_cli.connect.editing.refusals import Refused
from palace_cli.connect.files.reading import read
from palace_cli.connect.planning import roles_of
from palace_cli.connect.program import hook_command, is_server, server_words


def state_of(client: Client, root: Path | None = None, sessions: Sessions | None = None) -> ClientState:
    """Look at a client: at the user's files, or at those of a project. Nothing is written."""
    files = client.of_user() if root is None else client.of_project(root)
    problem, programs, has_server, lines = "", list[str](), False, dict[str, str]()
    for path, roles in roles_of(files).items():
        try:
            data = texts.said(read(path, within=root).text, client, roles)
        except Refused as refusal:
            problem = problem or f"{path}: {refusal}"
            continue
        except BadRequest as refusal:
            problem = problem or str(refusal)
            continue
        entry = entries.at(data, texts.server_path(client, data)) if "server" in roles else None
        if is_server(entry):
            has_server, programs = True, [*programs, server_words(entry)[0]]
        if "hooks" in roles:
            lines |= _hook_lines(client, data)
    programs += [hook_command(line) for line in lines.values()]
    broken = [each for each in programs if not _is_runnable(each)]
    return ClientState(
        client.name,
        client.title,
        is_found(client),
        Level.USER if root is None else Level.PROJECT,
        has_server,
        tuple(lines),
        tuple(event.name for event in client.events if event.name not in lines),
        (*broken, *programs, "")[0],
        not broken,
        problem,
        sessions,
    )


def is_found(client: Client) -> bool:
    """Whether a client is installed, or has been used."""
    return client.folder().is_dir() or any(shutil.which(program) for program in client.programs)


def _hook_lines(client: Client, data: Any) -> dict[str, str]:
    found = {}
    for event in client.events:
        for path in entries.places(data, event.name, client.layout):
            found[event.name] = str(entries.at(data, path)["command"])
    return found


def _is_runnable(program: str) -> bool:
    if not program.startswith("/"):
        return shutil.which(program) is not None
    return Path(program).is_file() and os.access(program, os.X_OK)
