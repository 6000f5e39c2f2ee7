"""The neighbours of an entity, as a tree to walk."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.message import Message
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from palace.models import Member, Neighbourhood
from palace_cli.render.graph import Branch, branches, told
from palace_cli.render.visible import one_line

ALONE = "nothing stands next to it now"


@dataclass
class EntityWanted(Message):
    """An entity was chosen."""

    member: Member


class NeighbourTree(Tree[Branch]):
    """Neighbours, and their neighbours. Choosing one that is an entity shows it (``EntityWanted``)."""

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

    def get_label_width(self, node: TreeNode[Branch]) -> int:  # noqa: ARG002 — every line is
        """Return 1: lines are cut at the width of the tree, and nothing scrolls sideways."""
        return 1

    def on_tree_node_selected(self, event: Tree.NodeSelected[Branch]) -> None:
        event.stop()
        branch = event.node.data
        if branch is None or branch.place == 0:
            return
        if branch.member.type is None:
            self.notify("that is a value: nothing is known of it beside", markup=False)
        else:
            self.post_message(EntityWanted(branch.member))


def _grow(node: TreeNode[Branch], branch: Branch) -> None:
    for child in branch.children:
        _grow(node.add("", child, allow_expand=bool(child.children)), child)
