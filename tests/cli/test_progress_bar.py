"""The one place where progress is shown: a bar for each phase, with how much of how much."""

from __future__ import annotations

import io

import pytest

from palace.records import Phase, Progress
from palace_cli.render.progress import PHASES, amount, progress_bar


def test_every_phase_has_words() -> None:
    assert set(PHASES) == set(Phase)


@pytest.mark.parametrize(
    ("done", "total", "unit", "shown"),
    [
        (1200, 5000, "drawers", "1,200 of 5,000 drawers"),
        (1200, None, "turns", "1,200 turns"),
        (2_000_000, 4_000_000, "bytes", "2.0 MB of 4.0 MB"),
        (2_000_000, None, "bytes", "2.0 MB"),
    ],
)
def test_an_amount_is_written_in_its_unit(done: int, total: int | None, unit: str, shown: str) -> None:
    assert amount(done, total, unit) == shown


def test_a_bar_is_shown_for_each_phase_and_gone_at_the_end() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    with progress_bar(terminal) as advance:
        for phase in Phase:
            advance(Progress(phase, 3, None, "turns"))
            advance(Progress(phase, 4, 8, "turns"))
    assert all(words in terminal.getvalue() for words in PHASES.values())
    assert "4 of 8 turns" in terminal.getvalue()
