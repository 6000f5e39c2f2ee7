"""The review list: what there is to look through, worked off by single keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Static

from palace.errors import PalaceError
from palace.records import Drawer
from palace.records.review import ReviewCounts
from palace_cli.render.excerpt import preview
from palace_cli.render.visible import one_line
from palace_cli.terminal.styles import ASIDE
from palace_cli.tui.messages import DrawerChosen
from palace_cli.tui.screens.page import PageScreen
from palace_cli.tui.source.pages.review import KINDS, Done, ReviewItem, Section
from palace_cli.tui.widgets.banner import Banner
from palace_cli.tui.widgets.rows import Rows, line, lines

EVERY = 2.0
"""Seconds between looks."""
_NOTHING = {
    Section.FILED: "Nothing was filed that you have not seen.",
    Section.DOUBTFUL: "No two names look like one.",
    Section.REDACTED: "No secret was taken out that you have not seen.",
    Section.FAILED: "No dead letters: all that was to be done is done, or waits.",
    Section.CHANGED: "Nothing changed that you have not seen.",
}
_KEYS = {
    Section.FILED: "f",
    Section.DOUBTFUL: "d",
    Section.REDACTED: "s",
    Section.FAILED: "l",
    Section.CHANGED: "c",
}
_FOR = {
    "seen": tuple(KINDS),
    "all_seen": tuple(KINDS),
    "merge": (Section.DOUBTFUL,),
    "keep": (Section.DOUBTFUL,),
    "retry_job": (Section.FAILED,),
    "cancel_job": (Section.FAILED,),
    "undo_run": (Section.FILED,),
}
"""What can be done with what; the other keys do the same everywhere."""
_SECTIONS = {
    "f": "Show what was filed lately.",
    "d": "Show names that may be of one.",
    "s": "Show secrets that were taken out.",
    "l": "Show dead letters: background work that was given up.",
    "c": "Show what says something else than before.",
}
_BY_KEY = {key: section for section, key in _KEYS.items()}


class ReviewScreen(PageScreen):
    """One kind of thing at a time, and how much is left of each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "seen", "Seen", id="review.seen", tooltip="Mark as seen: it is not listed again."),
        Binding("a", "all_seen", "All seen", id="review.all", tooltip="Mark all that is listed as seen.", show=False),
        Binding("u", "undo", "Undo", id="review.undo", tooltip="Take back what was done last."),
        Binding("m", "merge", "Merge", id="review.merge", tooltip="Doubtful: the two are one; the second name stays."),
        Binding("k", "keep", "Keep apart", id="review.keep", tooltip="Doubtful: the two are two, for good."),
        Binding("r", "retry_job", "Retry", id="review.retry", tooltip="Dead letter: try it again."),
        Binding("x", "cancel_job", "Cancel", id="review.cancel", tooltip="Dead letter: take it out."),
        Binding("z", "undo_run", "Take back", id="review.run", tooltip="Filed: take the run back; twice, to be sure."),
        *(
            Binding(
                key, f"section('{key}')", str(_BY_KEY[key]).capitalize(), id=f"review.{key}", tooltip=told, show=False
            )
            for key, told in _SECTIONS.items()
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.section = Section.FILED
        """What is listed."""
        self._items: dict[str, ReviewItem] = {}
        self._counts = ReviewCounts()
        self._change: tuple[object, ...] | None = None
        self._deeds = 0
        """How many are at work: what is listed meanwhile may hold what they are about."""
        self._done: list[Done] = []
        self._asked: str | None = None
        """The run whose taking back was asked for once."""
        self._number = 0
        """Of what was done: nothing that is at work is dropped for what comes next."""

    def compose(self) -> ComposeResult:
        """What is left, the list, and what is known of the one under the cursor."""
        yield Banner()
        yield Static(id="review-counts", markup=False)
        yield Rows(id="review-rows")
        with VerticalScroll(id="review-detail", can_focus=False):
            yield Static(id="review-told", markup=False)
        yield Footer()

    def begin(self) -> None:
        """List what was filed."""
        self.query_one("#review-rows").focus()
        self._tell_counts()
        self._look_again()
        self.set_interval(EVERY, self._look_again)

    def _look_again(self) -> None:
        """Ask whether the palace changed, unless nobody would see it or the banner says that nobody answers."""
        if self.is_current and not self.query_one(Banner).display:
            self.ask(self.source.review.change, self._when_changed, group="watch")

    def _when_changed(self, change: tuple[object, ...]) -> None:
        # What changes from the first look on is seen as a change: it is listed behind that.
        if change != self._change:
            self._change = change
            self._list_again()

    def _list_again(self) -> None:
        """List and count as it is by now. Doubtful names are listed when they are asked for: that may ask a model."""
        if self._deeds:
            return
        if self.section is Section.DOUBTFUL:
            self.ask(self.source.review.counts, self._count, group="counts")
        else:
            self._list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer the keys that do something with what is listed."""
        return self.section in _FOR.get(action, tuple(Section))

    def _list(self) -> None:
        section = self.section
        self._tell_counts()
        self.ask(lambda: self.source.review.items(section), lambda found: self._fill(section, found), group="items")
        self.ask(self.source.review.counts, self._count, group="counts")

    def _count(self, counts: ReviewCounts) -> None:
        self._counts = counts
        self._tell_counts()

    def _tell_counts(self) -> None:
        left = {
            Section.FILED: self._counts.filed,
            Section.DOUBTFUL: self.source.review.doubtful,
            Section.REDACTED: self._counts.redacted,
            Section.FAILED: self._counts.failed,
            Section.CHANGED: self._counts.changed,
        }
        parts = []
        for section, number in left.items():
            told = f"{_KEYS[section]} {section} {'?' if number is None else f'{number:,}'}"
            parts.append(Content.styled(told, "bold reverse" if section is self.section else ""))
        self.query_one("#review-counts", Static).update(Content("  ").join(parts))

    def _fill(self, section: Section, found: tuple[ReviewItem, ...]) -> None:
        if section is not self.section or self._deeds:
            return
        if section is Section.DOUBTFUL:
            self.source.review.doubtful = len(found)
            self._tell_counts()
        self._items = {_row(each): each for each in found}
        self._show()

    def _show(self) -> None:
        rows = [(key, line(each.title)) for key, each in self._items.items()]
        self.query_one("#review-rows", Rows).fill(rows or [(None, line(_NOTHING[self.section], ASIDE))])
        self._tell_item()

    @property
    def _item(self) -> ReviewItem | None:
        return self._items.get(self.query_one("#review-rows", Rows).chosen or "")

    def on_option_list_option_highlighted(self) -> None:
        """Tell of the one under the cursor."""
        self._asked = None
        self._tell_item()

    def on_option_list_option_selected(self) -> None:
        """Go to the drawer."""
        item = self._item
        if item is not None and item.pointer is not None:
            self.post_message(DrawerChosen(item.pointer, jumps=True))
        elif item is not None and item.section is Section.FILED:
            self.ask(lambda: self.source.review.filed_by(item), self._jump_to_first, group="jump")

    def _jump_to_first(self, drawers: tuple[Drawer, ...]) -> None:
        if drawers:
            self.post_message(DrawerChosen(str(drawers[0].pointer), jumps=True))
        else:
            self.notify("nothing of it is there any more", markup=False)

    def _tell_item(self) -> None:
        item = self._item
        self._tell_lines(item.lines if item else ())
        if item is not None and item.section is Section.FILED:

            def told(drawers: tuple[Drawer, ...]) -> None:
                if item == self._item:
                    said = (f"{each.pointer}  {preview(each.content, limit=100)}" for each in drawers)
                    self._tell_lines((*item.lines, *said))

            self.ask(lambda: self.source.review.filed_by(item), told, group="detail")

    def _tell_lines(self, told: tuple[str, ...]) -> None:
        self.query_one("#review-told", Static).update(lines(*map(line, told)))

    def action_section(self, key: str) -> None:
        """Show another kind."""
        self.section = _BY_KEY[key]
        self._items = {}
        self.refresh_bindings()
        self.query_one("#review-rows", Rows).fill([(None, line("…", ASIDE))])
        self._tell_item()
        self._list()

    def action_seen(self) -> None:
        """Mark the one under the cursor as seen."""
        item = self._item
        if item is not None:
            self._do(lambda: self.source.review.seen((item,)), item)

    def action_all_seen(self) -> None:
        """Mark all that is listed as seen."""
        items = tuple(self._items.values())
        if items:
            self._do(lambda: self.source.review.seen(items), *items)

    def action_merge(self) -> None:
        """Say that the two are one."""
        self._do_with(self.source.review.merge)

    def action_keep(self) -> None:
        """Say that the two are two."""
        self._do_with(self.source.review.keep_apart)

    def action_retry_job(self) -> None:
        """Try a dead letter again."""
        self._do_with(self.source.review.retry)

    def action_cancel_job(self) -> None:
        """Take a dead letter out."""
        self._do_with(self.source.review.cancel)

    def action_undo_run(self) -> None:
        """Say what taking the run back would take away; asked twice, do it."""
        item = self._item
        if item is None:
            return
        key = str(item.key)
        if self._asked == key:
            self._asked = None
            self._do(lambda: self.source.review.undo_run(item), item)
            return

        def told(line: str) -> None:
            self._asked = key
            self.notify(f"{line}; z again does it", markup=False)

        self.ask(lambda: self.source.review.rehearse_undo(item), told, group="rehearse")

    def _do_with(self, deed: Callable[[ReviewItem], Done]) -> None:
        item = self._item
        if item is not None:
            self._do(lambda: deed(item), item)

    def _do(self, deed: Callable[[], Done], *items: ReviewItem) -> None:
        """Do something with items, which are listed no more at once: the next key is for the next of them."""
        for item in items:
            self._items.pop(_row(item), None)
        if self.section is Section.DOUBTFUL:
            self.source.review.doubtful = len(self._items)
        self._show()
        self._number += 1
        self._deeds += 1
        self.ask(deed, self._did, group=f"deed {self._number}", failed=self._refused)

    def _did(self, result: Done) -> None:
        self._deeds -= 1
        self._done.append(result)
        self.notify(one_line(result.told), markup=False)
        if self._items:
            self._list_again()
        else:
            self._list()

    def _refused(self, problem: PalaceError) -> None:
        self._deeds -= 1
        self._not_done(problem)

    def _not_done(self, problem: PalaceError) -> None:
        self.tell(problem)
        self._list()

    def action_undo(self) -> None:
        """Take back what was done last."""
        if not self._done:
            self.notify("nothing to take back", markup=False)
            return
        last = self._done.pop()
        if last.undo is None:
            self.notify(f"that cannot be taken back: {one_line(last.told)}", severity="warning", markup=False)
            return

        def undone(told: str) -> None:
            self.notify(one_line(told), markup=False)
            self._list()

        self.ask(last.undo, undone, group="deed", failed=self._not_done)


def _row(item: ReviewItem) -> str:
    return f"{item.section} {item.key.item} {item.key.by}"
