"""The clients that can be connected, with their event names and the locations of their configurations.

From the clients' own documentation and sources, as of November 2026; docs/howto/connect.md names the files, and
the clients that were never run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from palace.errors import BadRequest


@dataclass(frozen=True, slots=True)
class Client:
    """A program in which people work with an agent."""

    name: str
    title: str
    programs: tuple[str, ...]
    """Names of its executables."""
    variable: str
    """The environment variable with its configuration folder; "" for none."""
    default: str
    """Its configuration folder relative to home, if the variable is unset; if it exists, the client was used.

    With "~/" in front, several paths with "|" between, of which the first that exists is used."""
    of_user: tuple[str, ...]
    """The file with the servers and, for a client with hooks, the file with the hooks; they may be the same.

    Paths are relative to its folder; "~" is the home folder, unless the variable is set. Of names separated by "|" the
    first that exists is used."""
    of_project: tuple[str, ...]
    """The same for a project."""
    to_do: str
    """What is left for the person to do after connecting."""
    server_path: tuple[str, ...] = ("mcpServers",)
    """The path to the servers in the file."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Additional fields of the server's entry."""
    is_opencode: bool = False
    """Whether the entry has opencode's form, with command and arguments in one list."""
    events: Mapping[str, int] = field(default_factory=dict)
    """The events at which it runs a hook, with its timeout in seconds; Palace's hook itself takes two at most."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """Patterns of the names of tools that edit files or run commands, by the event before or after a tool call."""
    layout: Literal["grouped", "flat", "plug-in"] = "grouped"
    """Whether an event has groups of hooks, or hooks directly, in a file of hooks or a plug-in."""
    is_in_milliseconds: bool = False
    """Whether timeouts are in milliseconds instead of seconds."""
    hooks_off: tuple[tuple[str, ...], Any] = ((), None)
    """The path and value in its configuration that turn hooks off."""

    def folder(self) -> Path:
        """Return its configuration folder."""
        if self.default.startswith("~/"):
            return _first(home(), self.default[2:])
        parent, _, names = self.default.rpartition("/")
        return _first(folder_of(self.variable, parent), names) if parent else folder_of(self.variable, self.default)

    def files(self, root: Path | None = None) -> dict[Path, frozenset[str]]:
        """Return its configuration files, of the user or of a project, with their roles: "server", "hooks", or both."""
        held: dict[Path, frozenset[str]] = {}
        for role, names in zip(("server", "hooks"), self.of_user if root is None else self.of_project, strict=False):
            path = _first(root or self._folder_for(names), names.removeprefix("~/"))
            held[path] = held.get(path, frozenset()) | {role}
        return held

    def _folder_for(self, names: str) -> Path:
        is_moved = os.environ.get(self.variable, "").startswith("/")
        return home() if names.startswith("~/") and not is_moved else self.folder()


def home() -> Path:
    """Return the person's home folder.

    Raises:
        BadRequest: it is unknown, so that no configuration can be found.
    """
    if os.environ.get("HOME") == "":
        raise BadRequest("HOME is empty: set it to your home folder")
    try:
        folder = Path.home()
    except RuntimeError as problem:
        raise BadRequest("HOME is not set, and this account has no home: set it to your home folder") from problem
    if not folder.is_absolute():
        raise BadRequest(f"HOME is {str(folder)!r}, which is no whole path: set it to your home folder")
    return folder


def folder_of(variable: str, default: str) -> Path:
    """Return the folder in an environment variable if it is absolute, else a default one in the home folder."""
    value = os.environ.get(variable, "")
    return Path(value) if value.startswith("/") else home() / default


def _first(folder: Path, names: str) -> Path:
    """Return the first file that exists, else the first whose own folder exists, else the first of all."""
    paths = [folder / name for name in names.split("|")]
    with_folder = next((path for path in paths if path.parent.is_dir() and path.parent != folder), paths[0])
    return next((path for path in paths if os.path.lexists(path)), with_folder)


def in_editors(path: str) -> str:
    """Return a path below the user data of VS Code and of each of its forks, with "|" between."""
    return "|".join(f"{folder}/{path}" for folder in EDITORS)


def _extension_settings(extension: str, file: str) -> str:
    return in_editors(f"globalStorage/{extension}/settings/{file}")


def _without_hooks(
    name: str, title: str, folder: tuple[str, str], file: str, of_project: str = "", **how: Any
) -> Client:
    """Return a client without hooks and with one file; ``folder`` is its variable and default."""
    to_do = f"restart {title}; {NO_HOOKS}"
    return Client(name, title, (name,), *folder, (file,), (of_project,) if of_project else (), to_do, **how)


EDITORS = (
    *(
        f"{base}/{name}/User"
        for base in (".config", "Library/Application Support", "AppData/Roaming")
        for name in ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
    ),
    ".vscode-server/data/User",
)
"""Folders of the user data of editors, relative to home: on Linux, macOS and Windows, and for remote windows."""
_CLINE, _ROO = "cline_mcp_settings.json", "rooveterinaryinc.roo-cline"
_QWEN_TOOLS = "^(run_shell_command|edit|write_file)$"
CONFIG = "XDG_CONFIG_HOME"
_EVENTS = {"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 10, "PreCompact": 10}
NO_HOOKS = "it runs no hooks, so its agent uses the memory only when it calls a tool"
CLIENTS: tuple[Client, ...] = (
    Client(
        "claude-code",
        "Claude Code",
        ("claude",),
        "CLAUDE_CONFIG_DIR",
        ".claude",
        ("~/.claude.json", "settings.json"),
        (".mcp.json", ".claude/settings.json"),
        "Claude Code uses it in new sessions: restart those that are open",
        # Without it, the server's tools are loaded on demand and hardly ever called.
        extra={"alwaysLoad": True},
        events=_EVENTS | {"SessionEnd": 5, "PreToolUse": 2, "PostToolUse": 2, "PostToolUseFailure": 2},
        tools={
            "PreToolUse": "Bash|Edit|MultiEdit|Write|NotebookEdit",
            "PostToolUse": "Bash",
            "PostToolUseFailure": "Bash",
        },
        hooks_off=(("disableAllHooks",), True),
    ),
    Client(
        "codex",
        "Codex",
        ("codex",),
        "CODEX_HOME",
        ".codex",
        ("config.toml", "hooks.json"),
        (".codex/config.toml", ".codex/hooks.json"),
        "Codex runs a new hook only when you have approved it: type /hooks in it and trust those of palace;"
        " `codex exec` runs none that were not",
        ("mcp_servers",),
        # Codex kills a hook of SessionEnd after three seconds, whatever its timeout.
        events=_EVENTS | {"SessionEnd": 3, "PreToolUse": 2, "PostToolUse": 2},
        tools={"PreToolUse": "Bash|apply_patch", "PostToolUse": "Bash"},
        hooks_off=(("features", "hooks"), False),
    ),
    Client(
        "gemini",
        "Gemini CLI",
        ("gemini",),
        "",
        ".gemini",
        ("settings.json", "settings.json"),
        (".gemini/settings.json", ".gemini/settings.json"),
        "restart Gemini CLI; it then says which hooks it runs",
        # The output of BeforeTool hooks does not reach the model.
        events={
            **{"SessionStart": 10, "BeforeAgent": 5, "AfterAgent": 10, "PreCompress": 10, "SessionEnd": 5},
            "AfterTool": 2,
        },
        tools={"AfterTool": "run_shell_command|replace|write_file"},
        is_in_milliseconds=True,
        hooks_off=(("hooksConfig", "enabled"), False),
    ),
    Client(
        "cursor",
        "Cursor",
        ("cursor", "cursor-agent"),
        "",
        ".cursor",
        ("mcp.json", "hooks.json"),
        (".cursor/mcp.json", ".cursor/hooks.json"),
        "Cursor takes up hooks at once, and the server when you switch it on under Settings, MCP",
        events={
            **{"sessionStart": 10, "beforeSubmitPrompt": 5, "stop": 10, "preCompact": 10, "sessionEnd": 5},
            **{"preToolUse": 2, "postToolUse": 2, "postToolUseFailure": 2},
        },
        tools={
            "preToolUse": "Shell|Write|StrReplace|Edit|MultiEdit|Delete",
            "postToolUse": "Shell",
            "postToolUseFailure": "Shell",
        },
        layout="flat",
    ),
    Client(
        "opencode",
        "opencode",
        ("opencode",),
        CONFIG,
        ".config/opencode",
        ("opencode.json|opencode.jsonc|config.json", "plugins/palace.js|plugin/palace.js"),
        ("opencode.json|opencode.jsonc", ".opencode/plugins/palace.js|.opencode/plugin/palace.js"),
        "restart opencode; it gets what bears on its edits and commands, and recalls for prompts when it calls a tool",
        ("mcp",),
        is_opencode=True,
        # Before a tool call, a plug-in can only change its arguments.
        events={"PostToolUse": 2},
        tools={"PostToolUse": "bash|edit|write|apply_patch"},
        layout="plug-in",
    ),
    Client(
        "vscode",
        "VS Code",
        ("code", "code-insiders", "codium"),
        CONFIG,
        ".config/Code|Code - Insiders|VSCodium",
        ("User/mcp.json",),
        (".vscode/mcp.json",),
        f"VS Code asks whether you trust the server when it first starts it; {NO_HOOKS}",
        ("servers",),
        extra={"type": "stdio"},
    ),
    Client(
        "qwen",
        "Qwen Code",
        ("qwen",),
        "QWEN_HOME",
        ".qwen",
        ("settings.json", "settings.json"),
        (".qwen/settings.json", ".qwen/settings.json"),
        "restart Qwen Code",
        # What hooks of PreToolUse add does not reach the model.
        events=_EVENTS | {"SessionEnd": 5, "PostToolUse": 2, "PostToolUseFailure": 2},
        tools={"PostToolUse": _QWEN_TOOLS, "PostToolUseFailure": _QWEN_TOOLS},
        is_in_milliseconds=True,
        hooks_off=(("disableAllHooks",), True),
    ),
    _without_hooks("kimi", "Kimi CLI", ("KIMI_SHARE_DIR", ".kimi"), "mcp.json"),
    _without_hooks(
        "cline",
        "Cline",
        ("", ".cline"),
        f"~/.cline/data/settings/{_CLINE}|{_extension_settings('saoudrizwan.claude-dev', _CLINE)}",
    ),
    _without_hooks(
        "roo",
        "Roo Code",
        ("", f"~/{in_editors(f'globalStorage/{_ROO}')}"),
        f"~/{_extension_settings(_ROO, 'mcp_settings.json')}",
        ".roo/mcp.json",
    ),
    _without_hooks(
        "kilo",
        "Kilo Code",
        (CONFIG, ".config/kilo"),
        "kilo.jsonc|kilo.json",
        ".kilo/kilo.jsonc|kilo.jsonc|kilo.json",
        server_path=("mcp",),
        is_opencode=True,
    ),
    _without_hooks(
        "continue",
        "Continue",
        ("CONTINUE_GLOBAL_DIR", ".continue"),
        "mcpServers/palace.json",
        ".continue/mcpServers/palace.json",
    ),
    _without_hooks(
        "zed", "Zed", (CONFIG, ".config/zed"), "settings.json", ".zed/settings.json", server_path=("context_servers",)
    ),
    _without_hooks(
        "amp", "Amp", (CONFIG, ".config/amp"), "settings.json", ".amp/settings.json", server_path=("amp.mcpServers",)
    ),
    _without_hooks(
        "openclaw", "OpenClaw", ("OPENCLAW_STATE_DIR", ".openclaw"), "openclaw.json", server_path=("mcp", "servers")
    ),
)
BY_HAND = {
    "goose": ("~/.config/goose/config.yaml", "extensions", "type: stdio, enabled: true, cmd"),
    "hermes": ("~/.hermes/config.yaml", "mcp_servers", "command"),
}
"""Clients with a configuration in YAML, which Palace does not edit: file, key of the servers, fields of an entry."""


def find_client(name: str) -> Client:
    """Return a client by name.

    Raises:
        BadRequest: there is none.
    """
    for client in CLIENTS:
        if client.name == name:
            return client
    if name in BY_HAND:
        file, above, command = BY_HAND[name]
        entry = f"palace: {{{command}: palace, args: [mcp]}}"
        raise BadRequest(f"Palace does not edit YAML: add `{entry}` below `{above}:` in {file}")
    known = ", ".join(each.name for each in CLIENTS)
    raise BadRequest(f"there is no client {name!r} to connect: give one of {known}")


def project_root(folder: Path) -> Path:
    """Return the root of a folder's project: the nearest folder with a .git, else the folder itself.

    Raises:
        BadRequest: it is the home folder, which has the user's files.
    """
    own = home()
    above = [folder, *folder.parents]
    within = above[: above.index(own)] if own in above else above
    found = next((each for each in within if os.path.lexists(each / ".git")), folder)
    if found == own:
        raise BadRequest(f"{found} is your home and no project: leave out --project")
    return found
