"""Measuring speed: each part gives its ratios, of made-up texts in homes of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.speed.__main__ import main
from bench.speed.texts import chats


def test_so_many_drawers_are_taken_as_were_asked_for() -> None:
    found = list(chats(None, drawers=30))
    assert [len(chat["messages"]) for chat in found] == [12, 12, 6]


@pytest.mark.nightly
def test_each_part_gives_its_ratios(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["--sizes", "20", "--queries", "3", "--chats", "2", "--runs", "1", "--out", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["part"] for line in lines] == ["recall", "mining", "start", "start"]
    assert [line["drawers"] for line in lines[:2]] == [20, 24]
    ratios = {name: value for line in lines for name, value in line.items() if " / " in name}
    assert len(ratios) == 13
    assert min(ratios.values()) > 0
