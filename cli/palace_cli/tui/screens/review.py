"""The review list: what there is to look through, worked off by single keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Static

from palace.errors import PalaceError
from palace.models import Drawer
from palace.models.review import ReviewCounts
from palace_cli.render.drawer import preview
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.messages import DrawerChosen
from palace_cli.tui.reviewing import KINDS, Done, ReviewItem, Section
from palace_cli.tui.screens.asking import Banner
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.widgets.rows import Rows, line, lines

EVERY = 2.0
"""Seconds between looks."""
_SECTIONS = {
    "f": (Section.FILED, "Show what was filed lately.", "Nothing was filed that you have not seen."),
    "d": (Section.DOUBTFUL, "Show names that may be of one.", "No two names look like one."),
    "s": (
        Section.REDACTED,
        "Show secrets that were taken out.",
        "No secret was taken out that you have not seen.",
    ),
    "l": (
        Section.FAILED,
        "Show dead letters: background work that was given up.",
        "No dead letters: all that was to be done is done, or waits.",
    ),
    "c": (Section.CHANGED, "Show what says something else than before.", "Nothing changed that you have not seen."),
}
"""By its key: what is looked through, what its key does, and what is told where nothing is left."""
_KEYS = {section: each for each, (section, *_) in _SECTIONS.items()}
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


class ReviewScreen(PageScreen):
    """One kind of thing at a time, and how much is left of each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("space", "seen", "Seen", "review.seen", "Mark as seen: it is not listed again.", show=True),
        key("a", "all_seen", "All seen", "review.all", "Mark all that is listed as seen."),
        key("u", "undo", "Undo", "review.undo", "Take back what was done last.", show=True),
        key("m", "merge", "Merge", "review.merge", "Doubtful: the two are one; the second name stays.", show=True),
        key("k", "keep", "Keep apart", "review.keep", "Doubtful: the two are two, for good.", show=True),
        key("r", "retry_job", "Retry", "review.retry", "Dead letter: try it again.", show=True),
        key("x", "cancel_job", "Cancel", "review.cancel", "Dead letter: take it out.", show=True),
        key("z", "undo_run", "Take back", "review.run", "Filed: take the run back; twice, to be sure.", show=True),
        *(
            key(each, f"section('{each}')", section.capitalize(), f"review.{each}", told)
            for each, (section, told, _) in _SECTIONS.items()
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
        yield Banner()
        yield Static(id="review-counts", markup=False)
        yield Rows(id="review-rows")
        with VerticalScroll(id="review-detail", can_focus=False):
            yield Static(id="review-told", markup=False)
        yield Footer()

    def begin(self) -> None:
        self.query_one("#review-rows").focus()
        self._tell_counts()
        self._look_again()
        self.set_interval(EVERY, self._look_again)

    def _look_again(self) -> None:
        """Ask whether the palace changed, unless nobody would see it or the banner says that nobody answers."""
        if self.is_current and not self.query_one(Banner).display:
            self.ask(self.source.reviewing.change, self._when_changed, group="watch")

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
            self.ask(self.source.reviewing.counts, self._count, group="counts")
        else:
            self._list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer the keys that do something with what is listed."""
        return self.section in _FOR.get(action, tuple(Section))

    def _list(self) -> None:
        section = self.section
        self._tell_counts()
        self.ask(lambda: self.source.reviewing.items(section), lambda found: self._fill(section, found), group="items")
        self.ask(self.source.reviewing.counts, self._count, group="counts")

    def _count(self, counts: ReviewCounts) -> None:
        self._counts = counts
        self._tell_counts()

    def _tell_counts(self) -> None:
        left = {
            Section.FILED: self._counts.filed,
            Section.DOUBTFUL: self.source.reviewing.doubtful,
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
            self.source.reviewing.doubtful = len(found)
            self._tell_counts()
        self._items = {_row(each): each for each in found}
        self._show()

    def _show(self) -> None:
        rows = [(key, line(each.title)) for key, each in self._items.items()]
        self.query_one("#review-rows", Rows).fill(rows or [(None, line(_SECTIONS[_KEYS[self.section]][2], ASIDE))])
        self._tell_item()

    @property
    def _item(self) -> ReviewItem | None:
        return self._items.get(self.query_one("#review-rows", Rows).chosen or "")

    def on_option_list_option_highlighted(self) -> None:
        self._asked = None
        self._tell_item()

    def on_option_list_option_selected(self) -> None:
        item = self._item
        if item is not None and item.pointer is not None:
            self.post_message(DrawerChosen(item.pointer, jumps=True))
        elif item is not None and item.section is Section.FILED:
            self.ask(lambda: self.source.reviewing.filed_by(item), self._jump_to_first, group="jump")

    def _jump_to_first(self, drawers: tuple[Drawer, ...]) -> None:
        if drawers:
            self.post_message(DrawerChosen(str(drawers[0].pointer), jumps=True))
        else:
            self.say("nothing of it is there any more")

    def _tell_item(self) -> None:
        item = self._item
        self._tell_lines(item.lines if item else ())
        if item is not None and item.section is Section.FILED:

            def told(drawers: tuple[Drawer, ...]) -> None:
                if item == self._item:
                    said = (f"{each.pointer}  {preview(each.content, limit=100)}" for each in drawers)
                    self._tell_lines((*item.lines, *said))

            self.ask(lambda: self.source.reviewing.filed_by(item), told, group="detail")

    def _tell_lines(self, told: tuple[str, ...]) -> None:
        self.query_one("#review-told", Static).update(lines(*map(line, told)))

    def action_section(self, key: str) -> None:
        self.section = _SECTIONS[key][0]
        self._items = {}
        self.refresh_bindings()
        self.query_one("#review-rows", Rows).fill([(None, line("…", ASIDE))])
        self._tell_item()
        self._list()

    def action_seen(self) -> None:
        item = self._item
        if item is not None:
            self._do(lambda: self.source.reviewing.seen((item,)), item)

    def action_all_seen(self) -> None:
        items = tuple(self._items.values())
        if items:
            self._do(lambda: self.source.reviewing.seen(items), *items)

    def action_merge(self) -> None:
        self._do_with(self.source.reviewing.merge)

    def action_keep(self) -> None:
        self._do_with(self.source.reviewing.keep_apart)

    def action_retry_job(self) -> None:
        self._do_with(self.source.reviewing.retry)

    def action_cancel_job(self) -> None:
        self._do_with(self.source.reviewing.cancel)

    def action_undo_run(self) -> None:
        item = self._item
        if item is None:
            return
        key = str(item.key)
        if self._asked == key:
            self._asked = None
            self._do(lambda: self.source.reviewing.undo_run(item), item)
            return

        def told(line: str) -> None:
            self._asked = key
            self.say(f"{line}; z again does it")

        self.ask(lambda: self.source.reviewing.rehearse_undo(item), told, group="rehearse")

    def _do_with(self, deed: Callable[[ReviewItem], Done]) -> None:
        item = self._item
        if item is not None:
            self._do(lambda: deed(item), item)

    def _do(self, deed: Callable[[], Done], *items: ReviewItem) -> None:
        """Do something with items, which are listed no more at once: the next key is for the next of them."""
        for item in items:
            self._items.pop(_row(item), None)
        if self.section is Section.DOUBTFUL:
            self.source.reviewing.doubtful = len(self._items)
        self._show()
        self._number += 1
        self._deeds += 1
        self.ask(deed, self._did, group=f"deed {self._number}", failed=self._refused)

    def _did(self, result: Done) -> None:
        self._deeds -= 1
        self._done.append(result)
        self.say(result.told)
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
        if not self._done:
            self.say("nothing to take back")
            return
        last = self._done.pop()
        if last.undo is None:
            self.say(f"that cannot be taken back: {one_line(last.told)}", "warning")
            return

        def undone(told: str) -> None:
            self.say(told)
            self._list()

        self.ask(last.undo, undone, group="deed", failed=self._not_done)


def _row(item: ReviewItem) -> str:
    return f"{item.section} {item.key.item} {item.key.by}"
