"""What stands around an entity: a tree to walk, and a map where there is room."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, Tree
from textual.widgets.tree import TreeNode

from palace.records import Member, Neighbourhood
from palace_cli.render.graph.tree import Branch, branches, told
from palace_cli.render.visible import one_line
from palace_cli.tui.drawing.map import map_lines

ALONE = "nothing stands next to it now"


class EntityWanted(Message):
    """A person wants to see an entity."""

    def __init__(self, member: Member) -> None:
        super().__init__()
        self.member = member


class NeighbourTree(Tree[Branch]):
    """Neighbours, and theirs. Who chooses one that is no mere value is led to it (``EntityWanted``)."""

    def __init__(self, id: str) -> None:
        super().__init__("", id=id)
        self.auto_expand = False
        self.guide_depth = 2

    def show(self, around: Neighbourhood) -> None:
        """Show a neighbourhood."""
        root, _ = branches(around)
        self.clear()
        self.root.data = root
        _grow(self.root, root)
        if not root.children:
            self.root.add_leaf(ALONE)
        self.root.expand_all()
        self.cursor_line = 0

    def render_label(self, node: TreeNode[Branch], base_style: Style, style: Style) -> Text:
        """Show what leads there, and since when."""
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
        """Go there."""
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
        """Draw a neighbourhood."""
        self._around = around
        self._draw()

    def on_resize(self) -> None:
        """Draw it as wide as there is room."""
        self._draw()

    def on_show(self) -> None:
        """Draw it for the first time."""
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
