"""What reaches stderr, and the exit code."""

from __future__ import annotations

import io
import json
import sys

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from palace import json_value
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
from palace.models import Phase, Progress
from palace_cli import diagnostics
from palace_cli.app import GuardedGroup, exit_code_of
from palace_cli.diagnostics import ExitCode
from palace_cli.render.progress import PHASES, amount, progress_bar

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


def _failing(failure: BaseException) -> typer.Typer:
    app = typer.Typer(cls=GuardedGroup, rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.callback()
    def _root() -> None:
        """Keep the commands what they are called."""

    @app.command()
    def fail(count: int = typer.Option(1, min=1), as_json: bool = typer.Option(False, "--json")) -> None:
        raise failure

    @app.command()
    def say(words: list[str]) -> None:
        raise BadRequest(" ".join(words))

    return app


def _told(failure: BaseException) -> str:
    return CliRunner().invoke(_failing(failure), ["fail"]).stderr


def test_every_error_is_one_line_and_its_exit_code_and_with_json_its_code_and_message() -> None:
    for failure, code in CODES:
        result = CliRunner().invoke(_failing(failure), ["fail"])
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
        assert result.stderr.startswith(f"palace: {failure}")
        result = CliRunner().invoke(_failing(failure), ["fail", "--json"])
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
        assert json.loads(result.stderr) == json_value(failure)


def test_an_error_names_the_next_command_where_it_names_none_itself() -> None:
    assert _told(NotFound('no wing "efoyl"')) == 'palace: no wing "efoyl" (try: palace ls)\n'
    assert _told(SchemaMismatch("older: run palace db upgrade")) == "palace: older: run palace db upgrade\n"
    assert _told(NotFound("no wing in this palace yet")) == "palace: no wing in this palace yet (try: palace ls)\n"
    assert _told(EmbeddedServerError("initdb failed")) == "palace: initdb failed (try: palace doctor)\n"
    assert _told(BadRequest("[red]x[/]\n\x1b[31my")) == "palace: [red]x[/] ␛[31my\n"


@given(st.text())
def test_an_error_is_one_line_whatever_its_message(message: str) -> None:
    assert _told(BadRequest(message)).count("\n") == 1


def test_a_wrong_call_is_one_line_that_names_the_help_and_with_json_a_bad_request() -> None:
    for arguments in (["fail", "--nope"], ["fail", "--count", "0"], ["fail", "-1"], ["fial"]):
        app = _failing(BadRequest("not reached"))
        result = CliRunner().invoke(app, arguments, prog_name="palace")
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (ExitCode.USAGE, "", 1)
        assert result.stderr.startswith("palace: ")
        assert "--help)" in result.stderr
        result = CliRunner().invoke(app, [*arguments, "--json"])
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (ExitCode.USAGE, "", 1)
        told = json.loads(result.stderr)
        assert (sorted(told), told["code"]) == (["code", "message"], "bad_request")


def test_what_cannot_be_written_is_json_as_well_and_behind_two_dashes_json_is_a_word() -> None:
    app = _failing(OSError(28, "No space left on device"))
    assert json.loads(CliRunner().invoke(app, ["fail", "--json"]).stderr)["code"] == "failed"
    assert CliRunner().invoke(app, ["say", "--", "--json"]).stderr == "palace: --json\n"


def test_control_c_says_so_a_reader_that_went_away_ends_quietly_and_a_bug_keeps_its_traceback() -> None:
    result = CliRunner().invoke(_failing(KeyboardInterrupt()), ["fail"])
    assert result.exit_code == ExitCode.INTERRUPTED
    assert result.stderr == "palace: interrupted: nothing is half done, the same command again goes on\n"
    result = CliRunner().invoke(_failing(BrokenPipeError(32, "Broken pipe")), ["fail"])
    assert (result.exit_code, result.stderr) == (ExitCode.INCOMPLETE, "")
    with pytest.raises(ZeroDivisionError):
        CliRunner().invoke(_failing(ZeroDivisionError()), ["fail"], catch_exceptions=False)
    assert exit_code_of(lambda: 1) == ExitCode.INCOMPLETE


def test_warnings_are_a_line_each_and_there_is_no_progress_bar_without_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    diagnostics.warn(["a\nb", "c"])
    assert capsys.readouterr().err == "palace: warning: a b\npalace: warning: c\n"
    with diagnostics.progress() as advance:
        assert advance is None
    assert capsys.readouterr().err == ""
    assert not sys.stderr.isatty()


def test_a_bar_is_shown_for_each_phase_in_its_unit_and_gone_at_the_end() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    with progress_bar(terminal) as advance:
        for phase in Phase:
            advance(Progress(phase, 3, None, "turns"))
            advance(Progress(phase, 4, 8, "turns"))
    assert set(PHASES) == set(Phase)
    assert all(words in terminal.getvalue() for words in PHASES.values())
    assert "4 of 8 turns" in terminal.getvalue()
    assert amount(1200, None, "turns") == "1,200 turns"
    assert amount(2_000_000, 4_000_000, "bytes") == "2.0 MB of 4.0 MB"
