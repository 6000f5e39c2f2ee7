"""Text from memory cannot drive a terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from palace_cli.render.visible import one_line, visible


@given(st.text())
def test_no_control_character_survives_but_line_ends_and_tabs(text: str) -> None:
    assert not {char for char in visible(text) if unicodedata.category(char) == "Cc"} - {"\n", "\t"}


@given(st.text())
def test_one_line_holds_no_control_character_at_all(text: str) -> None:
    assert not [char for char in one_line(text) if unicodedata.category(char) in ("Cc", "Zl", "Zp")]


@given(st.text(st.characters(categories=("L", "N", "P", "So"))))
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_an_escape_sequence_is_shown_instead_of_sent() -> None:
    assert visible("\x1b[31mred\x07") == "␛[31mred␇"


def test_an_eight_bit_control_sequence_is_shown_too() -> None:
    assert visible("\x9b31m") == "<U+009B>31m"


def test_a_bidirectional_override_is_named() -> None:
    assert visible("user\u202etxt.exe") == "user<U+202E>txt.exe"


def test_right_to_left_words_and_joined_emoji_stay_whole() -> None:
    assert visible("שלום 👩‍👩‍👧") == "שלום 👩‍👩‍👧"


def test_windows_line_ends_are_line_ends() -> None:
    assert visible("a\r\nb\rc") == "a\nb␍c"


def test_a_line_holds_single_spaces_only() -> None:
    assert one_line("a \n\t b\u2028c") == "a b c"
