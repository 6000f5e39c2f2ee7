"""Settings that make no sense: one line that names the setting, an exit code, and no word of a password."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from palace import load_settings
from palace_cli.app import app
from tests.settings.test_addresses import MALFORMED, SECRET

Run = Callable[..., Any]
COMMANDS = [("db", "status"), ("db", "url", "--owner", "--json"), ("doctor",), ("recall", "anything"), ("db", "stop")]
OTHER_ACCOUNT = 65534
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another account")
NUMBERS = {
    "PALACE_SERVER_IDLE_MINUTES": ["inf", "nan", "-1", "1e308", "soon"],
    "PALACE_EMBEDDING_TIMEOUT_SECONDS": ["nan", "inf", "0", "-5", "1e300"],
    "PALACE_RERANK_TIMEOUT_SECONDS": ["nan", "-inf", "0", "86401"],
    "PALACE_RERANK_CANDIDATES": ["1", "101", "2.5", "9" * 5000],
    "PALACE_EXTRACTION_MODEL": ["", "x" * 501],
    "PALACE_EXTRACTION_TIMEOUT_SECONDS": ["nan", "0", "86401"],
    "PALACE_EXTRACTION_PARALLEL": ["0", "33", "many"],
    "PALACE_BUDGET_USD_DAILY": ["-1", "nan", "inf", "1e300", "cheap"],
    "PALACE_BUDGET_TOKENS_DAILY": ["-1", "2.5", "9" * 5000],
    "PALACE_EMBEDDING_THREADS": ["0", "-1", "257", "100000", "9" * 5000, "many"],
    "PALACE_EMBEDDING_DIMENSION": ["0", "4001", "99999999999999999999"],
    "PALACE_DATABASE_SCHEMA": ["", "Palace", "a; drop", "x" * 60],
    "PALACE_USER": ["", "x" * 201],
    "PALACE_PERSON": ["", "marta", "Marta Lindqvist,", "Marta, m", "X" * 501],
    "PALACE_RERANK": ["perhaps"],
    "PALACE_SECRETS_PATTERNS": ["nope", "[1"],
    "PALACE_SECRETS_OFF": ["card number", "{"],
    "PALACE_SECRETS_ALLOWED": ["abc"],
    "PALACE_HOME": ["", "~nobody-of-that-name/palace", "/dev/null", "/dev/null/palace", "/tmp/a\nb", "x" * 5000],
}
CONFIGURATIONS: tuple[str | bytes, ...] = (
    # no TOML, cut off, no text, an unknown key, a wrong type, a table, secrets in wrong places
    *(f'database_url = "postgresql://mara:{SECRET}@db/palace', "user = ", b"user = '\xff'", "databse_url = 'x'"),
    *("server_idle_minutes = []", "[database_url]\nhost = 'x'"),
    f'database_url = ["postgresql://mara:{SECRET}@db/palace"]',
    f'database_url = "postgresql://mara:{SECRET}@[db/palace"',
    f'database_url = "postgresql://mara:{SECRET}@db/pal\\u0000ace"',
    # nested deeply, a huge number, huge
    *("user = " + "[" * 20_000, "embedding_threads = " + "9" * 5000, "# " + "x" * (1 << 21)),
)


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which nothing runs."""
    made = folder / "home"
    made.mkdir(mode=0o700)
    monkeypatch.setenv("PALACE_HOME", str(made))
    return made


@pytest.fixture
def refused(home: Path) -> Run:
    """Run a command that has to end in one line, and give that line."""

    def invoke(*arguments: str) -> str:
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert result.exit_code != 0
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith(('{"code": "', "palace: "))
        assert "Traceback" not in result.stderr
        assert SECRET not in result.stderr
        assert list(home.glob("postgres")) == []
        return str(result.stderr)

    return invoke


def test_a_malformed_address_is_one_line(refused: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("PALACE_DATABASE_URL", "PALACE_DATABASE_OWNER_URL"):
        monkeypatch.setenv("PALACE_DATABASE_URL", f"postgresql://mara:{SECRET}@127.0.0.1:1/palace")
        for value in MALFORMED[::12]:
            if "\0" not in value:
                monkeypatch.setenv(variable, value)
                for command in COMMANDS[:1]:
                    assert variable in refused(*command), value


@pytest.mark.usefixtures("home")
def test_a_password_behind_the_question_mark_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for option in ("password", "sslpassword"):
        url = f"postgresql://mara@127.0.0.1:1/palace?{option}={SECRET}&sslmode=prefer"
        monkeypatch.setenv("PALACE_DATABASE_URL", url)
        monkeypatch.setenv("PALACE_DATABASE_OWNER_URL", url)
        for command in (*COMMANDS, ("db", "url"), ("status", "--json"), ("db", "upgrade")):
            result = CliRunner().invoke(app, command, catch_exceptions=False)
            assert SECRET not in result.output, command
            assert len(result.stderr.splitlines()) <= 1, command


def test_a_setting_out_of_range_is_one_line_that_names_it(refused: Run) -> None:
    for variable, values in NUMBERS.items():
        for value in values:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv(variable, value)
                line = refused("db", "status")
            assert variable in line, value
            assert len(line) < 400 + len(value), variable


def test_an_option_out_of_range_is_one_line_that_names_it(refused: Run) -> None:
    for arguments in (
        *(("recall", "x", "--top-k", "99999999999999999999"), ("recall", "x", "--top-k", "0")),
        *(("recall", "x", "--context", str(10**12)), ("recall", "x", "--context", "-1")),
        *(("show", "W-001/R-01/D-001", "--context", str(10**12)), ("ls", "W-001/R-01", "--limit", "-1")),
        *(("ls", "W-001/R-01", "--limit", "9" * 5000), ("ls", "W-001/R-01", "--offset", str(2**63))),
        *(("runs", "--limit", str(2**64)), ("undo", str(2**64))),
        ("embeddings", "switch", "x/y", "--dimension", "99999"),
    ):
        name = next((part for part in arguments if part.startswith("--")), "RUN")
        assert name in refused(*arguments)


def test_a_configuration_that_makes_no_sense_is_one_line(refused: Run, home: Path) -> None:
    for content in CONFIGURATIONS:
        (home / "config.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
        refused("db", "status")


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_file_is_read_or_refused_with_one_line(home: Path, content: bytes) -> None:
    (home / "config.toml").write_bytes(content)
    result = CliRunner().invoke(app, ["db", "url"], catch_exceptions=False)
    assert (result.exit_code == 0) or len(result.stderr.splitlines()) == 1


def test_a_configuration_that_is_no_file_is_named(refused: Run, home: Path) -> None:
    file = home / "config.toml"
    file.mkdir()
    assert f"{file} is not a file" in refused("db", "status")
    file.rmdir()
    os.mkfifo(file)
    assert f"{file} is not a file" in refused("db", "status")
    file.unlink()
    file.symlink_to(file)
    assert f"{file} cannot be read" in refused("db", "status")


def test_a_configuration_or_a_home_that_everybody_can_write_to_is_refused(
    refused: Run, home: Path, folder: Path
) -> None:
    for mode in (0o777, 0o707):
        home.chmod(mode)
        assert f"chmod go-w {home}" in refused("db", "status")
    home.chmod(0o1777)
    assert "everybody writes to: set PALACE_HOME to one of your own in it" in refused("db", "status")
    home.chmod(0o700)
    file = home / "config.toml"
    file.touch()
    for mode in (0o666, 0o602):
        file.chmod(mode)
        assert f"chmod go-w {file}" in refused("db", "status")
    elsewhere = file.rename(folder / "elsewhere.toml")
    file.symlink_to(elsewhere)
    assert "chmod go-w" in refused("db", "status")


@root_only
@pytest.mark.parametrize("name", ["", "config.toml"])
def test_what_belongs_to_another_account_is_refused(refused: Run, home: Path, name: str) -> None:
    (home / "config.toml").touch()
    os.chown(home / name, OTHER_ACCOUNT, OTHER_ACCOUNT)
    assert f"belongs to another account (uid {OTHER_ACCOUNT})" in refused("db", "status")


@root_only
def test_what_another_group_can_write_to_is_refused_and_ones_own_group_is_not(refused: Run, home: Path) -> None:
    home.chmod(0o770)
    assert CliRunner().invoke(app, ["db", "status"], catch_exceptions=False).exit_code == 0
    os.chown(home, -1, 100)
    assert f"chmod g-w {home}" in refused("db", "status")


def test_a_home_made_under_a_usual_umask_is_fine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", str(folder / "none" / "home"))
    assert load_settings().server_idle_minutes == 30
    for mask in (0o022, 0o077, 0o027):
        made = folder / f"home-{mask:o}"
        before = os.umask(mask)
        try:
            made.mkdir()
            (made / "config.toml").write_text("server_idle_minutes = 5\n")
        finally:
            os.umask(before)
        monkeypatch.setenv("PALACE_HOME", str(made))
        assert load_settings().server_idle_minutes == 5
