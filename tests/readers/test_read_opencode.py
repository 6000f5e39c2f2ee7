"""opencode's database is read beside the running program, and its older storage as a whole."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import Role, UnreadableSource
from tests.readers.front import offered, read, texts, told
from tests.readers.opencodes import begin, make, say

SHELL = {"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "completed", "input": {}, "output": "ok"}}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a program that runs: what it wrote last stands in the file beside it."""
    database = make(tmp_path / "opencode.db")
    begin(database, "ses_1")
    say(
        database, "ses_1", 1, "user", "Which fuse?", {"type": "text", "text": "Called the Read tool", "synthetic": True}
    )
    say(database, "ses_1", 2, "assistant", "One of 80 amps.", SHELL)
    yield database
    database.close()


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if not path.name.endswith("-shm")}


def test_a_session_is_read_while_the_program_runs(running: sqlite3.Connection, tmp_path: Path) -> None:
    before = listing(tmp_path)
    assert before["opencode.db-wal"]
    for named in (tmp_path, tmp_path / "opencode.db"):
        [found] = read(named)
        assert [(turn.role, turn.content) for turn in found.turns] == [
            (Role.USER, "Which fuse?"),
            (Role.ASSISTANT, "One of 80 amps."),
            (Role.TOOL, "bash {}"),
            (Role.TOOL, "ok"),
        ]
        assert (found.source_id, found.title, found.folder) == ("ses_1", "Battery", "/home/derek/efoil")
    assert listing(tmp_path) == before
    say(running, "ses_1", 3, "user", "And the wire?")
    assert texts(read(tmp_path))[0][-1] == "And the wire?"


def test_one_that_nobody_has_open_is_read_and_nothing_is_made_beside_it(
    running: sqlite3.Connection, tmp_path: Path
) -> None:
    running.close()
    before = listing(tmp_path)
    assert list(before) == ["opencode.db"]
    tmp_path.chmod(0o500)
    try:
        assert len(texts(read(tmp_path))[0]) == 4
    finally:
        tmp_path.chmod(0o700)
    assert [path.name for path in tmp_path.iterdir()] == ["opencode.db"]
    assert listing(tmp_path) == before


def test_what_a_killed_program_left_behind_is_read_and_left_as_it_is(
    running: sqlite3.Connection, tmp_path: Path
) -> None:
    left = tmp_path / "left"
    left.mkdir()
    for name in ("opencode.db", "opencode.db-wal"):
        shutil.copyfile(tmp_path / name, left / name)
    before = listing(left)
    assert len(texts(read(left))[0]) == 4
    assert listing(left) == before
    assert sorted(path.name for path in left.iterdir()) == ["opencode.db", "opencode.db-wal"]


def test_sessions_of_subagents_are_a_tools_and_rows_that_cannot_be_read_are_counted(
    running: sqlite3.Connection, tmp_path: Path
) -> None:
    begin(running, "ses_2", "Child session - 2026-01-02T03:04:05.000Z", parent="ses_1")
    say(running, "ses_2", 1, "user", "Look at every fuse.")
    running.execute("UPDATE part SET data = '{broken' WHERE message_id = 'msg_ses_1_02' AND id LIKE '%_1'")
    running.commit()
    [found], reading = told(tmp_path)
    said = [(turn.speaker, turn.content) for turn in found.turns]
    assert said == [(None, "Which fuse?"), ("subagent", "Look at every fuse."), (None, "One of 80 amps.")]
    assert found.is_partial
    assert reading.left_out["context that the program attached"] == 1
    assert "part prt_ses_1_02_1" in reading.failures[0].place


def test_messages_in_a_form_that_is_not_known_are_told(running: sqlite3.Connection, tmp_path: Path) -> None:
    running.execute("CREATE TABLE session_message (id text, session_id text, type text, data text)")
    running.execute("INSERT INTO session_message VALUES ('a', 'ses_9', 'user', '{}'), ('b', 'ses_1', 'user', '{}')")
    running.commit()
    found, reading = told(tmp_path)
    assert len(found) == 1
    assert reading.left_out["messages of opencode in a form that is not read yet"] == 1


@pytest.mark.parametrize("kind", ["other tables", "views", "damaged", "text"])
def test_what_is_called_so_and_is_none_is_told(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    if kind in ("other tables", "views"):
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE bird (name text)")
            for name in ("session", "message", "part") if kind == "views" else ():
                database.execute(f"CREATE VIEW {name} AS SELECT name AS id FROM bird")
        database.close()
    else:
        path.write_bytes(b"SQLite format 3\0" + b"x" * 5000 if kind == "damaged" else b"no database at all")
    if kind != "text":
        with pytest.raises(UnreadableSource, match="is an SQLite database"):
            read(path)
    with pytest.raises(UnreadableSource, match="there is nothing to mine in it; passed over: 1 databases"):
        offered(tmp_path)


def test_storage_is_one_source_and_yields_to_the_database_beside_it(
    running: sqlite3.Connection, tmp_path: Path
) -> None:
    files = {
        "session/p1/ses_1.json": {"id": "ses_1", "title": "Battery", "directory": "/home/derek/efoil"},
        "session/p1/ses_0.json": {"id": "ses_0", "title": "Mast", "directory": "/home/derek/efoil"},
        "message/ses_1/msg_a.json": {"id": "msg_a", "role": "user", "time": {"created": 1_767_323_040_000}},
        "message/ses_0/msg_b.json": {"id": "msg_b", "role": "user", "time": {"created": 1_767_323_040_000}},
        "part/msg_a/prt_a.json": {"id": "prt_a", "type": "text", "text": "Which fuse?"},
        "part/msg_b/prt_b.json": {"id": "prt_b", "type": "text", "text": "Which glue?"},
        "project/p1.json": {"id": "p1"},
    }
    for name, value in files.items():
        path = tmp_path / "storage" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    sources = offered(tmp_path)
    assert [source.file for source in sources] == [str(tmp_path / "opencode.db"), str(tmp_path / "storage")]
    found, reading = told(tmp_path)
    assert [each.source_id for each in found] == ["ses_1", "ses_0"]
    assert sources[1].read() == ["Which glue?"]
    assert reading.left_out["sessions that opencode took over into its database"] == 1
    assert texts(read(tmp_path / "storage")) == [["Which glue?"], ["Which fuse?"]]
