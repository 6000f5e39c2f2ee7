"""What each layer holds alone, and what it does not: the table of docs/decisions/0004-row-level-security.md."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError

from palace import Palace
from palace.records import Candidate, KeywordLimits, ScanLimits, Scope
from palace.store.candidates.keyword import keyword_candidates
from palace.store.candidates.semantic import Scan, semantic_candidates
from palace.store.candidates.words import weigh_words
from palace.store.database import UserSession
from palace.store.drawers import find_drawer
from palace.store.tree import list_wings
from palace.store.vectors.generations import find_generation
from palace.tables import EmbeddingGeneration
from palace.testing import HashingEmbedder
from tests.hosts import Host, execute
from tests.isolation.conftest import Worlds
from tests.isolation.victim import SECRETS
from tests.isolation.world import TABLES, World

with_policies = pytest.mark.parametrize("worlds", [True], indirect=True, ids=["both-layers"])
without_policies = pytest.mark.parametrize("worlds", [False], indirect=True, ids=["predicates-alone"])


@pytest.fixture(scope="session")
def stranger(worlds: Worlds) -> Iterator[Palace]:
    """Somebody who has a little of their own, beside the victim."""
    with worlds[0].stranger(f"stranger-{uuid.uuid4()}") as palace:
        yield palace


@without_policies
@pytest.mark.parametrize("table", TABLES)
def test_without_policies_a_statement_that_names_no_user_shows_all(table: str, world: World, stranger: Palace) -> None:
    key = "id" if table == "palace_user" else "user_id"
    with stranger._opened.session() as session:
        users = set(session.connection.execute(sa.text(f"SELECT {key} FROM {table}")).scalars())
    assert world.victim.user_id in users


def proposed_by_words(session: UserSession, text: str, scope: Scope) -> tuple[Candidate, ...]:
    """What the keyword arm proposes."""
    return keyword_candidates(session, weigh_words(session, text), scope=scope, limits=KeywordLimits()).passages


@without_policies
def test_without_either_layer_the_victim_is_found(world: World, stranger: Palace) -> None:
    with stranger._opened.session() as session:
        planted = UserSession(session.connection, world.victim.user_id)
        assert [wing.name for wing in list_wings(planted)] == [world.guess.cast.wing]
        assert find_drawer(planted, world.loot.values["pointer"]) is not None


@without_policies
@pytest.mark.parametrize("scan", Scan)
@pytest.mark.parametrize("confined", [True, False])
def test_without_policies_the_arms_propose_ones_own_passages_only(
    scan: Scan, confined: bool, world: World, stranger: Palace
) -> None:
    scope = Scope(wing_ids=(world.loot.values["wing_id"],)) if confined else Scope()
    vector = HashingEmbedder().embed_passages([world.guess.cast.secret]).vectors[0].tolist()
    with stranger._opened.session() as session:
        generation = find_generation(session, "active")
        assert generation is not None
        near = (generation, vector)
        found = semantic_candidates(session, near, scope=scope, scan=scan, limit=50, limits=ScanLimits())
        found += proposed_by_words(session, world.guess.cast.secret, scope)
        own = session.connection.execute(sa.text("SELECT id FROM drawer WHERE user_id = :id"), {"id": session.user_id})
        assert {candidate.key.drawer_id for candidate in found} <= set(own.scalars())


@with_policies
@pytest.mark.parametrize("query", ["bees", "secret"])
def test_keyword_search_refuses_whom_the_setting_does_not_name_whoever_the_session_says(
    query: str, world: World, stranger: Palace
) -> None:
    # The function runs as the owner, whom the policies let see all: its question and its predicates are the only layer.
    said = world.guess.cast.secret if query == "secret" else query
    with stranger._opened.session() as session:
        planted = UserSession(session.connection, world.victim.user_id)
        with pytest.raises(ProgrammingError, match="own user alone"), session.connection.begin_nested():
            proposed_by_words(planted, said, Scope())
        assert len(proposed_by_words(session, said, Scope())) == (1 if query == "bees" else 0)


def test_only_the_policies_keep_the_planners_statistics_back(world: World, stranger: Palace, host: Host) -> None:
    execute(host.owner_url(world.name), "ANALYZE palace.drawer, palace.wing, palace.conversation")
    with stranger._opened.session() as session:
        shown = session.connection.execute(
            sa.text("SELECT count(*) FROM pg_stats WHERE schemaname = 'palace'")
        ).scalar_one()
    assert (shown == 0) is world.policies


@with_policies
def test_a_shared_generation_tells_a_model_its_shape_and_when_it_was_first_used(world: World, stranger: Palace) -> None:
    told = set(EmbeddingGeneration.__table__.columns.keys())
    assert told == {"id", "model", "dimension", "normalised", "created_at"}
    with stranger._opened.session() as session:
        rows = session.connection.execute(sa.text("SELECT * FROM embedding_generation")).all()
    assert [secret for secret in SECRETS if secret in repr(rows).lower()] == []
    assert str(world.victim.user_id) not in repr(rows)


@with_policies
@pytest.mark.parametrize("change", ["UPDATE embedding_generation SET model = 'x'", "DELETE FROM embedding_generation"])
def test_a_shared_generation_is_not_a_strangers_to_change(change: str, unharmed: World, stranger: Palace) -> None:
    with stranger._opened.session() as session, pytest.raises(ProgrammingError, match="permission denied"):
        session.connection.execute(sa.text(change))


@with_policies
def test_who_else_uses_a_model_is_not_told(world: World, stranger: Palace) -> None:
    assert [status.generation.model for status in stranger.embeddings.status()] == [HashingEmbedder().model]
    with stranger._opened.session() as session:
        users = session.connection.execute(sa.text("SELECT user_id FROM user_generation")).scalars().all()
    assert users == [stranger._opened.database.user_id]
