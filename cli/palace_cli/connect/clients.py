"""The clients that can be connected: what each calls its events, and where its configuration lies.

From the clients' own documentation and sources, as of November 2026; docs/howto/connect.md names the files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from palace.errors import BadRequest

Layout = Literal["grouped", "flat"]


@dataclass(frozen=True, slots=True)
class Event:
    """A moment at which a client runs a hook."""

    name: str
    seconds: float | None = None
    """How long the client waits; None leaves that to it. The program itself takes two at most."""


@dataclass(frozen=True, slots=True)
class Files:
    """Where a client looks: one file may be both."""

    server: Path
    hooks: Path | None = None
    """None for a client without hooks."""


@dataclass(frozen=True, slots=True)
class Client:
    """A program that people talk with an agent in."""

    name: str
    title: str
    programs: tuple[str, ...]
    """What its executable is called."""
    folder: Callable[[], Path]
    """Its own folder below the person's home; where it is, the client has been used."""
    of_user: Callable[[], Files]
    of_project: Callable[[Path], Files]
    server_path: tuple[str, ...] = ("mcpServers",)
    """Where servers stand in the file."""
    events: tuple[Event, ...] = ()
    layout: Layout = "grouped"
    """Whether an event has groups of hooks, or hooks."""
    unit: Literal["seconds", "milliseconds"] = "seconds"
    """What a timeout is counted in."""


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


def _home(*parts: str) -> Path:
    return home().joinpath(*parts)


def _set(variable: str, *otherwise: str) -> Path:
    """Return the folder that a variable names, where it is absolute, else one below the home."""
    named = os.environ.get(variable, "")
    return Path(named) if named.startswith("/") else _home(*otherwise)


def _claude_folder() -> Path:
    return _set("CLAUDE_CONFIG_DIR", ".claude")


def _claude_of_user() -> Files:
    beside = _claude_folder() if os.environ.get("CLAUDE_CONFIG_DIR", "").startswith("/") else _home()
    return Files(beside / ".claude.json", _claude_folder() / "settings.json")


def _codex_folder() -> Path:
    return _set("CODEX_HOME", ".codex")


def _in_use(folder: Path, *names: str) -> Path:
    """Return the first of some files that is there, else the first of them."""
    return next((folder / name for name in names if os.path.lexists(folder / name)), folder / names[0])


def _vscode_folder() -> Path:
    """Return the folder of the variant that is used; of several the usual one."""
    configured = _set("XDG_CONFIG_HOME", ".config")
    return _in_use(configured, "Code", "Code - Insiders", "VSCodium")


def _opencode_folder() -> Path:
    return _set("XDG_CONFIG_HOME", ".config") / "opencode"


CLIENTS: tuple[Client, ...] = (
    Client(
        "claude-code",
        "Claude Code",
        ("claude",),
        _claude_folder,
        _claude_of_user,
        lambda root: Files(root / ".mcp.json", root / ".claude" / "settings.json"),
        events=(
            Event("SessionStart", 10),
            Event("UserPromptSubmit", 5),
            Event("Stop", 10),
            Event("PreCompact", 10),
            Event("SessionEnd", 5),
        ),
    ),
    Client(
        "codex",
        "Codex",
        ("codex",),
        _codex_folder,
        lambda: Files(_codex_folder() / "config.toml", _codex_folder() / "hooks.json"),
        lambda root: Files(root / ".codex" / "config.toml", root / ".codex" / "hooks.json"),
        ("mcp_servers",),
        # The client ends a hook of SessionEnd after three seconds, whatever is asked for.
        events=(
            Event("SessionStart", 10),
            Event("UserPromptSubmit", 5),
            Event("Stop", 10),
            Event("PreCompact", 10),
            Event("SessionEnd", 3),
        ),
    ),
    Client(
        "gemini",
        "Gemini CLI",
        ("gemini",),
        lambda: _home(".gemini"),
        lambda: Files(_home(".gemini", "settings.json"), _home(".gemini", "settings.json")),
        lambda root: Files(root / ".gemini" / "settings.json", root / ".gemini" / "settings.json"),
        events=(
            Event("SessionStart", 10),
            Event("BeforeAgent", 5),
            Event("AfterAgent", 10),
            Event("PreCompress", 10),
            Event("SessionEnd", 5),
        ),
        unit="milliseconds",
    ),
    Client(
        "cursor",
        "Cursor",
        ("cursor", "cursor-agent"),
        lambda: _home(".cursor"),
        lambda: Files(_home(".cursor", "mcp.json"), _home(".cursor", "hooks.json")),
        lambda root: Files(root / ".cursor" / "mcp.json", root / ".cursor" / "hooks.json"),
        events=(
            Event("sessionStart", 10),
            Event("beforeSubmitPrompt", 5),
            Event("stop", 10),
            Event("preCompact", 10),
            Event("sessionEnd", 5),
        ),
        layout="flat",
    ),
    Client(
        "opencode",
        "opencode",
        ("opencode",),
        _opencode_folder,
        lambda: Files(_in_use(_opencode_folder(), "opencode.json", "opencode.jsonc", "config.json")),
        lambda root: Files(_in_use(root, "opencode.json", "opencode.jsonc")),
        ("mcp",),
    ),
    Client(
        "vscode",
        "VS Code",
        ("code", "code-insiders", "codium"),
        _vscode_folder,
        lambda: Files(_vscode_folder() / "User" / "mcp.json"),
        lambda root: Files(root / ".vscode" / "mcp.json"),
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
    """Return the folder of the project that a folder is in: the nearest with a .git, else the folder itself.

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
