"""What stands around an entity: a tree to walk, and a map where there is room."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, Tree
from textual.widgets.tree import TreeNode

from palace.models import Member, Neighbourhood
from palace_cli.render.graph import Branch, branches, told
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
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 1 else "…"[:width]


ALONE = "nothing stands next to it now"


@dataclass
class EntityWanted(Message):
    """A person wants to see an entity."""

    member: Member


class NeighbourTree(Tree[Branch]):
    """Neighbours, and theirs. Who chooses one that is no mere value is led to it (``EntityWanted``)."""

    def __init__(self, id: str) -> None:
        super().__init__("", id=id)
        self.auto_expand = False
        self.guide_depth = 2

    def show(self, around: Neighbourhood) -> None:
        root, _ = branches(around)
        self.clear()
        self.root.data = root
        _grow(self.root, root)
        if not root.children:
            self.root.add_leaf(ALONE)
        self.root.expand_all()
        self.cursor_line = 0

    def render_label(self, node: TreeNode[Branch], base_style: Style, style: Style) -> Text:
        label = Text(style=base_style + style, no_wrap=True)
        branch = node.data
        if branch is None:
            return label.append(ALONE, Style(dim=True))
        name = one_line(branch.member.name)
        if not branch.links:
            return label.append(name)
        link = branch.links[0]
        label.append(f"{told(link)} → {name}" if branch.is_object(link) else f"← {told(link)} — {name}")
        more = f" and {len(branch.links) - 1} more" if len(branch.links) > 1 else ""
        return label.append(f"  {link.when}{more}", Style(dim=True))

    def on_tree_node_selected(self, event: Tree.NodeSelected[Branch]) -> None:
        event.stop()
        branch = event.node.data
        if branch is None or branch.place == 0:
            return
        if branch.member.type is None:
            self.notify("that is a value: nothing is known of it beside", markup=False)
        else:
            self.post_message(EntityWanted(branch.member))


class NeighbourMap(VerticalScroll):
    """Neighbours drawn around the name."""

    def __init__(self, id: str) -> None:
        super().__init__(Static(id="map-drawn", markup=False), id=id)
        self._around: Neighbourhood | None = None

    def show(self, around: Neighbourhood) -> None:
        self._around = around
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_show(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._around is None or not self.size.width:
            return
        drawn = map_lines(self._around, self.size.width, max(self.size.height, 1))
        if drawn is None:
            alone = len(self._around.members) < 2
            told = ALONE if alone else "no room to draw it: n shows it as a tree"
            drawn = (told,)
        self.query_one("#map-drawn", Static).update(Content("\n".join(drawn)))


def _grow(node: TreeNode[Branch], branch: Branch) -> None:
    for child in branch.children:
        _grow(node.add("", child, allow_expand=bool(child.children)), child)
