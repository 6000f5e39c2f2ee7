"""Two machines after syncs: nothing is there twice, and what is forgotten on one is forgotten on the other."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from palace import BadRequest, Palace, UnreadableSource
from tests.held import contents, rows, texts_of
from tests.sync.conftest import held, reached
from tests.transfer.conftest import write_talk

Two = tuple[Palace, Palace]


def _fill(first: Palace, second: Palace, folder: Path) -> None:
    first.mine(write_talk(folder / "boat.json", "Which battery?", "A 12 V one.", '{"stock": 3}'), wing="Boats")
    first.note("The spare key is with Derek.", wing="Home")
    second.mine(folder / "boat.json", wing="Boats")
    second.mine(write_talk(folder / "trip.json", "Where in September?", "Torbole."), wing="Trips")


def _pipe(path: Path) -> BinaryIO:
    os.mkfifo(path)
    return path.open("r+b", buffering=0)


def test_two_machines_hold_the_same_after_one_sync_and_send_nothing_in_the_next(two: Two, tmp_path: Path) -> None:
    first, second = two
    _fill(first, second, tmp_path)
    before = contents(first), contents(second)
    with reached(second, tmp_path) as ssh:
        with pytest.raises(BadRequest, match="not paired: if it is yours, add --pair once"):
            first.sync("ssh://laptop", ssh=ssh)
        assert (contents(first), contents(second)) == before
        summary = first.sync("ssh://laptop", ssh=ssh, pair=True)
        assert (summary.sent, summary.received, summary.forgotten) == (1, 2, 0)
        assert held(first) == held(second)
        assert before[0].items() <= contents(first).items()
        assert before[1].items() <= contents(second).items()
        write_talk(tmp_path / "boat.json", "Which battery?", "A 24 V one, rather.", '{"stock": 3}')
        second.mine(tmp_path / "boat.json", wing="Boats")
        first.forget(contents(first)["Torbole."])
        again = first.sync("ssh://laptop", ssh=ssh)
        assert "Torbole." not in texts_of(second)
        assert "A 24 V one, rather." in texts_of(first)
        assert held(first) == held(second)
        last = first.sync("ssh://laptop", ssh=ssh)
    assert (again.received, last.sent, last.received, last.forgotten) == (1, 0, 0, 0)
    assert [peer.name for peer in first.sync_status().peers] == ["ssh://laptop"]
    assert [peer.fingerprint for peer in second.sync_status().peers] == [first.sync_status().fingerprint]


def test_a_folder_keeps_two_machines_in_step(two: Two, keyed: Callable[[Palace], Any], tmp_path: Path) -> None:
    first, second = two
    _fill(first, second, tmp_path)
    made = keyed(first)
    assert made.key == str(tmp_path / "folder.key")
    assert (tmp_path / "folder.key").stat().st_mode & 0o777 == 0o600
    keyed(second)
    keyed(first)
    assert held(first) == held(second)
    first.forget(contents(first)["Torbole."], now=True)
    keyed(first)
    assert keyed(second).forgotten == 1
    assert held(first) == held(second)
    written = sorted(each.name for each in (tmp_path / "shared").iterdir())
    assert (keyed(first).sent, keyed(second).sent) == (0, 0)
    second.note("The gate's code changed.", wing="Home")
    assert (keyed(second).sent, keyed(first).received, keyed(first).sent) == (1, 1, 0)
    written = sorted(each.name for each in (tmp_path / "shared").iterdir())
    assert sorted(each.name for each in (tmp_path / "shared").iterdir()) == written
    assert b"Torbole" not in b"".join(each.read_bytes() for each in (tmp_path / "shared").iterdir())


def _tell(palace: Palace, folder: Path, *turns: str) -> None:
    palace.mine(write_talk(folder / "boat.json", *turns), wing="Boats")


def _current(palace: Palace) -> list[str]:
    query = "SELECT content FROM drawer WHERE user_id = :user_id AND replaced_at IS NULL ORDER BY position, number"
    return [text for (text,) in rows(palace, query)]


def test_of_two_versions_of_a_message_the_one_mined_last_is_current_on_both_machines(
    two: Two, keyed: Callable[[Palace], Any], tmp_path: Path
) -> None:
    first, second = two
    opening, answer, end = "Which battery?", "A 12 V one.", "Thank you."
    mined = (
        (first, opening, answer, end),
        (second, opening, answer, end),
        (first, opening, "A 24 V one.", end),
        (second, opening, "A 36 V one.", end),
        (first, opening, "A 24 V one.", end),
        (second, opening, answer, end),
        (first, opening, "Where is it?", answer, end),
    )
    for palace, *turns in mined:
        _tell(palace, tmp_path, *turns)
        if palace is second or len(turns) > 3:
            for each in (second, first, second):
                keyed(each)
            assert held(first) == held(second)
            assert _current(first) == _current(second) == turns


def test_marks_of_memories_reach_the_other_machine(two: Two, keyed: Callable[[Palace], Any]) -> None:
    first, second = two
    first.memories.store("Derek sails on Sundays.")
    first.memories.store("Always answer in metres.", "instruction")
    for palace in (first, second, first):
        keyed(palace)
    fact = next(each for each in first.memories.list() if each.type == "semantic")
    there = {each.type.value: each for each in second.memories.list()}
    assert there["instruction"].state == "proposed"
    first.memories.pin(str(fact.id))
    keyed(first)
    keyed(second)
    assert second.memories.get(str(there["semantic"].id)).is_pinned
    second.memories.reject(str(there["semantic"].id), "He sails no more.")
    second.memories.reject(str(there["instruction"].id))
    keyed(second)
    keyed(first)
    assert {each.state for each in first.memories.list()} == {"rejected"}
    assert held(first) == held(second)


def test_what_is_restored_stays_where_it_is_restored(two: Two, keyed: Callable[[Palace], Any], tmp_path: Path) -> None:
    first, second = two
    _fill(first, second, tmp_path)
    for palace in (first, second, first):
        keyed(palace)
    pointer = contents(first)["Torbole."]
    first.forget(pointer)
    keyed(first)
    keyed(second)
    first.forgotten.restore(pointer)
    second.mine(write_talk(tmp_path / "trip.json", "Where in September?", "Torbole.", "By train?"), wing="Trips")
    for palace in (first, second, first):
        keyed(palace)
    assert contents(first)["Torbole."] == pointer
    assert "Torbole." not in texts_of(second)
    first.forget(pointer)
    for palace in (first, second):
        keyed(palace)
    assert held(first) == held(second)


def test_a_message_with_a_secret_stays_where_it_is_until_it_is_scrubbed(
    two: Two, keyed: Callable[[Palace], Any], tmp_path: Path
) -> None:
    first, second = two
    talk = write_talk(tmp_path / "router.json", "The password is hunter2-Kx9!plum for the router.", "Noted, thank you.")
    first.mine(talk, wing="Home", keep_secrets=True)
    assert (keyed(first).withheld, keyed(second).received) == (1, 1)
    assert texts_of(second) == ["Noted, thank you."]
    bundles = len([*(tmp_path / "shared").iterdir()])
    assert keyed(first).sent == 0
    assert len([*(tmp_path / "shared").iterdir()]) == bundles
    first.scrub()
    keyed(first)
    keyed(second)
    assert held(first) == held(second)
    assert any("[secret: password]" in text for text in texts_of(second))


def test_messages_with_secrets_are_the_same_where_they_are_mined_after_a_sync(
    two: Two, keyed: Callable[[Palace], Any], tmp_path: Path
) -> None:
    first, second = two
    session, chat, named = (tmp_path / name for name in ("session.jsonl", "chat.json", "router.json"))
    said = [
        ("user", "The password is hunter2-Kx9!plum for the router."),
        ("assistant", "Thank you, I set it on the router in the hall, as you asked me to do."),
        ("user", "The password is hunter3-Kx9!plum for the router."),
        ("assistant", "I set that one as well, and restarted the router in the hall."),
    ]
    lines = [
        {"type": who, "uuid": f"m{at}", "sessionId": "s", "cwd": "/w", "message": {"role": who, "content": text}}
        for at, (who, text) in enumerate(said)
    ]
    session.write_text("\n".join(json.dumps({"timestamp": "2026-05-01T10:00:00Z", **line}) for line in lines))
    chat.write_text(json.dumps([{"role": who, "content": text.replace("router", "boat")} for who, text in said]))
    write_talk(named, *(text.replace("hall", "attic") for _, text in said))
    for palace in two:
        for each in (session, chat, named) if palace is first else ():
            palace.mine(each)
        keyed(palace)
        assert len(texts_of(palace)) == 12
    for path in (session, chat, named):
        mined = second.mine(path)
        assert (path.name, mined.drawers_new, mined.drawers_unchanged) == (path.name, 0, 4)
    assert (keyed(second).sent, keyed(first).received) == (0, 0)
    assert held(first) == held(second)
    first.forget(contents(first)["The password is [secret: password] for the router."])
    for palace in two:
        keyed(palace)
    assert [second.mine(path).drawers_new for path in (session, chat, named)] == [0, 0, 0]
    assert held(first) == held(second)


def test_a_bundle_that_is_not_as_it_was_written_changes_nothing(
    two: Two, keyed: Callable[[Palace], Any], tmp_path: Path
) -> None:
    first, second = two
    _fill(first, second, tmp_path)
    keyed(first)
    (path,) = (tmp_path / "shared").iterdir()
    whole, before = path.read_bytes(), held(second)
    odd: dict[str, Callable[[], object]] = {
        "changed": lambda: path.write_bytes(whole[:-20] + bytes(20)),
        "cut off": lambda: path.write_bytes(whole[:-1]),
        "empty": lambda: path.write_bytes(b""),
        "of another name": lambda: path.write_bytes(whole) and path.rename(path.with_name(f"a{path.name}")),
        "a link": lambda: path.symlink_to("/dev/zero"),
        "a pipe": lambda: opened.append(_pipe(path)),
    }
    opened: list[BinaryIO] = []
    wrong = []
    for name, spoil in odd.items():
        spoil()
        summary = second.sync(tmp_path / "shared", key=tmp_path / "folder.key")
        is_told = len(summary.warnings) == summary.skipped == 1 and "\n" not in summary.warnings[0]
        wrong += [name] * (not is_told or held(second) != before)
        for each in (tmp_path / "shared").iterdir():
            each.unlink()
    opened.pop().close()
    assert wrong == []
    path.write_bytes(whole)
    keyed(second)
    keyed(second)
    keyed(first)
    assert held(first) == held(second)


def test_another_key_opens_nothing(two: Two, keyed: Callable[[Palace], Any], tmp_path: Path) -> None:
    first, second = two
    first.note("The spare key is with Derek.")
    keyed(first)
    with pytest.raises(BadRequest, match="copy the key file of your other machine to"):
        second.sync(tmp_path / "shared")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    second.sync(elsewhere, key=tmp_path / "other.key")
    assert second.sync(tmp_path / "shared", key=tmp_path / "other.key").skipped == 1
    assert texts_of(second) == []


def test_a_machine_that_lost_its_bundles_writes_them_again_and_one_that_came_late_waits_for_what_is_missing(
    two: Two, keyed: Callable[[Palace], Any], tmp_path: Path
) -> None:
    first, second = two
    for text in ("The spare key is with Derek.", "The gate's code changed.", "The shed is painted."):
        first.note(text)
        keyed(first)
    bundles = sorted((tmp_path / "shared").iterdir())
    late = bundles[1].read_bytes()
    bundles[1].unlink()
    waits = keyed(second)
    assert ("is missing" in waits.warnings[0], len(texts_of(second))) == (True, 1)
    bundles[1].write_bytes(late)
    keyed(second)
    assert held(first) == held(second)
    for each in bundles:
        each.unlink()
    keyed(first)
    assert min((tmp_path / "shared").iterdir()).name.endswith(".all.palace")


def test_another_machine_that_sends_something_else_is_one_line(palace: Palace, tmp_path: Path) -> None:
    hello = json.dumps({"palace-sync": 1, "machine": "laptop", "palace": "0123456789abcdef"})
    answers = {
        "nothing": "",
        "a shell": "echo 'palace: command not found'; exit 127",
        "no connection": "exit 255",
        "a later version": """echo '{"palace-sync": 2, "machine": "laptop", "palace": "0123456789abcdef"}'""",
        "no machine": """echo '{"palace-sync": 1, "machine": "../x"}'""",
        "no JSON": f"echo '{hello}'; echo nonsense",
        "an error": f"""echo '{hello}'; echo '{{"failed": "no\\\\nroom{"!" * 500}"}}'""",
        "a huge bundle": f"""echo '{hello}'; echo '{{"size": 99999999999, "digests": ""}}'""",
        "an export that is none": f"""echo '{hello}'; echo '{{"size": 6, "digests": ""}}'; echo hello""",
        "odd hashes": f"""echo '{hello}'; echo '{{"size": 6, "digests": "xyz"}}'; echo hello""",
    }
    reasons = {"a shell": "no `palace` on the PATH", "no connection": "ssh could not connect", "nothing": "not answer"}
    wrong = []
    for name, answer in answers.items():
        script = tmp_path / "ssh"
        script.write_text(f"#!/bin/sh\n{answer}\n")
        script.chmod(0o755)
        try:
            palace.sync("ssh://laptop", ssh=str(script), pair=True)
            wrong.append(name)
        except UnreadableSource as problem:
            wrong += [name] * ("\n" in str(problem) or len(str(problem)) > 150)
            wrong += [name] * (reasons.get(name, "") not in str(problem))
    assert wrong == []
    assert texts_of(palace) == []


def test_only_a_host_is_passed_to_ssh(palace: Palace) -> None:
    odd = ("ssh://-oProxyCommand=x", "ssh://a@-b", "ssh://-l@b", "ssh://", "http://laptop", "ssh://a:b@c", "ssh://a b")
    for target in odd:
        with pytest.raises(BadRequest, match="name the other machine"):
            palace.sync(target)
