"""What stands next to an entity, drawn around its name: half of it on either side."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from palace.records import Neighbourhood
from palace_cli.render.graph.tree import Branch, branches, told
from palace_cli.render.visible import one_line

_LEAST = 10
"""Columns that each side has at least: below, nothing is drawn."""
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_JOINTS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""By the directions that lines leave in."""


def map_lines(around: Neighbourhood, width: int, height: int) -> tuple[str, ...] | None:
    """Draw an entity with what is one relation away; None where there is nothing, or no room.

    Every line is ``width`` columns wide.
    """
    root, _ = branches(around)
    labels = root.children
    right, left = labels[: (len(labels) + 1) // 2], labels[(len(labels) + 1) // 2 :]
    rows = max(len(right), len(left))
    if not labels or rows > height:
        return None
    name = _fitted(one_line(root.member.name), max(width - 2 * _LEAST - 6, 0))
    free = width - cell_len(name) - 6
    if not name or free < 2 * _LEAST:
        return None
    sides = (free // 2, free - free // 2) if left else (0, free)
    middle = (rows - 1) // 2
    drawn = []
    for row in range(rows):
        before = _label(left, row, rows, is_left=True)
        behind = _label(right, row, rows, is_left=False)
        centre = name if row == middle else " " * cell_len(name)
        drawn.append(
            _aligned(before, sides[0])
            + _joint(len(left), row, rows, middle, is_left=True)
            + centre
            + _joint(len(right), row, rows, middle, is_left=False)
            + set_cell_size(_fitted(behind, sides[1]), sides[1])
        )
    return tuple(drawn)


def _offset(count: int, rows: int) -> int:
    return (rows - count) // 2


def _label(side: list[Branch], row: int, rows: int, *, is_left: bool) -> str:
    place = row - _offset(len(side), rows)
    if not 0 <= place < len(side):
        return ""
    branch = side[place]
    name, link = one_line(branch.member.name), branch.links[0]
    more = f" +{len(branch.links) - 1}" if len(branch.links) > 1 else ""
    says = told(link)
    if is_left:
        return f"{name} ← {says}{more}" if branch.is_object(link) else f"{name} → {says}{more}"
    return f"{says} → {name}{more}" if branch.is_object(link) else f"{says} ← {name}{more}"


def _joint(count: int, row: int, rows: int, middle: int, *, is_left: bool) -> str:
    """Draw the three columns between the name and one side."""
    if count == 0:
        return "   "
    first = _offset(count, rows)
    last = first + count - 1
    outwards, inwards = (_LEFT, _RIGHT) if is_left else (_RIGHT, _LEFT)
    low, high = min(first, middle), max(last, middle)
    lines = (outwards if first <= row <= last else 0) | (inwards if row == middle else 0)
    lines |= (_UP if low < row <= high else 0) | (_DOWN if low <= row < high else 0)
    out = "─" if lines & outwards else " "
    into = "─" if lines & inwards else " "
    return f"{out}{_JOINTS[lines]}{into}" if is_left else f"{into}{_JOINTS[lines]}{out}"


def _aligned(text: str, width: int) -> str:
    fitted = _fitted(text, width)
    return " " * (width - cell_len(fitted)) + fitted


def _fitted(text: str, width: int) -> str:
    """Cut a text that is too wide."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 1 else "…"[:width]
