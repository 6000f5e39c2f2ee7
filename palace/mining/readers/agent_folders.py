"""What coding assistants keep in their own folders beside their sessions, known by where it lies. Pure.

Settings, keys, logs and copies of files lie there too: they are no conversations, and nobody who names the folder means
them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

COPILOT = "GitHub Copilot CLI"
OLDER_FORMS = "older forms of sessions that lie beside them in the newer one"

_HOMES = {
    "/.codex/": ("Codex", r"(archived_)?sessions/(.*/)?rollout-[^/]*\.jsonl(\.gz)?|worktrees/.*"),
    "/.gemini/": ("Gemini CLI", r"tmp/[^/]+/chats/(session-[^/]*\.jsonl?|[^/]+/[^/]+\.jsonl)(\.gz)?"),
    "/.cursor/": ("Cursor", r"projects/[^/]+/agent-transcripts/.*\.(jsonl|txt)(\.gz)?|worktrees/.*"),
    "/.copilot/": (COPILOT, r"session-state/([^/]+/events|[^/]+)\.jsonl(\.gz)?|history-session-state/[^/]+\.json"),
    "/.local/share/opencode/": (
        "opencode",
        r"opencode[^/]*\.db(-wal|-shm)?|storage/(session|message|part)/.*|worktree/.*",
    ),
}
"""Where programs keep their sessions: how the path of the program's folder ends, and which files below it are read."""
_COPILOT_SESSION, _EVENTS = re.compile(r"(?:.*/)?session-state/[^/]+/"), "events.jsonl"
_GEMINI_SESSION = re.compile(r"(.*/)?session-[^/]*\.json")


def beside_sessions(root: str, name: str, names: Collection[str]) -> str | None:
    """Say as what a file is counted that a program keeps beside its sessions; None for any other.

    ``root`` is the real path of the folder that was named, ``name`` the file's below it, one of ``names``.
    """
    # A session of Gemini CLI that goes on in a file beside it was taken over into that whole.
    if _GEMINI_SESSION.fullmatch(name) and f"{name}l" in names:
        return OLDER_FORMS
    session = _COPILOT_SESSION.match(name)
    if session and name != f"{session[0]}{_EVENTS}" and f"{session[0]}{_EVENTS}" in names:
        return _kept_by(COPILOT)
    path = f"{root.rstrip('/')}/{name}"
    for folder, (program, sessions) in _HOMES.items():
        _, found, rest = path.partition(folder)
        if found:
            return None if re.fullmatch(sessions, rest) else _kept_by(program)
    return None


def _kept_by(program: str) -> str:
    return f"files that {program} keeps beside its sessions"
