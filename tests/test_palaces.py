"""Several users' palaces in one program: one database, one pool of connections, one embedder."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

from palace import BadRequest, NotFound, Palaces, Settings
from palace.testing import HashingEmbedder

Named = Callable[[str], str]


@pytest.fixture
def named() -> Named:
    """Names of the test's own."""
    own = uuid.uuid4()
    return lambda name: f"{name}-{own}"


@pytest.fixture
def palaces(settings: Settings) -> Iterator[Palaces]:
    with Palaces.open(settings, embedder=HashingEmbedder()) as opened:
        yield opened


@pytest.fixture
def connected(own_connections: None) -> Iterator[list[object]]:
    """Every connection that any pool of the process makes, and the pool of each."""
    made: list[object] = []

    def note(_connection: Any, record: Any) -> None:
        made.append(record)

    sa.event.listen(sa.pool.Pool, "connect", note)
    yield made
    sa.event.remove(sa.pool.Pool, "connect", note)


def test_each_user_finds_their_own_alone(palaces: Palaces, named: Named) -> None:
    ann, bob = palaces.palace(named("ann")), palaces.palace(named("bob"))
    ann.note("The spare key is under the blue pot.")
    assert [hit.drawer.content for hit in ann.recall("spare key").hits] == ["The spare key is under the blue pot."]
    assert bob.recall("spare key").hits == ()
    assert palaces.palace(named("ann")).status().drawers == 1


def test_twenty_users_one_after_the_other_take_one_connection(
    settings: Settings, named: Named, connected: list[object]
) -> None:
    with Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
        for number in range(20):
            palaces.palace(named(f"user-{number}")).tree.wings()
    assert len(connected) == 1


@pytest.mark.nightly
def test_users_side_by_side_share_one_pool(palaces: Palaces, named: Named, connected: list[object]) -> None:
    def work(number: int) -> int:
        palace = palaces.palace(named(f"user-{number}"))
        palace.note("A note.")
        return len(palace.tree.wings())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(24))) == [1] * 24
    # Each thread has one, and one of its own while it embeds or draws topics.
    assert len(connected) <= 8
    opened = [palaces.palace(named(name))._opened.database.shared for name in ("ann", "bob")]
    assert opened[0] is opened[1]


def test_closing_one_of_them_leaves_the_others_their_connections(
    palaces: Palaces, named: Named, connected: list[object]
) -> None:
    ann = palaces.palace(named("ann"))
    with palaces.palace(named("bob")) as bob:
        bob.tree.wings()
    before = len(connected)
    ann.tree.wings()
    bob.tree.wings()
    assert len(connected) == before


def test_closing_all_of_them_gives_back_every_connection(
    settings: Settings, named: Named, connected: list[object]
) -> None:
    with Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
        engine = palaces.palace(named("ann"))._opened.database.shared._engine
        assert engine is not None
    assert isinstance(engine.pool, sa.QueuePool)
    assert engine.pool.checkedin() == 0
    assert len(connected) == 1


def test_a_user_who_is_not_to_be_made_is_not(palaces: Palaces, named: Named) -> None:
    for _ in range(2):
        with pytest.raises(NotFound, match="there is no user"):
            palaces.palace(named("nobody"), make_user=False)


def test_what_is_no_embedder_is_refused_before_anything_is_opened(settings: Settings) -> None:
    with pytest.raises(BadRequest, match="the embedder object has no embed_queries"):
        Palaces.open(settings, embedder=object())  # type: ignore[arg-type]  # what is refused
