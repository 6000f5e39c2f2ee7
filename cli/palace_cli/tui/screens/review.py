"""The review list: what is new or in doubt, handled with single keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from palace.errors import PalaceError
from palace.models import Drawer
from palace.models.review import ReviewCounts
from palace_cli.render.drawer import preview
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.places import DrawerChosen
from palace_cli.tui.reviewing import DEEDS, SECTIONS, Done, ReviewItem, mark_seen, proposed, rehearse_undo, undo_run
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.screens.dialogs import ConfirmScreen
from palace_cli.tui.widgets.rows import Rows, line, lines

FILED, DOUBTFUL = SECTIONS["f"], SECTIONS["d"]


class ReviewScreen(PageScreen):
    """One section at a time, and how many items are left in each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("space", "seen", "Seen", "review.seen", "Mark as seen: it is not listed again.", show=True),
        key("a", "all_seen", "All seen", "review.all", "Mark all that is listed as seen."),
        key("u", "undo", "Undo", "review.undo", "Take back what was done last.", show=True),
        *(
            key(each, f"do('{deed}')", title, f"review.{id}", tooltip, show=True)
            for each, deed, title, id, tooltip in (
                ("m", "merge", "Merge", "merge", "Doubtful: the two are one; the second name stays."),
                ("k", "keep", "Keep apart", "keep", "Doubtful: the two are two, for good."),
                ("y", "accept", "Accept", "accept", "Proposed: recall returns it from now on."),
                ("n", "reject", "Reject", "reject", "Proposed: it is not proposed again."),
            )
        ),
        key("z", "undo_run", "Take back", "review.run", "Filed: take the run back.", show=True),
        *(
            key(each, f"section('{each}')", section.name.capitalize(), f"review.{each}", section.tooltip)
            for each, section in SECTIONS.items()
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.section = FILED
        """The section that is listed."""
        self._items: dict[str, ReviewItem] = {}
        self._counts = (ReviewCounts(), 0)
        """What is left, and how many memories are proposed."""
        self._deeds = 0
        """How many changes are under way: a list loaded meanwhile may still contain their items."""

    def contents(self) -> ComposeResult:
        yield Static(id="review-counts", markup=False)
        yield Rows(id="review-rows")
        with VerticalScroll(id="review-detail", can_focus=False):
            yield Static(id="review-told", markup=False)

    def begin(self) -> None:
        self.rows.border_title = "Review"
        self.rows.focus()
        self._show_counts()
        self.look_when_changed(self._list_again)

    def _list_again(self) -> None:
        """List and count again, but not doubtful names, which may ask a model: they are listed on demand."""
        if self._deeds:
            return
        if self.section is DOUBTFUL:
            self._ask_counts()
        else:
            self.list_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable keys that do nothing in this section."""
        deed = str(parameters[0]) if action == "do" else action
        is_for_some = action in ("do", "seen", "all_seen", "undo_run")
        return self.section.offers(deed) if is_for_some else True

    def list_again(self) -> None:
        section = self.section
        self._show_counts()
        self.ask(lambda: tuple(section.items(self.palace)), lambda found: self._fill(section, found), group="items")
        self._ask_counts()

    def _ask_counts(self) -> None:
        self.ask(lambda: (self.palace.review.counts(), len(proposed(self.palace))), self._count, group="counts")

    def _count(self, counts: tuple[ReviewCounts, int]) -> None:
        self._counts = counts
        self._show_counts()

    def _show_counts(self) -> None:
        counts, waiting = self._counts
        left = (counts.filed, self.source.doubtful, counts.redacted, counts.changed, waiting)
        parts = []
        for (at, section), number in zip(SECTIONS.items(), left, strict=True):
            text = f"{at} {section.name} {'?' if number is None else f'{number:,}'}"
            parts.append(Content.styled(text, "bold reverse" if section is self.section else ""))
        self.query_one("#review-counts", Static).update(Content("  ").join(parts))

    def _fill(self, section: object, found: tuple[ReviewItem, ...]) -> None:
        if section is self.section and not self._deeds:
            self._items = {each.row: each for each in found}
            self._show()

    def _show(self) -> None:
        if self.section is DOUBTFUL:
            self.source.doubtful = len(self._items)
            self._show_counts()
        rows = [(row, line(each.title)) for row, each in self._items.items()]
        self.rows.fill(rows or [(None, line(self.section.nothing, ASIDE))])
        self._show_item()

    @property
    def rows(self) -> Rows:
        return self.query_one("#review-rows", Rows)

    @property
    def _item(self) -> ReviewItem | None:
        return self._items.get(self.rows.chosen or "")

    def on_option_list_option_highlighted(self) -> None:
        self._show_item()

    def on_option_list_option_selected(self) -> None:
        item = self._item
        if item is not None and item.pointer is not None:
            self.post_message(DrawerChosen(item.pointer, jumps=True))
        elif item is not None and self.section is FILED:
            self._ask_drawers(item, self._jump_to_first, "jump")

    def _ask_drawers(self, item: ReviewItem, then: Callable[[tuple[Drawer, ...]], None], group: str) -> None:
        self.ask(lambda: self.palace.review.drawers(item.key.item, limit=20), then, group=group)

    def _jump_to_first(self, drawers: tuple[Drawer, ...]) -> None:
        if drawers:
            self.post_message(DrawerChosen(str(drawers[0].pointer), jumps=True))
        else:
            self.say("nothing of it is there any more")

    def _show_item(self) -> None:
        item = self._item
        self._show_lines(item.lines if item else ())
        if item is not None and self.section is FILED:

            def show(drawers: tuple[Drawer, ...]) -> None:
                if item == self._item:
                    quotes = (f"{each.pointer}  {preview(each.content, limit=100)}" for each in drawers)
                    self._show_lines((*item.lines, *quotes))

            self._ask_drawers(item, show, "detail")

    def _show_lines(self, details: tuple[str, ...]) -> None:
        self.query_one("#review-told", Static).update(lines(*map(line, details)))

    def action_section(self, key: str) -> None:
        self.section = SECTIONS[key]
        self._items = {}
        self.refresh_bindings()
        self.rows.fill([(None, line("…", ASIDE))])
        self._show_item()
        self.list_again()

    def action_seen(self) -> None:
        if self._item is not None:
            self._mark((self._item,))

    def action_all_seen(self) -> None:
        self._mark(tuple(self._items.values()))

    def _mark(self, items: tuple[ReviewItem, ...]) -> None:
        kind = self.section.kind
        if items and kind is not None:
            self._do(lambda: mark_seen(self.palace, kind, items), *items)

    def action_do(self, deed: str) -> None:
        item = self._item
        if item is not None:
            self._do(partial(DEEDS[deed], self.palace, item), item)

    def action_undo_run(self) -> None:
        item = self._item
        if item is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._do(lambda: undo_run(self.palace, item), item)

        def confirm(question: str) -> None:
            self.app.push_screen(ConfirmScreen(question, "Take back"), answered)

        self.ask(lambda: rehearse_undo(self.palace, item), confirm, group="rehearse")

    def _do(self, deed: Callable[[], Done], *items: ReviewItem) -> None:
        """Change items, and take them off the list at once: the next key is for the next of them."""
        for item in items:
            self._items.pop(item.row, None)
        self._show()
        self._deeds += 1
        self.do(deed, self._did, failed=self._refused)

    def _did(self) -> None:
        self._deeds -= 1
        if self._items:
            self._list_again()
        else:
            self.list_again()

    def _refused(self, problem: PalaceError) -> None:
        self._deeds -= 1
        self.not_done(problem)
