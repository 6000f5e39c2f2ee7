"""What is put into a client's configuration: the server, and a hook for each of its events. Pure."""

from __future__ import annotations

from typing import Any

from palace_cli.connect.clients import Client, Event
from palace_cli.connect.program import Program, confined, is_hook, server_words

NAME = "palace"
"""What the server is called in every client."""
FLAG = "hooks = true  # palace connect"
"""The line below [features] with which Codex runs hooks; by default it does since 2026, and did not before."""


def server(client: Client, program: Program) -> dict[str, Any]:
    """Write the entry of the server as a client has it."""
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


def hook(client: Client, event: Event, program: Program) -> dict[str, Any]:
    """Write one hook as a client has it."""
    written: dict[str, Any] = {} if client.layout == "flat" else {"type": "command"}
    written["command"] = program.hook(event.name, client.name)
    if event.seconds is not None:
        written["timeout"] = int(event.seconds * (1000 if client.unit == "milliseconds" else 1))
    return written


def group(client: Client, event: Event, program: Program) -> dict[str, Any]:
    """Write what stands for one event: a group with the hook in it, or the hook."""
    written = hook(client, event, program)
    return written if client.layout == "flat" else {"hooks": [written]}


def hooks(client: Client, program: Program) -> dict[str, Any]:
    """Write a file of hooks that has nothing else in it, as plug-ins have."""
    written = {"hooks": {event.name: [group(client, event, program)] for event in client.events}}
    return {"version": 1, **written} if client.layout == "flat" else written


def refreshed(entry: dict[str, Any], wanted: dict[str, Any], wing: str | None = None) -> dict[str, Any]:
    """Bring an entry of ours up to date; what a person put to it, and further arguments, stay.

    So does the wing that it is confined to, unless another is named.
    """
    changed = dict(entry)
    arguments = confined(server_words(entry)[1:], wing)
    if isinstance(wanted["command"], list):
        changed["command"] = [wanted["command"][0], *arguments]
        changed.pop("args", None)
    else:
        changed |= {"command": wanted["command"], "args": arguments}
    place = "environment" if isinstance(wanted["command"], list) else "env"
    given = entry.get(place)
    others = {name: value for name, value in given.items() if name not in _OURS} if isinstance(given, dict) else {}
    variables = {**others, **wanted.get(place, {})}
    changed.pop(place, None)
    return {**changed, **({place: variables} if variables else {})}


_OURS = frozenset({"PALACE_HOME", "PALACE_USER", "PALACE_DATABASE_SCHEMA", "PALACE_DATABASE_URL"})


def places(data: Any, event: str, layout: str) -> list[tuple[str | int, ...]]:
    """Find the hooks of ours for an event: the paths of what holds a command line, in order."""
    there = data.get("hooks") if isinstance(data, dict) else None
    listed = there.get(event) if isinstance(there, dict) else None
    found: list[tuple[str | int, ...]] = []
    for place, each in enumerate(listed if isinstance(listed, list) else ()):
        if layout == "flat":
            found += [("hooks", event, place)] if isinstance(each, dict) and is_hook(each.get("command")) else []
            continue
        inner = each.get("hooks") if isinstance(each, dict) else None
        found += [
            ("hooks", event, place, "hooks", deeper)
            for deeper, handler in enumerate(inner if isinstance(inner, list) else ())
            if isinstance(handler, dict) and is_hook(handler.get("command"))
        ]
    return found


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    """Return what stands at a path, None where nothing does."""
    for name in path:
        if isinstance(name, str):
            data = data.get(name) if isinstance(data, dict) else None
        else:
            data = data[name] if isinstance(data, list) and name < len(data) else None
    return data
