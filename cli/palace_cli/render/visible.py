"""Make remembered text safe to print: nothing in it can control a terminal, reorder a line or hide."""

from __future__ import annotations

import json
import re
import unicodedata

_CONTROL_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
"""C0 controls as symbols of the Unicode block Control Pictures: ESC becomes ␛."""

_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_UNSEEN = (0x180E, 0x200B, *range(0x2060, 0x2066), *range(0x206A, 0x2070), *range(0xFFF9, 0xFFFC), 0xFEFF)
"""Invisible characters; joiners (U+200C, U+200D) are left out here, because words and emoji need them."""
_FILLERS = (0x115F, 0x1160, 0x2065, 0x3164, 0xFFA0, *range(0xFFF0, 0xFFF9))
"""Unassigned and filler characters that Unicode renders invisibly (Default_Ignorable_Code_Point), such as Hangul
fillers. Rich counts them as no cell or two, terminals draw up to two."""
_JOINING = (0x200D, *range(0x1F3FB, 0x1F400))
"""The joiner and skin tones: Rich counts them, and what follows a joiner, as no cells, but terminals draw them."""
_TAGS = (*range(0xE0000, 0xE0100), *range(0xE01F0, 0xE1000))
_NAMED = {
    code: f"<U+{code:04X}>"
    for code in (*range(0x80, 0xA0), 0x2028, 0x2029, *_BIDI, *_UNSEEN, *_FILLERS, *_JOINING, *_TAGS)
}
_SYMBOLS = {**_CONTROL_PICTURES, 0x7F: "␡", **_NAMED}

_EMOJI = "[\xa9\xae\u2190-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]?"
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0f84\u1039\u103a\u17d2"
_JOINED = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f"
    f"|{_EMOJI}(?:\u200d{_EMOJI}){{0,4}}"
    f"|(?<=[{_VIRAMA}\u0620-\u06d3])\u200d|\u200d(?=[{_VIRAMA}]))"
)
"""Where joiners and tags are legitimate: flags of regions, which consist of tags, emoji of up to five parts (Unicode
Technical Standard 51), and words in Indic scripts and Arabic."""
_ACTING = re.compile(
    "[" + "".join(map(chr, (0x7F, *range(0x80, 0xA0), 0xAD, 0x2028, 0x2029, *_BIDI, *_UNSEEN, *_FILLERS))) + "]|"
    "[\u200c\u200d\U000e0000-\U000e0fff]"
)
_MOST_MARKS = 8
"""Combining characters on one letter, at most; no script needs more in a word."""
_PILE = re.compile(rf"(?:[^\w\s\x00-\x7f]|[\u1160-\u11ff\ud7b0-\ud7ff]){{{_MOST_MARKS + 1},}}")


def visible(text: str) -> str:
    """Replace control characters, bidirectional overrides and invisible characters by symbols; keep newlines."""
    whole = text.replace("\r\n", "\n")
    parts = _JOINED.split(whole if whole.isascii() else _PILE.sub(_without_piles, whole))
    return "".join(part if index % 2 else part.translate(_SYMBOLS) for index, part in enumerate(parts))


def _without_piles(found: re.Match[str]) -> str:
    """Keep a few of the marks on one letter and write the number of the rest, because thousands block a terminal."""
    told, length = [], 0
    for character in found[0]:
        length = length + 1 if _is_mark(character) else 0
        if length <= _MOST_MARKS:
            told.append(character)
        elif length == _MOST_MARKS + 1:
            told.append("")
        if length > _MOST_MARKS:
            told[-1] = f"<+{length - _MOST_MARKS:,} marks>"
    return "".join(told)


def _is_mark(character: str) -> bool:
    """Return whether a character combines with the one before: a mark, a joiner, a vowel or final of Hangul."""
    joins = character in "\u200c\u200d" or "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff"
    return joins or unicodedata.category(character) in {"Mn", "Me"}


def one_line(text: str) -> str:
    """Return text on one line: runs of white space become one space, control characters symbols."""
    return visible(re.sub(r"\s+", " ", text))


def escaped_json(document: str) -> str:
    """Escape control and invisible characters in a JSON document, without changing the decoded value.

    They only occur in its strings, where each may be written as one or two ``\\uXXXX`` (RFC 8259).
    """
    return _ACTING.sub(lambda found: json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f", document)
