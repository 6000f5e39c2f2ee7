"""Restoring: everything is as it was, into an empty palace alone, and whatever is refused changes nothing."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from palace import Administration, BadRequest, DatabaseRefused, Palace, Settings, UnreadableSource
from palace.db.backup import copy_statements
from palace.testing import HashingEmbedder
from tests.archive.places import USERS, MakeSettings, answers, complaints, index, owner_url
from tests.hosts.reach import execute

LATER = datetime(2100, 1, 1, tzinfo=UTC)


def test_a_restore_says_what_is_there_now_and_gives_the_same_answers(
    filled: Settings, backup: Path, new_database: MakeSettings, source: Path
) -> None:
    settings = new_database()
    summary = Administration(settings).restore(backup)
    assert (summary.file, summary.schema, summary.revision_before) == (backup, "palace", summary.revision)
    assert (summary.users, summary.drawers) == (2, 18)
    for user in USERS:
        before = answers(filled, user)
        assert len(before[-1]) > 0
        assert answers(settings, user) == before
        assert complaints(settings, user) == []
        with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
            (event,) = palace.activity(kind="restored")
            assert event.details == {"outcome": "finished", "drawers": palace.status().drawers}
            assert palace.activity()[0] == event
    with Palace.open(settings, user="mara", embedder=HashingEmbedder()) as palace:
        assert palace.mine(source, wing="Wing of mara").drawers_new == 0
        assert palace.note("The spare anchor is with Derek", said_at=LATER).pointer.room == 2
        assert palace.status().drawers == 10


def test_an_index_of_the_backup_is_back_and_another_can_be_built(
    filled: Settings, backup: Path, new_database: MakeSettings
) -> None:
    def indexes(settings: Settings) -> list[tuple[str, ...]]:
        with psycopg.connect(owner_url(settings)) as connection:
            found = connection.execute("SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%hnsw%' ORDER BY 1")
            return found.fetchall()

    restored = new_database()
    Administration(restored).restore(backup)
    there = indexes(restored)
    assert there == indexes(filled) != []
    with Palace.open(restored, user="mara", embedder=HashingEmbedder()) as palace:
        name = index(palace)
        execute(owner_url(restored), f"DROP INDEX palace.{name}")
        assert (name,) not in indexes(restored)
        assert index(palace) == name
    assert indexes(restored) == there


@pytest.mark.nightly
def test_an_empty_palace_that_was_opened_before_is_replaced_but_not_while_it_is_open(
    backup: Path, empty: Settings
) -> None:
    with (
        Palace.open(empty, user="other", embedder=HashingEmbedder()),
        pytest.raises(BadRequest, match="other programs have this palace open"),
    ):
        Administration(empty).restore(backup)
    Administration(empty).restore(backup)
    assert len(answers(empty, "mara")) == 11


def test_a_palace_that_holds_something_of_anybody_is_left_alone(backup: Path, empty: Settings, source: Path) -> None:
    with Palace.open(empty, user="cleo", embedder=HashingEmbedder()) as palace:
        palace.mine(source)
    before = answers(empty, "cleo")
    with pytest.raises(BadRequest, match="the palace holds 8 drawers: restore into an empty one"):
        Administration(empty).restore(backup)
    assert answers(empty, "cleo") == before


def test_what_was_forgotten_counts_as_held(backup: Path, empty: Settings) -> None:
    execute(
        owner_url(empty),
        "WITH u AS (INSERT INTO palace.palace_user (name) VALUES ('mara') RETURNING id),"
        " r AS (INSERT INTO palace.mining_run (user_id, source) SELECT id, '-' FROM u RETURNING user_id, id)"
        " INSERT INTO palace.conversation (user_id, identity, reader, run_id) SELECT user_id, 'x', 'x', id FROM r",
    )
    with pytest.raises(BadRequest, match="the palace holds 1 conversations"):
        Administration(empty).restore(backup)


def test_a_file_that_is_no_backup_is_told_and_changes_nothing(new_database: MakeSettings, tmp_path: Path) -> None:
    settings, file = new_database(), tmp_path / "file"
    for content in (b"", b"hello\n" * 1000, b"PGDMP"):
        file.write_bytes(content)
        with pytest.raises(UnreadableSource, match="is not a backup of Palace") as caught:
            Administration(settings).restore(file)
        assert "\n" not in str(caught.value)
    with pytest.raises(UnreadableSource, match="there is no such file"):
        Administration(settings).restore(tmp_path / "nowhere")
    with pytest.raises(UnreadableSource, match="is not a file"):
        Administration(settings).restore(tmp_path)
    assert is_untouched(settings)


def test_a_backup_that_is_cut_off_changes_nothing(backup: Path, new_database: MakeSettings, tmp_path: Path) -> None:
    settings = new_database()
    whole = backup.read_bytes()
    for share in (0.01, 0.5, 0.99):
        (tmp_path / "cut.backup").write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(UnreadableSource, match="cut off"):
            Administration(settings).restore(tmp_path / "cut.backup")
        assert is_untouched(settings)
    assert Administration(settings).restore(backup).drawers == 18


def test_a_backup_of_another_schema_names_the_setting(backup: Path, new_database: MakeSettings) -> None:
    settings = new_database(database_schema="elsewhere")
    with pytest.raises(BadRequest, match="PALACE_DATABASE_SCHEMA=palace"):
        Administration(settings).restore(backup)
    assert is_untouched(settings)


@pytest.mark.nightly
@pytest.mark.slow
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
    with pytest.raises(UnreadableSource, match=r"at schema revision 9999, newer than this program .\d{4}."):
        Administration(settings).restore(file)
    assert is_untouched(settings)


@pytest.mark.slow
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


def is_untouched(settings: Settings) -> bool:
    """Tell whether a database that was empty still holds no palace."""
    with psycopg.connect(owner_url(settings)) as connection:
        query = "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(%s)"
        row = connection.execute(query, [settings.database_schema]).fetchone()
    return row == (0,)


def test_settings_that_older_servers_do_not_know_are_left_out() -> None:
    written = io.BytesIO()
    rows = b"COPY palace.drawer (content) FROM stdin;\nSET transaction_timeout = 0;\n" + b"row\n" * 100_000
    head = b"SET lock_timeout = 0;\nSET transaction_timeout = 0;\n" + b"\n" * 38
    told: list[int] = []
    copy_statements(io.BytesIO(head + rows), written, told.append)
    assert told[-1] == len(written.getvalue())
    assert written.getvalue() == head.replace(b"SET transaction_timeout = 0;\n", b"") + rows
