"""Sessions of coding agents, as their programs write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Session:
    """A transcript of Claude Code, written line by line, a second apart."""

    def __init__(self, key: str, folder: str = "/home/mara/code/api", began: datetime = BEGAN) -> None:
        self.key, self.folder, self.at = key, folder, began
        self.lines: list[dict[str, Any]] = []

    def _add(self, kind: str, content: object) -> None:
        self.at += timedelta(seconds=1)
        uuid = f"{self.key}-{len(self.lines)}"
        line = {"type": kind, "uuid": uuid, "sessionId": self.key, "cwd": self.folder, "timestamp": self.at.isoformat()}
        if self.lines:
            line["parentUuid"] = self.lines[-1]["uuid"]
        self.lines.append(line | {"message": {"role": kind, "content": content}})

    def asks(self, text: str) -> Session:
        """Add a prompt of the user."""
        self._add("user", text)
        return self

    def says(self, text: str) -> Session:
        """Add a message of the assistant."""
        self._add("assistant", [{"type": "text", "text": text}])
        return self

    def uses(self, tool: str, result: str, **given: object) -> Session:
        """Add a tool call, and its result two seconds later."""
        key = f"{self.key}-call-{len(self.lines)}"
        self._add("assistant", [{"type": "tool_use", "id": key, "name": tool, "input": given}])
        self.at += timedelta(seconds=1)
        self._add("user", [{"type": "tool_result", "tool_use_id": key, "content": result}])
        return self

    def edits(self, path: str, old: str = "a", new: str = "b") -> Session:
        """Add an edit of a file in the session's folder."""
        return self.uses(
            "Edit", "The file has been updated.", file_path=f"{self.folder}/{path}", old_string=old, new_string=new
        )

    def reads(self, path: str) -> Session:
        """Add that a file in the session's folder is read."""
        return self.uses("Read", "1  a", file_path=f"{self.folder}/{path}")

    def runs(self, command: str, output: str = "", status: int = 0) -> Session:
        """Add a command; its output names the exit status if it fails."""
        return self.uses("Bash", f"Exit code {status}\n{output}" if status else output, command=command)

    def write(self, folder: Path) -> Path:
        """Write the transcript into a folder."""
        path = folder / f"{self.key}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path


def codex(folder: Path, key: str, items: Sequence[dict[str, Any]], cwd: str = "/home/mara/code/api") -> Path:
    """Write a rollout of Codex with items, a second apart."""
    meta = {"id": key, "timestamp": BEGAN.isoformat(), "cwd": cwd, "instructions": None}
    lines: list[dict[str, Any]] = [{"timestamp": BEGAN.isoformat(), "type": "session_meta", "payload": meta}]
    for number, item in enumerate(items, 1):
        at = (BEGAN + timedelta(seconds=number)).isoformat()
        lines.append({"timestamp": at, "type": "response_item", "payload": item})
    path = folder / f"rollout-2026-03-02T09-00-00-{key}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
