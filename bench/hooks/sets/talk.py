"""Sessions as they were written by hand: a line of a person, an agent, a tool or its output, each behind its mark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

WRITTEN = Path(__file__).parent / "written"

SAYS, ANSWERS, CALLS, GIVES, ATTACHED, ASIDE, GOES = "><!|#^:"
"""The person, the agent, a tool is called, what it gives, what a hook attached, a sub-agent, another folder."""


@dataclass(frozen=True, slots=True)
class Said:
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


def read_talks() -> tuple[Talk, ...]:
    """Read all projects, in order of their names."""
    return tuple(read_talk(path.read_text(encoding="utf-8")) for path in sorted(WRITTEN.glob("*.talk")))


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
    return Talk(
        about["project"],
        about["client"],
        about["half"],
        about["folder"],
        tuple(sorted((_session(*one) for one in sessions), key=lambda session: session.started_at)),
    )


def _session(head: str, lines: list[str]) -> Session:
    start, branch, title = head.split(" ", 2)
    return Session(datetime.fromisoformat(start).replace(tzinfo=UTC), branch, title, tuple(_said(lines)))


def _said(lines: list[str]) -> Iterator[Said]:
    """Put what goes on over several lines together; output goes on with its own mark, all else indented by two."""
    mark, parts = "", list[str]()
    for line in lines:
        if line.startswith("  ") or line[:1] == GIVES == mark:
            parts.append(line[2:])
        elif line[:2] in {f"{one} " for one in "><!|#^:"} or line in {SAYS, GIVES}:
            if mark:
                yield Said(mark, "\n".join(parts).strip("\n"))
            mark, parts = line[0], [line[2:]]
        elif line.strip():
            raise ValueError(f"no mark: {line}")
    if mark:
        yield Said(mark, "\n".join(parts).strip("\n"))
