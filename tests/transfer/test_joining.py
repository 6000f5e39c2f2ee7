"""What two palaces gathered is joined: each takes up the other's export, as often as anybody likes."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from palace.models.lines import AliasPart, WingLine
from tests.held import drawers, execute
from tests.transfer.conftest import OPEN, export_of, lines_of, sealed, without_events, write_talk
from tests.transfer.test_format import CONVERSATION, DRAWER, HEADER, ROOM, RUN, WING, file_of

TALKS = {
    "boat": ("Which battery?", "A 12 V one.", "And for the winter?"),
    "trip": ("Where in September?", "Torbole, in the afternoon.", "By train?"),
    "hi": ("Hi", "Hello! How can I help you today?"),
    "hello": ("Hi", "Hello! How can I help you today?", "Which oil for the oiled oak table?", "Hard wax oil, twice."),
    "key": ("The password is hunter2-Kx9!plum for the router.", "Noted, I will remember it.", "Thanks"),
    "oven": ("Which oven?", "The one with the stone."),
}
ANONYMOUS = {"hi", "hello", "key"}
NOTES = ("The spare key is with Derek.", "The gate's code changed.")


def _write(folder: Path, name: str) -> Path:
    path = folder / f"{name}.json"
    if not path.exists():
        write_talk(path, *TALKS[name])
        if name in ANONYMOUS:
            talk = json.loads(path.read_text())
            del talk["id"]
            path.write_text(json.dumps(talk))
    return path


def _gather(palace: Palace, folder: Path, mined: list[tuple[str, str]], noted: list[tuple[str, str]]) -> None:
    for name, wing in mined:
        palace.mine(_write(folder, name), wing=wing)
    for place, (text, wing) in enumerate(noted):
        palace.note(text, wing=wing, said_at=datetime(2026, 4, 1 + place, 12, tzinfo=UTC))


def _said(palace: Palace) -> Counter[tuple[object, ...]]:
    """Everything that is in a palace, whatever it is called and wherever it stands."""
    lines = [line for line in lines_of(export_of(palace)) if line.get("line") == "drawer"]
    return Counter((line["role"], line["said_at"], line["content"]) for line in lines)


def _pointers(palace: Palace) -> dict[str, str]:
    return {str(drawer.pointer): drawer.content for drawer in drawers(palace)}


def _take(into: Palace, of: Palace, folder: Path) -> object:
    path = folder / f"{of.user}.jsonl"
    of.transfer.export(path, force=True)
    return into.transfer.load(path)


def test_two_palaces_take_up_each_other_and_what_was_forgotten_comes_back_to_nobody(
    open_palace: OPEN, tmp_path: Path
) -> None:
    first, second = open_palace(), open_palace()
    _gather(first, tmp_path, [("boat", "Boats"), ("hello", "Home"), ("key", "Home")], [(NOTES[0], "Home")])
    _gather(second, tmp_path, [("boat", "Trips"), ("trip", "Trips"), ("hi", "Home")], [(NOTES[0], "Home")])
    held = _pointers(first)
    (gone,) = _forget(first, {1})
    _take(first, second, tmp_path)
    _take(second, first, tmp_path)
    assert _said(second).keys() - _said(first).keys() == {gone}
    assert max(_said(second).values()) == 1
    assert {pointer: said for pointer, said in held.items() if said != gone[2]}.items() <= _pointers(first).items()
    before = export_of(first), export_of(second)
    _take(first, second, tmp_path)
    _take(second, first, tmp_path)
    assert (without_events(export_of(first)), without_events(export_of(second))) == tuple(map(without_events, before))


@pytest.mark.nightly
def test_the_report_says_where_the_rooms_of_the_other_stand(open_palace: OPEN, tmp_path: Path) -> None:
    first, second = open_palace(), open_palace()
    _gather(first, tmp_path, [("boat", "Boats"), ("trip", "Trips")], [])
    _gather(second, tmp_path, [("oven", "Home"), ("boat", "Home")], [])
    path = tmp_path / "first.jsonl"
    first.transfer.export(path)
    summary = second.transfer.load(path)
    assert (summary.is_joined, summary.drawers_new, summary.drawers_unchanged) == (True, 3, 3)
    assert [(place.was, place.now) for place in summary.moved] == [("W-001/R-01", "W-001/R-02")]
    for was, now in (("§ W-001/R-01/D-002", "§ W-001/R-02/D-002"), ("§ W-002/R-01/D-001", "§ W-002/R-01/D-001")):
        assert first.show(was).drawer.content == second.show(now).drawer.content
    assert second.transfer.load(path).moved == summary.moved
    assert [wing.name for wing in second.tree.wings()] == ["Home", "Trips"]


def test_decisions_of_the_other_come_along_once_and_settings_only_where_asked_for(
    open_palace: OPEN, tmp_path: Path
) -> None:
    first, second = open_palace(), open_palace()
    for palace, name in ((first, "boat"), (second, "oven")):
        _gather(palace, tmp_path, [(name, "Home")], [])
    execute(
        first,
        "INSERT INTO entity_decision (user_id, verb, decided, decided_at) VALUES (:user_id, 'merge',"
        ' \'{"name": "D-Man", "type": "person", "other": "Derek", "other_type": "person"}\', now())',
        "INSERT INTO setting (user_id, agent, name, value) VALUES (:user_id, '', 'top_k', '7'),"
        " (:user_id, '', 'chat_api_base', '\"http://elsewhere.example\"'), (:user_id, '', 'use_rerank', 'true'),"
        " (:user_id, '', 'secrets_off', '[\"password\"]')",
    )
    path = tmp_path / "first.jsonl"
    first.transfer.export(path)
    assert b'"setting"' not in path.read_bytes()
    first.transfer.export(path, force=True, settings=True)
    assert [line["name"] for line in lines_of(path.read_bytes()) if line.get("line") == "setting"] == ["top_k"]
    assert second.transfer.load(path).settings == 0
    assert second.settings.get("top_k").value is None
    assert second.transfer.load(path, settings=True).settings == 1
    assert second.settings.get("top_k").value == 7
    assert [(each.name, each.other) for each in second.entities.decisions()] == [("D-Man", "Derek")]


def test_an_other_name_that_another_wing_has_is_left_to_it(palace: Palace, tmp_path: Path) -> None:
    def load(wing_seq: int, wing: WingLine) -> None:
        header, path = dataclasses.replace(HEADER, wing_seq=wing_seq), tmp_path / "a.jsonl"
        path.write_bytes(file_of(RUN, wing, CONVERSATION, ROOM, DRAWER, header=header))
        palace.transfer.load(path)

    load(5, WING)
    palace.note("Mine.", wing="Ships")
    number = palace.tree.wing("Ships").number
    aliases = (AliasPart("ships", "Ships", None), AliasPart("rafts", "Rafts", number))
    load(number, dataclasses.replace(WING, aliases=aliases))
    assert palace.tree.wing("Ships").number == number
    assert palace.tree.wing(f"W-{number}").name == "Ships"
    assert palace.tree.wing("Rafts").name == "Boats"


HANDS_OFF = {"forget_grace": 0, "auto_mine": False, "secrets_off": ["password"], "chat_api_base": "http://evil"}


def test_no_file_switches_off_what_protects(open_palace: OPEN, tmp_path: Path) -> None:
    first, second, path = open_palace(), open_palace(), tmp_path / "first.jsonl"
    first.note("Mine.")
    for name, value in HANDS_OFF.items():
        first.settings.set("top_k", 7)
        first.transfer.export(path, settings=True, force=True)
        told = b'"name":"%s","value":%s' % (name.encode(), json.dumps(value).encode())
        path.write_bytes(sealed(path.read_bytes().replace(b'"name":"top_k","value":7', told)))
        usual = second.settings.get(name).value
        assert second.transfer.load(path, settings=True).settings == 0, name
        assert second.settings.get(name).value == usual != value, name
        first.settings.reset("top_k")
        first.settings.set(name, value)
        first.transfer.export(path, force=True, settings=True)
        assert b'"setting"' not in path.read_bytes(), name
        first.settings.reset(name)


def _forget(palace: Palace, places: set[int]) -> set[Any]:
    before = _said(palace).keys()
    pointers = sorted(_pointers(palace))[1:]
    for place in places:
        if place < len(pointers):
            palace.forget(pointers[place])
    return set(before - _said(palace).keys())


def test_memories_of_two_palaces_stay_in_their_wings_and_cite_what_they_stood_on(
    open_palace: OPEN, tmp_path: Path
) -> None:
    first, second = open_palace(), open_palace()
    for palace, wing in ((first, "Home"), (second, "Boats")):
        _gather(palace, tmp_path, [("key", wing)], [])
        (said,) = (str(each.pointer) for each in drawers(palace) if "password" in each.content)
        palace.memories.store(f"The router is in the {wing} cupboard", wing=wing, evidence=[said])
    for _ in range(2):
        _take(first, second, tmp_path)
    assert {each.content: each.project for each in first.memories.list()} == {
        "The router is in the Home cupboard": "Home",
        "The router is in the Boats cupboard": "Boats",
    }
    assert {len(each.evidence) for each in first.memories.list()} == {1}
