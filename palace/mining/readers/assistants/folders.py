"""What coding assistants keep in their own folders beside their sessions, told by where it lies. Pure.

Settings, keys, logs and copies of files lie there too: they are no conversations, and nobody who names the folder means
them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

COPILOT = "files that GitHub Copilot CLI keeps beside its sessions"
OLDER_FORMS = "older forms of sessions that lie beside them in the newer one"


class _Home(NamedTuple):
    """Where a program keeps its sessions."""

    folder: str
    """How the path of its own folder ends."""
    sessions: re.Pattern[str]
    """Which files below it are read, or belong to what is read."""
    kind: str
    """As what the others are counted."""


_HOMES = (
    _Home(
        "/.codex/",
        re.compile(r"(archived_)?sessions/(.*/)?rollout-[^/]*\.jsonl(\.gz)?|worktrees/.*"),
        "files that Codex keeps beside its sessions",
    ),
    _Home(
        "/.gemini/",
        re.compile(r"tmp/[^/]+/chats/(session-[^/]*\.jsonl?|[^/]+/[^/]+\.jsonl)(\.gz)?"),
        "files that Gemini CLI keeps beside its sessions",
    ),
    _Home(
        "/.cursor/",
        re.compile(r"projects/[^/]+/agent-transcripts/.*\.(jsonl|txt)(\.gz)?|worktrees/.*"),
        "files that Cursor keeps beside its sessions",
    ),
    _Home(
        "/.copilot/",
        re.compile(r"session-state/([^/]+/events|[^/]+)\.jsonl(\.gz)?|history-session-state/[^/]+\.json"),
        COPILOT,
    ),
    _Home(
        "/.local/share/opencode/",
        re.compile(r"opencode[^/]*\.db(-wal|-shm)?|storage/(session|message|part)/.*|worktree/.*"),
        "files that opencode keeps beside its sessions",
    ),
)
_COPILOT_SESSION, _EVENTS = re.compile(r"(?:.*/)?session-state/[^/]+/"), "events.jsonl"
_GEMINI_SESSION = re.compile(r"(.*/)?session-[^/]*\.json")


def beside_sessions(root: str, name: str, names: Collection[str]) -> str | None:
    """Say as what a file is counted that a program keeps beside its sessions; None for any other.

    ``root`` is the real path of the folder that was named, ``name`` the file's below it, one of ``names``.
    """
    if is_older_form(name, names):
        return OLDER_FORMS
    if is_beside_events(name, names):
        return COPILOT
    path = f"{root.rstrip('/')}/{name}"
    for home in _HOMES:
        _, found, rest = path.partition(home.folder)
        if found:
            return None if home.sessions.fullmatch(rest) else home.kind
    return None


def is_beside_events(name: str, names: Collection[str]) -> bool:
    """Tell what lies in the folder of one session of GitHub Copilot CLI, wherever that lies."""
    found = _COPILOT_SESSION.match(name)
    return found is not None and name != f"{found[0]}{_EVENTS}" and f"{found[0]}{_EVENTS}" in names


def is_older_form(name: str, names: Collection[str]) -> bool:
    """Tell a session of Gemini CLI that goes on in a file beside it, into which it was taken over whole."""
    return _GEMINI_SESSION.fullmatch(name) is not None and f"{name}l" in names
