"""Writing a backup: a file that is complete or not there, and nothing secret on a command line."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
import pytest
from pydantic import SecretStr

from palace.administration import Administration
from palace.errors import BadRequest, DatabaseRefused, DatabaseUnavailable
from palace.settings import Settings
from palace.store.archive.programs import client_environment, complaint
from palace.store.embedded.home import OWNER_ROLE
from palace.store.schema import HEAD
from tests.archive.places import databases, owner_url
from tests.hosts import ADMINISTRATOR, PASSWORDS, SharedHost, execute


def test_a_backup_says_what_is_in_it(filled: Settings, tmp_path: Path) -> None:
    backup = Administration(filled).backup(tmp_path / "palace.backup")
    assert (backup.file, backup.schema, backup.revision) == (tmp_path / "palace.backup", "palace", HEAD)
    assert backup.size_bytes == (tmp_path / "palace.backup").stat().st_size


def test_a_backup_is_for_its_owner_alone_and_leaves_nothing_beside_it(filled: Settings, tmp_path: Path) -> None:
    file = Administration(filled).backup(tmp_path / "palace.backup").file
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_is_there_is_replaced_on_request_only(filled: Settings, tmp_path: Path) -> None:
    file = tmp_path / "palace.backup"
    file.write_text("mine")
    with pytest.raises(BadRequest, match="--force"):
        Administration(filled).backup(file)
    assert file.read_text() == "mine"
    Administration(filled).backup(file, force=True)
    assert file.read_bytes().startswith(b"PGDMP")


def test_a_link_stays_a_link(filled: Settings, tmp_path: Path) -> None:
    (tmp_path / "real.backup").touch()
    (tmp_path / "link.backup").symlink_to("real.backup")
    Administration(filled).backup(tmp_path / "link.backup", force=True)
    assert (tmp_path / "link.backup").is_symlink()
    assert (tmp_path / "real.backup").read_bytes().startswith(b"PGDMP")


@pytest.mark.parametrize("name", [".", "missing/palace.backup"])
def test_a_place_where_no_file_can_be_is_told(filled: Settings, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRequest, match=r"is not a file|is not a folder"):
        Administration(filled).backup(tmp_path / name, force=True)


def test_a_device_is_not_replaced(filled: Settings) -> None:
    with pytest.raises(BadRequest, match="is not a file"):
        Administration(filled).backup(os.devnull, force=True)


def test_a_home_without_a_palace_has_no_backup_and_stays_empty(folder: Path) -> None:
    with pytest.raises(BadRequest, match="no palace in"):
        Administration(Settings(home=folder / "home")).backup(folder / "palace.backup")
    assert list(folder.iterdir()) == []


def test_a_schema_without_a_palace_has_no_backup(filled: Settings, tmp_path: Path) -> None:
    elsewhere = filled.model_copy(update={"database_schema": "elsewhere"})
    with pytest.raises(BadRequest, match="'elsewhere'"):
        Administration(elsewhere).backup(tmp_path / "palace.backup")


def test_a_role_that_does_not_see_every_row_makes_no_backup(filled: Settings, tmp_path: Path) -> None:
    blind = filled.model_copy(update={"database_owner_url": None})
    with pytest.raises(BadRequest, match="PALACE_DATABASE_OWNER_URL"):
        Administration(blind).backup(tmp_path / "palace.backup")
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_answer_leaves_no_file(tmp_path: Path) -> None:
    url = SecretStr("postgresql://me:sesame@127.0.0.1:9/palace")
    with pytest.raises(DatabaseUnavailable) as caught:
        Administration(Settings(home=tmp_path, database_url=url)).backup(tmp_path / "palace.backup")
    assert "sesame" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def shared_palace(shared_host: SharedHost, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """An empty palace on a shared server, whose owner is no superuser and has a password."""
    with databases(shared_host, tmp_path_factory.mktemp("shared")) as make:
        settings = make()
        Administration(settings).upgrade()
        yield settings


def test_what_the_server_refuses_is_one_line_and_leaves_no_file(
    shared_host: SharedHost, shared_palace: Settings, tmp_path: Path
) -> None:
    database = owner_url(shared_palace).rsplit("/", 1)[-1]
    execute(shared_host.url(ADMINISTRATOR, database), "CREATE TABLE palace.of_another (id int)")
    with pytest.raises(DatabaseRefused, match="permission denied for table of_another") as caught:
        Administration(shared_palace).backup(tmp_path / "palace.backup")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_nothing_of_the_address_is_in_a_command_line(shared_palace: Settings, tmp_path: Path) -> None:
    with psycopg.connect(owner_url(shared_palace)) as holder, ThreadPoolExecutor(1) as pool:
        # It waits for the lock, and can be looked at meanwhile.
        holder.execute("LOCK TABLE palace.drawer IN ACCESS EXCLUSIVE MODE")
        backup = pool.submit(Administration(shared_palace).backup, tmp_path / "palace.backup")
        command = _command_of("pg_dump", str(tmp_path))
        holder.rollback()
        assert backup.result().size_bytes > 0
    secrets = (*PASSWORDS.values(), quote(PASSWORDS[OWNER_ROLE], safe=""), "127.0.0.1")
    assert not [part for part in command for secret in secrets if secret in part and part != command[0]]


def _command_of(program: str, folder: str) -> list[str]:
    """Wait for a program that works on a folder, and read its command line as everybody can."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for child in psutil.Process().children():
            command: list[str] = child.cmdline()
            if command and Path(command[0]).name == program and folder in " ".join(command):
                return command
    raise AssertionError(f"{program} was not started")


def test_everything_of_an_address_reaches_the_programs_by_environment() -> None:
    url = "postgresql+psycopg://me:p%C3%A4ss%20w%C3%B6rd%2F%3D@host:7/m%20db?sslmode=require&options=-csearch_path%3Dx"
    found = client_environment(url)
    assert {name: value for name, value in found.items() if name.startswith("PG") and name != "PGAPPNAME"} == {
        "PGUSER": "me",
        "PGPASSWORD": "päss wörd/=",
        "PGHOST": "host",
        "PGPORT": "7",
        "PGDATABASE": "m db",
        "PGSSLMODE": "require",
        "PGOPTIONS": "-csearch_path=x",
        "PGCLIENTENCODING": "UTF8",
    }


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            b"pg_dump: error: query failed: ERROR:  permission denied\npg_dump: detail: Query was: LOCK",
            "permission denied",
        ),
        (b"pg_dump: warning: this\npg_dump: error: could not open\n", "could not open"),
        (b'psql:<stdin>:7: ERROR:  role "x" does not exist\nLINE 1: GRANT\n', 'role "x" does not exist'),
        (b"Killed\n", "Killed"),
        (b"", "it ended without a word"),
    ],
)
def test_a_complaint_is_the_reason_on_one_line(said: bytes, told: str) -> None:
    assert complaint(said) == told
