"""Escape text that is quoted to a model, so that no markup in it takes effect and nothing in it is invisible. Pure.

Markup and invisible characters become entities (``&lt;``, ``&#x202E;``); an ampersand becomes ``&amp;`` in names, and
in texts where an entity could begin ("&lt;", but not "R&D"), so that each escaped text has one meaning. Letters of
every script and emoji stay, with the joiners and selectors that belong to them.
"""

from __future__ import annotations

import re
import unicodedata

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "§": "&sect;", "|": "&#x7C;"}

_CHARACTERS = {written: character for character, written in _NAMED.items()}
_ENTITY = re.compile("&(?:amp|lt|gt|quot|sect|#x(0?[0-9A-F]{1,5}|10[0-9A-F]{4}));")

_MARKUP = "<>§"
"""Characters of the markup in Palace's blocks and prompts; ``§`` begins a pointer and nothing else."""

_LOOK_ALIKE = "\uff1c\uff1e\uff06\ufe64\ufe65\ufe60\u02c2\u02c3"
"""Full-width and small brackets and ampersands, which look like markup."""

_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800"
    "\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Controls, line separators, zero-width and direction characters, tags, variation selectors and blanks."""

_TEXT = re.compile(rf"[{_MARKUP}{_LOOK_ALIKE}{_UNSEEN}]|&(?=#|\w+;|[lgLG][tT])")
_BARS = '"|\u01c0\u05c0\u2223\u2502\u2503\u2758\u2759\u275a\uff5c\uffe8\uff02\u201c\u201d\u201e\u201f\u2033'
_NAME = re.compile(f"[&{_MARKUP}{_LOOK_ALIKE}{_UNSEEN}{_BARS}]")

_JOINERS = "\u200c\u200d"
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
"""The flags of England, Scotland and Wales, the only emoji that are encoded with tag characters."""


def inert(text: str) -> str:
    """Escape a text on one line; each run of white space becomes one space."""
    return _quoted(_TEXT, " ".join(text.split()))


def inert_line(line: str) -> str:
    """Escape one line, keeping its spaces; each other white-space character becomes a space."""
    return _quoted(_TEXT, re.sub(r"\s", " ", line))


def inert_name(name: str) -> str:
    """Escape a name to stand in quotation marks or between ``|``, both of which are escaped as well."""
    return _quoted(_NAME, " ".join(name.split()))


def inert_letters(name: str) -> str:
    """Escape a name as ``inert_name`` does, keeping its spaces, so that ``quoted_letters`` restores it.

    Backslashes, which older versions used for escaping, are escaped as well, and so is a combining mark at the start.
    """

    def is_kept(place: int, character: str) -> bool:
        is_drawn_upon = not place and unicodedata.category(character).startswith("M")
        return character.isprintable() and not is_drawn_upon and character != "\\" and not _NAME.match(character)

    return "".join(each if is_kept(place, each) else _entity(each) for place, each in enumerate(name))


def quoted_letters(written: str) -> str:
    """Return the name that ``inert_letters`` escaped."""
    return _ENTITY.sub(lambda found: _CHARACTERS.get(found[0]) or chr(int(found[1], 16)), written)


def _quoted(pattern: re.Pattern[str], line: str) -> str:
    written = pattern.sub(_written, line)
    first = len(line) - len(line.lstrip(" "))
    if line[first:] and unicodedata.category(line[first]).startswith("M") and written.startswith(line[first], first):
        # A combining mark would be drawn on the character before the text.
        return written[:first] + _entity(line[first]) + written[first + 1 :]
    return written


def _written(found: re.Match[str]) -> str:
    """Escape one character, unless it is a joiner or selector that its neighbours need."""
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
    """Check whether the character at an index can be joined: a letter or mark beyond ASCII, or an emoji."""
    neighbour = text[place] if 0 <= place < len(text) else ""
    if neighbour == "\ufe0f":
        return _selects(text, place)
    return neighbour > "\x7f" and unicodedata.category(neighbour)[0] in "LMS" and not _TEXT.match(neighbour)


def _selects(text: str, place: int) -> bool:
    """Check whether a selector chooses a variant of the character before it: emoji or text, or of an ideograph."""
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
