"""Changing what stands where, from the first screen: asked for, confirmed, done, told, and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from palace.errors import BadRequest, MoreToForget, NotFound, PalaceError
from palace.models import ForgetSummary, HiddenPlace, MoveSummary, Room, TakenBack, Wing, WingPointer
from palace.nlp.pointers import has_shape
from palace_cli.render.figures import count, moment, removal_line, restored_line
from palace_cli.render.visible import one_line
from palace_cli.tui.keys import key
from palace_cli.tui.places import Level, Place
from palace_cli.tui.screens.dialogs import ConfirmScreen, NameScreen
from palace_cli.tui.screens.seeking import SeekingScreen

if TYPE_CHECKING:
    from palace.api.palace import Palace

NOTHING = "nothing is chosen: go to a wing, a room or a drawer"
MOST_WINGS = 1_000
"""Wings that are offered where one is to be named."""


class ChangingScreen(SeekingScreen):
    """A screen with a place that is meant, which can be forgotten, moved and renamed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("f,delete", "forget", "Forget", "browse.forget", "Forget the drawer, closet, room or wing.", show=True),
        key("u", "take_back", "Undo", "browse.take_back", "Take back what was forgotten last.", show=True),
        key("r", "rename", "Rename", "browse.rename", "Give the room or wing another name.", show=True),
        key("m", "move", "Merge", "browse.move", "Merge the wing into another, or move the room to one.", show=True),
        key("y", "copy_pointer", "Copy", "browse.copy_pointer", "Copy the pointer."),
    ]
    _forgotten: tuple[ForgetSummary, ...] = ()
    _forgetting = False
    _is_wanted_back = False
    """Whether what is being forgotten is to be taken back as soon as it is."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 — of every key
        """Offer to rename and move where the tree is: it has rooms and wings."""
        return action not in ("rename", "move") or not self.has_class("-seeking")

    @property
    def meant(self) -> Place | None:
        """What the person means: the drawer they read, or the place under the cursor."""
        if self.hit is not None:
            return Place(Level.DRAWER, self.hit.drawer.id, self.hit.drawer.pointer, "")
        reading = self.pane.reading
        reads = self.focused is not None and self.pane in self.focused.ancestors_with_self
        if reading is not None and (reads or self.places.place is None):
            drawer = reading.shown.drawer
            return Place(Level.DRAWER, drawer.id, drawer.pointer, "")
        place = self.places.place
        return None if place is None or place.level is Level.MORE else place

    def chosen(self) -> Place | None:
        """Return what the person means, and say so where that is nothing."""
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

        def confirm(planned: tuple[ForgetSummary, int]) -> None:
            self._confirm_forget(place, because, *planned)

        self.ask(plan, confirm, group="change", failed=self._gone)

    def _confirm_forget(self, place: Place, because: str, planned: ForgetSummary, grace: int) -> None:
        how = f"For {count(grace, 'day')}, u takes it back." if grace else "For good: no grace."
        question = f"{because}Forget {one_line(planned.what)}?\n\n{removal_line(planned.removal)}. {how}"

        def refused(problem: PalaceError) -> None:
            self._forgetting = self._is_wanted_back = False
            if isinstance(problem, MoreToForget):
                self._ask_to_forget(place, "More was filed there meanwhile; nothing was forgotten yet.\n\n")
            else:
                self._gone(problem)

        def answered(yes: bool | None) -> None:
            if yes:
                most = planned.removal.drawers
                self._forgetting = True
                self.ask(lambda: forget(self.palace, place, at_most=most), self._forgot, group="change", failed=refused)

        self.app.push_screen(ConfirmScreen(question, "Forget"), answered)

    def _forgot(self, done: ForgetSummary) -> None:
        self._forgetting = False
        self._forgotten = (*self._forgotten, done) if done.pointers else self._forgotten
        back = "; u takes it back" if done.pointers else ""
        self.say(f"forgot {done.what}: {removal_line(done.removal)}{back}")
        self.changed()
        if self._is_wanted_back:
            self._is_wanted_back = False
            self.action_take_back()

    def action_take_back(self) -> None:
        """Take back what was forgotten last on this screen; before that, what was forgotten last anywhere, if wanted.

        What is being forgotten is taken back when it is.
        """
        if self._forgetting:
            self._is_wanted_back = True
        elif self._forgotten:
            *before, last = self._forgotten
            self._restore(last.what, last.pointers, tuple(before))
        else:
            self.ask(self.palace.forgotten.list, self._offer_back, group="change")

    def _offer_back(self, hidden: tuple[HiddenPlace, ...]) -> None:
        if not hidden:
            self.say("nothing was forgotten that can still be taken back")
            return
        last = max(hidden, key=lambda place: place.hidden_at)
        what = f"{count(len(last.pointers), 'drawer')} of {last.wing_name} / {last.room_name}"

        def answered(yes: bool | None) -> None:
            if yes:
                self._restore(what, last.pointers, ())

        question = f"Take back {one_line(what)}?\n\nForgotten {moment(last.hidden_at)}, for good {moment(last.due_at)}."
        self.app.push_screen(ConfirmScreen(question, "Take back"), answered)

    def _restore(self, what: str, pointers: Sequence[str], before: tuple[ForgetSummary, ...]) -> None:
        def took_back(done: TakenBack) -> None:
            self._forgotten = before
            self.say(f"took back {what}: {restored_line(done)}")
            for warning in done.warnings:
                self.say(warning, "warning")
            self.changed()

        self.ask(lambda: self.palace.forgotten.restore(*pointers), took_back, group="change")

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
        if target is not None and merged is None:
            self._move(place, str(target.pointer), create=False)
            return
        if target is not None and merged is not None:
            held = f"{count(merged.room_count, 'room')}, {count(merged.drawer_count, 'drawer')}"
            names = f"{one_line(merged.name)} ({held}) into {one_line(target.name)}"
            question = f"Merge all of {names}? Its name leads there from then on. u does not take this back."
        else:
            question = f"There is no wing {one_line(to)} yet. Make it, and move {one_line(place.name)} there?"

        def answered(yes: bool | None) -> None:
            if yes:
                self._move(place, to if target is None else str(target.pointer), create=target is None)

        self.app.push_screen(ConfirmScreen(question, "Merge" if merged else "Move"), answered)

    def _move(self, place: Place, to: str, *, create: bool) -> None:
        def moved(done: MoveSummary) -> None:
            self.say(f"{count(len(done.rooms), 'room')} moved to {done.wing.name}")
            self.changed()

        pointer = str(place.pointer)
        self.ask(lambda: self.palace.tree.move(pointer, to, create=create), moved, group="change", failed=self._gone)

    def action_rename(self) -> None:
        place = self._wing_or_room()
        if place is None:
            return

        def named(name: str | None) -> None:
            if name and name != one_line(place.name):
                self.ask(lambda: rename(self.palace, place, name), lambda _: self.changed(), group="change")

        self.app.push_screen(NameScreen(f"Another name for the {place.level}:", value=one_line(place.name)), named)

    def _wing_or_room(self) -> Place | None:
        """Return the wing or room that the person means, or the room in which what they mean stands."""
        place = self.chosen()
        node = self.places.find(place) if place else None
        while node is not None and node.data is not None and node.data.level not in {Level.WING, Level.ROOM}:
            node = node.parent
        if place is not None and (node is None or node.data is None):
            self.say("a wing or a room can be moved and renamed: g goes to where the drawer stands")
        return node.data if node else None

    def _gone(self, problem: PalaceError) -> None:
        self.tell(problem)
        self.changed()


def forget(palace: Palace, place: Place, *, dry_run: bool = False, at_most: int | None = None) -> ForgetSummary:
    """Forget a place and all that stands in it, where that is no more drawers than a person agreed to.

    Raises:
        NotFound: it is gone already.
        MoreToForget: there are more by now; nothing was forgotten.
    """
    if place.level is Level.CLOSET and not place.id:
        raise BadRequest("what is sorted into no closet yet has no name: forget its drawers, or the room")
    closet = place.name if place.level is Level.CLOSET else None
    return palace.forget(str(place.pointer), closet=closet, dry_run=dry_run, at_most=at_most)


def target(palace: Palace, place: Place, to: str) -> Wing | None:
    """Return the wing that a room is to stand in, or a wing to be merged into; None for one that is to be made.

    Raises:
        NotFound: there is none, and a wing cannot be merged into it.
        BadRequest: the wing is that one.
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


def rename(palace: Palace, place: Place, name: str) -> Wing | Room:
    """Give a wing or a room another name, unless another wing goes by it."""
    if place.level is Level.WING and _goes_by(palace, name) not in {None, place.pointer}:
        raise BadRequest(f"another wing goes by {name!r}: m merges one wing into another")
    return palace.tree.rename(str(place.pointer), name)


def _goes_by(palace: Palace, name: str) -> WingPointer | None:
    try:
        return None if has_shape(name) else palace.tree.wing(name).pointer
    except NotFound:
        return None
