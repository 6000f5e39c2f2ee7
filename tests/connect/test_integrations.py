"""The plug-ins in ``integrations/``: as the clients want them, and the same as `palace connect` writes.

The schemas are written by hand from the clients' documentation and sources as of November 2026, which are not at hand
here in a form that could be asked; Cursor's follows the schema that it publishes for plug-ins.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import palace
from palace_cli.connect.clients import CLIENTS, Client, find_client
from palace_cli.connect.contents import entries
from palace_cli.connect.contents.manifests import FOLDER, manifests
from palace_cli.connect.contents.texts import connected
from palace_cli.connect.program import SHARED, Program, is_hook

ROOT = Path(__file__).parents[2]
NAME = {"type": "string", "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"}
VERSION = {"type": "string", "pattern": r"^\d+\.\d+\.\d+"}
TEXT = {"type": "string", "minLength": 1}
INSIDE = {"type": "string", "pattern": r"^\./(?!.*\.\.)"}
SERVER = {
    "type": "object",
    "required": ["command", "args"],
    "properties": {
        "type": {"const": "stdio"},
        "command": TEXT,
        "args": {"type": "array", "items": TEXT},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
        "alwaysLoad": {"type": "boolean"},
    },
    "additionalProperties": False,
}
NAMED = {"type": "object", "additionalProperties": SERVER}
SERVERS = {"type": "object", "required": ["mcpServers"], "properties": {"mcpServers": NAMED}}


def _object(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": [*required], "properties": properties, "additionalProperties": False}


def _grouped(events: str, most: int) -> dict[str, Any]:
    """Hooks as Claude Code, Codex and Gemini CLI have them."""
    timeout = {"type": "integer", "minimum": 1, "maximum": most}
    handler = _object(("type", "command"), type={"const": "command"}, command=TEXT, timeout=timeout)
    group = _object(("hooks",), matcher={"type": "string"}, hooks={"type": "array", "minItems": 1, "items": handler})
    names = {"type": "object", "propertyNames": {"enum": events.split()}}
    return _object(
        ("hooks",), description=TEXT, hooks={**names, "additionalProperties": {"type": "array", "items": group}}
    )


OF_CLAUDE = (
    "SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PostToolUseFailure Notification Stop"
    " SubagentStart SubagentStop PreCompact PostCompact SessionEnd"
)
OF_CODEX = (
    "SessionStart SessionEnd SubagentStart SubagentStop PreToolUse PermissionRequest PostToolUse PreCompact PostCompact"
    " UserPromptSubmit Stop Interrupt"
)
OF_GEMINI = (
    "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool AfterTool"
    " PreCompress Notification"
)
OF_CURSOR = (
    "sessionStart sessionEnd beforeSubmitPrompt preToolUse postToolUse stop preCompact subagentStart subagentStop"
)
FLAT = _object(
    ("version", "hooks"),
    version={"const": 1},
    hooks={
        "type": "object",
        "propertyNames": {"enum": OF_CURSOR.split()},
        "additionalProperties": {
            "type": "array",
            "items": _object(("command",), command=TEXT, timeout={"type": "integer", "minimum": 2, "maximum": 60}),
        },
    },
)
AUTHOR = _object(("name",), name=TEXT, email=TEXT)
ABOUT = {"name": NAME, "version": VERSION, "description": TEXT, "author": AUTHOR, "license": TEXT}
ABOUT |= {"keywords": {"type": "array", "items": TEXT}}
INTERFACE = {
    **dict.fromkeys(("displayName", "shortDescription", "category"), TEXT),
    **{name: {"type": "array", "items": TEXT} for name in ("capabilities", "defaultPrompt")},
}

SCHEMAS: dict[str, dict[str, Any]] = {
    "claude-code/.claude-plugin/plugin.json": _object(("name",), **ABOUT),
    "claude-code/.mcp.json": SERVERS,
    "claude-code/hooks/hooks.json": _grouped(OF_CLAUDE, 600),
    ".claude-plugin/marketplace.json": _object(
        ("name", "owner", "plugins"),
        name=NAME,
        description=TEXT,
        owner=AUTHOR,
        plugins={
            "type": "array",
            "items": _object(
                ("name", "source"), name=NAME, source=INSIDE, description=TEXT, version=VERSION, category=TEXT
            ),
        },
    ),
    "codex/.codex-plugin/plugin.json": _object(
        ("name",), **ABOUT, skills=INSIDE, mcpServers=INSIDE, hooks=INSIDE, interface=_object((), **INTERFACE)
    ),
    "codex/.mcp.json": SERVERS,
    # An unknown name at the top of the file has Codex refuse it.
    "codex/hooks/hooks.json": _grouped(OF_CODEX, 600),
    ".agents/plugins/marketplace.json": _object(
        ("name", "plugins"),
        name=NAME,
        interface=_object(("displayName",), displayName=TEXT),
        plugins={
            "type": "array",
            "items": _object(
                ("name", "source", "policy", "category"),
                name=NAME,
                source=_object(("source", "path"), source={"const": "local"}, path=INSIDE),
                policy=_object(
                    ("installation", "authentication"),
                    installation={"enum": ["AVAILABLE", "INSTALLED_BY_DEFAULT", "NOT_AVAILABLE"]},
                    authentication={"enum": ["ON_INSTALL", "ON_USE"]},
                ),
                category=TEXT,
            ),
        },
    ),
    "gemini/gemini-extension.json": _object(
        ("name", "version"),
        name=NAME,
        version=VERSION,
        description=TEXT,
        mcpServers=NAMED,
    ),
    # Milliseconds.
    "gemini/hooks/hooks.json": _grouped(OF_GEMINI, 60_000),
    "cursor/.cursor-plugin/plugin.json": _object(
        ("name",), **ABOUT, displayName=TEXT, category=TEXT, skills=INSIDE, hooks=INSIDE, mcpServers=INSIDE
    ),
    "cursor/mcp.json": SERVERS,
    "cursor/hooks/hooks.json": FLAT,
}


def _read(name: str) -> Any:
    return json.loads((ROOT / FOLDER / name).read_text(encoding="utf-8"))


def test_the_files_are_those_that_are_written_from_the_clients() -> None:
    there = {
        str(file.relative_to(ROOT / FOLDER)): file.read_text(encoding="utf-8")
        for file in (ROOT / FOLDER).rglob("*")
        if file.is_file() and file.name != "README.md"
    }
    assert there == manifests(), "python -m palace_cli.connect.contents.manifests"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_manifest_is_as_its_client_wants_it(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    Draft202012Validator(SCHEMAS[name]).validate(_read(name))


def test_every_manifest_has_a_schema() -> None:
    assert {name for name in manifests() if name.endswith(".json")} == SCHEMAS.keys()


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name.endswith(("plugin.json", "marketplace.json"))])
def test_what_a_manifest_names_is_there(name: str) -> None:
    base = ROOT / FOLDER / (name.split("/", maxsplit=1)[0] if name.endswith("plugin.json") else "")
    named = re.findall(r'": "(\./[^"]*)"', (ROOT / FOLDER / name).read_text(encoding="utf-8"))
    assert all((base / path).exists() for path in named)


def test_the_manifests_are_of_this_version() -> None:
    versions = [_read(name).get("version") for name in SCHEMAS if "plugin.json" in name or "extension" in name]
    assert set(versions) == {palace.__version__}


@pytest.mark.parametrize("client", [each for each in CLIENTS if each.events], ids=lambda client: client.name)
def test_a_plug_in_has_what_connecting_writes(client: Client) -> None:
    hooks = _read(f"{client.name}/hooks/hooks.json")
    connected_so = json.loads(connected("", client, {"hooks"}, SHARED))
    assert {name: hooks[name] for name in connected_so} == connected_so
    servers = {"gemini": "gemini-extension.json", "cursor": "mcp.json"}.get(client.name, ".mcp.json")
    assert _read(f"{client.name}/{servers}")["mcpServers"] == {"palace": entries.server(client, SHARED)}


@pytest.mark.parametrize("client", [each for each in CLIENTS if each.events], ids=lambda client: client.name)
def test_hooks_of_a_person_s_own_differ_in_their_command_line_alone(client: Client) -> None:
    own = connected("", client, {"hooks"}, Program("/opt/palace"))
    shared = connected("", client, {"hooks"}, SHARED)
    assert re.sub('"command": ".*"', "", own) == re.sub('"command": ".*"', "", shared)
    lines = re.findall('"command": "(.*)"', own)
    assert len(lines) == len(client.events)
    assert all(is_hook(line) and line.endswith("|| true") for line in lines)


def test_a_skill_says_when_it_is_for() -> None:
    for client in ("claude-code", "codex", "gemini", "cursor"):
        text = (ROOT / FOLDER / client / "skills" / "palace-memory" / "SKILL.md").read_text(encoding="utf-8")
        assert re.match(r"---\nname: palace-memory\ndescription: (.|\n){1,1000}?\n---\n", text)


def test_a_server_of_opencode_has_the_shape_of_its_own() -> None:
    # "additionalProperties": false, in its configuration's schema: https://opencode.ai/config.json
    schema = _object(
        ("type", "command"),
        type={"const": "local"},
        command={"type": "array", "minItems": 1, "items": TEXT},
        enabled={"type": "boolean"},
        environment={"type": "object", "additionalProperties": {"type": "string"}},
    )
    program = Program("/opt/palace", {"PALACE_HOME": "/srv"})
    Draft202012Validator(schema).validate(entries.server(find_client("opencode"), program))
