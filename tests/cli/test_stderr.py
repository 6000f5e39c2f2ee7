"""What reaches stderr, and the exit code."""

from __future__ import annotations

import json
import sys

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from palace.codec.values import json_value
from palace.errors import (
    BadRequest,
    DatabaseRefused,
    DatabaseUnavailable,
    EmbeddedServerError,
    EmbeddingError,
    NotFound,
    PalaceError,
    SchemaMismatch,
    UnreadableSource,
)
from palace_cli import diagnostics
from palace_cli.diagnostics import ExitCode
from palace_cli.guard import GuardedGroup, exit_code_of

CODES: list[tuple[PalaceError, ExitCode]] = [
    (BadRequest("the query is empty"), ExitCode.USAGE),
    (NotFound("no wing"), ExitCode.USAGE),
    (UnreadableSource("a.json", "not JSON", place="line 3"), ExitCode.INCOMPLETE),
    (DatabaseUnavailable("db.example does not answer"), ExitCode.DATABASE),
    (EmbeddedServerError("no room on the disk"), ExitCode.DATABASE),
    (SchemaMismatch("the schema is older"), ExitCode.INCOMPLETE),
    (DatabaseRefused("disk full"), ExitCode.INCOMPLETE),
    (EmbeddingError("no such model"), ExitCode.INCOMPLETE),
]


def _raising(failure: BaseException) -> typer.Typer:
    app = typer.Typer(cls=GuardedGroup, rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.callback()
    def _root() -> None:
        """Keep ``fail`` a command of its own."""

    @app.command()
    def fail(count: int = typer.Option(1, min=1)) -> None:
        raise failure

    return app


def _wanting(failure: BaseException) -> typer.Typer:
    app = typer.Typer(cls=GuardedGroup, rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.callback()
    def _root() -> None:
        """Keep ``fail`` a command of its own."""

    @app.command()
    def fail(count: int = typer.Option(1, min=1), as_json: bool = typer.Option(False, "--json")) -> None:
        raise failure

    return app


@pytest.mark.parametrize(("failure", "code"), CODES, ids=lambda value: type(value).__name__)
def test_every_error_is_one_line_and_its_exit_code(failure: PalaceError, code: ExitCode) -> None:
    result = CliRunner().invoke(_raising(failure), ["fail"])
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(f"palace: {failure}")
    assert result.stderr.count("\n") == 1


def test_an_error_names_the_next_command() -> None:
    result = CliRunner().invoke(_raising(NotFound('no wing "efoyl"')), ["fail"])
    assert result.stderr == 'palace: no wing "efoyl" (try: palace ls)\n'


def test_an_error_that_names_a_command_itself_gets_no_second_one() -> None:
    result = CliRunner().invoke(_raising(SchemaMismatch("older: run palace db upgrade")), ["fail"])
    assert result.stderr == "palace: older: run palace db upgrade\n"


def test_naming_the_palace_is_not_naming_a_command() -> None:
    result = CliRunner().invoke(_raising(NotFound("no wing in this palace yet")), ["fail"])
    assert result.stderr == "palace: no wing in this palace yet (try: palace ls)\n"


def test_an_embedded_server_that_fails_is_for_the_doctor() -> None:
    result = CliRunner().invoke(_raising(EmbeddedServerError("initdb failed")), ["fail"])
    assert result.stderr == "palace: initdb failed (try: palace doctor)\n"


def test_markup_and_line_ends_in_a_message_are_only_text() -> None:
    result = CliRunner().invoke(_raising(BadRequest("[red]x[/]\n\x1b[31my")), ["fail"])
    assert result.stderr == "palace: [red]x[/] ␛[31my\n"


@given(st.text())
def test_an_error_is_one_line_whatever_its_message(message: str) -> None:
    result = CliRunner().invoke(_raising(BadRequest(message)), ["fail"])
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("failure", [failure for failure, _ in CODES], ids=lambda value: type(value).__name__)
def test_with_json_an_error_is_its_code_and_message_on_one_line(failure: PalaceError) -> None:
    result = CliRunner().invoke(_wanting(failure), ["fail", "--json"])
    assert (result.exit_code, result.stdout) == (dict(zip(*zip(*CODES, strict=True), strict=True))[failure], "")
    assert result.stderr.count("\n") == 1
    assert json.loads(result.stderr) == json_value(failure)


@pytest.mark.parametrize(
    "arguments", [["fail", "--json", "--nope"], ["fail", "--count", "0", "--json"], ["fial", "--json"]]
)
def test_with_json_a_wrong_call_is_a_bad_request(arguments: list[str]) -> None:
    result = CliRunner().invoke(_wanting(BadRequest("not reached")), arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (ExitCode.USAGE, "", 1)
    told = json.loads(result.stderr)
    assert sorted(told) == ["code", "message"]
    assert told["code"] == "bad_request"


def test_what_cannot_be_written_is_json_as_well() -> None:
    result = CliRunner().invoke(_wanting(OSError(28, "No space left on device")), ["fail", "--json"])
    assert json.loads(result.stderr)["code"] == "failed"


def test_behind_two_dashes_json_is_a_word() -> None:
    app = typer.Typer(cls=GuardedGroup, rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.callback()
    def _root() -> None:
        """Keep ``fail`` a command of its own."""

    @app.command()
    def fail(words: list[str]) -> None:
        raise BadRequest(" ".join(words))

    assert CliRunner().invoke(app, ["fail", "--", "--json"]).stderr == "palace: --json\n"


@pytest.mark.parametrize("arguments", [["fail", "--nope"], ["fail", "--count", "0"], ["fail", "-1"], ["fial"]])
def test_a_wrong_call_is_one_line_that_names_the_help(arguments: list[str]) -> None:
    result = CliRunner().invoke(_raising(BadRequest("not reached")), arguments, prog_name="palace")
    assert (result.exit_code, result.stdout) == (ExitCode.USAGE, "")
    assert result.stderr.startswith("palace: ")
    assert result.stderr.count("\n") == 1
    assert "--help)" in result.stderr


def test_control_c_says_so() -> None:
    result = CliRunner().invoke(_raising(KeyboardInterrupt()), ["fail"])
    assert result.exit_code == ExitCode.INTERRUPTED
    assert result.stderr == "palace: interrupted: nothing is half done, the same command again goes on\n"


def test_a_bug_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError):
        CliRunner().invoke(_raising(ZeroDivisionError()), ["fail"], catch_exceptions=False)


def test_a_reader_that_went_away_ends_quietly() -> None:
    result = CliRunner().invoke(_raising(BrokenPipeError(32, "Broken pipe")), ["fail"])
    assert (result.exit_code, result.stderr) == (ExitCode.INCOMPLETE, "")


def test_a_command_that_ends_early_keeps_its_code() -> None:
    assert exit_code_of(lambda: 1) == ExitCode.INCOMPLETE


def test_warnings_are_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    diagnostics.warn(["a\nb", "c"])
    assert capsys.readouterr().err == "palace: warning: a b\npalace: warning: c\n"


def test_there_is_no_progress_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with diagnostics.progress() as advance:
        assert advance is None
    assert capsys.readouterr().err == ""
    assert not sys.stderr.isatty()
