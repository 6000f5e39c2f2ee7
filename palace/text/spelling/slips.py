"""Which edits are slips of the fingers or of spelling, and which make another word, or another form of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.text.spelling.distance import Edit

LONG = 6
"""Letters from which on a letter may be missing, too much, or the one beside it; in a shorter word letters are only
swapped or doubled, as most else makes a word that somebody may well mean."""
LONGER = 8
"""Letters from which on any letter may be another, and two edits may be slips, a vowel for another among them."""
ENDING = 3
"""Letters at the end in which words differ that are forms of one another."""
_VOWELS = "aeiouy"
_ROWS = (("qwertyuiop", "asdfghjkl", "zxcvbnm"), ("qwertzuiop", "asdfghjkl", "yxcvbnm"))


def are_slips(typed: str, meant: str, edits: Sequence[Edit]) -> bool:
    """Tell whether what was typed is most likely the word that was meant, after so few edits."""
    if not edits or abs(len(typed) - len(meant)) > 1:
        return False
    light = [_is_swap(edit) or _is_doubling(edit, typed, meant) for edit in edits]
    if all(light):
        return True
    if _differ_in_ending(typed, meant):
        return False
    return all(ok or _is_slip(edit, typed, meant, len(edits)) for ok, edit in zip(light, edits, strict=True))


def _is_swap(edit: Edit) -> bool:
    return len(edit.typed) == 2


def _is_doubling(edit: Edit, typed: str, meant: str) -> bool:
    """Tell whether a letter was typed twice that stands there once, or once that stands there twice."""
    letter = edit.typed or edit.meant
    if len(edit.typed) + len(edit.meant) != 1:
        return False
    return letter * 2 in (typed if edit.typed else meant) and letter in (
        typed[edit.place - 1 : edit.place],
        typed[edit.place + len(edit.typed) : edit.place + len(edit.typed) + 1],
    )


def _differ_in_ending(typed: str, meant: str) -> bool:
    """Tell whether they differ in their last letters alone: forms and relatives of a word do."""
    shared = next((n for n, (one, other) in enumerate(zip(typed, meant, strict=False)) if one != other), None)
    return shared is None or shared >= max(len(typed), len(meant)) - ENDING


def _is_slip(edit: Edit, typed: str, meant: str, edits: int) -> bool:
    if min(len(typed), len(meant)) < LONG or edit.place == 0:
        return False
    if not edit.typed or not edit.meant or _beside(edit.typed, edit.meant):
        return True
    return len(typed) >= LONGER and (edits == 1 or (edit.typed in _VOWELS and edit.meant in _VOWELS))


def _beside(one: str, other: str) -> bool:
    """Tell whether two letters are beside each other on a keyboard."""
    for rows in _ROWS:
        places = {letter: (row, place) for row, letters in enumerate(rows) for place, letter in enumerate(letters)}
        if one in places and other in places:
            (row, place), (other_row, other_place) = places[one], places[other]
            if row == other_row and abs(place - other_place) == 1:
                return True
    return False
