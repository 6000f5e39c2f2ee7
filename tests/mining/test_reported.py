"""What readers report beside conversations comes into the summary, once, though a source is read twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from palace import Conversation, Palace, Readers, Reading, Role, TextReader, Turn

TOLD: list[Reading] = []


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a file, leave things out, fail at a conversation, and have something to say."""
    TOLD.append(reading)
    yield Conversation("openai", (Turn(Role.USER, text),), source_id=text)
    reading.leave_out("pictures", 3)
    reading.leave_out("joins and other housekeeping")
    reading.failures.append(reading.problem("has no author", "conversation 2"))
    reading.notices.append(f"{reading.file}: dates are read day first")


OWN = Readers(text=(TextReader("reports", lambda _: True, read),))


@pytest.mark.parametrize("dry_run", [False, True])
def test_it_is_summed_up_over_sources_and_counted_once(palace: Palace, tmp_path: Path, *, dry_run: bool) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"A note of {name}.")
    TOLD.clear()
    summary = palace.mine(tmp_path, dry_run=dry_run, readers=OWN)
    assert summary.left_out == (("pictures", 6), ("joins and other housekeeping", 2))
    assert [failure.message for failure in summary.failures] == [
        f"{tmp_path / name}, conversation 2: has no author" for name in ("a.md", "b.md")
    ]
    assert summary.notices == tuple(f"{tmp_path / name}: dates are read day first" for name in ("a.md", "b.md"))
    assert summary.drawers_new == 2
    assert len(TOLD) == 4


def test_how_to_read_is_passed_on(palace: Palace, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A note.")
    TOLD.clear()
    palace.mine(tmp_path / "a.md", dates="day-first", encoding="Latin-1", readers=OWN)
    assert TOLD
    for reading in TOLD:
        assert (reading.file, reading.dates, reading.encoding) == (str(tmp_path / "a.md"), "day-first", "iso8859-1")
        moment = datetime(2026, 7, 1, 12)  # noqa: DTZ001 — local
        assert moment.replace(tzinfo=reading.zone).utcoffset() == moment.astimezone().utcoffset()
