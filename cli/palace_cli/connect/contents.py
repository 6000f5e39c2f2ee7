"""What stands in a client's configuration: the server and a hook for each event; putting them in and taking them out.

Pure. A text in which all of it stands already comes back as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from types import ModuleType
from typing import Any

from palace_cli.connect import jsonc, toml
from palace_cli.connect.clients import Client
from palace_cli.connect.jsonc import END, Path, Refused, named, value_at
from palace_cli.connect.program import Program, confined, is_hook, is_server, server_words

Made = Collection[tuple[str, ...]] | None
"""The objects and arrays that were put in around what is ours; None where that is not known, so all may be."""
NAME = "palace"
"""What the server is called in every client."""
FLAG = ("features", "hooks")
"""The key with which Codex runs hooks; by default it does since 2026, and did not before."""
REMARK = "palace connect"
"""The comment behind it if it was put in here."""
_OURS = frozenset({"PALACE_HOME", "PALACE_USER", "PALACE_DATABASE_SCHEMA", "PALACE_DATABASE_URL"})


def server(client: Client, program: Program) -> dict[str, Any]:
    """Return the entry of the server as a client has it."""
    variables = dict(sorted(program.variables.items()))
    if client.name == "opencode":
        entry: dict[str, Any] = {"type": "local", "command": [program.command, *program.server], "enabled": True}
        return {**entry, **({"environment": variables} if variables else {})}
    entry = {"command": program.command, "args": [*program.server]}
    if client.name == "vscode":
        entry = {"type": "stdio", **entry}
    if variables:
        entry["env"] = variables
    # A server whose tools a client fetches only when it thinks of them is hardly called.
    return {**entry, "alwaysLoad": True} if client.name == "claude-code" else entry


def group(client: Client, event: str, program: Program) -> dict[str, Any]:
    """Return what stands for one event: a group with the hook in it, or the hook."""
    seconds = client.events[event]
    hook: dict[str, Any] = {
        "command": program.hook(event, client.name),
        "timeout": seconds * 1000 if client.is_in_milliseconds else seconds,
    }
    return hook if client.layout == "flat" else {"hooks": [{"type": "command", **hook}]}


def hooks(client: Client, program: Program) -> dict[str, Any]:
    """Return a file of hooks that has nothing else in it, as plug-ins have."""
    written = {"hooks": {event: [group(client, event, program)] for event in client.events}}
    return {"version": 1, **written} if client.layout == "flat" else written


def hook_paths(data: Any, event: str, layout: str) -> list[Path]:
    """Find the hooks of ours for an event: the paths of what holds a command line, in order."""
    listed = value_at(data, ("hooks", event))
    paths = list[Path]()
    for place, each in enumerate(listed if isinstance(listed, list) else ()):
        path = ("hooks", event, place)
        inner = value_at(each, ("hooks",))
        deeper = range(len(inner)) if isinstance(inner, list) else ()
        paths += [path] if layout == "flat" else [(*path, "hooks", index) for index in deeper]
    return [path for path in paths if is_hook(value_at(data, (*path, "command")))]


def editor(client: Client, roles: Collection[str]) -> ModuleType:
    """Return what reads and changes a file: TOML is that of Codex with its servers, all others are JSON."""
    return toml if client.name == "codex" and "server" in roles else jsonc


def server_path(client: Client, data: Any) -> tuple[str, ...]:
    """Return where the server's entry stands; opencode has servers one level deeper from its version 2 on."""
    deeper = value_at(data, (*client.server_path, "servers"))
    if client.name == "opencode" and isinstance(deeper, dict) and "type" not in deeper:
        return (*client.server_path, "servers", NAME)
    return (*client.server_path, NAME)


def connected(text: str, client: Client, roles: Collection[str], program: Program) -> str:
    """Put in what a file is for: the server, hooks, or both.

    Raises:
        Refused: it cannot be read, leaves no room, or another server has the name.
    """
    edit = editor(client, roles)
    if edit is toml:
        features = value_at(edit.data_of(text), FLAG[:1])
        # Where nobody said whether hooks run.
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
    """Take out what was put in, and what was put around it where nothing else is in that.

    Raises:
        Refused: it cannot be read, or not be taken out by itself.
    """
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
    """List what stands in one text and did not in another: names at the top, objects and arrays down to events."""
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
    """Bring an entry of ours up to date; what a person put to it, and further arguments, stay.

    So does the wing that it is confined to, unless another is named.

    Raises:
        Refused: it is none of ours.
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
    """Change what differs of an object, where it stands: what a person wrote beside it stays."""
    if not isinstance(there, dict) or not isinstance(wanted, dict):
        return text if there == wanted else str(edit.put(text, path, wanted))
    for name in there.keys() - wanted.keys():
        text = edit.take(text, (*path, name))
    for name, value in wanted.items():
        inner = (*path, name)
        text = _changed(edit, text, inner, there[name], value) if name in there else edit.put(text, inner, value)
    return text


def _without_empty(edit: ModuleType, text: str, path: Path, made: Made) -> str:
    """Take out what has nothing in it any more, if it was put in; comments in it are somebody's own.

    Comments behind a TOML table are about what follows, and keep no table that is known to have been put in.
    """
    while path and value_at(edit.data_of(text), path) in ({}, []):
        is_known = made is not None and path in made
        if not (is_known or made is None) or not (edit.is_bare(text, path) or (is_known and edit is toml)):
            break
        text, path = edit.take(text, path), path[:-1]
    return text
