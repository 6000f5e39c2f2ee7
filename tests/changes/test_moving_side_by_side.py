"""Two processes that move and merge the same wings at once: each ends with its outcome or one line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from palace import Palace
from palace.settings import Settings
from tests.changes.views import BATTERY, HOTEL, Write
from tests.held import contents

pytestmark = [pytest.mark.nightly, pytest.mark.process]

MOVER = """
import os, sys
from pydantic import SecretStr
from palace import Palace
from palace.errors import PalaceError
from palace.settings import Settings
from palace.testing import HashingEmbedder

url, user = sys.argv[1:]
with Palace.open(Settings(database_url=SecretStr(url)), user=user, embedder=HashingEmbedder()) as palace:
    print("ready", flush=True)
    for line in sys.stdin:
        verb, what, to = line.rstrip("\\n").split("\\t")
        try:
            getattr(palace.tree, verb)(what, to)
            print("done", flush=True)
        except PalaceError as told:
            print(f"{type(told).__name__}: {told}", flush=True)
"""
Mover = subprocess.Popen[str]
ROUNDS = 6


@pytest.fixture
def movers(palace: Palace, settings: Settings) -> Iterator[tuple[Mover, Mover]]:
    """Two processes with the test's palace open."""
    assert settings.database_url is not None
    command = [sys.executable, "-c", MOVER, settings.database_url.get_secret_value(), palace.user]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for mover in started:
        assert mover.stdout is not None
        assert mover.stdout.readline() == "ready\n"
    yield started[0], started[1]
    for mover in started:
        _, errors = mover.communicate(timeout=60)
        assert errors == ""


def at_once(movers: tuple[Mover, Mover], *orders: tuple[str, str, str]) -> list[str]:
    """Give each mover an order before either has answered; what they say."""
    for mover, order in zip(movers, orders, strict=True):
        assert mover.stdin is not None
        mover.stdin.write("\t".join(order) + "\n")
        mover.stdin.flush()
    return [mover.stdout.readline().rstrip("\n") for mover in movers if mover.stdout is not None]


def test_two_wings_merged_into_each_other_at_once_become_one(
    palace: Palace, movers: tuple[Mover, Mover], write: Write
) -> None:
    for number in range(ROUNDS):
        left, right = f"Efoil {number}", f"Travel {number}"
        palace.mine(write(f"battery{number}", [f"{said} ({number})" for said in BATTERY]), wing=left)
        palace.mine(write(f"hotel{number}", [f"{said} ({number})" for said in HOTEL]), wing=right)
        before = contents(palace)
        told = at_once(movers, ("move", left, right), ("move", right, left))
        assert "done" in told
        assert all(line == "done" or "are one wing" in line for line in told)
        assert palace.tree.wing(left) == palace.tree.wing(right)
        assert contents(palace).keys() == before.keys()
        for text, pointer in before.items():
            assert palace.show(pointer).drawer.content == text


def test_a_wing_renamed_while_it_is_merged_answers_to_all_its_names(
    palace: Palace, movers: tuple[Mover, Mover], write: Write
) -> None:
    for number in range(ROUNDS):
        left, right, new = f"Efoil {number}", f"Travel {number}", f"Boat {number}"
        palace.mine(write(f"battery{number}", [f"{said} ({number})" for said in BATTERY]), wing=left)
        palace.mine(write(f"hotel{number}", [f"{said} ({number})" for said in HOTEL]), wing=right)
        before = contents(palace)
        told = at_once(movers, ("move", left, right), ("rename", left, new))
        assert told == ["done", "done"]
        assert palace.tree.wing(left) == palace.tree.wing(right) == palace.tree.wing(new)
        assert contents(palace).keys() == before.keys()
