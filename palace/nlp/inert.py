"""Text quoted to a model so that it can only be read: no markup in it acts, and nothing in it is hidden. Pure.

What is markup here, or does not show, is written out as an entity (``&lt;``, ``&#x202E;``), the ampersand itself as
``&amp;``; so each text has one quotation and each quotation one text. Letters of every script and emoji stay as they
are, with the joiners and selectors that belong to them.
"""

from __future__ import annotations

import re
import unicodedata

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "§": "&sect;", "|": "&#x7C;"}

_CHARACTERS = {written: character for character, written in _NAMED.items()}
_ENTITY = re.compile("&(?:amp|lt|gt|quot|sect|#x(0?[0-9A-F]{1,5}|10[0-9A-F]{4}));")

_MARKUP = "&<>§"
"""What the blocks and prompts of ours are made of; ``§`` begins a pointer and nothing else."""

_LOOK_ALIKE = "\uff1c\uff1e\uff06\ufe64\ufe65\ufe60\u02c2\u02c3"
"""Full-width and small brackets and ampersands, which pass for those of markup."""

_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800"
    "\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Controls, line separators, what has no width or turns the direction of a line, tags, variation selectors, blanks."""

_TEXT = re.compile(f"[{_MARKUP}{_LOOK_ALIKE}{_UNSEEN}]")
_BARS = '"|\u01c0\u05c0\u2223\u2502\u2503\u2758\u2759\u275a\uff5c\uffe8\uff02\u201c\u201d\u201e\u201f\u2033'
_NAME = re.compile(f"[{_MARKUP}{_LOOK_ALIKE}{_UNSEEN}{_BARS}]")

_JOINERS = "\u200c\u200d"
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
"""England, Scotland and Wales: the only emoji that are written with tags."""


def inert(text: str) -> str:
    """Quote a text on one line; white space of any kind and length is one space."""
    return _quoted(_TEXT, " ".join(text.split()))


def inert_line(line: str) -> str:
    """Quote one line with the spaces that it has; white space of any other kind is a space."""
    return _quoted(_TEXT, re.sub(r"\s", " ", line))


def inert_name(name: str) -> str:
    """Quote a name for between quotation marks, which it cannot end; no bar in it divides a line."""
    return _quoted(_NAME, " ".join(name.split()))


def inert_letters(name: str) -> str:
    """Quote a name as ``inert_name`` does, with the spaces that it has, so that ``quoted_letters`` reads it back.

    A backslash, with which older quotations were made, is written out as well, and so is a mark that begins the name.
    """

    def is_kept(place: int, character: str) -> bool:
        is_drawn_upon = not place and unicodedata.category(character).startswith("M")
        return character.isprintable() and not is_drawn_upon and character != "\\" and not _NAME.match(character)

    return "".join(each if is_kept(place, each) else _entity(each) for place, each in enumerate(name))


def quoted_letters(written: str) -> str:
    """Return the name that ``inert_letters`` quoted."""
    return _ENTITY.sub(lambda found: _CHARACTERS.get(found[0]) or chr(int(found[1], 16)), written)


def _quoted(pattern: re.Pattern[str], line: str) -> str:
    written = pattern.sub(_written, line)
    first = len(line) - len(line.lstrip(" "))
    if line[first:] and unicodedata.category(line[first]).startswith("M") and written.startswith(line[first], first):
        # It would be drawn upon what stands in front of the text.
        return written[:first] + _entity(line[first]) + written[first + 1 :]
    return written


def _written(found: re.Match[str]) -> str:
    """Write out one character, unless it belongs to its neighbours as writing and emoji need it."""
    character, text, place = found[0], found.string, found.start()
    if character in _JOINERS:
        is_kept = _joins(text, place - 1) and _joins(text, place + 1)
    elif "\ufe00" <= character <= "\ufe0f" or character >= "\U000e0100":
        is_kept = _selects(text, place)
    else:
        is_kept = character >= "\U000e0020" and _in_flag(text, place)
    return character if is_kept else _entity(character)


def _entity(character: str) -> str:
    return _NAMED.get(character) or f"&#x{ord(character):X};"


def _joins(text: str, place: int) -> bool:
    """Whether joiners mean something next to what stands there: letters and marks beyond ASCII, emoji."""
    neighbour = text[place] if 0 <= place < len(text) else ""
    if neighbour == "\ufe0f":
        return _selects(text, place)
    return neighbour > "\x7f" and unicodedata.category(neighbour)[0] in "LMS" and not _TEXT.match(neighbour)


def _selects(text: str, place: int) -> bool:
    """Whether a selector chooses how the character before it looks: as an emoji or text, or one way of an ideograph."""
    before = text[place - 1] if place else ""
    if not before or _TEXT.match(before):
        return False
    category = unicodedata.category(before)
    if text[place] in "\ufe0e\ufe0f":
        return category in {"So", "Sm", "Sk", "Po", "Nd"}
    return category == "Lo" and before >= "\u2e80"


def _in_flag(text: str, place: int) -> bool:
    begin = text.rfind("\U0001f3f4", max(place - len(_FLAGS[0]) + 1, 0), place)
    return begin >= 0 and text.startswith(_FLAGS, begin)
