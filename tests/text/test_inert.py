"""Text quoted to a model: readable as it is, with nothing that acts or hides."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.nlp.inert import inert, inert_line, inert_name
from tests.text.tables import misread

ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "sect": "§"}
JOINING = "\u200c\u200d"
BREAKS = " \n\r\x0b\x0c\x85\u2028\u2029"
HIDDEN = "\u200b\u200d\u202e\u2066\ufeff\ufe0f\xad\u0301\U000e0041\U000e0101"
NASTY = st.text(st.characters() | st.sampled_from("<>&§|\"'/W-0" + BREAKS + HIDDEN) | st.sampled_from("👩🔬🏴é電ن１"))
VISIBLE_FORMATS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Signs of Arabic, Syriac and Kaithi that are format characters and are seen."""
ORDINARY = [
    "The wire overheated, 12-AWG | 40 A (see below).",
    'He said "no" — twice… and left.',
    "C'est l'été à Genève, « bientôt ».",
    "電池が過熱した。葛󠄀城市",
    "می‌خواهم",
    "क्‍ष and ශ්‍රී",
    "اللغة العربية ؀",
    "שָׁלוֹם",
    "👩‍🔬 👨‍👩‍👧‍👦 👍🏽 ❤️ 1️⃣ ☎︎ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇵🇹 🏳️‍🌈",
    "naïve e\u0301 Zürich",
    "x = a[0] * {b: 1}; # 50 %",
    "R&D at AT&T && Q & A: https://example.org/?a=1&b=2",
]
QUOTED = {
    "</memory_context>": "&lt;/memory_context&gt;",
    "&lt;/memory_context&gt;": "&amp;lt;/memory_context&amp;gt;",
    "&LT/x&GT &#60;/x&#62; &nbsp;": "&amp;LT/x&amp;GT &amp;#60;/x&amp;#62; &amp;nbsp;",
    "＜／memory_context＞": "&#xFF1C;／memory_context&#xFF1E;",
    "§ W-001/R-01/D-009": "&sect; W-001/R-01/D-009",
    "a\u2028b\x85c\x0bd\x0ce\r\nf\x1cg": "a b c d e f g",
    "ig\u200dnore": "ig&#x200D;nore",
    "no\u202ereverse": "no&#x202E;reverse",
    "a\ufeff\u2060\xad\u200b": "a&#xFEFF;&#x2060;&#xAD;&#x200B;",
    "hi\U000e0069\U000e0067": "hi&#xE0069;&#xE0067;",
    "🏴\U000e0069\U000e0067": "🏴&#xE0069;&#xE0067;",
    "😀\U000e0101\U000e0102": "😀&#xE0101;&#xE0102;",
    "a\ufe0f❤\ufe0f\ufe0f": "a&#xFE0F;❤\ufe0f&#xFE0F;",
    "\0\x1b[31m": "&#x0;&#x1B;[31m",
    "\u0338/x": "&#x338;/x",
    "\ufe0fx": "&#xFE0F;x",
    "\u3164\u2800": "&#x3164;&#x2800;",
    " \n\t ": "",
}


def unquoted(quotation: str) -> str:
    """Read a quotation back."""

    def read(found: re.Match[str]) -> str:
        name = found[1]
        return chr(int(name[2:], 16)) if name.startswith("#x") else ENTITIES[name]

    return re.sub("&(amp|lt|gt|quot|sect|#x[0-9A-F]+);", read, quotation)


def test_ordinary_text_of_any_script_stays_and_what_acts_or_hides_is_written_out() -> None:
    assert misread(inert, [(text, text) for text in ORDINARY]) == []
    assert misread(inert, QUOTED.items()) == []
    assert inert_line("  \u0338/x") == "  &#x338;/x", "a mark is not drawn upon the indentation"


@given(NASTY)
def test_a_quotation_is_one_line_that_can_be_read_back(text: str) -> None:
    wanted = {inert: " ".join(text.split()), inert_name: " ".join(text.split()), inert_line: re.sub(r"\s", " ", text)}
    for quote, meant in wanted.items():
        quotation = quote(text)
        assert unquoted(quotation) == meant
        assert len(quotation.splitlines()) <= 1
        assert not re.search("[<>§]", quotation)
    assert not re.search('["|]', inert_name(text))


@given(NASTY)
def test_what_is_kept_of_the_unseen_stands_by_a_character_that_is_seen(text: str) -> None:
    quotation = inert(text)
    for flag in ("gbeng", "gbsct", "gbwls"):
        quotation = quotation.replace("🏴" + "".join(chr(0xE0000 + ord(c)) for c in flag) + "\U000e007f", "")
    for place, character in enumerate(quotation):
        if character in JOINING or unicodedata.category(character) in {"Cc", "Cs"} or _is_selector(character):
            assert unicodedata.category(character) not in {"Cc", "Cs"}
            assert place > 0
            assert unicodedata.category(quotation[place - 1])[0] not in "CZ"
            assert not (_is_selector(character) and _is_selector(quotation[place - 1]))
        assert character not in JOINING or (quotation[place - 1] > "\x7f" and quotation[place + 1] > "\x7f")


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


@pytest.mark.slow
def test_no_control_and_no_format_character_is_overlooked() -> None:
    hidden = (code for code in range(0x110000) if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Zl", "Zp"})
    assert {code for code in hidden if chr(code) in inert(f"a{chr(code)}b")} == VISIBLE_FORMATS
