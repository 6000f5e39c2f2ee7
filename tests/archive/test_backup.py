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

from palace import Administration, BadRequest, DatabaseRefused, DatabaseUnavailable, Settings
from tests.archive.places import databases, owner_url
from tests.hosts.reach import ADMINISTRATOR, PASSWORDS, execute
from tests.hosts.shared import SharedHost


def test_a_backup_says_what_is_in_it_is_for_its_owner_alone_and_leaves_nothing_beside_it(
    filled: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "palace.backup"
    backup = Administration(filled).backup(file)
    assert (backup.file, backup.schema, backup.size_bytes) == (file, "palace", file.stat().st_size)
    assert backup.revision
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


def test_a_place_where_no_file_can_be_is_told(filled: Settings, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing" / "palace.backup", os.devnull):
        with pytest.raises(BadRequest, match=r"is not a file|is not a folder"):
            Administration(filled).backup(place, force=True)


def test_a_home_without_a_palace_has_no_backup_and_stays_empty(folder: Path) -> None:
    with pytest.raises(BadRequest, match="no palace in"):
        Administration(Settings(home=folder / "home")).backup(folder / "palace.backup")
    assert list(folder.iterdir()) == []


def test_a_schema_without_a_palace_and_a_role_that_does_not_see_every_row_make_no_backup(
    filled: Settings, tmp_path: Path
) -> None:
    for change, told in (
        ({"database_schema": "elsewhere"}, "'elsewhere'"),
        ({"database_owner_url": None}, "PALACE_DATABASE_OWNER_URL"),
    ):
        with pytest.raises(BadRequest, match=told):
            Administration(filled.model_copy(update=change)).backup(tmp_path / "palace.backup")
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


@pytest.mark.nightly
def test_what_the_server_refuses_is_one_line_and_leaves_no_file(
    shared_host: SharedHost, shared_palace: Settings, tmp_path: Path
) -> None:
    database = owner_url(shared_palace).rsplit("/", 1)[-1]
    execute(shared_host.url(ADMINISTRATOR, database), "CREATE TABLE palace.of_another (id int)")
    with pytest.raises(DatabaseRefused, match="permission denied for table of_another") as caught:
        Administration(shared_palace).backup(tmp_path / "palace.backup")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nightly
def test_nothing_of_the_address_is_in_a_command_line(shared_palace: Settings, tmp_path: Path) -> None:
    with psycopg.connect(owner_url(shared_palace)) as holder, ThreadPoolExecutor(1) as pool:
        # It waits for the lock, and can be looked at meanwhile.
        holder.execute("LOCK TABLE palace.drawer IN ACCESS EXCLUSIVE MODE")
        backup = pool.submit(Administration(shared_palace).backup, tmp_path / "palace.backup")
        command = _command_of("pg_dump", str(tmp_path))
        holder.rollback()
        assert backup.result().size_bytes > 0
    secrets = (*PASSWORDS.values(), *(quote(each, safe="") for each in PASSWORDS.values()), "127.0.0.1")
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
