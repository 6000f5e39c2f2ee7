"""Files that no export writes: lines and identities without end, and what follows the last line."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given

from palace.errors import UnreadableSource
from palace.files.lines import ConversationLine
from palace.files.values import Malformed
from palace.intake import limits
from palace.intake.limits import bounded_id
from palace.transfer import parsing
from palace.transfer.lines import read_line, write_line
from tests.transfer.test_format import CONVERSATION, DRAWER, LINES, RUN, file_of, names, read


def test_a_message_that_no_drawer_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LARGEST_MESSAGE", 100)
    large = dataclasses.replace(DRAWER, content="ä" * 51)
    with pytest.raises(UnreadableSource, match=r"line 9: of this drawer, 'content' is too large: .* has 102 bytes"):
        read(file_of(*LINES[:7], large))
    fitting = dataclasses.replace(DRAWER, content="ä" * 50)
    assert read(file_of(*LINES[:7], fitting))


def test_a_line_without_an_end_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "LONGEST_LINE", 300)
    [header, run, _] = file_of(RUN).splitlines(keepends=True)
    with pytest.raises(UnreadableSource, match="line 3: is longer than a line can be"):
        read(header + run + b"x" * 1000)


@given(names)
def test_an_identity_that_is_too_long_is_taken_as_mining_would_make_it(beginning: str) -> None:
    long = dataclasses.replace(CONVERSATION, identity=f"{beginning}{'x' * 20_000}")
    taken = read_line(write_line(long))
    assert isinstance(taken, ConversationLine)
    assert len(taken.identity.encode()) < 2000
    assert taken.identity == bounded_id(long.identity)


def test_a_line_of_nothing_but_brackets_is_refused() -> None:
    with pytest.raises(Malformed, match="is not JSON"):
        read_line(b'{"a":' + b"[" * 200_000 + b"\n")


def test_what_follows_the_last_line_is_refused() -> None:
    with pytest.raises(UnreadableSource, match="the file goes on"):
        read(file_of(*LINES) + b"\n")
