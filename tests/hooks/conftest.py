"""What tests of hooks share: a project below a home of its own, a transcript in it, and what a hook is answered."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from palace import Palace, Settings
from palace.hooks.answering import HookContext, answer_request
from palace.hooks.miner import InboxMiner
from palace.opened import OpenPalace, SharedResources

SAID = "We dropped Redis from the Kittiwake service because of its licence."
ASKED = "Why did we drop Redis from the Kittiwake service?"


def line(number: int, said: str = SAID, *, session: str = "s-1", cwd: str = "/home/mara/api", **more: Any) -> str:
    """Write a line of a Claude Code transcript; the person speaks on odd ones."""
    role = "user" if number % 2 else "assistant"
    told = {
        "type": role,
        "sessionId": session,
        "uuid": f"{session}-{number}",
        "cwd": cwd,
        "timestamp": f"2026-04-30T10:{number // 60:02}:{number % 60:02}Z",
        "message": {"role": role, "content": f"{said} ({number})"},
    }
    return json.dumps(told | more) + "\n"


def spoken(number: int, role: str, content: object) -> str:
    """Write a line of a transcript word by word."""
    return line(number, session="s-0", type=role, message={"role": role, "content": content})


@dataclass(frozen=True)
class Agent:
    """A coding agent as a hook sees it: a home, a project, and a session in it."""

    settings: Settings
    palace: Palace
    project: Path
    context: HookContext
    miner: InboxMiner

    def send(self, name: str, *, session: str = "s-1", folder: Path | None = None, **fields: Any) -> str:
        """Call a hook as Claude Code does; give the block that is answered."""
        at = folder or self.project
        told = {"session_id": session, "cwd": str(at), "hook_event_name": name, "transcript_path": "", **fields}
        out = self.raw(json.dumps(told))
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""

    def raw(self, text: str, **more: Any) -> str:
        """Call a hook with any input."""
        return answer_request(self.context, {"v": 1, "event": "", "input": text, "folder": "", **more})

    def transcript(self, *lines: str, name: str = "s-1") -> Path:
        """Write a transcript below the home."""
        path = self.settings.home_folder.parent / "transcripts" / f"{name}.jsonl"
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_text("".join(lines))
        path.chmod(0o600)
        return path

    def file(self, *said: str, session: str = "s-0", folder: Path | None = None) -> None:
        """Have a session filed and embedded, as its hooks have it."""
        self.file_lines(*(line(n, each, session=session) for n, each in enumerate(said, 1)), session=session, at=folder)

    def file_lines(self, *lines: str, session: str = "s-0", at: Path | None = None, name: str = "Stop") -> None:
        """Have a transcript filed and embedded, line by line as it is written."""
        self.send(name, session=session, folder=at, transcript_path=str(self.transcript(*lines, name=session)))
        self.miner.look()
        self.palace.turns.end()

    @property
    def wings(self) -> list[str]:
        """List the wings by name."""
        return [wing.name for wing in self.palace.tree.wings()]

    @property
    def codes(self) -> list[str]:
        """List what failed, by its code."""
        return codes(self.settings.home_folder)

    def filed(self) -> list[str]:
        """List all that was filed."""
        tree = self.palace.tree
        rooms = [room for wing in tree.wings() for room in tree.rooms(wing)]
        return [drawer.content for room in rooms for drawer in tree.iter_drawers(room)]


@pytest.fixture
def agent(settings: Settings, palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """A person's own palace, and an agent at work in a repository of theirs."""
    monkeypatch.setattr("palace.hooks.miner.REST_SECONDS", 0.0)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    own = settings.model_copy(update={"user": palace.user, "home": home})
    opened = palace._opened
    resources = SharedResources(own, opened.database.shared, opened.embedders, opened.strategy, opened.steps)

    def open_for(user: str) -> OpenPalace:
        return OpenPalace.of(resources, user=user, make_user=False)

    context = HookContext(home, palace.user, open_for, seconds=30)
    return Agent(own, palace, repository(tmp_path / "api"), context, InboxMiner(resources))


@pytest.fixture
def filed(agent: Agent) -> Agent:
    """An agent in whose project an earlier session was filed."""
    agent.palace.settings.set("memories", "off")
    agent.file(SAID, "Valkey took its place in the Kittiwake service.")
    return agent


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another project."""
    return repository(tmp_path / "other")


def failures(home: Path) -> list[list[str]]:
    """Read the log of failures: event, harness, code and step of each."""
    log = home / "hooks" / "failures.log"
    return [each.split()[1:] for each in log.read_text().splitlines()] if log.exists() else []


def codes(home: Path) -> list[str]:
    """List what failed in a home, by its code."""
    return [each[2] for each in failures(home)]


def notes(home: Path) -> list[dict[str, Any]]:
    """Read the notes of transcripts that wait to be mined."""
    read = []
    for path in sorted((home / "hooks" / "inbox").glob("*")):
        with suppress(FileNotFoundError):  # mined meanwhile
            read.append(json.loads(path.read_text()))
    return read


def repository(folder: Path) -> Path:
    """Make a repository, as git would."""
    for part in ("objects", "refs"):
        (folder / ".git" / part).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text("")
    return folder
