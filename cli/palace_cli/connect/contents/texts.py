"""What a configuration's text becomes when a client is connected, and when it no longer is. Pure."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from palace_cli.connect.clients import Client
from palace_cli.connect.contents import entries
from palace_cli.connect.editing import tables
from palace_cli.connect.editing.objects import END, data_of, is_bare, put, take
from palace_cli.connect.editing.refusals import Refused
from palace_cli.connect.program import Program, is_server

Roles = Collection[str]
"""What a file is for: "server", "hooks", or both."""
Made = Collection[tuple[str, ...]] | None
"""The objects and arrays that were put in around what is ours; None where that is not known, so all may be."""


def connected(text: str, client: Client, roles: Roles, program: Program) -> str:
    """Put in what a file is for; a text in which all of it stands already comes back as it is.

    Raises:
        Refused: it cannot be read, or leaves no room.
    """
    if "server" in roles:
        text = (with_table if is_toml(client, roles) else with_server)(text, client, program)
    return with_hooks(text, client, program) if "hooks" in roles else text


def disconnected(text: str, client: Client, roles: Roles, made: Made) -> str:
    """Take out what was put in.

    Raises:
        Refused: it cannot be read, or not be taken out by itself.
    """
    if "server" in roles:
        text = (without_table if is_toml(client, roles) else without_server)(text, client, made)
    return without_hooks(text, client, made) if "hooks" in roles else text


def is_toml(client: Client, roles: Roles) -> bool:
    """Whether a file is TOML: that of Codex with its servers."""
    return client.name == "codex" and "server" in roles


def said(text: str, client: Client, roles: Roles) -> Any:
    """Return what a file says.

    Raises:
        Refused: it cannot be read.
    """
    return tables.tables_of(text) if is_toml(client, roles) else data_of(text)


def server_path(client: Client, data: Any) -> tuple[str, ...]:
    """Return where the server's entry stands; opencode has servers one level deeper from its version 2 on."""
    deeper = entries.at(data, (*client.server_path, "servers"))
    if client.name == "opencode" and isinstance(deeper, dict) and "type" not in deeper:
        return (*client.server_path, "servers", entries.NAME)
    return (*client.server_path, entries.NAME)


def with_server(text: str, client: Client, program: Program) -> str:
    """Put the server's entry in, or bring it up to date.

    Raises:
        Refused: another server has its name, or there is no room for it.
    """
    data = data_of(text)
    path = server_path(client, data)
    there, wanted = entries.at(data, path), entries.server(client, program)
    if there is None:
        return put(text, path, wanted)
    _require_ours(there, path)
    return _changed(text, path, there, entries.refreshed(there, wanted, program.wing))


def with_hooks(text: str, client: Client, program: Program) -> str:
    """Put a hook in for each event, or bring its command line up to date.

    Raises:
        Refused: what is there leaves no room for them.
    """
    data = data_of(text)
    if client.layout == "flat" and not (isinstance(data, dict) and "version" in data):
        text = put(text, ("version",), 1)
    for event in client.events:
        wanted = entries.hook(client, event, program)
        found = entries.places(data_of(text), event.name, client.layout)
        if not found:
            text = put(text, ("hooks", event.name, END), entries.group(client, event, program))
        for path in found:
            if entries.at(data_of(text), path)["command"] != wanted["command"]:
                text = put(text, (*path, "command"), wanted["command"])
    return text


def without_server(text: str, client: Client, made: Made) -> str:
    """Take the server's entry out, and what was put around it where nothing else is in that."""
    path = server_path(client, data_of(text))
    if not is_server(entries.at(data_of(text), path)):
        return text
    return _without_empty(take(text, path), path[:-1], made)


def without_hooks(text: str, client: Client, made: Made) -> str:
    """Take the hooks out, whatever others stand beside them, and what was put around them."""
    for event in client.events:
        while found := entries.places(data_of(text), event.name, client.layout):
            path = found[-1]
            text = take(text, path)
            group = path[:3]
            if client.layout == "grouped" and entries.at(data_of(text), (*group, "hooks")) == []:
                text = take(text, group)
            text = _without_empty(text, ("hooks", event.name), made)
    data = data_of(text)
    is_ours = data == {"version": 1} if made is None else ("version",) in made and entries.at(data, ("hooks",)) is None
    return take(text, ("version",)) if client.layout == "flat" and is_ours else text


def with_table(text: str, client: Client, program: Program) -> str:
    """Do for TOML as ``with_server`` does for JSON; it turns on hooks, too, where nobody said whether they run.

    Raises:
        Refused: another server has its name, or there is no room for it.
    """
    data = tables.tables_of(text)
    name = ".".join((*client.server_path, entries.NAME))
    there, wanted = entries.at(data, (*client.server_path, entries.NAME)), entries.server(client, program)
    features = data.get("features", {})
    if isinstance(features, dict) and not {"hooks", "codex_hooks"} & features.keys():
        text = tables.set_line(text, "features", entries.FLAG)
    if there is None:
        return tables.add_table(text, name, wanted)
    _require_ours(there, (*client.server_path, entries.NAME))
    changed = entries.refreshed(there, wanted, program.wing)
    return text if changed == there else tables.change_table(text, name, changed)


def without_table(text: str, client: Client, made: Made) -> str:
    """Take the server's table out, and the line that turned on hooks."""
    if is_server(entries.at(tables.tables_of(text), (*client.server_path, entries.NAME))):
        text = tables.take_table(text, ".".join((*client.server_path, entries.NAME)))
    return tables.take_line(text, "features", entries.FLAG, with_header=None if made is None else ("features",) in made)


def containers(before: Any, after: Any, path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """List what stands in one text and did not in another: names at the top, objects and arrays down to events."""
    if not isinstance(after, dict) or len(path) > 2:
        return set()
    known = before if isinstance(before, dict) else {}
    new = {
        (*path, name)
        for name, value in after.items()
        if name not in known and (not path or isinstance(value, (dict, list)))
    }
    deeper = (containers(known.get(name), value, (*path, name)) for name, value in after.items())
    return new.union(*deeper)


def _require_ours(there: object, path: tuple[str, ...]) -> None:
    if not is_server(there):
        raise Refused(f"{'.'.join(path)} is a server that was not written by palace connect: rename or remove it first")


def _changed(text: str, path: tuple[str, ...], there: Any, wanted: Any) -> str:
    """Change what differs of an object, where it stands: what a person wrote beside it stays."""
    if not isinstance(there, dict) or not isinstance(wanted, dict):
        return text if there == wanted else put(text, path, wanted)
    for name in there.keys() - wanted.keys():
        text = take(text, (*path, name))
    for name, value in wanted.items():
        text = _changed(text, (*path, name), there[name], value) if name in there else put(text, (*path, name), value)
    return text


def _without_empty(text: str, path: tuple[str | int, ...], made: Made) -> str:
    while (
        path and entries.at(data_of(text), path) in ({}, []) and (made is None or path in made) and is_bare(text, path)
    ):
        text, path = take(text, path), path[:-1]
    return text
