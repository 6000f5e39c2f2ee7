"""The lines of the tree by what they show, kept in step with what stands there as that changes."""

from __future__ import annotations

from rich.text import Text
from textual.widgets.tree import TreeNode

from palace_cli.tui.source.places import Level, Mark, Page, Place

Node = TreeNode[Place | None]


class Nodes:
    """Every line below a root, found by its place's key."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._by_key: dict[str, Node] = {}
        self._begins: dict[str, Mark] = {}

    def find(self, place: Place | None) -> Node | None:
        """Find the line of a place; the root for None."""
        return self._root if place is None else self._by_key.get(place.key)

    def begins(self, place: Place | None) -> Mark:
        """Give what the listed part of a place stands behind."""
        return self._begins.get(_key(place))

    def put(self, node: Node, page: Page) -> None:
        """Show a page below a line in the place of what is there; lines that stay keep what is open below them."""
        self._begins[_key(node.data)] = page.behind
        wanted = {each.key: each for each in page.lines}
        for child in list(node.children):
            if child.data is None or child.data.key not in wanted or child.data.level is Level.MORE:
                self._drop(child)
        for at, place in enumerate(page.lines):
            there = node.children[at] if at < len(node.children) else None
            if there is not None and there.data is not None and there.data.key == place.key:
                self._update(there, place)
                continue
            moved = self._by_key.get(place.key)
            if moved is not None:
                self._drop(moved)
            self._add(node, place, at)

    def add(self, node: Node, page: Page) -> None:
        """Show a page behind what is below a line; what stood for it goes."""
        last = node.children[-1] if node.children else None
        if last is not None and last.data is not None and last.data.level is Level.MORE:
            self._drop(last)
        for place in page.places:
            if place.key not in self._by_key:
                self._add(node, place, len(node.children))
        if page.more:
            self._add(node, page.more, len(node.children))

    def update(self, place: Place) -> None:
        """Show what is known of a place by now, where it is shown."""
        node = self._by_key.get(place.key)
        if node is not None:
            self._update(node, place)

    def _update(self, node: Node, place: Place) -> None:
        if place.count is None and node.data is not None and place.level is Level.WING:
            return self._rename(node, place)
        if node.data != place:
            node.data = place
            node.refresh()
        return None

    def _rename(self, node: Node, place: Place) -> None:
        """What a wing holds is counted later: until then it is as it was."""
        known = node.data
        if known is not None and (known.name, known.pointer) != (place.name, place.pointer):
            node.data = place
            node.refresh()

    def _add(self, node: Node, place: Place, at: int) -> None:
        made = node.add(Text(""), place, before=at, allow_expand=place.is_open_ended)
        if place.level is not Level.MORE:
            self._by_key[place.key] = made

    def _drop(self, node: Node) -> None:
        waiting = [node]
        while waiting:
            each = waiting.pop()
            waiting.extend(each.children)
            key = _key(each.data)
            if self._by_key.get(key) is each:
                del self._by_key[key]
                self._begins.pop(key, None)
        node.remove()


def _key(place: Place | None) -> str:
    return place.key if place else ""
