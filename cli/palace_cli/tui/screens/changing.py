"""Changing what stands where, from the first screen: asked for, confirmed, done, told, and taken back."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from palace.errors import MoreToForget, PalaceError
from palace.records import ForgetSummary, MoveSummary, TakenBack, Wing
from palace_cli.render.figures import count, removal_line, restored_line
from palace_cli.render.visible import one_line
from palace_cli.tui.screens.asking import AskingScreen
from palace_cli.tui.screens.confirm import ConfirmScreen
from palace_cli.tui.screens.name import NameScreen
from palace_cli.tui.source.places import Level, Place


def _binding(key: str, action: str, description: str, tooltip: str, *, show: bool = True) -> Binding:
    return Binding(key, action, description, id=f"browse.{action}", tooltip=tooltip, show=show)


NOTHING = "nothing is chosen: go to a wing, a room or a drawer"


class ChangingScreen(AskingScreen[None]):
    """A screen with a place that is meant, which can be forgotten, moved and renamed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _binding("f,delete", "forget", "Forget", "Forget the drawer, closet, room or wing."),
        _binding("u", "take_back", "Take back", "Take back what was forgotten last.", show=False),
        _binding("m", "move", "Move", "Move the room to another wing, or merge the wing into one."),
        _binding("r", "rename", "Rename", "Give the room or wing another name."),
    ]
    _forgotten: tuple[ForgetSummary, ...] = ()

    @property
    def meant(self) -> Place | None:
        """What the person means: the drawer they read, or the place under the cursor."""
        raise NotImplementedError

    def changed(self) -> None:
        """Show the palace as it is by now."""
        raise NotImplementedError

    def action_forget(self) -> None:
        """Count what would go, and ask."""
        place = self.chosen()
        if place is not None:
            self._ask_to_forget(place)

    def chosen(self) -> Place | None:
        """Give what the person means, and say so where that is nothing."""
        if self.meant is None:
            self.notify(NOTHING, markup=False)
        return self.meant

    def _ask_to_forget(self, place: Place, because: str = "") -> None:
        def plan() -> tuple[ForgetSummary, int]:
            return self.source.changes.plan(place), self.source.changes.grace()

        self.ask(
            plan, lambda planned: self._confirm_forget(place, because, *planned), group="change", failed=self._gone
        )

    def _confirm_forget(self, place: Place, because: str, planned: ForgetSummary, grace: int) -> None:
        how = (
            f"u takes it back at once, `palace restore` for {count(grace, 'day')}." if grace else "For good: no grace."
        )
        question = f"{because}Forget {one_line(planned.what)}?\n\n{removal_line(planned.removal)}. {how}"

        def refused(problem: PalaceError) -> None:
            if isinstance(problem, MoreToForget):
                self._ask_to_forget(place, "More was filed there meanwhile; nothing was forgotten yet.\n\n")
            else:
                self._gone(problem)

        def answered(yes: bool | None) -> None:
            if yes:
                self.ask(
                    lambda: self.source.changes.forget(place, planned.removal.drawers),
                    self._forgot,
                    group="change",
                    failed=refused,
                )

        self.app.push_screen(ConfirmScreen(question, "Forget"), answered)

    def _forgot(self, done: ForgetSummary) -> None:
        self._forgotten = (*self._forgotten, done) if done.pointers else self._forgotten
        back = "; u takes it back" if done.pointers else ""
        self.notify(f"forgot {one_line(done.what)}: {removal_line(done.removal)}{back}", markup=False)
        self.changed()

    def action_take_back(self) -> None:
        """Take back what was forgotten last on this screen."""
        if not self._forgotten:
            self.notify("nothing was forgotten here; `palace forget --list` lists what can be restored", markup=False)
            return
        *before, last = self._forgotten

        def took_back(done: TakenBack) -> None:
            self._forgotten = tuple(before)
            self.notify(f"took back {one_line(last.what)}: {restored_line(done)}", markup=False)
            for warning in done.warnings:
                self.notify(one_line(warning), severity="warning", markup=False)
            self.changed()

        self.ask(lambda: self.source.changes.take_back(last), took_back, group="change")

    def action_move(self) -> None:
        """Ask for a wing; move the room there, or merge the wing into it."""
        place = self._place_of_name()
        if place is not None:
            self.ask(self.source.changes.wing_names, lambda names: self._ask_where(place, names), group="change")

    def _ask_where(self, place: Place, names: list[str]) -> None:
        name = one_line(place.name)
        verb = f"Merge the wing {name} into which wing?" if place.level is Level.WING else f"Move {name} to which wing?"
        offered = [each for each in names if each == one_line(each)]

        def named(to: str | None) -> None:
            if to:
                self.ask(
                    lambda: self._found_target(place, to),
                    lambda found: self._move_or_ask(place, to, *found),
                    group="change",
                )

        self.app.push_screen(NameScreen(verb, names=offered), named)

    def _found_target(self, place: Place, to: str) -> tuple[Wing | None, Wing | None]:
        """Give the wing that is meant, and what would be merged into it; it is called in a thread."""
        target = self.source.changes.target(place, to)
        return target, self.source.changes.held(place) if place.level is Level.WING else None

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
            self.notify(f"{count(len(done.rooms), 'room')} moved to {one_line(done.wing.name)}", markup=False)
            self.changed()

        self.ask(lambda: self.source.changes.move(place, to, create=create), moved, group="change", failed=self._gone)

    def action_rename(self) -> None:
        """Ask for another name."""
        place = self._place_of_name()
        if place is None:
            return

        def named(name: str | None) -> None:
            if name and name != one_line(place.name):
                self.ask(lambda: self.source.changes.rename(place, name), lambda _: self.changed(), group="change")

        self.app.push_screen(NameScreen("Another name:", value=one_line(place.name)), named)

    def _place_of_name(self) -> Place | None:
        place = self.chosen()
        if place is None or place.level in {Level.WING, Level.ROOM}:
            return place
        self.notify("a wing or a room can be moved and renamed: go to one", markup=False)
        return None

    def _gone(self, problem: PalaceError) -> None:
        """Somebody else was first, perhaps."""
        self.tell(problem)
        self.changed()
