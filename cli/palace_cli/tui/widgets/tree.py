"""The tree: wings, rooms, closets and drawers, listed as they are opened."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from palace_cli.render.visible import one_line
from palace_cli.tui.messages import DrawerChosen, PlaceWanted
from palace_cli.tui.source.places import Level, Page, Place

Node = TreeNode[Place | None]


class PalaceTree(Tree[Place | None]):
    """The palace as a tree. It asks for what it has to show (``PlaceWanted``), and says which drawer was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "open", "Open", id="tree.open", tooltip="Open a place, or go into it.", show=False),
        Binding(
            "left", "close", "Close", id="tree.close", tooltip="Close a place, or go to what it is in.", show=False
        ),
    ]

    def __init__(self) -> None:
        super().__init__("palace", None, id="tree")
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = False

    def fill(self, place: Place | None, page: Page, after: Place | None = None) -> None:
        """Put a page of what stands in a place below its line; behind what is there, where ``after`` asked for it."""
        node = self.find(place)
        if node is None:
            return
        if after is None:
            node.remove_children()
        for child in list(node.children):
            if child.data is not None and child.data.level is Level.MORE:
                child.remove()
        for each in (*page.places, *((page.more,) if page.more else ())):
            node.add(each.name, each, allow_expand=each.level not in {Level.DRAWER, Level.MORE})
        node.expand()

    def find(self, place: Place | None) -> Node | None:
        """Find the line of a place."""
        if place is None:
            return self.root
        stack = list(self.root.children)
        while stack:
            node = stack.pop()
            if node.data is not None and node.data.key == place.key:
                return node
            stack.extend(node.children)
        return None

    @property
    def place(self) -> Place | None:
        """The place that the cursor is on."""
        return self.cursor_node.data if self.cursor_node else None

    def render_label(self, node: Node, base_style: Style, style: Style) -> Text:
        """Show a place: its name, how much is in it, and when it was."""
        place = node.data
        if place is None:
            return Text("palace", style)
        sign = "  " if not node.allow_expand else ("▾ " if node.is_expanded else "▸ ")
        label = Text(sign + one_line(place.name), base_style + style, no_wrap=True)
        faint = base_style + style + Style(dim=True)
        if place.count is not None:
            label.append(f" {place.count:,}", faint)
        if place.when is not None:
            label.append(f"  {place.when:%Y-%m-%d}", faint)
        return label

    def on_tree_node_selected(self, event: Tree.NodeSelected[Place | None]) -> None:
        """Open or close what was chosen; a drawer is shown."""
        event.stop()
        place = event.node.data
        if place is None:
            return
        if place.level is Level.DRAWER:
            self.post_message(DrawerChosen(str(place.pointer)))
        elif place.level is Level.MORE:
            parent = event.node.parent
            self.post_message(PlaceWanted(parent.data if parent else None, place))
        else:
            event.node.toggle()

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[Place | None]) -> None:
        """Ask for what stands in a place that is opened for the first time."""
        event.stop()
        if event.node.data is not None and not event.node.children:
            self.post_message(PlaceWanted(event.node.data))

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[Place | None]) -> None:
        """Show the drawer that the cursor comes to; the end of a page brings the next."""
        event.stop()
        place = event.node.data
        if place is not None and place.level is Level.DRAWER and self.has_focus:
            self.post_message(DrawerChosen(str(place.pointer)))

    def action_open(self) -> None:
        """Open the place under the cursor, or go to the first thing in it."""
        node = self.cursor_node
        if node is None or not node.allow_expand:
            return
        if node.is_expanded and node.children:
            self.move_cursor(node.children[0])
        else:
            node.expand()

    def action_close(self) -> None:
        """Close the place under the cursor, or go to the one that it is in."""
        node = self.cursor_node
        if node is None:
            return
        if node.is_expanded and node.allow_expand:
            node.collapse()
        elif node.parent is not None and node.parent is not self.root:
            self.move_cursor(node.parent)
