"""Restoring: everything is as it was, into an empty palace alone, and whatever is refused changes nothing."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from palace import Palace
from palace.administration import Administration
from palace.errors import BadRequest, DatabaseRefused, UnreadableSource
from palace.settings import Settings
from palace.store.archive.programs import run_client
from palace.store.archive.restoring import copy_statements
from palace.store.database import Database
from palace.store.schema import HEAD
from palace.store.vectors.index import build_index, has_index, index_name
from palace.testing import HashingEmbedder
from tests.archive.places import USERS, MakeSettings, answers, complaints, owner_url
from tests.hosts import execute

LATER = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.fixture
def restored(backup: Path, new_database: MakeSettings) -> Settings:
    """A database into which the backup was restored."""
    settings = new_database()
    Administration(settings).restore(backup)
    return settings


def test_a_restore_says_what_is_there_now(backup: Path, new_database: MakeSettings) -> None:
    summary = Administration(new_database()).restore(backup)
    assert (summary.file, summary.schema, summary.revision_before, summary.revision) == (backup, "palace", HEAD, HEAD)
    assert (summary.users, summary.drawers) == (2, 18)


@pytest.mark.parametrize("user", USERS)
def test_a_restored_palace_gives_the_same_answers(user: str, filled: Settings, restored: Settings) -> None:
    before = answers(filled, user)
    assert len(before[-1]) > 0
    assert answers(restored, user) == before


@pytest.mark.parametrize("user", USERS)
def test_the_doctor_finds_a_restored_palace_sound(user: str, restored: Settings) -> None:
    assert complaints(restored, user) == []


@pytest.mark.parametrize("user", USERS)
def test_a_restore_is_an_event_of_every_user(user: str, restored: Settings) -> None:
    with Palace.open(restored, user=user, embedder=HashingEmbedder()) as palace:
        (event,) = palace.activity(kind="restored")
        assert event.details == {"outcome": "finished", "drawers": palace.status().drawers}
        assert palace.activity()[0] == event


def test_mining_the_same_again_adds_nothing_and_a_new_note_follows_on(restored: Settings, source: Path) -> None:
    with Palace.open(restored, user="mara", embedder=HashingEmbedder()) as palace:
        assert palace.mine(source, wing="Wing of mara").drawers_new == 0
        assert palace.note("The spare anchor is with Derek", said_at=LATER).pointer.room == 2
        assert palace.status().drawers == 10


def test_an_index_of_the_backup_is_back_and_another_can_be_built(restored: Settings) -> None:
    with Palace.open(restored, user="mara", embedder=HashingEmbedder()) as palace:
        generation = palace.embeddings.status()[0].generation
        with palace._opened.session() as session:
            assert has_index(session, generation.id)
            name = f"palace.{index_name(generation.id, session.user_id)}"
        execute(owner_url(restored), f"DROP INDEX {name}")
        build_index(palace._opened.database, generation)
        with palace._opened.session() as session:
            assert has_index(session, generation.id)


def test_an_empty_palace_that_was_opened_before_is_replaced(backup: Path, new_database: MakeSettings) -> None:
    settings = new_database()
    Administration(settings).upgrade()
    execute(owner_url(settings), "INSERT INTO palace.palace_user (name) VALUES ('other')")
    Administration(settings).restore(backup)
    assert len(answers(settings, "mara")) == 11


def test_a_palace_that_a_program_has_open_is_left_alone(backup: Path, new_database: MakeSettings) -> None:
    settings = new_database()
    Administration(settings).upgrade()
    with (
        Palace.open(settings, user="other", embedder=HashingEmbedder()),
        pytest.raises(BadRequest, match="other programs have this palace open"),
    ):
        Administration(settings).restore(backup)


@pytest.mark.parametrize("user", USERS)
def test_a_palace_that_holds_something_is_left_alone(
    user: str, backup: Path, new_database: MakeSettings, source: Path
) -> None:
    settings = new_database()
    Administration(settings).upgrade()
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        palace.mine(source)
    before = answers(settings, user)
    with pytest.raises(BadRequest, match="the palace holds 8 drawers: restore into an empty one"):
        Administration(settings).restore(backup)
    assert answers(settings, user) == before


def test_what_was_forgotten_counts_as_held(backup: Path, new_database: MakeSettings) -> None:
    settings = new_database()
    Administration(settings).upgrade()
    execute(
        owner_url(settings),
        "WITH u AS (INSERT INTO palace.palace_user (name) VALUES ('mara') RETURNING id),"
        " r AS (INSERT INTO palace.mining_run (user_id, source) SELECT id, '-' FROM u RETURNING user_id, id)"
        " INSERT INTO palace.conversation (user_id, identity, reader, run_id) SELECT user_id, 'x', 'x', id FROM r",
    )
    with pytest.raises(BadRequest, match="the palace holds 1 conversations"):
        Administration(settings).restore(backup)


def plain_dump(settings: Settings) -> bytes:
    """A dump as SQL text."""
    url = Database(settings).owner_url()
    return run_client("pg_dump", "--schema=palace", "--enable-row-security", url=url).encode()


def test_a_file_that_is_no_backup_is_told_and_changes_nothing(
    filled: Settings, new_database: MakeSettings, tmp_path: Path
) -> None:
    settings = new_database()
    file = tmp_path / "file"
    for content in (b"", b"hello\n" * 1000, b"PGDMP", plain_dump(filled)):
        file.write_bytes(content)
        with pytest.raises(UnreadableSource, match="is not a backup of Palace") as caught:
            Administration(settings).restore(file)
        assert "\n" not in str(caught.value)
    assert is_untouched(settings)


def test_a_dump_of_something_else_is_no_backup(new_database: MakeSettings, tmp_path: Path) -> None:
    settings = new_database()
    execute(owner_url(settings), "CREATE SCHEMA shop", "CREATE TABLE shop.drawer (id int)")
    file = tmp_path / "shop.backup"
    run_client("pg_dump", "--format=custom", f"--file={file}", "--schema=shop", url=Database(settings).owner_url())
    with pytest.raises(UnreadableSource, match="it holds 0 palaces"):
        Administration(settings).restore(file)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_backup_that_is_cut_off_changes_nothing(
    share: float, backup: Path, new_database: MakeSettings, tmp_path: Path
) -> None:
    settings = new_database()
    whole = backup.read_bytes()
    (tmp_path / "cut.backup").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(UnreadableSource, match="cut off"):
        Administration(settings).restore(tmp_path / "cut.backup")
    assert is_untouched(settings)
    assert Administration(settings).restore(backup).drawers == 18


def test_a_missing_file_and_a_folder_are_told(new_database: MakeSettings, tmp_path: Path) -> None:
    administration = Administration(new_database())
    with pytest.raises(UnreadableSource, match="there is no such file"):
        administration.restore(tmp_path / "nowhere")
    with pytest.raises(UnreadableSource, match="is not a file"):
        administration.restore(tmp_path)


def test_a_backup_of_another_schema_names_the_setting(backup: Path, new_database: MakeSettings) -> None:
    settings = new_database(database_schema="elsewhere")
    with pytest.raises(BadRequest, match="PALACE_DATABASE_SCHEMA=palace"):
        Administration(settings).restore(backup)
    assert is_untouched(settings)


def test_a_palace_of_another_schema_is_restored_under_its_name(
    new_database: MakeSettings, source: Path, tmp_path: Path
) -> None:
    settings, empty = new_database(database_schema="zweiter"), new_database(database_schema="zweiter")
    Administration(settings).upgrade()
    with Palace.open(settings, user="mara", embedder=HashingEmbedder()) as palace:
        palace.mine(source)
    Administration(empty).restore(Administration(settings).backup(tmp_path / "second.backup").file)
    assert answers(empty, "mara") == answers(settings, "mara")


def test_a_backup_of_a_newer_program_is_refused(
    changed_backup: Callable[..., Path], new_database: MakeSettings
) -> None:
    settings = new_database()
    file = changed_backup("UPDATE palace.schema_revision SET version_num = '9999'")
    with pytest.raises(UnreadableSource, match=f"at schema revision 9999, newer than this program .{HEAD}."):
        Administration(settings).restore(file)
    assert is_untouched(settings)


def test_a_restore_that_fails_at_its_end_leaves_the_empty_palace(
    changed_backup: Callable[..., Path], new_database: MakeSettings
) -> None:
    settings = new_database()
    Administration(settings).upgrade()
    # What a person added leans on a function outside the schema, which the other database does not have.
    file = changed_backup(
        "CREATE SCHEMA mine",
        "CREATE FUNCTION mine.told() RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'",
        "ALTER TABLE palace.wing ADD CONSTRAINT told CHECK (mine.told()) NOT VALID",
    )
    execute(owner_url(settings), "INSERT INTO palace.palace_user (name) VALUES ('other')")
    with pytest.raises(DatabaseRefused, match="mine") as caught:
        Administration(settings).restore(file)
    assert "\n" not in str(caught.value)
    with Palace.open(settings, user="other", embedder=HashingEmbedder()) as palace:
        assert palace.status().drawers == 0


def test_settings_that_older_servers_do_not_know_are_left_out() -> None:
    written = io.BytesIO()
    rows = b"COPY palace.drawer (content) FROM stdin;\nSET transaction_timeout = 0;\n" + b"row\n" * 100_000
    head = b"SET lock_timeout = 0;\nSET transaction_timeout = 0;\n" + b"\n" * 38
    told: list[int] = []
    copy_statements(io.BytesIO(head + rows), written, told.append)
    assert told[-1] == len(written.getvalue())
    assert written.getvalue() == head.replace(b"SET transaction_timeout = 0;\n", b"") + rows


def is_untouched(settings: Settings) -> bool:
    """Tell whether a database that was empty still holds no palace."""
    with psycopg.connect(owner_url(settings)) as connection:
        query = "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(%s)"
        row = connection.execute(query, [settings.database_schema]).fetchone()
    return row == (0,)
