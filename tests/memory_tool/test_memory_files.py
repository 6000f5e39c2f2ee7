"""Files of the memory tool are drawers: recalled, superseded, forgotten, restored, undone, exported, kept apart."""

from __future__ import annotations

import threading
from pathlib import Path
from uuid import uuid4

import pytest

from palace import BadRequest, NotFound, Palace, Palaces, Settings
from palace.testing import HashingEmbedder

CREW = "/memories/crew.md"


def create(palace: Palace, path: str = CREW, text: str = "The welder is Mara.") -> str:
    return palace.memory_files.run({"command": "create", "path": path, "file_text": text})


def change(palace: Palace, old: str, new: str, path: str = CREW) -> str:
    return palace.memory_files.run({"command": "str_replace", "path": path, "old_str": old, "new_str": new})


def view(palace: Palace, path: str = CREW) -> list[str]:
    shown = palace.memory_files.run({"command": "view", "path": path})
    return [line.split("\t")[1] for line in shown.split("\n")[1:]]


def contents(palace: Palace) -> list[str]:
    return [hit.drawer.content for hit in palace.recall("who is the welder?", floor="none", top_k=10).hits]


def test_recall_puts_the_current_version_first_and_the_former_stays_readable(palace: Palace) -> None:
    create(palace)
    (hit,) = palace.recall("who is the welder?", floor="none").hits
    change(palace, "Mara", "Derek")
    assert contents(palace)[0] == "The welder is Derek."
    former = palace.show(str(hit.drawer.pointer)).drawer
    assert (former.content, former.replaced_at is not None) == ("The welder is Mara.", True)


def test_the_wing_is_the_one_that_is_named_and_has_files_of_its_own(palace: Palace) -> None:
    create(palace)
    palace.memory_files.run({"command": "create", "path": CREW, "file_text": "Rao cooks."}, wing="Galley")
    assert {wing.name for wing in palace.tree.wings()} == {"Claude memory", "Galley"}
    assert view(palace) == ["The welder is Mara."]


def test_undoing_a_run_brings_the_version_before_back(palace: Palace) -> None:
    create(palace)
    change(palace, "Mara", "Derek")
    palace.runs.undo(palace.runs.list()[0].id)
    assert view(palace) == ["The welder is Mara."]


def test_forgetting_the_drawer_of_the_current_version_ends_the_file(palace: Palace) -> None:
    create(palace)
    change(palace, "Mara", "Derek")
    hit = palace.recall("who is the welder?", floor="none").hits[0]
    palace.forget(str(hit.drawer.pointer))
    with pytest.raises(NotFound, match="does not exist"):
        view(palace)
    create(palace, text="The welder is Ines.")
    assert view(palace) == ["The welder is Ines."]


def test_a_deleted_file_can_be_restored(palace: Palace) -> None:
    create(palace)
    change(palace, "Mara", "Derek")
    palace.memory_files.run({"command": "delete", "path": CREW})
    assert contents(palace) == []
    with pytest.raises(NotFound):
        view(palace)
    palace.forgotten.restore("Claude memory")
    assert view(palace) == ["The welder is Derek."]
    assert contents(palace)[0] == "The welder is Derek."


def test_without_grace_a_deleted_file_is_gone_at_once(palace: Palace) -> None:
    palace.settings.set("forget_grace", 0)
    create(palace)
    palace.memory_files.run({"command": "delete", "path": CREW})
    assert palace.forgotten.list() == ()


def test_a_renamed_file_keeps_its_versions_and_its_room_has_its_name(palace: Palace) -> None:
    create(palace)
    palace.memory_files.run({"command": "rename", "old_path": CREW, "new_path": "/memories/ship/crew.md"})
    change(palace, "Mara", "Derek", "/memories/ship/crew.md")
    (room,) = palace.tree.rooms(palace.tree.wing("Claude memory"))
    assert (room.name, room.drawer_count) == ("/memories/ship/crew.md", 2)


def test_secrets_are_redacted_in_texts_and_paths(palace: Palace) -> None:
    create(palace, text="The password is hunter2hunter2.")
    assert "hunter2" not in str(view(palace))
    with pytest.raises(BadRequest, match="did not appear verbatim"):
        change(palace, "hunter2hunter2", "x")
    key = "sk-ant-api03-" + "aB3dE5fG7h" * 9
    create(palace, path=f"/memories/{key}")
    assert key not in str(view(palace, "/memories"))
    assert view(palace, f"/memories/{key}") == ["The welder is Mara."]


def test_an_export_carries_the_files_with_their_versions(palaces: Palaces, palace: Palace, tmp_path: Path) -> None:
    create(palace)
    change(palace, "Mara", "Derek")
    palace.transfer.export(tmp_path / "palace.jsonl")
    other = palaces.palace(f"user-{uuid4()}")
    other.transfer.load(tmp_path / "palace.jsonl")
    assert view(other) == ["The welder is Derek."]
    assert contents(other)[0] == "The welder is Derek."


def test_a_path_is_one_file_however_its_letters_are_composed(palace: Palace) -> None:
    composed, decomposed = "/memories/caf\u00e9.md", "/memories/cafe\u0301.md"
    create(palace, composed)
    with pytest.raises(BadRequest, match="already exists"):
        create(palace, decomposed)
    change(palace, "Mara", "Derek", decomposed)
    assert view(palace, composed) == ["The welder is Derek."]


def test_two_connections_that_edit_one_file_lose_nothing(settings: Settings, palace: Palace) -> None:
    create(palace, text="begin")

    def insert(name: str) -> None:
        with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as own:
            for number in range(8):
                line = {"insert_line": 1, "insert_text": f"{name}{number}"}
                own.memory_files.run({"command": "insert", "path": CREW, **line})

    threads = [threading.Thread(target=insert, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(view(palace)) == sorted(["begin", "", *(f"{name}{number}" for name in "ab" for number in range(8))])


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ({"command": "shred", "path": CREW}, "command must be one of view"),
        ({"command": "view"}, "path must be a text"),
        ({"command": "view", "path": "/memoriesx"}, "must start with /memories"),
        ({"command": "view", "path": "/memories/../x"}, "would escape"),
        ({"command": "view", "path": "/memories/a\nb"}, "no control characters"),
        ({"command": "view", "path": CREW, "view_range": [1]}, "view_range must be two"),
        ({"command": "create", "path": "/memories" + "/a" * 21, "file_text": ""}, "20 segments"),
        ({"command": "create", "path": "/memories/" + "ä" * 600, "file_text": ""}, "1,024 bytes"),
        ({"command": "create", "path": CREW, "file_text": "ä" * 50_001}, "100,000 bytes at most"),
        ({"command": "create", "path": CREW, "file_text": 1}, "file_text must be a text"),
        ({"command": "insert", "path": CREW, "insert_line": "1", "insert_text": ""}, "whole number"),
    ],
)
def test_what_cannot_be_done_gets_one_clear_line(palace: Palace, command: dict[str, object], told: str) -> None:
    with pytest.raises(BadRequest, match=told) as refused:
        palace.memory_files.run(command)
    assert "\n" not in str(refused.value)


def test_there_are_so_many_files_and_no_more(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.operations.memory_files.MOST_FILES", 2)
    create(palace, "/memories/1")
    create(palace, "/memories/2")
    with pytest.raises(BadRequest, match="2 files already"):
        create(palace, "/memories/3")
