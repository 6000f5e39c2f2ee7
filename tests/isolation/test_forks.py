"""A process that is forked from one with open palaces, as servers do it, works on connections of its own."""

from __future__ import annotations

import multiprocessing
import uuid
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection

import pytest

from palace import Palace, Palaces, Settings
from palace.testing import HashingEmbedder

FORK = multiprocessing.get_context("fork")
LOOKS = 5
PATIENCE = 60.0
"""Seconds that a fork gets before it counts as hung."""


def told_by_forks(works: list[Callable[[], list[str]]]) -> list[list[str]]:
    """Do pieces of work side by side, each in a fork of this process; give what each tells."""

    def tell(work: Callable[[], list[str]], pipe: Connection) -> None:
        try:
            pipe.send(work())
        except BaseException as problem:  # noqa: BLE001 — whatever it is, it is told
            pipe.send([f"{type(problem).__name__}: {problem}"])

    forks, pipes = [], []
    for work in works:
        mine, theirs = FORK.Pipe(duplex=False)
        forks.append(FORK.Process(target=tell, args=(work, theirs)))
        pipes.append(mine)
        forks[-1].start()
    try:
        return [pipe.recv() if pipe.poll(PATIENCE) else ["nothing in time"] for pipe in pipes]
    finally:
        for fork in forks:
            fork.kill()
            fork.join()


def shown(palace: Palace) -> list[str]:
    return sorted({palace.show("W-001/R-01/D-001").drawer.content for _ in range(LOOKS)})


@pytest.mark.process
def test_forks_of_two_users_see_each_their_own(settings: Settings) -> None:
    names = [f"{who}-{uuid.uuid4()}" for who in ("ann", "bob")]
    with Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
        opened = [palaces.palace(name) for name in names]
        for palace in opened:
            palace.file([{"role": "user", "content": f"This is {palace.user}'s."}], id="one")
        theirs = [[f"This is {name}'s."] for name in names]
        assert [shown(palace) for palace in opened] == theirs
        assert told_by_forks([partial(shown, palace) for palace in opened]) == theirs
        assert [shown(palace) for palace in opened] == theirs
