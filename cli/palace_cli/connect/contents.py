"""Palace's entries in a client's configuration, the server and a hook for each event: insert and remove them. Pure.

A text that contains all of them already is returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from types import ModuleType
from typing import Any

from palace_cli.connect import jsonc, plug_in, toml
from palace_cli.connect.clients import Client
from palace_cli.connect.jsonc import END, Path, Refused, named, value_at
from palace_cli.connect.program import Program, confined, is_hook, is_server, server_words

Made = Collection[tuple[str, ...]] | None
"""The objects and arrays that Palace added around its entries; None if unknown, so that any of them may be."""
NAME = "palace"
"""The name of the server in every client."""
FLAG = ("features", "hooks")
"""The key that turns on hooks in Codex; they are on by default since 2026, but were not before."""
REMARK = "palace connect"
"""The comment that marks the key as inserted by Palace."""
_OURS = frozenset({"PALACE_HOME", "PALACE_USER", "PALACE_DATABASE_SCHEMA", "PALACE_DATABASE_URL"})


def server(client: Client, program: Program) -> dict[str, Any]:
    """Return the server's entry for a client."""
    variables = dict(sorted(program.variables.items()))
    if client.is_opencode:
        entry: dict[str, Any] = {"type": "local", "command": [program.command, *program.server], "enabled": True}
        return {**entry, **({"environment": variables} if variables else {})}
    entry = {"command": program.command, "args": [*program.server], **({"env": variables} if variables else {})}
    return {**entry, **client.extra}


def group(client: Client, event: str, program: Program) -> dict[str, Any]:
    """Return the entry for one event: a group with the hook, or the hook itself."""
    seconds = client.events[event]
    hook: dict[str, Any] = {
        "command": program.hook(event, client.name),
        "timeout": seconds * 1000 if client.is_in_milliseconds else seconds,
    }
    tools = {"matcher": client.tools[event]} if event in client.tools else {}
    return {**tools, "hooks": [{"type": "command", **hook}]} if client.layout == "grouped" else {**hook, **tools}


def hooks(client: Client, program: Program) -> dict[str, Any]:
    """Return a whole file of hooks, as plug-ins have it."""
    written = {"hooks": {event: [group(client, event, program)] for event in client.events}}
    return {"version": 1, **written} if client.layout == "flat" else written


def hook_paths(data: Any, event: str, layout: str) -> list[Path]:
    """Return the paths of Palace's hooks for an event, in order."""
    listed = value_at(data, ("hooks", event))
    paths = list[Path]()
    for place, each in enumerate(listed if isinstance(listed, list) else ()):
        path = ("hooks", event, place)
        inner = value_at(each, ("hooks",))
        deeper = range(len(inner)) if isinstance(inner, list) else ()
        paths += [(*path, "hooks", index) for index in deeper] if layout == "grouped" else [path]
    return [path for path in paths if is_hook(value_at(data, (*path, "command")))]


def is_plug_in(client: Client, roles: Collection[str]) -> bool:
    """Return whether a file is Palace's as a whole."""
    return client.layout == "plug-in" and "hooks" in roles


def editor(client: Client, roles: Collection[str]) -> ModuleType:
    """Return the module that reads a file: of a plug-in, of TOML for Codex's servers, of JSON for all others."""
    if is_plug_in(client, roles):
        return plug_in
    return toml if client.name == "codex" and "server" in roles else jsonc


def server_path(client: Client, data: Any) -> tuple[str, ...]:
    """Return the path of the server's entry; opencode has servers one level deeper since version 2."""
    deeper = value_at(data, (*client.server_path, "servers"))
    if client.is_opencode and isinstance(deeper, dict) and "type" not in deeper:
        return (*client.server_path, "servers", NAME)
    return (*client.server_path, NAME)


def connected(text: str, client: Client, roles: Collection[str], program: Program) -> str:
    """Insert Palace's entries for the roles of a file: the server, hooks, or both.

    Raises:
        Refused: it cannot be parsed or changed, or another server has the name.
    """
    if is_plug_in(client, roles):
        return plug_in.written(text, {event: [group(client, event, program)] for event in client.events})
    edit = editor(client, roles)
    if edit is toml:
        features = value_at(edit.data_of(text), FLAG[:1])
        # Only if nothing turns hooks on or off.
        if features is None or (isinstance(features, dict) and not {"hooks", "codex_hooks"} & features.keys()):
            text = toml.put(text, FLAG, True, REMARK)
    if "server" in roles:
        data = edit.data_of(text)
        path = server_path(client, data)
        there, wanted = value_at(data, path), server(client, program)
        wanted = wanted if there is None else _refreshed(there, wanted, program.wing, path)
        text = edit.put(text, path, wanted) if there is None else _changed(edit, text, path, there, wanted)
    return _with_hooks(text, client, program) if "hooks" in roles else text


def disconnected(text: str, client: Client, roles: Collection[str], made: Made) -> str:
    """Remove Palace's entries, and the containers that it added, if they are empty.

    Raises:
        Refused: it cannot be parsed, or an entry cannot be removed by itself.
    """
    if is_plug_in(client, roles):
        return plug_in.without(text)
    edit = editor(client, roles)
    if "server" in roles:
        path = server_path(client, edit.data_of(text))
        if is_server(value_at(edit.data_of(text), path)):
            text = _without_empty(edit, edit.take(text, path), path[:-1], made)
    if edit is toml:
        is_put_in = re.search(rf"^[ \t]*{FLAG[1]} = true +# {REMARK}[ \t]*\r?$", text, re.MULTILINE)
        if is_put_in and value_at(edit.data_of(text), FLAG) is True:
            text = _without_empty(edit, edit.take(text, FLAG), FLAG[:1], made)
    return _without_hooks(text, client, made) if "hooks" in roles else text


def containers(before: Any, after: Any, path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """Return the paths that were added between two versions: members at the top, and containers down to the events."""
    if not isinstance(after, dict) or len(path) > 2:
        return set()
    known = before if isinstance(before, dict) else {}
    new = {
        (*path, name)
        for name, value in after.items()
        if name not in known and (not path or isinstance(value, (dict, list)))
    }
    return new.union(*(containers(known.get(name), value, (*path, name)) for name, value in after.items()))


def _with_hooks(text: str, client: Client, program: Program) -> str:
    data = jsonc.data_of(text)
    if client.layout == "flat" and not (isinstance(data, dict) and "version" in data):
        text = jsonc.put(text, ("version",), 1)
    for event in client.events:
        found = hook_paths(jsonc.data_of(text), event, client.layout)
        if not found:
            text = jsonc.put(text, ("hooks", event, END), group(client, event, program))
        for path in found:
            there = value_at(jsonc.data_of(text), (*path, "command"))
            text = _changed(jsonc, text, (*path, "command"), there, program.hook(event, client.name))
    return text


def _without_hooks(text: str, client: Client, made: Made) -> str:
    for event in client.events:
        while found := hook_paths(jsonc.data_of(text), event, client.layout):
            text = jsonc.take(text, found[-1])
            enclosing = found[-1][:3]
            if client.layout == "grouped" and value_at(jsonc.data_of(text), (*enclosing, "hooks")) == []:
                text = jsonc.take(text, enclosing)
            text = _without_empty(jsonc, text, ("hooks", event), made)
    data = jsonc.data_of(text)
    is_ours = data == {"version": 1} if made is None else ("version",) in made and value_at(data, ("hooks",)) is None
    return jsonc.take(text, ("version",)) if client.layout == "flat" and is_ours else text


def _refreshed(entry: Any, wanted: dict[str, Any], wing: str | None, path: Path) -> dict[str, Any]:
    """Update an existing server entry; a person's additions and further arguments stay.

    Its wing stays too, unless another is given.
    """
    if not is_server(entry):
        raise Refused(f"{named(path)} is a server that was not written by palace connect: rename or remove it first")
    changed = dict(entry)
    arguments = confined(server_words(entry)[1:], wing)
    is_list = isinstance(wanted["command"], list)
    if is_list:
        changed["command"] = [wanted["command"][0], *arguments]
        changed.pop("args", None)
    else:
        changed |= {"command": wanted["command"], "args": arguments}
    key = "environment" if is_list else "env"
    former = changed.pop(key, None)
    others = {name: value for name, value in former.items() if name not in _OURS} if isinstance(former, dict) else {}
    variables = {**others, **wanted.get(key, {})}
    return {**changed, **({key: variables} if variables else {})}


def _changed(edit: ModuleType, text: str, path: Path, there: Any, wanted: Any) -> str:
    """Change the members of an object that differ, in place, so that comments beside them stay."""
    if not isinstance(there, dict) or not isinstance(wanted, dict):
        return text if there == wanted else str(edit.put(text, path, wanted))
    for name in there.keys() - wanted.keys():
        text = edit.take(text, (*path, name))
    for name, value in wanted.items():
        inner = (*path, name)
        text = _changed(edit, text, inner, there[name], value) if name in there else edit.put(text, inner, value)
    return text


def _without_empty(edit: ModuleType, text: str, path: Path, made: Made) -> str:
    """Remove empty containers upwards, if Palace added them; one with comments stays.

    Comments after a TOML table belong to what follows, so they do not keep a table that Palace added.
    """
    while path and value_at(edit.data_of(text), path) in ({}, []):
        is_known = made is not None and path in made
        if not (is_known or made is None) or not (edit.is_bare(text, path) or (is_known and edit is toml)):
            break
        text, path = edit.take(text, path), path[:-1]
    return text
