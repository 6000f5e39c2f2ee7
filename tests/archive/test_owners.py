"""From one server's owner to another's, who may have another name and no rights beyond the palace."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from pydantic import SecretStr

from palace import Administration, BadRequest, Palace, Settings
from palace.testing import HashingEmbedder
from tests.archive.places import USERS, answers, complaints, owner_url
from tests.hosts.reach import ADMINISTRATOR, LOGIN, execute
from tests.hosts.shared import SharedHost

Owned = Callable[[str], Settings]
PASSWORD = "zwölf Boxkämpfer: \"' @/\\ " + "lang " * 50


@pytest.fixture
def owned(shared_host: SharedHost, tmp_path: Path) -> Iterator[Owned]:
    """Make an empty database that belongs to a new role, as docs/shared-server.md does it."""
    administrator, made = shared_host.url(ADMINISTRATOR, "postgres"), []

    def make(role: str) -> Settings:
        name = f"{role}_{uuid.uuid4().hex[:10]}"
        secret = PASSWORD.replace("'", "''")
        execute(
            administrator,
            f"CREATE ROLE {name} LOGIN PASSWORD '{secret}'",
            f"GRANT palace_app TO {name} WITH ADMIN OPTION",
            f"CREATE DATABASE {name} OWNER {name}",
        )
        made.append(name)
        execute(shared_host.url(ADMINISTRATOR, name), "CREATE EXTENSION vector")
        owner = f"postgresql://{name}:{quote(PASSWORD, safe='')}@127.0.0.1:{shared_host.port}/{name}"
        login = SecretStr(shared_host.url(LOGIN, name))
        return Settings(home=tmp_path, database_url=login, database_owner_url=SecretStr(owner))

    yield make
    for name in made:
        execute(administrator, f"DROP DATABASE {name} WITH (FORCE)", f"DROP OWNED BY {name}", f"DROP ROLE {name}")


@pytest.mark.nightly
@pytest.mark.slow
def test_a_palace_goes_from_owner_to_owner_and_each_sees_every_row_and_has_no_more_rights(
    filled: Settings, backup: Path, owned: Owned, tmp_path: Path, source: Path
) -> None:
    first, second = owned("first"), owned("second")
    assert Administration(first).restore(backup).drawers == 18
    for user in USERS:
        assert answers(first, user) == answers(filled, user)
        assert complaints(first, user) == []
    Administration(second).restore(Administration(first).backup(tmp_path / "first.backup").file)
    with psycopg.connect(owner_url(second)) as connection:
        counted = connection.execute("SELECT count(*), count(DISTINCT user_id) FROM palace.drawer").fetchone()
        roles = connection.execute(
            "SELECT DISTINCT unnest(roles) = current_user FROM pg_policies"
            " WHERE schemaname = 'palace' AND policyname = 'owner_maintains'"
        ).fetchall()
    assert (counted, roles) == ((18, 2), [(True,)])
    with Palace.open(second, user="mara", embedder=HashingEmbedder()) as palace:
        assert palace.mine(source, wing="Wing of mara").drawers_new == 0
    assert answers(second, "ben") == answers(filled, "ben")


def test_an_owner_who_was_left_without_sight_cannot_overwrite_what_is_hidden(backup: Path, owned: Owned) -> None:
    settings = owned("blind")
    Administration(settings).restore(backup)
    execute(owner_url(settings), "DROP POLICY owner_maintains ON palace.drawer")
    with pytest.raises(BadRequest, match="does not see every row"):
        Administration(settings).restore(backup)
    execute(owner_url(settings), "CREATE POLICY owner_maintains ON palace.drawer TO CURRENT_USER USING (true)")
    with pytest.raises(BadRequest, match="the palace holds 18 drawers"):
        Administration(settings).restore(backup)
