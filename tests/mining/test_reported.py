"""What readers report beside conversations comes into the summary, once, though a source is read twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from palace import Palace
from palace.mining import pipeline
from palace.mining.readers.files.source import Source
from palace.mining.readers.reading import DateOrder, Reading
from palace.records import Conversation, Role, Turn


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Reading]:
    """A reader that leaves things out, fails at a conversation and has something to say; what it was told."""
    told: list[Reading] = []

    def read(source: Source, reading: Reading) -> Iterator[Conversation]:
        told.append(reading)
        yield Conversation("openai", (Turn(Role.USER, f"From {source.name}."),), source_id=source.name)
        reading.leave_out("pictures", 3)
        reading.leave_out("joins and other housekeeping")
        reading.failures.append(reading.problem("has no author", "conversation 2"))
        reading.notices.append(f"{reading.file}: dates are read day first")

    monkeypatch.setattr(pipeline, "read_conversations", read)
    return told


@pytest.mark.parametrize("dry_run", [False, True])
def test_it_is_summed_up_over_sources_and_counted_once(
    palace: Palace, tmp_path: Path, readings: list[Reading], dry_run: bool
) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("A note.")
    summary = palace.mine(tmp_path, dry_run=dry_run)
    assert summary.left_out == (("pictures", 6), ("joins and other housekeeping", 2))
    assert [failure.message for failure in summary.failures] == [
        f"{tmp_path / name}, conversation 2: has no author" for name in ("a.md", "b.md")
    ]
    assert summary.notices == tuple(f"{tmp_path / name}: dates are read day first" for name in ("a.md", "b.md"))
    assert summary.drawers_new == 2
    assert len(readings) == 4


def test_how_to_read_is_passed_on(palace: Palace, tmp_path: Path, readings: list[Reading]) -> None:
    (tmp_path / "a.md").write_text("A note.")
    palace.mine(tmp_path / "a.md", dates="day-first", encoding="Latin-1")
    for reading in readings:
        assert (reading.file, reading.dates, reading.encoding) == (
            str(tmp_path / "a.md"),
            DateOrder.DAY_FIRST,
            "iso8859-1",
        )
        moment = datetime(2026, 7, 1, 12)  # noqa: DTZ001 — local
        assert moment.replace(tzinfo=reading.zone).utcoffset() == moment.astimezone().utcoffset()
