"""Files to begin with: the corpora of the readers' tests, and a file of each format that they lack."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from palace.errors import UnreadableSource
from palace.mining.discovery import list_sources
from palace.mining.files.reading import Reading
from palace.mining.readers.registry import read_conversations

CORPUS = Path(__file__).parents[3] / "tests" / "readers" / "corpus"
REFUSED = "refused"
NOW = datetime(2026, 6, 1, tzinfo=UTC)

_SAID = [{"role": "user", "content": "My car", "has_answer": True}, {"role": "assistant", "content": "Nice"}]
_LONGMEMEVAL = {
    "question_id": "q1",
    "question": "Which car?",
    "answer": "Mine",
    "haystack_session_ids": ["s1", "s2"],
    "haystack_dates": ["2023/04/10 (Mon) 23:07", "2023/04/11 (Tue) 08:15"],
    "haystack_sessions": [_SAID, _SAID[:1]],
}
_LOCOMO = {
    "sample_id": "conv-26",
    "qa": [],
    "conversation": {
        "speaker_a": "Caroline",
        "speaker_b": "Melanie",
        "session_1": [
            {"speaker": "Caroline", "dia_id": "D1:1", "text": "Hey Mel!"},
            {"speaker": "Melanie", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a dog"},
        ],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    },
}
_TELEGRAM = {
    "name": "Ann",
    "type": "personal_chat",
    "id": 7,
    "messages": [
        {"id": 1, "type": "message", "date": "2024-05-01T10:00:00", "from": "Ann", "from_id": "user1", "text": "Hi"},
        {
            "id": 2,
            "type": "message",
            "date": "2024-05-01T10:01:00",
            "date_unixtime": "1714557660",
            "from": "Ben",
            "from_id": "user2",
            "text": ["See ", {"type": "link", "text": "https://example.org"}],
            "reply_to_message_id": 1,
        },
    ],
}
SAMPLES = {"longmemeval.json": [_LONGMEMEVAL], "locomo.json": [_LOCOMO], "result.json": _TELEGRAM}


@dataclass(frozen=True, slots=True)
class Seed:
    """A file, or an export of several."""

    format: str
    """The reader of its first conversation; "refused" where it has none."""
    name: str
    files: dict[str, bytes]
    """What it holds by the path in it; the one file has an empty path."""


def load_seeds(folder: Path) -> tuple[Seed, ...]:
    """Read all seeds; ``folder`` is empty and takes up those that are no files yet."""
    for name, content in SAMPLES.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    found = [path for part in ("exports", "text") for path in (CORPUS / part).iterdir()]
    cases = sorted(path for path in found if not path.name.endswith(".expected.json"))
    return tuple(_seed(path) for path in [*cases, *sorted(folder.iterdir())])


def zipped(files: dict[str, bytes]) -> bytes:
    """Put files into an archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def _seed(path: Path) -> Seed:
    if path.is_dir():
        files = {part.relative_to(path).as_posix(): part.read_bytes() for part in path.rglob("*") if part.is_file()}
    else:
        files = {"": path.read_bytes()}
    return Seed(next(_readers(path), REFUSED), path.name, files)


def _readers(path: Path) -> Iterator[str]:
    try:
        for source in list_sources(path):
            for conversation in read_conversations(source, Reading(source.file, NOW)):
                yield conversation.reader
    except UnreadableSource:
        return
