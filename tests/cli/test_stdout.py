"""What reaches stdout: text for people, JSON for programs, bytes as they are."""

from __future__ import annotations

import io
import json
import os
import pty
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from rich.text import Text

from palace import Role, json_value
from palace_cli import output


def _on_a_terminal(monkeypatch: pytest.MonkeyPatch, write: Callable[[], None]) -> str:
    """Run ``write`` with a real terminal as stdout and return what arrives there."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        patch.setenv("TERM", "xterm")
        write()
    arrived = os.read(ours, 65536).decode()
    os.close(ours)
    return arrived


def test_moments_money_and_enumerations_are_written_without_loss() -> None:
    when = datetime(2026, 4, 30, 18, 20, tzinfo=timezone(timedelta(hours=2)))
    assert json_value(when) == "2026-04-30T18:20:00+02:00"
    assert json_value(Decimal("0.00000012345678901")) == "1.2345678901E-7"
    assert json.dumps(json_value({"role": Role.TOOL})) == '{"role": "tool"}'


@pytest.fixture
def into(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[], None]], bytes]:
    """Give the bytes of what is written to a pipe of an encoding."""

    def written(encoding: str, write: Callable[[], None]) -> bytes:
        buffer = io.BytesIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", io.TextIOWrapper(buffer, encoding=encoding))
            write()
            return buffer.getvalue()

    return written


def test_a_pipe_gets_json_in_utf_8_and_text_plain_unwrapped_and_escaped_where_it_has_to_be(
    into: Callable[[str, Callable[[], None]], bytes],
) -> None:
    said = {"said": "§ 電池 🔋 \udcff"}
    assert json.loads(into("ascii", lambda: output.write_json(said))) == said
    assert into("ascii", lambda: output.present("§", Text, as_json=False)) == b"\\xa7\n"
    long = into("utf-8", lambda: output.present("word " * 300, lambda text: Text(text, style="red"), as_json=False))
    assert long.decode() == ("word " * 300).rstrip() + "\n"
    named = "[bold]x[/] :smile: [/nonsense]"
    assert into("utf-8", lambda: output.present(named, str, as_json=False)).decode() == f"{named}\n"
    raw = "a\r\nb\x1b[31m\t電池"
    assert into("latin-1", lambda: output.write_raw(raw)) == raw.encode()
    assert into("utf-8", lambda: output.write_verbatim("\x1b]0;owned\x07\r\n")) == b"\x1b]0;owned\x07\r\n"


def test_a_terminal_gets_colour_unless_it_wants_none_and_nothing_drives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def show_red() -> None:
        output.present("red", lambda text: Text(text, style="red"), as_json=False)

    assert _on_a_terminal(monkeypatch, show_red) == "\x1b[31mred\x1b[0m\r\n"
    arrived = _on_a_terminal(monkeypatch, lambda: output.write_verbatim("\x1b]0;owned\x07\n"))
    assert arrived == "␛]0;owned␇\r\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert _on_a_terminal(monkeypatch, show_red) == "red\r\n"
