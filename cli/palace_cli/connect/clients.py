"""The clients that can be connected: what each calls its events, and where its configuration lies.

From the clients' own documentation and sources, as of November 2026; docs/howto/connect.md names the files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from palace.errors import BadRequest


@dataclass(frozen=True, slots=True)
class Client:
    """A program that people talk with an agent in."""

    name: str
    title: str
    programs: tuple[str, ...]
    """Names of its executable."""
    folder: Callable[[], Path]
    """Its own folder below the person's home; where it exists, the client has been used."""
    of_user: Callable[[], tuple[Path, ...]]
    """The file with the servers and, for a client with hooks, the one with the hooks; one file may be both."""
    of_project: Callable[[Path], tuple[Path, ...]]
    """The same in a project."""
    server_path: tuple[str, ...] = ("mcpServers",)
    """Where servers stand in the file."""
    events: Mapping[str, int] = field(default_factory=dict)
    """The moments at which it runs a hook, with the seconds that it waits; the program itself takes two at most."""
    layout: Literal["grouped", "flat"] = "grouped"
    """Whether an event has groups of hooks, or hooks."""
    is_in_milliseconds: bool = False
    """What a timeout is counted in, instead of seconds."""

    def files(self, root: Path | None = None) -> dict[Path, frozenset[str]]:
        """Return the user's files, or those of a project, and what each holds: "server", "hooks", or both."""
        paths = self.of_user() if root is None else self.of_project(root)
        roles = ("server", "hooks")[: len(paths)]
        return {
            path: frozenset(role for each, role in zip(paths, roles, strict=True) if each == path) for path in paths
        }


def home() -> Path:
    """Return the person's home.

    Raises:
        BadRequest: nothing says where it is, so it is not known whose files would be written.
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
    """Return the folder in an environment variable if it is absolute, else a default one below the home."""
    value = os.environ.get(variable, "")
    return Path(value) if value.startswith("/") else home() / default


def _first(folder: Path, *names: str) -> Path:
    """Return the first of some files that exists, else the first of them."""
    return next((folder / name for name in names if os.path.lexists(folder / name)), folder / names[0])


def _claude_folder() -> Path:
    return folder_of("CLAUDE_CONFIG_DIR", ".claude")


def _claude_of_user() -> tuple[Path, Path]:
    folder = _claude_folder()
    is_moved = os.environ.get("CLAUDE_CONFIG_DIR", "").startswith("/")
    return (folder if is_moved else home()) / ".claude.json", folder / "settings.json"


def _codex_folder() -> Path:
    return folder_of("CODEX_HOME", ".codex")


def _vscode_folder() -> Path:
    return _first(folder_of("XDG_CONFIG_HOME", ".config"), "Code", "Code - Insiders", "VSCodium")


def _opencode_folder() -> Path:
    return folder_of("XDG_CONFIG_HOME", ".config") / "opencode"


CLIENTS: tuple[Client, ...] = (
    Client(
        "claude-code",
        "Claude Code",
        ("claude",),
        _claude_folder,
        _claude_of_user,
        lambda root: (root / ".mcp.json", root / ".claude" / "settings.json"),
        events={"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 10, "PreCompact": 10, "SessionEnd": 5},
    ),
    Client(
        "codex",
        "Codex",
        ("codex",),
        _codex_folder,
        lambda: (_codex_folder() / "config.toml", _codex_folder() / "hooks.json"),
        lambda root: (root / ".codex" / "config.toml", root / ".codex" / "hooks.json"),
        ("mcp_servers",),
        # The client ends a hook of SessionEnd after three seconds, whatever is asked for.
        events={"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 10, "PreCompact": 10, "SessionEnd": 3},
    ),
    Client(
        "gemini",
        "Gemini CLI",
        ("gemini",),
        lambda: home() / ".gemini",
        lambda: (home() / ".gemini" / "settings.json",) * 2,
        lambda root: (root / ".gemini" / "settings.json",) * 2,
        events={"SessionStart": 10, "BeforeAgent": 5, "AfterAgent": 10, "PreCompress": 10, "SessionEnd": 5},
        is_in_milliseconds=True,
    ),
    Client(
        "cursor",
        "Cursor",
        ("cursor", "cursor-agent"),
        lambda: home() / ".cursor",
        lambda: (home() / ".cursor" / "mcp.json", home() / ".cursor" / "hooks.json"),
        lambda root: (root / ".cursor" / "mcp.json", root / ".cursor" / "hooks.json"),
        events={"sessionStart": 10, "beforeSubmitPrompt": 5, "stop": 10, "preCompact": 10, "sessionEnd": 5},
        layout="flat",
    ),
    Client(
        "opencode",
        "opencode",
        ("opencode",),
        _opencode_folder,
        lambda: (_first(_opencode_folder(), "opencode.json", "opencode.jsonc", "config.json"),),
        lambda root: (_first(root, "opencode.json", "opencode.jsonc"),),
        ("mcp",),
    ),
    Client(
        "vscode",
        "VS Code",
        ("code", "code-insiders", "codium"),
        _vscode_folder,
        lambda: (_vscode_folder() / "User" / "mcp.json",),
        lambda root: (root / ".vscode" / "mcp.json",),
        ("servers",),
    ),
)


def find_client(name: str) -> Client:
    """Return the client of a name.

    Raises:
        BadRequest: there is none.
    """
    for client in CLIENTS:
        if client.name == name:
            return client
    known = ", ".join(each.name for each in CLIENTS)
    raise BadRequest(f"there is no client {name!r} to connect: give one of {known}")


def project_root(folder: Path) -> Path:
    """Return the project that a folder is in: the nearest folder with a .git, else the folder itself.

    Raises:
        BadRequest: it is the person's home, whose files are those of the user.
    """
    own = home()
    above = [folder, *folder.parents]
    within = above[: above.index(own)] if own in above else above
    found = next((each for each in within if os.path.lexists(each / ".git")), folder)
    if found == own:
        raise BadRequest(f"{found} is your home and no project: leave out --project")
    return found
