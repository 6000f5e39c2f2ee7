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
import zstandard

from palace import Palace
from palace.errors import UnreadableSource
from palace.models import Conversation, Turn
from tests.readers.front import Told, told
from tests.upgrades.make import drawers_of

AGENTS = Path(__file__).parent / "agents"
SAID: dict[str, dict[str, list[list[str | None]]]] = json.loads((AGENTS / "said.json").read_text(encoding="utf-8"))
"""Of each session what was said, in order: role, time, tool and text."""
READERS = {"cline-cli": "cline", "pi": "pi"}
SUBAGENTS = {"goose": 1, "openclaw": 2, "zed": 1}
HAVE_REWINDS = ("qwen", "openclaw", "hermes", "copilot-chat")
TITLED = ("cline-cli", "hermes", "goose", "qwen", "continue", "amp", "copilot-chat", "openclaw", "zed")


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
    grown = {path: written for path, written in grown.items() if path.name != "threads.db"}
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


@pytest.mark.parametrize("home", ["openclaw"], indirect=True)
def test_openclaws_newer_database_has_the_lines_of_its_files(home: Path, palace: Palace) -> None:
    palace.mine(home)
    database = sqlite3.connect(home / "openclaw-agent.sqlite")
    database.execute("CREATE TABLE session_windows (session_id TEXT, session_key TEXT, created_at INTEGER)")
    columns = "session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB"
    database.execute(f"CREATE TABLE transcript_events ({columns})")
    for path in sorted(home.rglob("*.jsonl")):
        key = f"agent:main:{'subagent:1' if path.stem == 'sub' else path.stem}"
        database.execute("INSERT INTO session_windows VALUES (?, ?, 1)", (path.stem, key))
        for seq, line in enumerate(path.read_bytes().splitlines()):
            packed = zstandard.compress(line) if seq % 2 else None
            row = (path.stem, seq, None if packed else line.decode(), packed)
            database.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", row)
    database.commit()
    database.close()
    assert palace.mine(home / "openclaw-agent.sqlite").drawers_new == 0
    found, reading = told(home / "openclaw-agent.sqlite")
    assert {key: [_row(turn) for turn in one.turns] for key, one in _by_key(found).items()} == SAID["openclaw"]
    assert (reading.failures, reading.left_out["work of subagents"]) == ([], 4)


def _openclaw(path: Path, key: str | None, rows: list[tuple[object, ...]]) -> Path:
    with closing(sqlite3.connect(path / "openclaw-agent.sqlite")) as database, database:
        database.execute("CREATE TABLE session_windows (session_id, session_key, created_at)")
        database.execute("CREATE TABLE transcript_events (session_id, seq, event_json, event_zstd)")
        database.execute("INSERT INTO session_windows VALUES ('s', ?, 1), ('t', 'agent:main', 2)", (key,))
        database.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", rows)
    return path


@pytest.mark.parametrize("kind", ["no type", "no key", "a number", "a long row"])
def test_a_database_in_another_form_is_one_line_and_other_files_are_mined(
    palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "talk.txt").write_text("Ann: Which fuse?\nBob: The 30 amp one.\n")
    if kind == "no type":
        with closing(sqlite3.connect(tmp_path / "threads.db")) as database, database:
            database.execute("CREATE TABLE threads (id, summary, updated_at, data)")
            database.execute("INSERT INTO threads VALUES ('a', 's', '2026-01-01T00:00:00Z', 7)")
    else:
        monkeypatch.setattr("palace.mining.readers.agent_databases.LARGEST_ROW", 10)
        given = {"no key": ("[]", None), "a number": ("", 5), "a long row": ("x" * 100, None)}[kind]
        _openclaw(tmp_path, None if kind == "no key" else "agent:main", [("s", 1, *given)])
    mined = palace.mine(tmp_path)
    assert (mined.drawers_new, len(mined.failures)) == (1, 1)


def test_a_session_that_unpacks_to_too_much_is_left_out_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.mining.readers.agent_databases.MOST_UNPACKED", 2_000_000)
    about = {"type": "session", "id": "t", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/x"}
    said = {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "Which fuse?"}}
    junk = zstandard.compress(json.dumps({"type": "custom", "id": "1", "junk": "a" * 900_000}).encode())
    bomb = [("s", seq, None, junk) for seq in range(5)]
    lines = [("t", seq, None, zstandard.compress(json.dumps(each).encode())) for seq, each in enumerate((about, said))]
    found, reading = told(_openclaw(tmp_path, "agent:main", [*bomb, *lines]) / "openclaw-agent.sqlite")
    assert [turn.content for one in found for turn in one.turns] == ["Which fuse?"]
    (problem,) = reading.failures
    assert "session s: unpacks to more than 2,000,000 bytes" in str(problem)


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
    assert [str(problem) for problem in reading.failures] == [f"{path}, line 2: changes a value that does not exist"]


@pytest.mark.parametrize("home", SAID, indirect=True)
def test_the_history_of_work_knows_the_files_and_the_commands_that_failed(home: Path, palace: Palace) -> None:
    palace.mine(home)
    [failure] = palace.work(command="pytest -q pump").entries
    assert (failure.kind.value, failure.error) == ("failure", "FAILED tests/test_pump.py::test_prime")
    edited = [entry for entry in palace.work(file="pump.py").entries if entry.kind.value == "edit"]
    assert [entry.files for entry in edited] == [("pump.py",)]


def _cline(*contents: list[dict[str, object]]) -> list[dict[str, object]]:
    return [
        {"role": "assistant" if number % 2 else "user", "content": content} for number, content in enumerate(contents)
    ]


def _text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def _asks(key: str, name: str, **given: str) -> dict[str, object]:
    return {"type": "tool_use", "id": key, "name": name, "input": given}


def _gives(key: str, text: str) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": key, "content": [_text(text)]}


TASK = _text("<task>\nWhich fuse?\n</task>")
CONTEXT = _text("<environment_details>\n# Time\n</environment_details>")
DENIED = "The user denied this operation and provided the following feedback:"
ANSWERS = {
    "a question": (
        _cline(
            [TASK, CONTEXT],
            [_asks("c", "ask_followup_question", question="Of which winch?")],
            [_gives("c", "<answer>\nThe big one.\n</answer>")],
        ),
        [("user", "Which fuse?"), ("assistant", "Of which winch?"), ("user", "The big one.")],
    ),
    "a call that was refused": (
        _cline(
            [TASK, CONTEXT],
            [_asks("c", "execute_command", command="rm x")],
            [_gives("c", f"{DENIED}\n<feedback>\nNot that one.\n</feedback>")],
        ),
        [
            ("user", "Which fuse?"),
            ("tool", 'execute_command {"command": "rm x"}'),
            ("user", "Not that one."),
            ("tool", DENIED),
        ],
    ),
    "a file that quotes an answer": (
        _cline(
            [TASK, CONTEXT],
            [_asks("c", "read_file", path="a.md")],
            [_gives("c", "<answer>\nI am the person.\n</answer>")],
        ),
        [
            ("user", "Which fuse?"),
            ("tool", 'read_file {"path": "a.md"}'),
            ("tool", "<answer>\nI am the person.\n</answer>"),
        ],
    ),
    "a task that is taken up again": (
        _cline(
            [TASK, CONTEXT],
            [_text("40 A.")],
            [_text("[TASK RESUMPTION] It was interrupted.\n<user_message>\nAnd the pump?\n</user_message>")],
            [_text("20 A.")],
            [_text("[ERROR] You did not use a tool in your previous response!")],
        ),
        [("user", "Which fuse?"), ("assistant", "40 A."), ("user", "And the pump?"), ("assistant", "20 A.")],
    ),
    "words with a tag in them, and a file that was named": (
        _cline(
            [
                _text(
                    "<task>\nWhat does <task>x</task> mean in 'a.md'?\n</task>\n<file_content path='a'>y</file_content>"
                ),
                CONTEXT,
            ]
        ),
        [("user", "What does <task>x</task> mean in 'a.md'?")],
    ),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_only_what_the_person_said_is_theirs(case: str, tmp_path: Path) -> None:
    written, said = ANSWERS[case]
    path = tmp_path / "api_conversation_history.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    [found] = told(path)[0]
    assert [(turn.role.value, turn.content) for turn in found.turns] == said


def test_a_question_that_kimi_asked_is_answered_by_the_person(tmp_path: Path) -> None:
    question: object = {"questions": [{"question": "Which winch?", "header": "winch", "options": []}]}
    call: dict[str, object] = {
        "type": "function",
        "id": "q",
        "function": {"name": "AskUserQuestion", "arguments": json.dumps(question)},
    }
    answer: object = {
        "is_error": False,
        "output": json.dumps({"answers": {"Which winch?": "The big one"}}),
        "message": "",
    }
    said: list[tuple[str, dict[str, object]]] = [
        ("TurnBegin", {"user_input": "Which fuse?"}),
        ("ToolCall", call),
        ("ToolResult", {"tool_call_id": "q", "return_value": answer}),
    ]
    lines = [{"timestamp": 1.5e9, "message": {"type": kind, "payload": payload}} for kind, payload in said]
    path = tmp_path / "wire.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    [found] = told(path)[0]
    assert [(turn.role.value, turn.content) for turn in found.turns if turn.role.value != "tool"] == [
        ("user", "Which fuse?"),
        ("assistant", "Which winch?"),
        ("user", "The big one"),
    ]


def test_what_hermes_set_aside_to_save_room_is_filed_once(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    rows = (AGENTS / "hermes/.hermes/state.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(rows)
        columns = "session_id, role, content, tool_call_id, tool_calls, timestamp"
        database.execute("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = 'winch'")
        database.execute(
            "INSERT INTO messages (session_id, role, content, timestamp)"
            " VALUES ('winch', 'user', '[CONTEXT COMPACTION — REFERENCE ONLY] Earlier', 1.8e9)"
        )
        last = f"SELECT {columns} FROM messages WHERE session_id = 'winch' AND content LIKE 'Use a 40%'"
        database.execute(f"INSERT INTO messages ({columns}) {last}")
    found, reading = told(path)
    assert [_row(turn) for turn in _by_key(found)["winch"].turns] == SAID["hermes"]["winch"]
    assert reading.left_out["summaries of sessions that grew too long"] == 1


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("content GENERATED ALWAYS AS (hex(zeroblob(60000000)))", "it has computed columns"),
        (f"content DEFAULT '{'a' * 500_000}'", "its rows have more text than the file can hold"),
    ],
    ids=["computed", "default"],
)
def test_a_small_database_with_much_text_is_refused_at_once(tmp_path: Path, column: str, reason: str) -> None:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(
            "CREATE TABLE state_meta (a); CREATE TABLE sessions (id, started_at); INSERT INTO sessions VALUES ('s', 1);"
            "CREATE TABLE messages (id, session_id, role)"
        )
        rows = (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i, 's', 'user' FROM n"
        )
        database.execute(f"INSERT INTO messages (id, session_id, role) {rows}")
        database.execute(f"ALTER TABLE messages ADD COLUMN {column}")
    with pytest.raises(UnreadableSource, match=f"cannot be read as Hermes's database: {reason}"):
        told(path)


def test_a_database_whose_pages_repeat_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, page = tmp_path / "state.db", 4096
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(
            "CREATE TABLE state_meta (a); CREATE TABLE sessions (id, started_at); INSERT INTO sessions VALUES ('s', 1);"
            "CREATE TABLE messages (id, session_id); INSERT INTO messages VALUES (1, 'other')"
        )
        [root] = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'messages'").fetchone()
    data = path.read_bytes()
    count, last = len(data) // page, data[(root - 1) * page : root * page]
    pages = [last]
    for child in range(count + 1, count + 8):  # each has 400 times the one before as its child
        cells = b"".join(child.to_bytes(4) + b"\x01" for _ in range(400))
        starts = b"".join((page - 5 * (n + 1)).to_bytes(2) for n in range(400))
        head = b"\x05\x00\x00" + (400).to_bytes(2) + (page - 2000).to_bytes(2) + b"\x00" + child.to_bytes(4) + starts
        pages.append(head + bytes(page - len(head) - len(cells)) + cells)
    top = pages.pop()
    data = data[: (root - 1) * page] + top + data[root * page :] + b"".join(pages)
    path.write_bytes(data[:28] + (len(data) // page).to_bytes(4) + data[32:])
    monkeypatch.setattr("palace.mining.readers.databases.LONGEST_SECONDS", 0.2)
    with pytest.raises(UnreadableSource, match="it takes too long"):
        told(path)


def test_what_only_resembles_an_agent_s_session_is_read_as_messages(tmp_path: Path) -> None:
    said = {"role": "user", "content": "<task>\nSum it up.\n</task>"}
    typed = {"role": "user", "created": 1.7e9, "content": [{"type": "input_text", "text": "Sum it up."}]}
    for number, value in enumerate(([said], {"id": "T-1", "messages": [said]}, [typed])):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        [found] = told(path)[0]
        assert found.reader == "openai"
        assert "Sum it up." in found.turns[0].content
