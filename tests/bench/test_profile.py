"""Samplers: what the threads do, what the server works on."""

from __future__ import annotations

import time

from bench.scale.profile import Sampler


def test_shares_are_of_the_looks_taken() -> None:
    class Half(Sampler):
        interval = 0.001

        def look(self) -> list[str]:
            return ["always", "at first"] if self.looks <= 2 else ["always"]

    with Half() as sampler:
        while sampler.looks < 4:
            time.sleep(0.002)
    rows = {row["step"]: row["percent"] for row in sampler.rows()}
    assert rows == {"always": 100, "at first": 100 * 2 / sampler.looks}
