"""Forget, move and rename places from the first screen: ask, change, report, and keep the undo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from palace.errors import BadRequest, MoreToForget, NotFound, PalaceError
from palace.models import ForgetSummary, HiddenPlace, Wing, WingPointer
from palace.nlp.pointers import has_shape
from palace_cli.render.figures import count, moment, removal_line, restored_line
from palace_cli.render.visible import one_line
from palace_cli.tui.keys import key
from palace_cli.tui.listing import place_of
from palace_cli.tui.places import Level, Place
from palace_cli.tui.reviewing import Done
from palace_cli.tui.screens.dialogs import ConfirmScreen, NameScreen
from palace_cli.tui.screens.reading import OVERVIEW
from palace_cli.tui.screens.seeking import SeekingScreen
from palace_cli.tui.widgets.overview import OverviewPane

if TYPE_CHECKING:
    from palace.api.palace import Palace

NOTHING = "nothing is chosen: go to a wing, a room or a drawer"
MOST_WINGS = 1_000
"""Wings whose names are suggested at most."""


class ChangingScreen(SeekingScreen):
    """A screen whose chosen place can be forgotten, moved and renamed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("f,delete", "forget", "Forget", "browse.forget", "Forget the drawer, closet, room or wing.", show=True),
        key("u", "undo", "Undo", "browse.undo", "Take back what was done last.", show=True),
        key("r", "rename", "Rename", "browse.rename", "Give the room or wing another name.", show=True),
        key("m", "move", "Merge", "browse.move", "Merge the wing into another, or move the room to one.", show=True),
        key("y", "copy_pointer", "Copy", "browse.copy_pointer", "Copy the pointer."),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 — of every key
        """Disable renaming and moving in a search, which lists no rooms and wings."""
        return action not in ("rename", "move") or not self.has_class("-seeking")

    @property
    def meant(self) -> Place | None:
        """The place that a key acts on: the one under the cursor of the pane with the focus, or the drawer there."""
        if self.hit is not None:
            return place_of(self.hit.drawer)
        if self.right.has_focus_within:
            reading = self.pane.reading
            drawer = reading.shown.drawer if reading else None
            if self.right.current == OVERVIEW:
                drawer = self.query_one(OverviewPane).chosen
            return place_of(drawer) if drawer else None
        place = None if self.has_class("-seeking") else self.places.place
        return None if place is None or place.level is Level.MORE else place

    def chosen(self) -> Place | None:
        """Return the place that a key acts on, and notify if there is none."""
        if self.meant is None:
            self.say(NOTHING)
        return self.meant

    def action_copy_pointer(self) -> None:
        place = self.chosen()
        if place is not None:
            self._copy(str(place.pointer), str(place.pointer))

    def action_forget(self) -> None:
        place = self.chosen()
        if place is not None:
            self._ask_to_forget(place)

    def _ask_to_forget(self, place: Place, because: str = "") -> None:
        def plan() -> tuple[ForgetSummary, int]:
            return forget(self.palace, place, dry_run=True), int(self.palace.settings.effective().forget_grace)

        confirm = lambda planned: self._confirm_forget(place, because, *planned)  # noqa: E731
        self.ask(plan, confirm, group="change", failed=self.not_done)

    def _confirm_forget(self, place: Place, because: str, planned: ForgetSummary, grace: int) -> None:
        how = f"For {count(grace, 'day')}, u takes it back." if grace else "For good: no grace."
        text = f"\n\n{one_line(place.name)}" if place.level is Level.DRAWER else ""
        question = f"{because}Forget {one_line(planned.what)}?{text}\n\n{removal_line(planned.removal)}. {how}"
        most = planned.removal.drawers

        def refused(problem: PalaceError) -> None:
            if isinstance(problem, MoreToForget):
                self._ask_to_forget(place, "More was filed there meanwhile; nothing was forgotten yet.\n\n")
            else:
                self.not_done(problem)

        def answered(yes: bool | None) -> None:
            if yes:
                self.do(lambda: forgotten(self.palace, forget(self.palace, place, at_most=most)), failed=refused)

        self.app.push_screen(ConfirmScreen(question, "Forget"), answered)

    def nothing_done(self) -> None:
        """Offer to take back what was forgotten last, on another day or by another program."""
        self.ask(self.palace.forgotten.list, self._offer_back, group="change")

    def _offer_back(self, hidden: tuple[HiddenPlace, ...]) -> None:
        if not hidden:
            super().nothing_done()
            return
        last = max(hidden, key=lambda place: place.hidden_at)
        what = f"{count(len(last.pointers), 'drawer')} of {last.wing_name} / {last.room_name}"

        def answered(yes: bool | None) -> None:
            if yes:
                self.take_back(lambda: restore(self.palace, what, last.pointers))

        question = (
            "There is nothing to take back since you started.\n\n"
            f"Take back {one_line(what)}?\n\nForgotten {moment(last.hidden_at)}, for good {moment(last.due_at)}."
        )
        self.app.push_screen(ConfirmScreen(question, "Take back"), answered)

    def action_move(self) -> None:
        place = self._wing_or_room()
        if place is not None:
            self.ask(
                lambda: [wing.name for wing in self.palace.tree.wings(limit=MOST_WINGS, counted=False)],
                lambda names: self._ask_where(place, names),
                group="change",
            )

    def _ask_where(self, place: Place, names: list[str]) -> None:
        name = one_line(place.name)
        verb = f"Merge the wing {name} into which wing?" if place.level is Level.WING else f"Move {name} to which wing?"
        offered = [each for each in names if each == one_line(each)]

        def find(to: str) -> tuple[Wing | None, Wing | None]:
            merged = self.palace.tree.wing(str(place.pointer)) if place.level is Level.WING else None
            return target(self.palace, place, to), merged

        def named(to: str | None) -> None:
            if to:
                self.ask(lambda: find(to), lambda found: self._move_or_ask(place, to, *found), group="change")

        self.app.push_screen(NameScreen(verb, names=offered), named)

    def _move_or_ask(self, place: Place, to: str, target: Wing | None, merged: Wing | None) -> None:
        into = to if target is None else str(target.pointer)
        deed = lambda: move(self.palace, place, into, create=target is None)  # noqa: E731
        if target is not None and merged is None:
            self.do(deed)
            return
        if target is not None and merged is not None:
            size = f"{count(merged.room_count, 'room')}, {count(merged.drawer_count, 'drawer')}"
            names = f"{one_line(merged.name)} ({size}) into {one_line(target.name)}"
            question = f"Merge all of {names}? Its name leads there from then on. u does not take this back."
        else:
            question = f"There is no wing {one_line(to)} yet. Make it, and move {one_line(place.name)} there?"

        def answered(yes: bool | None) -> None:
            if yes:
                self.do(deed)

        self.app.push_screen(ConfirmScreen(question, "Merge" if merged else "Move"), answered)

    def action_rename(self) -> None:
        place = self._wing_or_room()
        if place is None:
            return

        def named(name: str | None) -> None:
            if name and name != one_line(place.name):
                self.do(lambda: rename(self.palace, place, name))

        self.app.push_screen(NameScreen(f"Another name for the {place.level}:", value=one_line(place.name)), named)

    def _wing_or_room(self) -> Place | None:
        """Return the chosen wing or room, or the room of the chosen drawer or closet."""
        place = self.chosen()
        node = self.places.find(place) if place else None
        while node is not None and node.data is not None and node.data.level not in {Level.WING, Level.ROOM}:
            node = node.parent
        if place is not None and (node is None or node.data is None):
            self.say("a wing or a room can be moved and renamed: g goes to where the drawer stands")
        return node.data if node else None

    def list_again(self) -> None:
        self.changed()


def forget(palace: Palace, place: Place, *, dry_run: bool = False, at_most: int | None = None) -> ForgetSummary:
    """Forget a place and its contents, if that is at most as many drawers as the person agreed to.

    Raises:
        NotFound: it is gone already.
        MoreToForget: there are more by now; nothing was forgotten.
    """
    if place.level is Level.CLOSET and not place.id:
        raise BadRequest("what is sorted into no closet yet has no name: forget its drawers, or the room")
    closet = place.name if place.level is Level.CLOSET else None
    return palace.forget(str(place.pointer), closet=closet, dry_run=dry_run, at_most=at_most)


def forgotten(palace: Palace, done: ForgetSummary) -> Done:
    """Return a forgetting as a change, with its undo if there is a time of grace."""
    undo = lambda: restore(palace, done.what, done.pointers)  # noqa: E731
    return Done(f"forgot {done.what}: {removal_line(done.removal)}", undo if done.pointers else None)


def restore(palace: Palace, what: str, pointers: Sequence[str]) -> str:
    """Restore forgotten drawers, and return the result in one line."""
    done = palace.forgotten.restore(*pointers)
    return "; ".join((f"took back {what}: {restored_line(done)}", *done.warnings))


def target(palace: Palace, place: Place, to: str) -> Wing | None:
    """Return the wing to move a room to, or to merge a wing into; None for a new wing.

    Raises:
        NotFound: there is no such wing to merge into.
        BadRequest: it is the wing itself.
    """
    try:
        wing = palace.tree.wing(to)
    except NotFound:
        if place.level is Level.WING or has_shape(to):
            raise
        return None
    if place.level is Level.WING and wing.pointer == place.pointer:
        raise BadRequest(f"{to!r} is that wing itself")
    return wing


def move(palace: Palace, place: Place, to: str, *, create: bool) -> Done:
    """Move a room, or merge a wing, which cannot be taken back."""
    wing = palace.tree.wing(str(place.pointer).partition("/")[0]).name
    done = palace.tree.move(str(place.pointer), to, create=create)
    if done.merged:
        return Done(f"merged {wing} into {done.wing.name}")

    def undo() -> str:
        for room in done.rooms:
            palace.tree.move(room.after, wing, create=True)
        return f"moved {place.name} back to {wing}"

    return Done(f"moved {place.name} to {done.wing.name}", undo)


def rename(palace: Palace, place: Place, name: str) -> Done:
    """Rename a wing or a room, unless another wing has the name."""
    if place.level is Level.WING and _goes_by(palace, name) not in {None, place.pointer}:
        raise BadRequest(f"another wing goes by {name!r}: m merges one wing into another")
    pointer, before = str(place.pointer), one_line(place.name)

    def undo() -> str:
        palace.tree.rename(pointer, before)
        return f"took back the name {name}: it is {before} again"

    palace.tree.rename(pointer, name)
    return Done(f"{before} is called {name} now", undo)


def _goes_by(palace: Palace, name: str) -> WingPointer | None:
    try:
        return None if has_shape(name) else palace.tree.wing(name).pointer
    except NotFound:
        return None
