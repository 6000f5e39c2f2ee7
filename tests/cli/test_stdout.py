"""What reaches stdout: text for people, JSON for programs, bytes as they are."""

from __future__ import annotations

import io
import json
import os
import pty
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from palace.codec.values import json_value
from palace.errors import PalaceError
from palace.records import ArmScore, Drawer, Hit, Pointer, Recollection, Role, Span
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


def _stdout(encoding: str) -> TextIO:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


def _written(stream: TextIO) -> bytes:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()


def test_a_recollection_is_json_keyed_by_its_field_names(drawer: Callable[..., Drawer]) -> None:
    hit = Hit(drawer(), 0.9, Span(2, 7), (ArmScore("keyword", 3.5, 1),))
    shape = json_value(Recollection("wire", (hit,)))
    assert isinstance(shape, dict)
    assert list(shape) == ["query", "hits", "warnings", "timings_ms", "corrections", "order", "names", "times"]
    assert shape["hits"][0]["passage"] == {"start": 2, "end": 7}
    assert shape["hits"][0]["arms"] == [{"arm": "keyword", "score": 3.5, "rank": 1}]
    assert shape["hits"][0]["drawer"]["pointer"] == "§ W-001/R-02/D-003"


def test_moments_are_iso_8601_with_their_offset() -> None:
    when = datetime(2026, 4, 30, 18, 20, tzinfo=timezone(timedelta(hours=2)))
    assert json_value(when) == "2026-04-30T18:20:00+02:00"


def test_money_keeps_every_digit_as_a_string() -> None:
    assert json_value(Decimal("0.00000012345678901")) == "1.2345678901E-7"


def test_an_enumeration_is_its_value() -> None:
    assert json.dumps(json_value({"role": Role.TOOL})) == '{"role": "tool"}'


@dataclass(frozen=True)
class Everything:
    """One field of each kind."""

    text: str
    numbers: tuple[int, ...]
    moment: datetime
    pointer: Pointer


@given(
    st.builds(
        Everything,
        text=st.text(st.characters(codec="utf-8")),
        numbers=st.lists(st.integers()).map(tuple),
        moment=st.datetimes(timezones=st.just(UTC)),
        pointer=st.builds(Pointer, *(st.integers(1, 9999),) * 3),
    )
)
def test_json_can_be_read_back(value: Everything) -> None:
    back = json.loads(json.dumps(json_value(value)))
    assert (back["text"], tuple(back["numbers"])) == (value.text, value.numbers)
    assert datetime.fromisoformat(back["moment"]) == value.moment
    assert back["pointer"] == str(value.pointer)


def test_json_is_utf_8_whatever_the_encoding_of_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout("ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    output.write_json({"said": "§ 電池 🔋 \udcff"})
    assert json.loads(_written(stream)) == {"said": "§ 電池 🔋 \udcff"}


def test_text_that_stdout_cannot_encode_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout("ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    output.present("§", Text, as_json=False)
    assert _written(stream) == b"\\xa7\n"


def test_piped_text_is_plain_and_unwrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout("utf-8")
    monkeypatch.setattr(sys, "stdout", stream)
    output.present("word " * 300, lambda text: Text(text, style="bold red"), as_json=False)
    assert _written(stream).decode() == ("word " * 300).rstrip() + "\n"


def test_markup_and_emoji_names_in_memory_mean_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout("utf-8")
    monkeypatch.setattr(sys, "stdout", stream)
    output.present("[bold]x[/] :smile: [/nonsense]", str, as_json=False)
    assert _written(stream) == b"[bold]x[/] :smile: [/nonsense]\n"


def test_raw_text_is_byte_for_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout("latin-1")
    monkeypatch.setattr(sys, "stdout", stream)
    output.write_raw("a\r\nb\x1b[31m\t電池")
    assert _written(stream) == "a\r\nb\x1b[31m\t電池".encode()


def _show_red() -> None:
    output.present("red", lambda text: Text(text, style="red"), as_json=False)


def test_a_terminal_gets_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _on_a_terminal(monkeypatch, _show_red) == "\x1b[31mred\x1b[0m\r\n"


def test_no_color_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert _on_a_terminal(monkeypatch, _show_red) == "red\r\n"


def test_verbatim_text_cannot_drive_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    arrived = _on_a_terminal(monkeypatch, lambda: output.write_verbatim("\x1b]0;owned\x07\n"))
    assert arrived == "␛]0;owned␇\r\n"


def test_verbatim_text_is_untouched_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _stdout("utf-8")
    monkeypatch.setattr(sys, "stdout", stream)
    output.write_verbatim("\x1b]0;owned\x07\r\n")
    assert _written(stream) == b"\x1b]0;owned\x07\r\n"


def test_a_full_disk_behind_stdout_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with io.TextIOWrapper(io.FileIO("/dev/full", "w"), encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(PalaceError, match="standard output cannot be written: No space left"):
            output.write_line("x")
