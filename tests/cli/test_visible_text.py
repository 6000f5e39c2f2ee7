"""Text from memory cannot drive a terminal."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from palace_cli.render.visible import escaped_json, one_line, visible

FILLERS = "\u115f\u1160\u3164\uffa0"


@given(st.text())
def test_no_control_character_survives_but_line_ends_and_tabs_and_a_line_has_none(text: str) -> None:
    assert not {char for char in visible(text) if unicodedata.category(char) == "Cc"} - {"\n", "\t"}
    assert not [char for char in one_line(text) if unicodedata.category(char) in ("Cc", "Zl", "Zp")]


@given(st.text(st.characters(categories=("L", "N", "P", "So"), exclude_characters=FILLERS)))
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_what_acts_on_a_terminal_is_shown_instead_of_sent() -> None:
    for written, shown in {
        "\x1b[31mred\x07": "␛[31mred␇",
        "\x9b31m": "<U+009B>31m",
        "user\u202etxt.exe": "user<U+202E>txt.exe",
        "a\r\nb\rc": "a\nb␍c",
    }.items():
        assert visible(written) == shown
    assert one_line("a \n\t b\u2028c") == "a b c"


SMUGGLED = {
    "eight-bit control": "\x9b31m",
    "delete": "\x7f",
    "override": "user\u202etxt.exe",
    "mark": "\u200e\u200f\u061c",
    "zero width": "a\u200b\u2060\ufeffb",
    "tags": "\U000e0049\U000e0067\U000e006e",
    "variation": "a\U000e0101",
}


def test_nothing_hides_in_json_or_takes_no_room_in_text_for_people() -> None:
    for text in SMUGGLED.values():
        written = escaped_json(json.dumps({text: [text]}, ensure_ascii=False))
        assert not [char for char in written if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Mn")]
        assert json.loads(written) == {text: [text]}
    for name in ("zero width", "tags", "mark"):
        assert not [char for char in visible(SMUGGLED[name]) if unicodedata.category(char) == "Cf"]


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_escaped_json_decodes_to_the_same(value: object) -> None:
    written = escaped_json(json.dumps(value, ensure_ascii=False, indent=2))
    assert json.loads(written) == value
    assert not [char for char in written if unicodedata.category(char) == "Cc" and char != "\n"]


WHOLE = (
    *("👩‍👩‍👧‍👦", "👩🏻‍❤️‍💋‍👨🏿", "🏳️‍🌈", "🏴‍☠️", "👍🏽", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ශ්‍රී", "क्‍ष", "র‍্য", "ه‍", "می‌خواهم", "한글", "ᄒᆞᆫ", "⠓⠑⠇⠇⠕"),
    *("बोल्ड", "ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ", "שָׁלוֹם בְּרֵאשִׁ֖ית", "Việt Nam", "👩🏽‍🚀👨‍👩‍👧‍👦", "ㅎᅡᆫ", "שלום 👩‍👩‍👧"),
    *("─" * 40, "…" * 20, "→←" * 10, "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"),
)


def test_words_that_are_written_with_marks_and_what_joins_stay_as_they_are() -> None:
    assert [word for word in WHOLE if visible(f"a {word} b") != f"a {word} b"] == []
