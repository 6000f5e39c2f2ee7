"""The tree of wings, rooms, closets and drawers; places are listed when they are opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import BindingType
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from palace_cli.clock import shown
from palace_cli.render.visible import one_line
from palace_cli.tui.keys import key
from palace_cli.tui.places import DrawerChosen, Level, Mark, Page, Place, PlacePassed, PlaceWanted, Step

Node = TreeNode[Place | None]


ROOM_FOR_DATES = 48
"""The width of the tree from which on dates are shown."""


class PalaceTree(Tree[Place | None], inherit_bindings=False):
    """The palace as a tree. It posts which contents it needs (``PlaceWanted``), and which drawer was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("up,k", "cursor_up", "Up", "tree.up", "Go a line up."),
        key("down,j", "cursor_down", "Down", "tree.down", "Go a line down."),
        key("pageup", "page_up", "Page up", "tree.page-up", "Go a page up."),
        key("pagedown", "page_down", "Page down", "tree.page-down", "Go a page down."),
        key("home", "scroll_home", "First", "tree.first", "Go to the first line."),
        key("end", "scroll_end", "Last", "tree.last", "Go to the last line."),
        key("right", "open", "Open", "tree.open", "Open a place, or go into it."),
        key("left", "close", "Close", "tree.close", "Close a place, or go to what it is in."),
        key("enter", "select_cursor", "Open", "tree.choose", "Read a drawer; open or close a place.", show=True),
        key("space", "toggle_node", "Open or close", "tree.toggle", "Open or close a place."),
    ]

    def __init__(self) -> None:
        super().__init__(Text("palace"), None, id="tree")
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = False
        self._begins: dict[str, Mark] = {}
        """The mark at which the listed part of each place begins, by the place's key."""

    @property
    def place(self) -> Place | None:
        return self.cursor_node.data if self.cursor_node else None

    @property
    def wings(self) -> list[Place]:
        return [node.data for node in self.root.children if node.data and node.data.level is Level.WING]

    def find(self, place: Place | None) -> Node | None:
        """Return the line of a place; the root for the palace."""
        return self.root if place is None else self._by_key().get(place.key)

    def _by_key(self) -> dict[str, Node]:
        found, waiting = dict[str, Node](), list(self.root.children)
        while waiting:
            node = waiting.pop()
            waiting.extend(node.children)
            found[_key(node.data)] = node
        return found

    def fill(self, place: Place | None, page: Page, *, goes_on: bool = False) -> None:
        """Show a page of a place's contents below its line, or behind those listed, if the place is in the tree."""
        node = self.find(place)
        if node is None:
            return
        if goes_on:
            self._keep_view(lambda: self._add_page(node, page))
        else:
            self._keep_view(lambda: self._put_page(node, page))
        node.expand()
        if self.cursor_line < 0 and page.places:
            self.cursor_line = 0

    def _put_page(self, node: Node, page: Page) -> None:
        """Replace the contents of a line by a page; lines that stay keep what is open below them."""
        self._begins[_key(node.data)] = page.behind
        wanted = {each.key for each in page.lines}
        for child in list(node.children):
            if child.data is None or child.data.key not in wanted or child.data.level is Level.MORE:
                child.remove()
        known = self._by_key()
        for at, place in enumerate(page.lines):
            there = node.children[at] if at < len(node.children) else None
            if there is not None and _key(there.data) == place.key:
                _update(there, place)
                continue
            if place.level is not Level.MORE and place.key in known:
                known.pop(place.key).remove()
            _add(node, place, at)

    def _add_page(self, node: Node, page: Page) -> None:
        """Append a page to the contents of a line, instead of the line "… more"."""
        last = node.children[-1] if node.children else None
        if last is not None and last.data is not None and last.data.level is Level.MORE:
            last.remove()
        known = self._by_key()
        for place in page.places:
            if place.key not in known:
                _add(node, place)
        if page.more:
            _add(node, page.more)

    def update_places(self, places: Sequence[Place]) -> None:
        known = self._by_key()
        for place in places:
            if place.key in known:
                _update(known[place.key], place)
        self._invalidate()

    def lead(self, steps: Sequence[Step]) -> None:
        """Open the tree down to a place, and move the cursor there."""
        node = None
        for step in steps:
            above = self.find(step.within)
            if above is None:
                return
            if self.find(step.to) is None:
                self._put_page(above, step.page)
            above.expand()
            node = self.find(step.to)
        if node is not None:
            self._go_to(node)

    def go_to(self, place: Place) -> bool:
        """Move the cursor to the line of a place; return False if it has none."""
        node = self.find(place)
        if node is None or node.line < 0:
            return False
        self._go_to(node)
        return True

    def _go_to(self, node: Node) -> None:
        assert self._tree_lines is not None
        self.cursor_line = node.line
        self.call_after_refresh(self.scroll_to_node, node, animate=False)

    def opened(self) -> Iterator[tuple[Place | None, Mark, int]]:
        """Yield the open places in view, each with the mark its list begins at and the number of lines."""
        yield None, self._begins.get(""), len(self.root.children)
        top = self.scroll_offset.y
        in_view = self._tree_lines[top : top + self.size.height]
        seen: set[str] = set()
        for line in in_view:
            for node in line.path:
                if node.data and node.is_expanded and node.children and node.data.key not in seen:
                    seen.add(node.data.key)
                    yield node.data, self._begins.get(node.data.key), len(node.children)

    def _keep_view(self, change: Callable[[], object]) -> None:
        """Change lines, but keep the cursor and the first visible line, however many are added above."""
        lines = self._tree_lines
        top = self.scroll_offset.y
        seen = lines[top].node if top < len(lines) else None
        cursor, above = self.place, self.cursor_node.parent if self.cursor_node else None
        change()
        lines = self._tree_lines
        if seen is not None and seen.data is not None and self.find(seen.data) is seen and seen.line != top:
            self.scroll_to(y=seen.line, animate=False, force=True)
        if cursor is not None and cursor.level is not Level.MORE and self.find(cursor) is None:
            # The line of the cursor is gone: the cursor stays near.
            line = min(max(self.cursor_line, 0), len(lines) - 1)
            self.cursor_line = line if above is None or above.line < 0 else max(above.line, line)

    def watch_show_vertical_scrollbar(self) -> None:
        self._line_cache.clear()

    def get_label_width(self, node: Node) -> int:  # noqa: ARG002 — every line is
        """Return 1: lines are cut at the width of the tree, and nothing scrolls sideways."""
        return 1

    def render_label(self, node: Node, base_style: Style, style: Style) -> Text:
        """Draw a place: its name, how much is in it, and its date."""
        place = node.data
        if place is None:
            return Text("palace", style)
        depth, above = 0, node.parent
        while above is not None and above is not self.root:
            depth, above = depth + 1, above.parent
        width = self.scrollable_content_region.width
        room = width - depth * self.guide_depth
        styled = base_style + style + Style(dim=place.is_faint or place.level is Level.MORE or None)
        sign = ("▾ " if node.is_expanded else "▸ ") if node.allow_expand else ""
        beside = _beside(place, width)
        left = max(room - len(beside), 4)
        name = Text(sign + one_line(place.name), styled, no_wrap=True)
        if name.cell_len > left and place.shared:
            name = Text(f"{sign}…{one_line(place.name[place.shared :])}", styled, no_wrap=True)
        name.truncate(left, overflow="ellipsis", pad=bool(beside))
        return name.append(beside, base_style + style + Style(dim=True))

    def on_tree_node_selected(self, event: Tree.NodeSelected[Place | None]) -> None:
        event.stop()
        place, above = event.node.data, event.node.parent
        if place is None:
            return
        if place.level is Level.DRAWER:
            self.post_message(DrawerChosen(str(place.pointer)))
        elif place.level is Level.MORE:
            self.post_message(PlaceWanted(above.data if above else None, place.mark, goes_on=place.mark is not None))
        else:
            event.node.toggle()

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[Place | None]) -> None:
        event.stop()
        if event.node.data is not None and not event.node.children:
            self.post_message(PlaceWanted(event.node.data))

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[Place | None]) -> None:
        event.stop()
        if self.has_focus:
            self.on_focus()

    def on_focus(self) -> None:
        """Post what the cursor is on: the other pane shows it."""
        place = self.place
        if place is not None:
            is_drawer = place.level is Level.DRAWER
            self.post_message(DrawerChosen(str(place.pointer), enters=False) if is_drawer else PlacePassed())

    def action_open(self) -> None:
        node = self.cursor_node
        if node is None or not node.allow_expand:
            return
        if node.is_expanded and node.children:
            self.move_cursor(node.children[0])
        else:
            node.expand()

    def action_close(self) -> None:
        node = self.cursor_node
        if node is None:
            return
        if node.is_expanded and node.allow_expand:
            node.collapse()
        elif node.parent is not None and node.parent is not self.root:
            self.move_cursor(node.parent)


def _key(place: Place | None) -> str:
    return place.key if place else ""


def _add(node: Node, place: Place, at: int | None = None) -> None:
    node.add(Text(""), place, before=at, allow_expand=place.has_contents)


def _update(node: Node, place: Place) -> None:
    """Update the line of a place; a wing keeps its count until it is counted again."""
    known = node.data
    if place.count is None and place.level is Level.WING and known is not None:
        place = replace(known, name=place.name, pointer=place.pointer)
    if known != place:
        node.data = place
        node.refresh()


def _beside(place: Place, width: int) -> str:
    """Return how much is in a place, and its date if there is room beside the name."""
    parts = [f"{place.count:,}"] if place.count is not None else []
    day = f"{shown(place.when):%Y-%m-%d}" if place.when else ""
    if day not in place.name and width >= ROOM_FOR_DATES and place.level is not Level.DRAWER:
        parts.append(day)
    return " " + " ".join(parts) if parts else ""
