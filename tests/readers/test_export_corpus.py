"""A corpus of small exports: each is read, or refused, as the file beside it says.

``corpus/exports/NAME.json`` (or ``.jsonl``, or a folder NAME) is what is mined, ``NAME.expected.json`` what comes of
it: the turns with the beginning of what they say, what is counted, which conversations fail, which error ends it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from palace.errors import UnreadableSource
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation, Turn
from tests.readers.conftest import NOW

CORPUS = Path(__file__).parent / "corpus" / "exports"
CASES = sorted(path for path in CORPUS.iterdir() if not path.name.endswith(".expected.json"))
BEGINNING = 100


def outcome(path: Path) -> dict[str, Any]:
    """Read a case; give what came of it, leaving out what is empty."""
    reading = Reading(path.name, NOW)
    found: list[Conversation] = []
    error = ""
    try:
        for source in list_sources(path):
            found += read_conversations(source, reading)
    except UnreadableSource as problem:
        error = str(problem).replace(str(path), path.name).split(" (looked for ")[0]
    return filled(
        error=error,
        conversations=[of_conversation(conversation) for conversation in found],
        left_out=dict(sorted(reading.left_out.items())),
        failures=[str(problem).replace(str(path), path.name) for problem in reading.failures],
        notices=reading.notices,
    )


def of_conversation(conversation: Conversation) -> dict[str, Any]:
    return filled(
        reader=conversation.reader,
        id=conversation.source_id,
        title=conversation.title,
        project=conversation.project,
        warnings=list(conversation.warnings),
        turns=[of_turn(turn) for turn in conversation.turns],
    )


def of_turn(turn: Turn) -> dict[str, Any]:
    return filled(
        role=turn.role.value,
        speaker=turn.speaker,
        at=turn.said_at and turn.said_at.isoformat(),
        id=turn.source_id,
        answers=turn.answers,
        replaced_by=turn.replaced_by,
        says=turn.content[:BEGINNING],
    )


def filled(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


def expectation_of(case: Path) -> Path:
    return case.with_name(f"{case.name.split('.')[0]}.expected.json")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_export_is_read_as_the_file_beside_it_says(case: Path) -> None:
    assert outcome(case) == json.loads(expectation_of(case).read_text(encoding="utf-8"))


def test_every_expectation_has_its_case_and_there_are_many() -> None:
    expected = {path for path in CORPUS.iterdir() if path.name.endswith(".expected.json")}
    assert expected == {expectation_of(case) for case in CASES}
    assert len(CASES) >= 60
