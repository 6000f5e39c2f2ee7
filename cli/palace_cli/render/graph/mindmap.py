"""Where the members of a neighbourhood stand in a picture: in columns on both sides of the one that was asked for.

Each member has a row of its own on its side, and its relation's label stands on the straight end of the line that leads
to it, in a gap as wide as the widest label there. So no two labels can overlap, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from palace.records import Link, Neighbourhood, Standing
from palace_cli.render.graph.tree import Branch, branches, told
from palace_cli.render.visible import one_line

SIZE = 14
"""Of names, in pixels; labels have LABEL."""
LABEL = 11.5
BOX = 32
LINE = 15
BEND = 44
"""How wide a line's bend is."""
MARGIN = 28
LONGEST = 30
"""Characters of a name that are shown; the whole of it is told when pointed at."""
_NARROW = frozenset("iIljtfr.,:;'|!()[] ")
_WIDE = frozenset("mwMW@%—→←")


@dataclass(frozen=True, slots=True)
class Box:
    """A member at its place."""

    place: int
    x: float
    y: float
    """Its middle, as x is."""
    width: float
    text: str

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Line:
    """The relations that lead from one member to another, further out."""

    start: tuple[float, float]
    """At the edge of the nearer one."""
    bend: float
    """x at which the nearer one's column ends and the bend begins."""
    straight: float
    """x at which the bend is over."""
    end: tuple[float, float]
    """At the edge of the other."""
    above: tuple[str, ...]
    below: str
    points_out: bool
    points_in: bool
    """Whether relations lead away from the middle, and towards it."""
    is_past: bool = False
    """Whether all of them are over."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything at its place."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    """In the order of the members."""
    lines: tuple[Line, ...]


def picture(around: Neighbourhood, *, head: float = 0, foot: float = 0) -> Picture:
    """Lay a neighbourhood out, with room above and below for what is said of it."""
    root, _ = branches(around)
    right, left = _sides(root)
    middle = _width(root)
    height = max(_height(right), _height(left), BOX) + 2 * MARGIN + head + foot
    reach = (_reach(right), _reach(left))
    x, y = MARGIN + reach[1] + middle / 2, head + (height - head - foot) / 2
    boxes, lines = {0: _box(root, x, y)}, list[Line]()
    for side, direction in ((right, 1), (left, -1)):
        columns = _columns(side, x + direction * middle / 2, direction)
        _Side(direction, columns, boxes, lines).place(side, boxes[0], y - _height(side) / 2)
    width = 2 * MARGIN + middle + sum(reach)
    return Picture(width, height, tuple(boxes[place] for place in sorted(boxes)), tuple(lines))


def text_width(text: str, size: float = SIZE) -> float:
    """Guess how wide a text is in a common sans-serif, rather too wide than too narrow."""
    return size * 1.04 * sum(_advance(letter) for letter in text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Write a remembered text on one line, cut where it is too long."""
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _advance(letter: str) -> float:
    if combining(letter):
        return 0
    if east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF:
        return 1.05
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE:
        return 0.92
    return 0.69 if letter.isupper() else 0.57


def _sides(root: Branch) -> tuple[list[Branch], list[Branch]]:
    """Share what is reached at once out between right and left, so that both are about as high."""
    right: list[Branch] = []
    left: list[Branch] = []
    half = sum(_room(child) for child in root.children) / 2
    for child in root.children:
        (right if _height(right) + _room(child) / 2 <= half or not right else left).append(child)
    return right, left


def _height(side: list[Branch]) -> float:
    return sum(_room(child) for child in side)


def _room(branch: Branch) -> float:
    """Tell how high a branch is: its own row, or all of its children's."""
    lines = len(_above(branch)) or 1
    own = max(BOX + 14, 2 * (lines * LINE + 8))
    return max(own, _height(branch.children))


def _above(branch: Branch, direction: int = 1) -> tuple[str, ...]:
    if len(branch.links) == 1:
        return (told(branch.links[0]),)
    return tuple(_pointed(link, to_the_right=branch.is_object(link) == (direction > 0)) for link in branch.links)


def _pointed(link: Link, *, to_the_right: bool) -> str:
    """Write one of several relations on a line, with the way it leads."""
    said = f"{told(link)} · {link.when}" if link.when else told(link)
    return f"{said} →" if to_the_right else f"← {said}"


def _below(branch: Branch) -> str:
    return branch.links[0].when if len(branch.links) == 1 else ""


def _width(branch: Branch) -> float:
    size = SIZE + 2 if branch.place == 0 else SIZE
    return max(text_width(shortened(branch.member.name), size) + 26, 2 * BOX)


def _label_width(branch: Branch) -> float:
    return max(text_width(text, LABEL) for text in (*_above(branch), _below(branch), "")) + 26


def _levels(side: list[Branch]) -> Iterator[list[Branch]]:
    while side:
        yield side
        side = [child for branch in side for child in branch.children]


def _reach(side: list[Branch]) -> float:
    return sum(BEND + max(map(_label_width, level)) + max(map(_width, level)) for level in _levels(side))


def _columns(side: list[Branch], edge: float, direction: int) -> dict[int, tuple[float, float, float]]:
    """Give of each distance where the column before it ends, where labels begin, and where boxes do."""
    columns: dict[int, tuple[float, float, float]] = {}
    for level in _levels(side):
        labels = edge + direction * BEND
        boxes = labels + direction * max(map(_label_width, level))
        columns[level[0].member.hops] = (edge, labels, boxes)
        edge = boxes + direction * max(map(_width, level))
    return columns


def _box(branch: Branch, x: float, y: float) -> Box:
    return Box(branch.place, x, y, _width(branch), shortened(branch.member.name))


@dataclass(slots=True)
class _Side:
    """One side of the middle while it is filled."""

    direction: int
    """1 to the right, -1 to the left."""
    columns: dict[int, tuple[float, float, float]]
    boxes: dict[int, Box]
    lines: list[Line]

    def place(self, branches: list[Branch], parent: Box, top: float) -> None:
        """Put branches one below the other into the rows from ``top`` on."""
        for branch in branches:
            bend, straight, edge = self.columns[branch.member.hops]
            y = top + _room(branch) / 2
            box = self.boxes[branch.place] = _box(branch, edge + self.direction * _width(branch) / 2, y)
            out = [branch.is_object(link) for link in branch.links]
            start = parent.right if self.direction > 0 else parent.left
            ends = (start, parent.y), (edge, y)
            label = _above(branch, self.direction), _below(branch)
            over = all(link.standing is Standing.PAST for link in branch.links)
            self.lines.append(Line(ends[0], bend, straight, ends[1], *label, any(out), not all(out), over))
            self.place(branch.children, box, y - _height(branch.children) / 2)
            top += _room(branch)
