"""The queue's benchmark: small, on real workers that are killed; and what it makes of a log."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from bench.queue import FAULTS, Entry, Found, judge, main, read_log


@pytest.mark.nightly
def test_killed_workers_do_everything_once_and_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    plan = "--jobs 40 --conversations 8 --workers 2 --kill-every 3 --most-kills 3"
    code = main([*plan.split(), "--json"])
    told = capsys.readouterr()
    assert not told.err
    found = json.loads(told.out)
    assert {name: found[name] for name in FAULTS if found[name]} == {}
    assert code == 0
    assert (found["jobs_done"], found["drawers"], found["duplicate_drawers"]) == (40, 40, 0)
    assert found["kills"] > 0


def lines(*entries: tuple[float, int, str, int, int]) -> Sequence[Entry]:
    return read_log(" ".join(map(str, entry)) for entry in entries)


def test_what_is_wrong_is_seen_and_nothing_else() -> None:
    log = lines((1, 7, "begin", 0, 1), (2, 7, "end", 0, 1), (3, 8, "begin", 0, 2), (4, 8, "end", 0, 2))
    assert judge(log, conversations=1, turns=2) == Found(2, 0, 0, 0, 0)
    killed = lines((1, 7, "begin", 0, 1), (9, 8, "begin", 0, 1), (10, 8, "end", 0, 1))
    assert judge(killed, conversations=1, turns=1) == Found(1, 0, 0, 0, 0), "not there together with its successor"
    again = lines((1, 7, "begin", 0, 1), (2, 7, "end", 0, 1), (3, 8, "begin", 0, 1), (4, 8, "end", 0, 1))
    assert judge(again, conversations=1, turns=2) == Found(1, 1, 1, 0, 0)
    backwards = lines((1, 7, "begin", 0, 2), (2, 7, "end", 0, 2), (3, 7, "begin", 0, 1), (4, 7, "end", 0, 1))
    assert judge(backwards, conversations=1, turns=2).out_of_order == 1
    together = lines((1, 7, "begin", 0, 1), (2, 8, "begin", 0, 1), (3, 7, "end", 0, 1), (4, 8, "end", 0, 1))
    assert judge(together, conversations=1, turns=1).at_once == 1
