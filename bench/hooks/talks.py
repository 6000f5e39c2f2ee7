"""Sessions as they were written by hand, and as transcripts of Claude Code: a line of JSON for each block.

A written line begins with its mark: a person, an agent, a tool or its output (``sets/README.md``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

WRITTEN = Path(__file__).parent / "sets" / "written"
HOME = "/home/dev"
"""Below which the projects lie, as they were written."""
SAYS, ANSWERS, CALLS, GIVES, ATTACHED, ASIDE, GOES = "><!|#^:"
"""The person, the agent, a tool is called, what it gives, what a hook attached, a sub-agent, another folder."""
FAILED = "Exit code "
"""What the result of a command that failed begins with."""
_INPUTS = {"Bash": "command", "Grep": "pattern", "Glob": "pattern", "Task": "prompt", "WebFetch": "url"}
_SECONDS = {SAYS: 70, ANSWERS: 14, CALLS: 5, GIVES: 2, ATTACHED: 0, ASIDE: 9, GOES: 0}


class Said(NamedTuple):
    """One message, or one call of a tool."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Session:
    """What was said at one sitting."""

    started_at: datetime
    branch: str
    title: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """All sessions of one project, in order of time."""

    project: str
    client: str
    half: str
    folder: str
    sessions: tuple[Session, ...]


def read_talks(written: Path = WRITTEN) -> tuple[Talk, ...]:
    """Read all projects of a folder, in order of their names."""
    return tuple(read_talk(path.read_text(encoding="utf-8")) for path in sorted(written.glob("*.talk")))


def read_talk(text: str) -> Talk:
    """Read one project; ``ValueError`` where a line has no mark."""
    about: dict[str, str] = {}
    sessions: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("@ "):
            key, _, value = line[2:].partition(" ")
            about[key] = value
        elif line.startswith("= "):
            sessions.append((line[2:], []))
        elif sessions:
            sessions[-1][1].append(line)
    read = sorted((_session(*one) for one in sessions), key=lambda session: session.started_at)
    return Talk(**about, sessions=tuple(read))


def _session(head: str, lines: list[str]) -> Session:
    start, branch, title = head.split(" ", 2)
    return Session(datetime.fromisoformat(start).replace(tzinfo=UTC), branch, title, tuple(_said(lines)))


def _said(lines: list[str]) -> Iterator[Said]:
    """Put what goes on over several lines together; output goes on with its own mark, all else indented by two."""
    mark, parts = "", list[str]()
    for line in lines:
        if line.startswith("  ") or line[:1] == GIVES == mark:
            parts.append(line[2:])
        elif line[:2] in {f"{one} " for one in _SECONDS} or line in {SAYS, GIVES}:
            if mark:
                yield Said(mark, "\n".join(parts).strip("\n"))
            mark, parts = line[0], [line[2:]]
        elif line.strip():
            raise ValueError(f"no mark: {line}")
    if mark:
        yield Said(mark, "\n".join(parts).strip("\n"))


def write_transcripts(to: Path, home: str = HOME, written: Path = WRITTEN) -> list[Path]:
    """Write each session of each project to a file ``PROJECT/SESSION.jsonl``, the projects lying below a home."""
    paths = []
    for talk in read_talks(written):
        folder = to / talk.project
        folder.mkdir(parents=True, exist_ok=True)
        for session in talk.sessions:
            transcript = _Transcript(talk, session)
            lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in transcript.all())
            paths.append(folder / f"{transcript.id}.jsonl")
            paths[-1].write_text("".join(lines).replace(HOME, home), encoding="utf-8")
    return paths


class _Transcript:
    """The lines of one session while they are made; ids are the same in every run."""

    def __init__(self, talk: Talk, session: Session) -> None:
        self._session, self._folder, self._root = session, talk.folder, PurePosixPath(talk.folder)
        self.id = str(uuid5(NAMESPACE_URL, f"{talk.project}/{session.started_at.isoformat()}"))
        self._at, self._count = session.started_at, 0
        self._open: str | None = None
        self._last: str | None = None

    def all(self) -> Iterator[dict[str, Any]]:
        lines = [line for said in self._session.said for line in self._lines(said)] + self._answered("")
        yield {"type": "summary", "summary": self._session.title, "leafUuid": self._last}
        first = lines[0]["uuid"]
        yield {"type": "file-history-snapshot", "messageId": first, "snapshot": {}, "isSnapshotUpdate": False}
        yield from lines

    def _lines(self, said: Said) -> list[dict[str, Any]]:
        self._at += timedelta(seconds=_SECONDS[said.mark] + len(said.text) // 12)
        if said.mark == GIVES:
            return self._answered(said.text)
        if said.mark == GOES:
            self._folder = str(self._root / said.text)
            return []
        return [*self._answered(""), self._line(said)]

    def _line(self, said: Said) -> dict[str, Any]:
        text = [{"type": "text", "text": said.text}]
        match said.mark:
            case "<":
                return self._of_agent(text)
            case "!":
                return self._call(said.text)
            case "#":
                attached = {"type": "hook_additional_context", "hookName": "UserPromptSubmit", "content": [said.text]}
                return self._stamped({"type": "attachment", "attachment": attached})
            case "^":
                return {**self._of_agent(text), "isSidechain": True}
            case _ if said.text.startswith("/"):
                content = f"<command-name>{said.text}</command-name>"
                return self._stamped({"type": "system", "subtype": "local_command", "content": content})
            case _:
                return self._of_person(said.text)

    def _call(self, text: str) -> dict[str, Any]:
        head, _, body = text.partition("\n")
        name, _, rest = head.partition(" ")
        self._open = f"toolu_{self._uuid('tool').hex[:24]}"
        given: dict[str, Any] = {"file_path": str(self._root / rest)}
        if name in _INPUTS:
            given = {_INPUTS[name]: "\n".join(filter(None, (rest, body)))}
        elif name == "Write":
            given["content"] = body
        elif name == "Edit":
            for key, sign in (("old_string", "-"), ("new_string", "+")):
                given[key] = "\n".join(line[2:] for line in body.splitlines() if line.startswith(sign))
        return self._of_agent([{"type": "tool_use", "id": self._open, "name": name, "input": given}])

    def _answered(self, output: str) -> list[dict[str, Any]]:
        """Give what a tool gave; a call that nothing was written for gave nothing."""
        if self._open is None:
            return []
        failed = output.startswith(FAILED)
        block = {"tool_use_id": self._open, "type": "tool_result", "content": output, "is_error": failed}
        self._open = None
        result = f"Error: {output}" if failed else {"stdout": output, "stderr": "", "interrupted": False}
        return [{**self._of_person([block]), "toolUseResult": result}]

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
        common = {"isSidechain": False, "userType": "external", "cwd": self._folder, "sessionId": self.id}
        at = self._at.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        session = {"version": "2.1.240", "gitBranch": self._session.branch, "timestamp": at}
        return {"parentUuid": parent, **common, **session, **line, "uuid": uuid}

    def _uuid(self, what: str) -> UUID:
        return uuid5(NAMESPACE_URL, f"{self.id}/{what}/{self._count}")
