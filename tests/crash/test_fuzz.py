"""Command lines at random: one line each, an exit code that is known, nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.endurance.caller import Ended
from bench.endurance.commands import fuzz_commands, judge

pytestmark = pytest.mark.nightly


def test_any_command_line_ends_in_a_known_code_and_one_line(home: Path) -> None:
    found = fuzz_commands(home, count=100, processes=2, seed=5)
    assert found.findings == []
    assert found.codes.total() == 102
    assert found.codes["line: 0"] > 10
    assert found.codes["line: 2"] > 20


BAD = (
    *(Ended(1, "", "", "Traceback: ZeroDivisionError"), Ended(1, "", "", "Timeout (0:00:10)!", is_overdue=True)),
    *(Ended(1, "", "Traceback (most recent call last):\n"), Ended(4, "", "palace: what is this\n")),
    *(Ended(2, "", told) for told in ("", "palace: one\npalace: two\n", "palace: one\nand more\n")),
    *(Ended(2, "", f"palace: {'x' * 6000}\n"), Ended(1, "", "palace: one\npalace: two\n")),
    *(Ended(0, "{}", "palace: failed\n"), Ended(0, "{}", "\x1b[31mred\n"), Ended(0, "", "")),
    *(Ended(0, '{"a": NaN}', ""), Ended(0, "{}", "", seconds=11), Ended(0, "{}", "", megabytes=700)),
)
GOOD = (
    *(Ended(0, "{}", ""), Ended(0, "{}", "palace: warning: two\n")),
    Ended(0, "[]", "the palace is empty: palace mine FILE fills it\n"),
    Ended(1, "", "Forget it? [y/N] \nnothing was forgotten\n"),
    Ended(2, "", '{"code": "bad_request", "message": "--limit is wrong"}\n'),
)


def test_a_bad_end_of_a_command_line_is_a_finding_and_a_good_one_is_none() -> None:
    overdue = BAD[1]
    assert [ended for ended in BAD if len(judge(["ls", "--json"], ended)) != 1] == []
    assert [ended for ended in GOOD if judge(["ls", "--json"], ended)] == []
    # What goes on until it is stopped, a hook that says nothing, several files that were not mined.
    assert judge(["worker", "--watch", "x"], overdue) == judge(["mcp"], overdue) == []
    assert judge(["hook", "prompt", "--json"], Ended(0, "", "")) == []
    assert judge(["mine", "a", "b"], Ended(1, "", "palace: a: no\npalace: b: no\n")) == []
