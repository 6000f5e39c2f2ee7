"""Sessions of coding assistants, written by their own packages where those write them, are read as they were said."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC
from pathlib import Path

import pytest

from palace import Palace
from palace.models import Conversation, Turn
from tests.readers.front import Told, told
from tests.upgrades.make import drawers_of

AGENTS = Path(__file__).parent / "agents"
SAID: dict[str, dict[str, list[list[str | None]]]] = json.loads((AGENTS / "said.json").read_text(encoding="utf-8"))
"""Of each session what was said, in order: role, time, tool and text."""
READERS = {"cline-cli": "cline", "pi": "pi"}
SUBAGENTS = {"roo": 1, "cline-cli": 1, "kimi": 1, "hermes": 1, "goose": 1, "openclaw": 2}
HAVE_REWINDS = ("qwen", "openclaw", "hermes", "copilot-chat")
TITLED = ("cline-cli", "hermes", "goose", "qwen", "continue", "amp", "copilot-chat", "openclaw")


@pytest.fixture
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a folder with an agent's sessions; databases are made of their rows."""
    root = tmp_path / "home"
    shutil.copytree(AGENTS / request.param, root)
    for rows in root.rglob("*.sql"):
        with closing(sqlite3.connect(rows.with_suffix(".db"))) as database:
            database.executescript(rows.read_text(encoding="utf-8"))
        rows.unlink()
    # Hidden folders are only read where they are named.
    while len(inner := list(root.iterdir())) == 1 and inner[0].is_dir():
        root = inner[0]
    return root


def _row(turn: Turn) -> list[str | None]:
    at = turn.said_at.astimezone(UTC).replace(tzinfo=None).isoformat() if turn.said_at else None
    return [turn.role.value, at, turn.speaker, turn.content]


def _by_key(found: list[Conversation]) -> dict[str | None, Conversation]:
    return {one.source_id: one for one in found}


@pytest.mark.parametrize(("home", "agent"), [(name, name) for name in SAID], indirect=["home"])
def test_what_was_said_is_read_with_its_times_tools_and_folder(home: Path, agent: str) -> None:
    found, reading = told(home)
    assert {key: [_row(turn) for turn in one.turns] for key, one in _by_key(found).items()} == SAID[agent]
    assert {one.reader for one in found} == {READERS.get(agent, agent)}
    assert {(one.project, one.folder) for one in found} == {("kiln", "/home/ines/kiln")}
    assert (reading.failures, reading.notices) == ([], [])
    assert reading.left_out["work of subagents"] == SUBAGENTS.get(agent, 0)
    if agent in TITLED:
        assert {one.title for one in found} == {(one.source_id or "").removeprefix("T-").title() for one in found}


@pytest.mark.parametrize(("home", "agent"), [(name, name) for name in HAVE_REWINDS], indirect=["home"])
def test_what_was_taken_back_is_replaced_by_what_was_said_instead(home: Path, agent: str) -> None:
    turns = _by_key(told(home)[0])["loom"].turns
    said = {turn.source_id: turn.content for turn in turns}
    replaced = {turn.content: said[turn.replaced_by] for turn in turns if turn.replaced_by}
    assert replaced == {"How deep is the loom?": "How high is the loom?", "Half a metre.": "Two metres."}, agent


@pytest.mark.parametrize("home", SAID, indirect=True)
def test_sessions_that_grew_file_only_what_is_new(home: Path, palace: Palace) -> None:
    grown = {path: path.read_bytes() for path in home.rglob("*") if path.suffix in (".jsonl", ".db")}
    for path, written in grown.items():
        if path.suffix == ".db":
            with closing(sqlite3.connect(path)) as database, database:
                database.execute("DELETE FROM messages WHERE id % 3 = 0")
        else:
            path.write_bytes(b"".join(written.splitlines(keepends=True)[:-3]))
    before = palace.mine(home).drawers_new
    for path, written in grown.items():
        path.write_bytes(written)
    after = palace.mine(home)
    assert palace.mine(home).drawers_new == 0
    texts = Counter(drawer.content for drawer in drawers_of(palace))
    assert (before + after.drawers_new, after.failures) == (texts.total(), ())
    assert max(texts.values()) == 1


def test_kilo_codes_newer_database_is_read_as_opencodes(tmp_path: Path) -> None:
    from tests.readers.opencodes import begin, make, say

    (tmp_path / ".local/share/kilo").mkdir(parents=True)
    database = make(tmp_path / ".local/share/kilo/kilo.db")
    begin(database, "ses_1")
    say(database, "ses_1", 1, "user", "Which fuse?")
    [found] = told(tmp_path / ".local/share/kilo")[0]
    assert (found.reader, [turn.content for turn in found.turns]) == ("kilo", ["Which fuse?"])


BROKEN = {
    "kimi": ("wire.jsonl", '{"timestamp": 1, "mess'),
    "qwen": ("winch.jsonl", '{"uuid": "x", "par'),
    "openclaw": ("winch.jsonl", '{"type": "message", "id'),
    "copilot-chat": ("pump.jsonl", '{"kind": 2, "k": ["req'),
    "goose": ("loom.jsonl", '{"role": "user", "cre'),
}


@pytest.mark.parametrize(("home", "agent"), [(name, name) for name in BROKEN], indirect=["home"])
def test_a_line_that_is_still_written_waits_and_nothing_else_is_lost(home: Path, agent: str) -> None:
    name, broken = BROKEN[agent]
    path = next(path for path in sorted(home.rglob(name)) if "subagents" not in path.parts)
    with path.open("a", encoding="utf-8") as file:
        file.write(broken)
    found, reading = told(home)
    assert {key: [_row(turn) for turn in one.turns] for key, one in _by_key(found).items()} == SAID[agent]
    assert (reading.failures, reading.left_out["last lines that break off"]) == ([], 1)


ODD: dict[str, tuple[str, object]] = {
    "roo": ("winch/api_conversation_history.json", {"role": "robot", "content": []}),
    "continue": ("sessions/winch.json", {"message": {"role": "robot", "content": ""}}),
    "amp": ("T-winch.json", 7),
    "copilot-chat": ("winch.json", None),
}


@pytest.mark.parametrize(("home", "agent"), [(name, name) for name in ODD], indirect=["home"])
def test_a_message_that_cannot_be_read_is_one_line_and_the_others_stay(home: Path, agent: str) -> None:
    ending, odd = ODD[agent]
    path = next(path for path in home.rglob("*.json") if str(path).endswith(ending))
    value = json.loads(path.read_text(encoding="utf-8"))
    listed = (
        value if isinstance(value, list) else next(value[k] for k in ("history", "messages", "requests") if k in value)
    )
    listed.append(odd)
    path.write_text(json.dumps(value), encoding="utf-8")
    found, reading = told(home)
    [problem] = reading.failures
    assert problem.file == str(path)
    assert {key: [_row(turn) for turn in one.turns] for key, one in _by_key(found).items()} == SAID[agent]


def test_a_log_that_changes_what_is_not_there_says_so(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    lines = [{"kind": 0, "v": {"requests": []}}, {"kind": 1, "k": ["requests", 4, "response"], "v": []}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    reading: Told = told(path)[1]
    assert [str(problem) for problem in reading.failures] == [f"{path}, line 2: changes what is not there"]


@pytest.mark.parametrize("home", SAID, indirect=True)
def test_the_history_of_work_knows_the_files_and_the_commands_that_failed(home: Path, palace: Palace) -> None:
    palace.mine(home)
    [failure] = palace.work(command="pytest -q pump").entries
    assert (failure.kind.value, failure.error) == ("failure", "FAILED tests/test_pump.py::test_prime")
    edited = [entry for entry in palace.work(file="pump.py").entries if entry.kind.value == "edit"]
    assert [entry.files for entry in edited] == [("pump.py",)]
