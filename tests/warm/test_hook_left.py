"""What a hook writes down before Palace is there, and in whose palace it is filed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palace.config import folders
from palace_hook import notes as written
from tests.hooks.conftest import ASKED, SAID, Agent, codes, line, notes
from tests.hooks.parts import OTHERS_SECONDS, InboxMiner, check_hooks, place_of
from tests.warm.conftest import broken, event, naming, request, run_hook, write_down

OWN = 0o711 if os.geteuid() == 0 else 0o700
LONG = "conversation-" + "x" * 300


@pytest.fixture
def nowhere(home: Path) -> Iterator[Path]:
    """A home that nobody has made, below a folder that nobody has made, of somebody who hides nothing."""
    before = os.umask(0o000)
    yield home / "data" / "palace"
    os.umask(before)


def modes(home: Path) -> dict[str, int]:
    """Give the modes of all folders from the home down."""
    found = [home.parent, home, *(path for path in home.rglob("*") if path.is_dir())]
    return {str(path.relative_to(home.parent)): path.stat().st_mode & 0o777 for path in found}


def began_in(home: Path, session: str, folder: str) -> list[str]:
    """Give the folders in which a session began, as the next event finds them."""
    found = written.event_of(request(home, event("Stop", session_id=session, cwd=folder)))
    assert found
    return [*written.begin(str(home), found)]


@pytest.mark.process
def test_a_note_is_left_and_where_it_began_is_known_although_palace_takes_too_long_to_import(home: Path) -> None:
    more = {
        "PALACE_USER": "mara",
        "PALACE_DATABASE_URL": "postgresql://x:hunter2@db/x",
        "PALACE_LLM_API_KEY": "hunter3",
    }
    write_down(home, event("UserPromptSubmit", prompt="hi"))
    sent = event("PreCompact", cwd="/w/acme")
    done, _ = run_hook(home, "any", sent=sent, program=broken("palace", "time.sleep(60)"), more=more)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    [left] = notes(home)
    assert (left["harness"], left["session"], left["transcript"]) == ("claude-code", "s-1", "/t/s-1.jsonl")
    assert (left["folder"], left["event"], left["user"], left["is_typed"]) == ("/w/evil", "pre-compact", None, False)
    assert left["variables"]["PALACE_USER"] == "mara"
    assert left["database"] == written.place_of("postgresql://db/x")
    [path] = (home / "hooks" / "inbox").glob("*.json")
    assert "hunter" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert codes(home) == []


def test_a_note_is_left_once_for_a_transcript_and_none_for_what_is_no_event_or_switched_off(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Stop", "Stop", "SessionEnd"):
        assert write_down(home, event(name))
    assert [left["event"] for left in notes(home)] == ["session-end"]
    for sent in (b"", b"{", b"[]", b"7", b"[" * 50_000, b'{"session_id": {"a": 1}}', b'{"cwd": "\\u0000"}'):
        assert not write_down(home, sent, event="Stop")
    monkeypatch.setenv("PALACE_HOOKS", "False")
    assert not write_down(home, event("Stop", session_id="s-2", transcript_path="/t/s-2.jsonl"))
    monkeypatch.delenv("PALACE_HOOKS")
    assert len(notes(home)) == 1
    assert len(list((home / "hooks" / "began").iterdir())) == 1
    # One that finds no room is told by whoever answers.
    monkeypatch.setattr(written, "MOST_NOTES", 1)
    assert not write_down(home, event("Stop", transcript_path="/t/other.jsonl"))
    assert write_down(home, event("Stop"))


def test_a_session_with_a_long_name_stays_where_it_began_and_is_told_from_others(home: Path) -> None:
    names = [LONG, f"{LONG}1", "ü" * 201, "\ud83d" * 500, "x" * 200_000]
    for number, name in enumerate(names):
        for folder in ("/w/acme", "/w/evil"):
            sent = event("Stop", session_id=name, cwd=f"{folder}{number}", transcript_path=f"/t/{number}.jsonl")
            assert write_down(home, sent)
    left = {each["transcript"]: (each["folder"], len(each["session"]) <= 200) for each in notes(home)}
    assert left == {f"/t/{number}.jsonl": (f"/w/acme{number}", True) for number in range(len(names))}


def test_a_stop_of_no_session_is_filed_where_its_transcript_says(home: Path) -> None:
    for name in ("", 7, None):
        for folder in ("/w/acme", "/w/evil"):
            write_down(home, event("Stop", cwd=folder, session_id=name))
        [left] = notes(home)
        assert left["folder"] == left["session"] == ""


def test_what_was_left_is_mined_for_whom_the_hook_named(filed: Agent) -> None:
    home, before = filed.settings.home_folder, filed.filed()
    filed.send("UserPromptSubmit", prompt=ASKED)
    sent = event("SessionEnd", cwd=str(filed.project), transcript_path=str(filed.transcript(line(1))))
    assert write_down(home, sent, environment=naming(filed.settings))
    assert filed.raw(sent.decode(), left=True) == ""
    filed.miner.look()
    assert filed.filed() == [*before, f"{SAID} (1)"]
    assert filed.wings == ["api"]
    assert "Why did we" not in "".join(path.read_text() for path in (home / "hooks" / "sessions").iterdir())
    assert notes(home) == []
    # Where hooks are switched off by then, it goes.
    write_down(home, event("Stop", transcript_path=str(filed.transcript(line(3)))), environment=naming(filed.settings))
    (home / "config.toml").write_text("hooks = false\n")
    filed.miner.look()
    assert (notes(home), len(filed.filed())) == ([], len(before) + 1)


def test_client_and_palace_make_the_same_folders_closed_to_others_and_leave_what_exists(nowhere: Path) -> None:
    expected = {".": OWN, "palace": OWN, "palace/hooks": 0o700, "palace/hooks/began": 0o700}
    written.make_private(str(nowhere), "hooks", "began")
    assert modes(nowhere) == expected
    other = nowhere.parent.parent / "more" / "palace"
    folders.make_private(other, "hooks", "began")
    assert modes(other) == expected
    nowhere.chmod(0o750)
    written.make_private(str(nowhere), "hooks", "began")
    folders.make_private(nowhere, "hooks", "inbox")
    assert modes(nowhere)["palace"] == 0o750


@pytest.mark.process
def test_a_home_is_made_for_a_note_alone_and_nobody_knows_where_its_session_began(nowhere: Path) -> None:
    for name in ("SessionStart", "PostToolUse"):
        assert not write_down(nowhere, event(name))
    done, _ = run_hook(nowhere, "any", sent=event("UserPromptSubmit", prompt=ASKED))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not nowhere.parent.exists()
    assert write_down(nowhere, event("Stop", cwd="/w/evil"))
    found = modes(nowhere)
    assert (found.pop("."), found.pop("palace")) == (OWN, OWN)
    assert set(found.values()) == {0o700}
    assert [(left["transcript"], left["folder"]) for left in notes(nowhere)] == [("/t/s-1.jsonl", "")]
    assert began_in(nowhere, "s-1", "/w/evil") == [""]
    assert began_in(nowhere, "s-2", "/w/acme") == ["/w/acme"]


ELSEWHERE = {"PALACE_DATABASE_URL": "postgresql://tom:hunter2@db.example/other"}


def stop(agent: Agent, environment: Mapping[str, str]) -> None:
    """Leave a note as a hook with this environment does."""
    sent = event("Stop", cwd=str(agent.project), transcript_path=str(agent.transcript(line(1))))
    assert write_down(agent.settings.home_folder, sent, environment=dict(environment))


def with_schema(miner: InboxMiner, schema: str) -> InboxMiner:
    """Give a miner whose settings name another schema."""
    settings = miner.resources.settings.model_copy(update={"database_schema": schema})
    return InboxMiner(replace(miner.resources, settings=settings))


def kept(agent: Agent) -> dict[str, bytes]:
    """Read the notes as they lie there."""
    return {path.name: path.read_bytes() for path in (agent.settings.home_folder / "hooks" / "inbox").iterdir()}


def test_a_note_of_another_palace_is_left_as_it_is_for_the_worker_that_has_it(agent: Agent) -> None:
    for named in ({"PALACE_DATABASE_SCHEMA": "secondp"}, {"palace_database_schema": "secondp"}, ELSEWHERE):
        environment = {name: said for name, said in naming(agent.settings).items() if name not in map(str.upper, named)}
        stop(agent, environment | named)
    before = kept(agent)
    assert b"hunter2" not in b"".join(before.values())
    assert b"db.example" not in b"".join(before.values())
    stop(agent, naming(agent.settings))
    agent.miner.look()
    assert agent.miner.is_idle
    assert agent.filed() == [f"{SAID} (1)"]
    assert kept(agent) == before
    other = with_schema(agent.miner, "secondp")
    other.look()
    assert (other.mined, len(notes(agent.settings.home_folder))) == (2, 1)


def test_where_the_environment_names_no_palace_the_settings_of_the_home_do(agent: Agent) -> None:
    named, home = naming(agent.settings), agent.settings.home_folder
    bare = {name: named[name] for name in ("PALACE_HOME", "PALACE_USER")}
    stop(agent, bare)
    agent.miner.look()
    assert agent.filed() == []
    given = {name: value for name, value in named.items() if name not in bare}
    lines = (f"{name.removeprefix('PALACE_').lower()} = {json.dumps(value)}\n" for name, value in given.items())
    (home / "config.toml").write_text("".join(lines))
    (home / "config.toml").chmod(0o600)
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]


def test_a_note_of_an_earlier_version_is_the_workers_own(agent: Agent) -> None:
    stop(agent, naming(agent.settings) | {"PALACE_DATABASE_SCHEMA": "secondp"})
    [path] = (agent.settings.home_folder / "hooks/inbox").iterdir()
    told = json.loads(path.read_text())
    del told["database"], told["variables"]["PALACE_DATABASE_SCHEMA"]
    path.write_text(json.dumps(told))
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]


def test_what_no_worker_comes_for_is_told_and_in_the_end_given_up(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop(agent, naming(agent.settings) | ELSEWHERE)
    monkeypatch.setattr("palace.doctor.LONG_LEFT", timedelta())
    found = {check.name: check.finding for check in check_hooks(agent.settings)}
    assert found["hooks left elsewhere"] == "1 transcript waits for a worker of another database or schema"
    assert "hooks left" not in found
    later = time.time() + OTHERS_SECONDS
    monkeypatch.setattr("palace.hooks.caller_settings.time.time", lambda: later)
    agent.miner.look()
    assert (agent.filed(), notes(agent.settings.home_folder), agent.codes) == ([], [], ["no_worker"])


def test_a_database_is_known_by_a_digest_with_no_password_in_it() -> None:
    same = (
        "postgresql://db/palace",
        "postgres://lea@DB:5432/palace",
        "postgresql+psycopg://lea:secret@db/palace?sslmode=require&password=x",
        "postgresql:///palace?host=db&port=5432",
        "postgresql://db?dbname=pal%61ce",
        "postgresql://tom:hunter2@db/palace",
    )
    others = (
        *("postgresql://db/palace2", "postgresql://db:5433/palace", "postgresql://db2/palace", "", "palace"),
        *("postgresql://db/palace?service=x", "postgresql://[::1]:5432/palace", "\udcff://\udcff"),
    )
    assert len({*map(place_of, same)}) == 1
    assert place_of(same[0]) not in {*map(place_of, others)}
    assert place_of("postgresql://tom:one@[::1]:5432/p?password=x") == place_of("postgresql://tom:two@[::1]/p")
