"""What hooks make on disk is closed to others from the first moment, and no more is made than there is to keep."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from palace import folders
from palace.hooks import began as kept
from palace.hooks.failures import note
from palace.hooks.inbox.left import take
from palace.hooks.sessions import Session, Sessions
from palace.turns.exchange.files import make_folder
from palace.worker.watch.seen import Known, Seen
from palace_cli.connect.files.record import Record, Records
from palace_hook import began, client
from palace_mcp.http.token import token_of
from tests.warm.conftest import run_hook
from tests.warm.test_hook_left import event, request

OWN = 0o711 if os.geteuid() == 0 else 0o700


@pytest.fixture(params=[0o022, 0o077, 0o000], ids=oct)
def nowhere(home: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A home that nobody has made, below a folder that nobody has made."""
    before = os.umask(request.param)
    yield home / "data" / "palace"
    os.umask(before)


def modes(home: Path) -> dict[str, int]:
    """Give the modes of all folders from the home down."""
    found = [home.parent, home, *(path for path in home.rglob("*") if path.is_dir())]
    return {str(path.relative_to(home.parent)): path.stat().st_mode & 0o777 for path in found}


def test_client_and_palace_make_the_same_folders_closed_to_others(nowhere: Path) -> None:
    expected = {".": OWN, "palace": OWN, "palace/hooks": 0o700, "palace/hooks/began": 0o700}
    began.make_private(str(nowhere), "hooks", "began")
    assert modes(nowhere) == expected
    other = nowhere.parent.parent / "more" / "palace"
    folders.make_private(other, "hooks", "began")
    assert modes(other) == expected


def test_what_exists_is_left_as_it_is(nowhere: Path) -> None:
    nowhere.mkdir(parents=True)
    nowhere.chmod(0o750)
    began.make_private(str(nowhere), "hooks", "began")
    folders.make_private(nowhere, "hooks", "inbox")
    assert modes(nowhere)["palace"] == 0o750


def test_whatever_keeps_something_makes_its_folder_so(nowhere: Path) -> None:
    Sessions(nowhere, "mara").save("s-1", Session().asked("hi"))
    assert modes(nowhere)["palace"] == OWN
    assert modes(nowhere)["palace/hooks"] == 0o700


@pytest.mark.parametrize("name", ["UserPromptSubmit", "SessionStart", "PostToolUse"])
def test_no_home_is_made_for_what_only_asks(nowhere: Path, name: str) -> None:
    done, _ = run_hook(nowhere, name, sent=event(name, prompt="Why did we drop Redis from the service?"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not nowhere.parent.exists()


def test_no_home_is_made_to_note_a_failure(nowhere: Path) -> None:
    note(nowhere, "prompt", "codex", "timeout")
    assert not nowhere.parent.exists()


def test_a_home_is_made_for_a_note_and_nobody_knows_where_its_session_began(nowhere: Path) -> None:
    done, _ = run_hook(nowhere, "Stop", sent=event("Stop", cwd="/w/evil"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert {name: mode for name, mode in modes(nowhere).items() if "hooks" not in name} == {".": OWN, "palace": OWN}
    assert {mode for name, mode in modes(nowhere).items() if "hooks" in name} == {0o700}
    assert [(left.transcript, left.folder) for _, left in take(nowhere)] == [("/t/s-1.jsonl", "")]
    assert kept.agreed(kept.begin(nowhere, "s-1", "/w/evil")) == ""
    assert kept.begin(nowhere, "s-2", "/w/acme") == ("/w/acme",)


LONG = "conversation-" + "x" * 300


@pytest.mark.parametrize("name", [LONG, "ü" * 201, "\ud83d" * 500, "x" * 200_000], ids=len)
def test_a_session_with_a_long_name_stays_where_it_began(home: Path, name: str) -> None:
    for folder in ("/w/acme", "/w/evil"):
        told = request(home, event("Stop", session_id=name, cwd=folder))
        client._write_down(str(home), told)
        assert told["left"]
    [(_, left)] = take(home)
    assert left.folder == "/w/acme"
    assert len(left.session) <= 200


def test_sessions_with_long_names_are_told_apart(home: Path) -> None:
    for number in (1, 2):
        client._write_down(str(home), request(home, event("Stop", session_id=f"{LONG}{number}", cwd=f"/w/{number}")))
    assert len(list((home / "hooks" / "began").iterdir())) == 2


@pytest.mark.parametrize("more", [{"session_id": ""}, {"session_id": 7}, {"session_id": None}], ids=str)
def test_a_stop_of_no_session_is_filed_where_its_transcript_says(home: Path, more: dict[str, object]) -> None:
    for folder in ("/w/acme", "/w/evil"):
        client._write_down(str(home), request(home, event("Stop", cwd=folder, **more)))
    [(_, left)] = take(home)
    assert left.folder == left.session == ""


@pytest.mark.parametrize(
    "make",
    [
        lambda home: token_of(home, None),
        lambda home: Records(home).keep(home / "x.json", Record("x.json", None, "", frozenset())),
        lambda home: Seen.of(home, "x").save(Known({})),
        lambda home: make_folder(home / "outbox"),
    ],
    ids=["token", "connections", "watched", "outbox"],
)
def test_whoever_makes_a_home_makes_it_so(nowhere: Path, make: Callable[[Path], object]) -> None:
    make(nowhere)
    found = modes(nowhere)
    assert (found.pop("."), found.pop("palace")) == (OWN, OWN)
    assert set(found.values()) <= {0o700}
