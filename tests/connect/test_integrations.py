"""The plug-ins in ``integrations/``: as the clients want them, and the same as `palace connect` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import palace
from palace_cli.connect import contents
from palace_cli.connect.clients import CLIENTS, find_client
from palace_cli.connect.contents import connected
from palace_cli.connect.manifests import FOLDER, manifests
from palace_cli.connect.program import SHARED, Program, is_hook

INTEGRATIONS = Path(__file__).parents[2] / FOLDER
EVENTS = {
    "claude-code": (
        "SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PostToolUseFailure Notification Stop"
        " SubagentStart SubagentStop PreCompact PostCompact SessionEnd"
    ),
    "codex": (
        "SessionStart SessionEnd SubagentStart SubagentStop PreToolUse PermissionRequest PostToolUse PreCompact"
        " PostCompact UserPromptSubmit Stop Interrupt"
    ),
    "gemini": (
        "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool"
        " AfterTool PreCompress Notification"
    ),
    "cursor": (
        "sessionStart sessionEnd beforeSubmitPrompt preToolUse postToolUse postToolUseFailure stop preCompact"
        " subagentStart subagentStop"
    ),
}
"""What each client knows, by its documentation and source as of November 2026: of an unknown one some refuse all."""
TIMES = {"claude-code": range(1, 601), "codex": range(1, 601), "gemini": range(1_000, 60_001), "cursor": range(2, 61)}
"""In seconds, but for Gemini's."""


def _read(name: str) -> Any:
    return json.loads((INTEGRATIONS / name).read_text(encoding="utf-8"))


def test_the_files_are_those_that_are_written_from_the_clients() -> None:
    there = {
        str(file.relative_to(INTEGRATIONS)): file.read_text(encoding="utf-8")
        for file in INTEGRATIONS.rglob("*")
        if file.is_file() and file.name != "README.md"
    }
    assert there == manifests(), "python -m palace_cli.connect.manifests"


def test_a_manifest_is_of_this_version_and_what_it_names_is_there() -> None:
    versions = set()
    for name in (name for name in manifests() if name.endswith(("plugin.json", "marketplace.json", "extension.json"))):
        said, text = _read(name), (INTEGRATIONS / name).read_text(encoding="utf-8")
        assert re.fullmatch("[a-z0-9]([a-z0-9-]*[a-z0-9])?", said["name"]), name
        base = INTEGRATIONS / (name.split("/", maxsplit=1)[0] if name.endswith("plugin.json") else "")
        named = re.findall(r'": "(\./[^"]*)"', text)
        assert all((base / path).exists() and ".." not in path for path in named), name
        versions |= {said["version"]} if "version" in said else set()
    assert versions == {palace.__version__}


def test_a_plug_in_has_what_connecting_writes_and_a_person_s_own_differs_in_its_command_lines_alone() -> None:
    for client in [each for each in CLIENTS if each.name in EVENTS]:
        hooks = _read(f"{client.name}/hooks/hooks.json")
        shared, own = (connected("", client, {"hooks"}, each) for each in (SHARED, Program("/opt/palace")))
        assert {name: hooks[name] for name in json.loads(shared)} == json.loads(shared), client.name
        assert {*hooks["hooks"]} <= {*EVENTS[client.name].split()}, client.name
        times = [int(each) for each in re.findall('"timeout": ([0-9]+)', json.dumps(hooks))]
        assert times, client.name
        assert [each for each in times if each not in TIMES[client.name]] == [], client.name
        servers = {"gemini": "gemini-extension.json", "cursor": "mcp.json"}.get(client.name, ".mcp.json")
        assert _read(f"{client.name}/{servers}")["mcpServers"] == {"palace": contents.server(client, SHARED)}
        assert re.sub('"command": ".*"', "", own) == re.sub('"command": ".*"', "", shared)
        lines = re.findall('"command": "(.*)"', own)
        assert len(lines) == len(client.events)
        assert all(is_hook(line) and line.endswith("|| true") for line in lines)


def test_a_server_of_opencode_has_the_shape_of_its_own() -> None:
    # "additionalProperties": false, in its configuration's schema: https://opencode.ai/config.json
    said = contents.server(find_client("opencode"), Program("/opt/palace", {"PALACE_HOME": "/srv"}))
    assert {*said} <= {"type", "command", "enabled", "environment"}
    assert (said["type"], said["command"]) == ("local", ["/opt/palace", "mcp"])
    assert said["environment"] == {"PALACE_HOME": "/srv"}
