"""Readers that a caller brings are asked before Palace's own, for files wherever they lie."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palace import BadRequest, Conversation, Draft, JsonReader, Palace, Readers, Reading, Role, Stamp, TextReader
from tests.held import texts_of

ROLLOUT = {"type": "session_meta", "payload": {"id": "r-1"}}
CLINE = {"ts": 1767323045000, "type": "say", "say": "text", "text": "Rollout r-1"}
LOG = "!log of the harbour\nann> The heron is back.\nben> It ate a goldfish.\n"


def _rollouts(records: Any, reading: Reading) -> Iterator[Conversation]:
    for record in records:
        draft = Draft("rollout", reading)
        draft.say(Role.USER, f"Rollout {record.value['payload']['id']}", Stamp())
        yield from draft.finish(source_id=record.value["payload"]["id"])


def _tasks(records: Any, reading: Reading) -> Iterator[Conversation]:
    for record in records:
        draft = Draft("task", reading)
        draft.say(Role.ASSISTANT, record.value["text"], Stamp(record.value["ts"]))
        yield from draft.finish(source_id="task")


def _is_rollout(value: object) -> bool:
    return isinstance(value, dict) and value.get("type") == "session_meta"


def _lines(text: str, reading: Reading) -> Iterator[Conversation]:
    draft = Draft("harbour", reading)
    for line in text.splitlines()[1:]:
        name, _, said = line.partition("> ")
        draft.say(Role.USER, said, Stamp(speaker=name))
    yield from draft.finish(source_id="log")


OWN = Readers(
    json=(JsonReader("rollouts", _is_rollout, _rollouts),),
    text=(TextReader("logs of the harbour", lambda text: text.startswith("!log"), _lines),),
)


def test_a_format_that_palace_refuses_by_name_is_read_by_the_callers_reader(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "task.json"
    path.write_text(json.dumps(CLINE))
    assert "is what Cline showed" in palace.mine(path).failures[0].message
    own = Readers(json=(JsonReader("tasks", lambda value: isinstance(value, dict) and "say" in value, _tasks),))
    assert palace.mine(path, readers=own).drawers_new == 1
    assert texts_of(palace) == ["Rollout r-1"]


def test_a_text_that_palace_would_read_otherwise_is_read_by_the_callers_reader(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "harbour.txt.gz"
    path.write_bytes(gzip.compress(LOG.encode()))
    assert palace.mine(path, readers=OWN, dry_run=True).sources[0].new == 2
    assert palace.mine(path, readers=OWN).drawers_new == 2
    assert texts_of(palace) == ["The heron is back.", "It ate a goldfish."]
    assert palace.mine(path, readers=OWN).drawers_new == 0


def test_in_a_folder_the_callers_readers_stand_beside_palaces_own(palace: Palace, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LOG)
    (tmp_path / "b.json").write_text(json.dumps([{"role": "user", "content": "Hi."}]))
    (tmp_path / "c.json").write_text(json.dumps({"sessions": [ROLLOUT]}))
    mined = palace.mine(tmp_path, readers=OWN)
    assert (mined.conversations, mined.failures) == (3, ())
    assert set(texts_of(palace)) == {"The heron is back.", "It ate a goldfish.", "Hi.", "Rollout r-1"}


def test_what_nobody_reads_is_told_with_the_callers_formats(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "unknown.json"
    path.write_text('{"what": "ever"}')
    assert "(looked for rollouts, ChatGPT, " in palace.mine(path, readers=OWN).failures[0].message


def test_what_are_no_readers_is_refused_in_one_line(palace: Palace, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LOG)
    with pytest.raises(BadRequest, match=r"readers must be a palace\.Readers, not list"):
        palace.mine(tmp_path, readers=[OWN])  # type: ignore[arg-type]  # what is refused
