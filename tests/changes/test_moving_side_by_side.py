"""Two programs that move, merge and rename the same wings at once: each ends with its outcome or one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from palace import Palace, PalaceError, Settings
from palace.testing import HashingEmbedder
from tests.changes.views import BATTERY, HOTEL, Write
from tests.held import contents

pytestmark = pytest.mark.nightly
ROUNDS = 6
AtOnce = Callable[[tuple[str, str, str], tuple[str, str, str]], list[str]]


@pytest.fixture
def at_once(palace: Palace, settings: Settings) -> Iterator[AtOnce]:
    """Have two verbs of the tree done at the same moment, each on connections of its own; give what came of them."""
    start = Barrier(2)

    def told(opened: Palace, order: tuple[str, str, str]) -> str:
        verb, what, to = order
        start.wait()
        try:
            getattr(opened.tree, verb)(what, to)
        except PalaceError as problem:
            return str(problem)
        return "done"

    with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as other, ThreadPoolExecutor(2) as pool:
        yield lambda *orders: list(pool.map(told, (palace, other), orders))


def test_two_wings_merged_or_renamed_at_once_become_one_with_all_their_names(
    palace: Palace, at_once: AtOnce, write: Write
) -> None:
    for number in range(ROUNDS):
        left, right, new = f"Efoil {number}", f"Travel {number}", f"Boat {number}"
        palace.mine(write(f"battery{number}", [f"{said} ({number})" for said in BATTERY]), wing=left)
        palace.mine(write(f"hotel{number}", [f"{said} ({number})" for said in HOTEL]), wing=right)
        before, names = contents(palace), [left, right]
        if number % 2:
            names.append(new)
            assert at_once(("move", left, right), ("rename", left, new)) == ["done", "done"]
        else:
            told = at_once(("move", left, right), ("move", right, left))
            assert "done" in told
            assert all(line == "done" or "are one wing" in line for line in told)
        assert len({palace.tree.wing(name) for name in names}) == 1
        assert contents(palace).keys() == before.keys()
        for text, pointer in before.items():
            assert palace.show(pointer).drawer.content == text
