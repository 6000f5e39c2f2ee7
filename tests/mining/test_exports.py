"""Two exports of one history, and sources that change under the miner's hands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from palace import OnProgress, Palace, Phase, Progress
from tests.held import drawers


def chatgpt(*messages: tuple[str, str], branch: tuple[str, str] | None = None) -> list[dict[str, Any]]:
    """Make an export of one conversation: messages of id and text, the last of them replaced by ``branch``."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    for number, (key, text) in enumerate(messages):
        if branch and number == len(messages) - 1:
            mapping[branch[0]] = node(branch[0], branch[1], parent, number)
        mapping[key] = node(key, text, parent, number)
        parent = key
    current = branch[0] if branch else parent
    return [{"conversation_id": "c1", "title": "Efoil", "current_node": current, "mapping": mapping}]


def node(key: str, text: str, parent: str, number: int) -> dict[str, Any]:
    message = {
        "id": key,
        "author": {"role": "user" if number % 2 == 0 else "assistant"},
        "create_time": 1_750_000_000.0 + number,
        "content": {"content_type": "text", "parts": [text]},
    }
    return {"id": key, "parent": parent, "children": [], "message": message}


SAID = (("m1", "Which wire for 60 A?"), ("m2", "8 AWG."), ("m3", "And the propeller?"), ("m4", "Two blades."))


def mine(palace: Palace, path: Path, export: list[dict[str, Any]]) -> int:
    path.write_text(json.dumps(export), encoding="utf-8")
    return palace.mine(path).drawers_new


def test_a_later_export_of_the_same_history_adds_what_is_new_and_moves_no_pointer(
    palace: Palace, tmp_path: Path
) -> None:
    assert mine(palace, tmp_path / "march.json", chatgpt(*SAID[:2])) == 2
    before = {drawer.content: drawer.pointer for drawer in drawers(palace)}
    assert mine(palace, tmp_path / "april.json", chatgpt(*SAID)) == 2
    after = {drawer.content: drawer.pointer for drawer in drawers(palace)}
    assert after.items() >= before.items()
    assert list(after) == [text for _, text in SAID]
    assert not any(drawer.is_revision for drawer in drawers(palace))
    assert mine(palace, tmp_path / "march.json", chatgpt(*SAID[:2])) == 0


def test_another_branch_is_filed_beside_the_old_one_and_flagged(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path / "march.json", chatgpt(*SAID))
    assert mine(palace, tmp_path / "april.json", chatgpt(*SAID, branch=("m5", "Three blades."))) == 1
    assert [drawer.content for drawer in drawers(palace)] == [*(text for _, text in SAID), "Three blades."]
    assert [drawer.content for drawer in drawers(palace) if drawer.is_revision] == ["Three blades."]


def test_a_source_that_breaks_between_reading_and_filing_is_a_failure_and_the_others_go_on(
    palace: Palace, tmp_path: Path
) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    for path, name in ((first, "a"), (second, "b")):
        path.write_text(json.dumps({"id": name, "messages": [{"role": "user", "content": name}]}), encoding="utf-8")
    summary = palace.mine(
        tmp_path, progress=_once_read(lambda: first.write_text('{"id": "a", "mess', encoding="utf-8"))
    )
    assert [drawer.content for drawer in drawers(palace)] == ["b"]
    assert "it changed while it was mined" in summary.failures[0].message
    assert summary.run_id is not None


def _once_read(change: Callable[[], object]) -> OnProgress:
    def watch(now: Progress) -> None:
        # Read in the order of names: when the second has been read, the first is about to be filed.
        if now.phase is Phase.READ and now.done == 2:
            change()

    return watch
