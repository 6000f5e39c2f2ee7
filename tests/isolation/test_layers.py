"""What each layer holds alone, and what it does not: the table of docs/decisions/0004-row-level-security.md."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError

from palace import Palace, Strategy, UserSession
from tests.hosts import Host, execute
from tests.isolation.conftest import both_layers, predicates_alone
from tests.isolation.world import TABLES, World


@predicates_alone
def test_without_policies_a_statement_that_names_no_user_shows_all(world: World, stranger: Palace) -> None:
    hidden = []
    with stranger._opened.session() as session:
        for table in TABLES:
            key = "id" if table == "palace_user" else "user_id"
            users = set(session.connection.execute(sa.text(f"SELECT {key} FROM {table}")).scalars())
            hidden += [] if world.victim.user_id in users else [table]
    assert hidden == []


@predicates_alone
def test_without_policies_the_arms_propose_ones_own_passages_only(world: World, stranger: Palace) -> None:
    scans = ({"exact_up_to": 10**6}, {"exact_up_to": 0, "quantised_up_to": 10**6}, {"exact_up_to": 0})
    for scan in scans:
        found = stranger.recall(
            world.guess.cast.secret, top_k=50, floor="none", strategy=Strategy.of({"scan": scan})
        ).hits
        assert {hit.drawer.content for hit in found} == {"I keep bees behind the shed."}, scan


@both_layers
def test_keyword_search_refuses_whom_the_setting_does_not_name_whoever_the_session_says(
    world: World, stranger: Palace
) -> None:
    # The function runs as the owner, whom the policies let see all: its question and its predicates are the only layer.
    search = sa.text(
        "SELECT count(drawer_id) FROM keyword_candidates(:user_id, ARRAY[CAST(:word AS tsquery)], ARRAY[1.0],"
        " 100, 100, true, NULL, NULL, NULL, NULL, NULL, NULL)"
    )
    with stranger._opened.session() as session:
        planted = UserSession(session.connection, world.victim.user_id)
        with pytest.raises(ProgrammingError, match="own user alone"), session.connection.begin_nested():
            planted.execute(search, {"word": "'zirconium'"})
        found = [session.execute(search, {"word": word}).scalar_one() for word in ("'bees'", "'zirconium'")]
    assert found == [1, 0]


def test_only_the_policies_keep_the_planners_statistics_back(world: World, stranger: Palace, host: Host) -> None:
    execute(host.owner_url(world.name), "ANALYZE palace.drawer, palace.wing, palace.conversation")
    with stranger._opened.session() as session:
        shown = session.connection.execute(
            sa.text("SELECT count(*) FROM pg_stats WHERE schemaname = 'palace'")
        ).scalar_one()
    assert (shown == 0) is world.policies
