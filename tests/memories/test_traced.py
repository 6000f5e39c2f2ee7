"""Whatever is done to memories, each stands on drawers that are there, and none outlives what it stands on."""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace import Palace, PalaceError, Palaces
from tests.held import rows

SAID = ("My boat is in Vigo", "The rent is 850 euros", "Ines likes tea", "Deploy with make ship")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["say", "store", "store", "update", "consolidate", "forget", "restore", "undo"]),
        st.integers(0, 5),
    ),
    min_size=6,
    max_size=14,
)


class Walk:
    """A palace, and what was said and stored in it, by pointer."""

    def __init__(self, palace: Palace) -> None:
        self.palace = palace
        self.pointers: list[str] = []
        self.gone: list[str] = []

    def step(self, verb: str, number: int) -> None:
        """Do one thing to the palace; what it refuses changes nothing."""
        with suppress(PalaceError):
            getattr(self, f"_{verb}")(number)
        self.check()

    def check(self) -> None:
        """Check that all that memories cite as evidence is filed."""
        cited = rows(
            self.palace,
            "SELECT m.drawer_id FROM memory AS m, unnest(m.evidence) AS cited WHERE NOT EXISTS"
            " (SELECT FROM drawer AS d WHERE d.user_id = m.user_id AND d.identity = cited)",
        )
        assert cited == []

    def _one(self, number: int) -> str:
        return self.pointers[number % len(self.pointers)] if self.pointers else "W-001/R-01/D-001"

    def _keep(self, found: Any) -> None:
        self.pointers.append(str(found.pointer if hasattr(found, "pointer") else found.id))

    def _say(self, number: int) -> None:
        self._keep(self.palace.note(f"{SAID[number % len(SAID)]} {uuid.uuid4()}"))

    def _store(self, number: int) -> None:
        evidence = sorted({self._one(number), self._one(number + 1)}) if self.pointers else []
        text = f"{SAID[number % len(SAID)]}, {len(self.pointers)} times"
        self._keep(self.palace.memories.store(text, evidence=evidence))

    def _update(self, number: int) -> None:
        self._keep(self.palace.memories.update(self._one(number), f"Otherwise {uuid.uuid4()}"))

    def _consolidate(self, number: int) -> None:
        current = [str(each.id) for each in self.palace.memories.list()]
        (one,) = self.palace.memories.consolidate(current[: 2 + number % 2])
        self._keep(one)

    def _forget(self, number: int) -> None:
        pointer = self._one(number)
        self.palace.forget(pointer)
        self.gone.append(pointer)

    def _restore(self, number: int) -> None:
        if self.gone:
            self.palace.forgotten.restore(self.gone[number % len(self.gone)])

    def _undo(self, number: int) -> None:
        runs = self.palace.runs.list()
        self.palace.runs.undo(runs[number % len(runs)].id, cascade=True)


def _walked(palaces: Palaces, steps: list[tuple[str, int]]) -> None:
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    walk = Walk(palace)
    for verb, number in steps:
        walk.step(verb, number)
    for pointer in {str(drawer.pointer) for each in palace.memories.list() for drawer in (each.drawer,)}:
        evidence = palace.memories.get(pointer).evidence
        if evidence:
            palace.forget(str(evidence[0]))
            assert pointer not in {str(each.id) for each in palace.memories.list()}
            walk.check()
            break
    palace.forget_everything()
    assert rows(palace, "SELECT drawer_id FROM memory UNION ALL SELECT drawer_id FROM drawer_use") == []


def test_a_walk_through_everything_leaves_no_memory_without_what_it_stands_on(palaces: Palaces) -> None:
    verbs = ("say", "say", "store", "store", "update", "consolidate", "forget", "restore", "undo", "store", "forget")
    _walked(palaces, [(verb, number) for number, verb in enumerate(verbs)])


@pytest.mark.nightly
@settings(max_examples=10, deadline=None)
@given(steps=STEPS)
def test_no_sequence_of_changes_leaves_a_memory_without_what_it_stands_on(
    palaces: Palaces, steps: list[tuple[str, int]]
) -> None:
    _walked(palaces, [("say", 0), *steps])
