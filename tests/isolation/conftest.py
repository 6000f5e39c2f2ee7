"""The databases that the attempts are made on: both layers by day, without the policies by night, or as a test says."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from palace import Palace
from tests.hosts import Host
from tests.isolation.world import QUEUE, TABLES, World
from tests.leftovers import none_left

Worlds = tuple[World, World]
BOTH = pytest.param(True, id="both-layers")
ALONE = pytest.param(False, id="predicates-alone")
ALONE_BY_NIGHT = pytest.param(False, id="predicates-alone", marks=pytest.mark.nightly)
both_layers = pytest.mark.parametrize("worlds", [BOTH], indirect=True)
predicates_alone = pytest.mark.parametrize("worlds", [ALONE], indirect=True)


@pytest.fixture(scope="session", params=[BOTH, ALONE_BY_NIGHT])
def worlds(
    request: pytest.FixtureRequest, host: Host, worker_id: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worlds]:
    """A palace with a victim and one without, as they are, or with their policies switched off."""
    name = f"palace_isolation_{worker_id}_{'both' if request.param else 'predicates'}"
    made = World(host, name, tmp_path_factory.mktemp("victim"), policies=request.param)
    deserted = World(host, f"{name}_deserted", tmp_path_factory.mktemp("nobody"), policies=request.param, deserted=True)
    yield made, deserted
    made.close()
    deserted.close()


@pytest.fixture
def world(worlds: Worlds) -> World:
    """The one with a victim."""
    return worlds[0]


@pytest.fixture
def stranger(world: World) -> Iterator[Palace]:
    """Somebody with a little of their own, and with nothing left on any connection afterwards."""
    with world.stranger(f"stranger-{uuid.uuid4()}") as palace, none_left(palace._opened.database.shared):
        yield palace


@pytest.fixture
def deserted(worlds: Worlds) -> World:
    """The one without: what is told there cannot come from a victim."""
    return worlds[1]


@pytest.fixture
def unharmed(world: World) -> Iterator[World]:
    """The world, and a look at every row of the victim's afterwards."""
    before = world.rows()
    assert {table for table, _ in before} == {*TABLES, QUEUE}
    yield world
    assert world.rows() == before
