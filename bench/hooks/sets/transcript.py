"""Written sessions as Claude Code keeps them: JSON lines, one for each block of a message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from bench.hooks.sets.talk import ANSWERS, ASIDE, ATTACHED, CALLS, GIVES, GOES, SAYS, Said, Session, Talk

HOME = "/home/dev"
"""Below which the projects lie, as they were written."""
_INPUTS = {"Bash": "command", "Grep": "pattern", "Glob": "pattern", "Task": "prompt", "WebFetch": "url"}
_SECONDS = {SAYS: 70, ANSWERS: 14, CALLS: 5, GIVES: 2, ATTACHED: 0, ASIDE: 9, GOES: 0}


def session_id(talk: Talk, session: Session) -> str:
    """Give the id by which a session is known, the same in every run."""
    return str(uuid5(NAMESPACE_URL, f"{talk.project}/{session.started_at.isoformat()}"))


def transcript(talk: Talk, session: Session, home: str = HOME) -> str:
    """Write a session out, its project lying below another home if one is named."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in _Lines(talk, session).all())
    return text.replace(HOME, home)


class _Lines:
    """The lines of one session while they are made."""

    def __init__(self, talk: Talk, session: Session) -> None:
        self._session, self._folder = session, talk.folder
        self._id, self._root = session_id(talk, session), PurePosixPath(talk.folder)
        self._at, self._count = session.started_at, 0
        self._open: str | None = None
        self._last: str | None = None

    def all(self) -> Iterator[dict[str, Any]]:
        lines = [line for said in self._session.said for line in self._lines(said)] + self._answered("")
        yield {"type": "summary", "summary": self._session.title, "leafUuid": self._last}
        yield {
            "type": "file-history-snapshot",
            "messageId": lines[0]["uuid"],
            "snapshot": {},
            "isSnapshotUpdate": False,
        }
        yield from lines

    def _lines(self, said: Said) -> list[dict[str, Any]]:
        self._at += timedelta(seconds=_SECONDS[said.mark] + len(said.text) // 12)
        if said.mark == GIVES:
            return self._answered(said.text)
        if said.mark == GOES:
            self._folder = str(self._root / said.text)
            return []
        before = self._answered("")
        return [*before, self._line(said)]

    def _line(self, said: Said) -> dict[str, Any]:
        match said.mark:
            case "<":
                return self._of_agent([{"type": "text", "text": said.text}])
            case "!":
                return self._call(said.text)
            case "#":
                attached = {"type": "hook_additional_context", "hookName": "UserPromptSubmit", "content": [said.text]}
                return self._stamped({"type": "attachment", "attachment": attached})
            case "^":
                return {**self._of_agent([{"type": "text", "text": said.text}]), "isSidechain": True}
            case _ if said.text.startswith("/"):
                content = f"<command-name>{said.text}</command-name>"
                return self._stamped({"type": "system", "subtype": "local_command", "content": content})
            case _:
                return self._of_person(said.text)

    def _call(self, text: str) -> dict[str, Any]:
        head, _, body = text.partition("\n")
        name, _, rest = head.partition(" ")
        self._open = f"toolu_{self._uuid('tool').hex[:24]}"
        block = {"type": "tool_use", "id": self._open, "name": name, "input": self._input(name, rest, body)}
        return self._of_agent([block])

    def _input(self, name: str, rest: str, body: str) -> dict[str, Any]:
        if name in _INPUTS:
            return {_INPUTS[name]: "\n".join(filter(None, (rest, body)))}
        path = {"file_path": str(self._root / rest)}
        if name == "Write":
            return {**path, "content": body}
        if name == "Edit":
            old, new = (_side(body, sign) for sign in "-+")
            return {**path, "old_string": old, "new_string": new}
        return path

    def _answered(self, output: str) -> list[dict[str, Any]]:
        """Give what a tool gave; a call that nothing was written for gave nothing."""
        if self._open is None:
            return []
        block = {"tool_use_id": self._open, "type": "tool_result", "content": output, "is_error": False}
        self._open = None
        return [{**self._of_person([block]), "toolUseResult": {"stdout": output, "stderr": "", "interrupted": False}}]

    def _of_person(self, content: object) -> dict[str, Any]:
        return self._stamped({"type": "user", "message": {"role": "user", "content": content}})

    def _of_agent(self, content: list[dict[str, Any]]) -> dict[str, Any]:
        message = {
            "id": f"msg_{self._uuid('message').hex[:24]}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-6",
            "content": content,
            "stop_reason": None,
        }
        return self._stamped({"type": "assistant", "message": message})

    def _stamped(self, line: dict[str, Any]) -> dict[str, Any]:
        uuid, parent = str(self._uuid("line")), self._last
        self._last, self._count = uuid, self._count + 1
        common = {"isSidechain": False, "userType": "external", "cwd": self._folder, "sessionId": self._id}
        session = {"version": "2.1.240", "gitBranch": self._session.branch, "timestamp": _stamp(self._at)}
        return {"parentUuid": parent, **common, **session, **line, "uuid": uuid}

    def _uuid(self, what: str) -> UUID:
        return uuid5(NAMESPACE_URL, f"{self._id}/{what}/{self._count}")


def _side(body: str, sign: str) -> str:
    return "\n".join(line[2:] for line in body.splitlines() if line.startswith(sign))


def _stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")
