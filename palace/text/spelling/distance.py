"""What it takes to make one spelling of another, and what is one edit away from a word. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

LATIN = "abcdefghijklmnopqrstuvwxyzäöüßéèêàáâçñíóôúåøæ"
GREEK = "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ"
CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ"
ALPHABETS = (LATIN, GREEK, CYRILLIC)


class Edit(NamedTuple):
    """Letters that stand in one word where others stand in the other."""

    place: int
    """Where in the first word, from 0."""
    typed: str
    meant: str
    """One letter each, none where it was put in or left out, two where they were swapped."""


def edits_between(typed: str, meant: str, most: int) -> list[Edit] | None:
    """List the fewest letters to put in, leave out, replace, or swap with the next, to make a word of what was typed.

    Swapped letters are not touched again (optimal string alignment). None where it takes more than ``most``.
    """
    if abs(len(typed) - len(meant)) > most or len(set(typed) ^ set(meant)) > 2 * most:
        return None
    costs = [list(range(len(meant) + 1))]
    for row in range(1, len(typed) + 1):
        costs.append(_next_row(costs, typed, meant, row))
        if min(costs[-1]) > most and min(costs[-2]) > most:
            return None
    return _traced(costs, typed, meant) if costs[-1][-1] <= most else None


def one_edit_from(word: str) -> set[str]:
    """List every spelling that is one edit away from a word in lower case, in the letters of its alphabet."""
    return set(_edited(word)) - {word}


def pieces_of(word: str) -> tuple[str, str, str]:
    """Cut a word of six letters or more into three pieces: what is two edits away holds one of them, mostly.

    Two edits touch more than two pieces only where letters are swapped over the edge of one.
    """
    third, rest = divmod(len(word), 3)
    ends = (third + (rest > 0), 2 * third + rest)
    return word[: ends[0]], word[ends[0] : ends[1]], word[ends[1] :]


def _next_row(costs: Sequence[Sequence[int]], typed: str, meant: str, row: int) -> list[int]:
    above, made = costs[row - 1], [row]
    for column, letter in enumerate(meant, start=1):
        cost = min(made[column - 1] + 1, above[column] + 1, above[column - 1] + (letter != typed[row - 1]))
        if _are_swapped(typed, meant, row, column):
            cost = min(cost, costs[row - 2][column - 2] + 1)
        made.append(cost)
    return made


def _are_swapped(typed: str, meant: str, row: int, column: int) -> bool:
    if row < 2 or column < 2:
        return False
    one, other = typed[row - 2 : row], meant[column - 2 : column]
    return one == other[::-1] and one != other


def _traced(costs: Sequence[Sequence[int]], typed: str, meant: str) -> list[Edit]:
    """Follow the cheapest way back from the end."""
    row, column, edits = len(typed), len(meant), []
    while row or column:
        cost = costs[row][column]
        if _are_swapped(typed, meant, row, column) and cost == costs[row - 2][column - 2] + 1:
            row, column = row - 2, column - 2
            edits.append(Edit(row, typed[row : row + 2], meant[column : column + 2]))
        elif row and column and cost == costs[row - 1][column - 1] + (typed[row - 1] != meant[column - 1]):
            row, column = row - 1, column - 1
            if typed[row] != meant[column]:
                edits.append(Edit(row, typed[row], meant[column]))
        elif row and cost == costs[row - 1][column] + 1:
            row -= 1
            edits.append(Edit(row, typed[row], ""))
        else:
            column -= 1
            edits.append(Edit(row, "", meant[column]))
    return edits[::-1]


def _edited(word: str) -> Iterator[str]:
    letters = next((each for each in ALPHABETS if word[0] in each), "".join(dict.fromkeys(word)))
    for place in range(len(word) + 1):
        before, behind = word[:place], word[place:]
        for letter in letters:
            yield before + letter + behind
        if behind:
            yield before + behind[1:]
            for letter in letters:
                yield before + letter + behind[1:]
        if len(behind) > 1:
            yield before + behind[1] + behind[0] + behind[2:]
