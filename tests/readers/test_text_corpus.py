"""A corpus of small files as people have them, each with what is read of it beside it.

``X.expected.json`` says how ``X`` is read (``given``) and what comes of it: conversations with their turns (role,
speaker, time in Berlin, the first 40 characters), or the line that refuses it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from palace.errors import UnreadableSource
from palace.mining.readers.files.containers import Folder
from palace.mining.readers.files.encoding import encoding_of
from palace.mining.readers.reading import DateOrder, Reading
from palace.mining.readers.registry import FileSource, read_conversations
from palace.records import Conversation

CORPUS = Path(__file__).parent / "corpus" / "text"
ENDING = ".expected.json"
NAMES = sorted(path.relative_to(CORPUS).as_posix().removesuffix(ENDING) for path in CORPUS.rglob(f"*{ENDING}"))
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 6, 1, tzinfo=UTC)
BEGINNING = 40


def expected_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CORPUS / f"{name}{ENDING}").read_text(encoding="utf-8"))
    return found


def reading_of(name: str) -> Reading:
    given = expected_of(name).get("given", {})
    order = DateOrder(given["dates"]) if "dates" in given else None
    return Reading(name, NOW, BERLIN, order, given.get("encoding"))


def read(name: str, reading: Reading) -> list[Conversation]:
    return list(read_conversations(FileSource(name, name, Folder(CORPUS, "corpus"), name), reading))


def shown(conversation: Conversation) -> dict[str, Any]:
    turns = [
        [
            turn.role.value,
            turn.speaker,
            turn.said_at.astimezone(BERLIN).isoformat() if turn.said_at else None,
            turn.content[:BEGINNING],
        ]
        for turn in conversation.turns
    ]
    began = {"started_at": conversation.started_at.isoformat()} if conversation.started_at else {}
    about = {"reader": conversation.reader, "title": conversation.title, "slicing": conversation.slicing.value}
    return {**about, **began, "turns": turns, "warnings": list(conversation.warnings)}


def test_there_is_much_to_read() -> None:
    assert len(NAMES) > 90
    files = {path for path in CORPUS.rglob("*") if path.is_file() and not path.name.endswith(ENDING)}
    assert {path.relative_to(CORPUS).as_posix() for path in files} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_the_corpus_is_read_as_expected(name: str) -> None:
    expected, reading = expected_of(name), reading_of(name)
    if "refused" in expected:
        with pytest.raises(UnreadableSource) as caught:
            read(name, reading)
        assert str(caught.value) == expected["refused"]
        return
    assert [shown(conversation) for conversation in read(name, reading)] == expected["conversations"]
    assert reading.notices == expected.get("notices", [])
    assert dict(reading.left_out) == expected.get("left_out", {})
    assert [str(problem) for problem in reading.failures] == expected.get("failures", [])


@pytest.mark.parametrize("name", [name for name in NAMES if "conversations" in expected_of(name)])
def test_every_character_of_a_message_stands_in_the_file_as_it_is(name: str) -> None:
    reading = reading_of(name)
    data = (CORPUS / name).read_bytes()
    text = data.decode(encoding_of(data, reading))
    for conversation in read(name, reading):
        for turn in conversation.turns:
            assert _stands_in(turn.content, text, conversation.reader), turn.content


def _stands_in(content: str, text: str, reader: str) -> bool:
    """Tell whether a content is in the file's text; of quotations, captions and JSON line by line, as they are cut."""
    if reader == "telegram":
        return content.startswith("[") or all(part.removeprefix("- ") in text for part in content.split())
    if reader == "mail":
        return all(line in text for line in content.split("\n"))
    if reader in ("captions", "transcript"):
        return content in text or all(line in text for line in content.split("\n"))
    return content in text


@pytest.mark.parametrize("name", [name for name in NAMES if "conversations" in expected_of(name)])
def test_a_file_of_several_turns_carries_its_whole_text(name: str) -> None:
    for conversation in read(name, reading_of(name)):
        is_text = conversation.reader not in ("telegram", "mail", "table")
        assert (conversation.whole_text is not None) == (is_text and len(conversation.turns) > 1)
        if conversation.reader == "journal":
            lines = [line for line in (CORPUS / name).read_text().splitlines() if line.strip()]
            said = [line for turn in conversation.turns for line in turn.content.splitlines() if line.strip()]
            assert sorted(said) == sorted(line for line in lines if line.strip("# ") != conversation.title)
