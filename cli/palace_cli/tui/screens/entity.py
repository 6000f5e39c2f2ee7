"""The entity view: a list of everybody and everything, and the timeline or the neighbours of one of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Input, OptionList, Static

from palace.errors import PalaceError, TwoTypes
from palace.graph.wording import words_of
from palace.models import Entity, Neighbourhood, Relation, Timeline
from palace.models.graph import DecisionSummary
from palace_cli.render.figures import count, moment
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.places import address
from palace_cli.tui.reviewing import Done, Wrong, correct, decision_made
from palace_cli.tui.screens.about import AboutScreen
from palace_cli.tui.screens.browse import PageScreen, moment_of_looking
from palace_cli.tui.screens.dialogs import ChoiceScreen, ConfirmScreen, NameScreen
from palace_cli.tui.widgets.neighbours import EntityWanted, NeighbourTree
from palace_cli.tui.widgets.rows import Row, Rows, line
from palace_cli.tui.widgets.timeline import TimelinePane

if TYPE_CHECKING:
    from palace.api.palace import Palace

Decide = Callable[[str, str], DecisionSummary]
MOST_LISTED = 5_000
MOST_DRAWN = 300
"""Relations of an entity that are drawn at most: those that began last."""
FAR = 2
"""How many relations away neighbours are shown."""
MOST_SHOWN = 200
"""Entities that are listed at most: typing narrows them."""
REST = 0.12
"""Seconds that the cursor rests on an entity before it is loaded."""
LEAST_NAME = 8
"""The fewest columns for a name in the list."""
NOBODY = "nobody is chosen: type a name"
_EMPTY = "Nobody and nothing is named yet: `palace mine` reads names from what it files."


class NameBox(Input):
    """The filter of the list. It has the focus at first, so that typing a name runs no command."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("down", "screen.to_list", "List", "names.list", "Go from the name to the list.", show=True),
        key("enter", "submit", "Choose", "names.choose", "Go to the first of the list.", show=True),
    ]

    def __init__(self) -> None:
        super().__init__(placeholder="type a name", id="entity-filter")

    def on_key(self, event: events.Key) -> None:
        """Ignore a slash at the beginning: who types / to find is in the filter already."""
        if event.key == "slash" and not self.value:
            event.prevent_default()


class EntityScreen(PageScreen):
    """Entities on the left, one of them on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("slash", "filter", "Find", "entity.filter", "Type a part of a name.", show=True),
        key("t", "view('timeline')", "When", "entity.timeline", "Draw what held when.", show=True),
        key("n", "view('neighbours')", "Around", "entity.neighbours", "Walk what stands around it.", show=True),
        key("c", "correct", "Correct", "entity.correct", "Put right what is known: it is over, or not so.", show=True),
        key("r", "rename", "Rename", "entity.rename", "Give another name.", show=True),
        key("m", "merge", "Merge", "entity.merge", "Say that it is the same as another.", show=True),
        key("u", "undo", "Undo", "entity.undo", "Take back what was done last here.", show=True),
        key("a", "about", "About", "entity.about", "Show what holds of it now."),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._known: tuple[tuple[str, Entity], ...] = ()
        """Each with its names, folded."""
        self._columns: Sequence[int] = (0, 0, 0)
        """How wide their names, types and mentions are."""
        self._walked: list[str] = []
        self._shown: str | None = None
        self._timer: Timer | None = None

    def contents(self) -> ComposeResult:
        with Horizontal(id="entity-panes"):
            with Vertical(id="entity-left", classes="panel") as left:
                left.border_title = "Who and what"
                yield NameBox()
                yield Rows(id="entity-rows")
            with Vertical(id="entity-right", classes="panel"):
                yield Static(id="entity-head", markup=False)
                with ContentSwitcher(initial="timeline", id="entity-switch"):
                    yield TimelinePane("timeline")
                    yield NeighbourTree("neighbours")

    def begin(self) -> None:
        self.list_again()
        self.query_one(NameBox).focus()

    def _list(self, found: tuple[Entity, ...]) -> None:
        self._known = tuple((_folded(" ".join((each.name, *each.aliases))), each) for each in found)
        self._columns = [max(map(cell_len, column)) for column in zip(*map(_cells, found), strict=True)] or (0, 0, 0)
        if not found:
            self.query_one("#entity-head", Static).update(Content(_EMPTY))
        self._fill(self.query_one(NameBox).value)
        if self._shown is not None and self._shown in self._names():
            self._show(self._shown)

    def _fill(self, typed: str) -> None:
        words = _folded(typed).split()
        found = [each for names, each in self._known if all(word in names for word in words)]
        if words:
            found.sort(key=lambda each: (_folded(each.name) != words[0], not _folded(each.name).startswith(words[0])))
        listed = {address(each.name, each.type): each for each in found[:MOST_SHOWN]}
        # The same width with and without a scroll bar.
        room = self.rows.outer_size.width - 1
        rows: list[Row] = [(name, _row(each, self._columns, room)) for name, each in listed.items()]
        if len(found) > MOST_SHOWN or not found:
            more = f"{len(found) - MOST_SHOWN:,} more: type" if found else "nothing like that"
            rows.append((None, line(more, ASIDE)))
        self.rows.fill(rows)

    @property
    def rows(self) -> Rows:
        return self.query_one("#entity-rows", Rows)

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self._fill(self.query_one(NameBox).value))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill(event.value)
        self.rows.action_first()
        if self._known and self.rows.chosen is None:
            self._shown = None
            self.query_one("#entity-right").visible = False

    def on_input_submitted(self) -> None:
        self.action_to_list()

    def action_to_list(self) -> None:
        self.rows.focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show the entity under the cursor when the list gets the focus."""
        name = self.rows.chosen
        if event.widget is self.rows and name is not None and name != self._shown:
            self._walked.clear()
            self._show(name)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        name = event.option.id
        if self._timer is not None:
            self._timer.stop()
        if name is not None and name != self._shown:
            self._timer = self.set_timer(REST, lambda: self._show(name))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.add_class("-inside")
        if event.option.id is not None:
            self._show(event.option.id)
        self.action_view("timeline")

    def on_entity_wanted(self, message: EntityWanted) -> None:
        member = message.member
        if member.type is not None:
            self._walk(address(member.name, member.type))

    def _walk(self, name: str) -> None:
        if self._shown is not None:
            self._walked.append(self._shown)
        self._show(name)

    def _show(self, name: str) -> None:
        self._shown = name
        self.ask(
            lambda: about(self.palace, name), lambda found: self._draw(*found), group="entity", failed=self.not_done
        )

    def _draw(self, timeline: Timeline, around: Neighbourhood) -> None:
        entity = timeline.entity
        self.query_one("#entity-right").visible = self._shown is not None
        self.query_one("#entity-right").border_title = Content(one_line(address(entity.name, entity.type)))
        self.query_one("#entity-head", Static).update(_head(entity))
        self.query_one(TimelinePane).show(timeline)
        self.query_one(NeighbourTree).show(around)

    def list_again(self) -> None:
        """List all entities again, and show the current one, as they are now."""
        self.ask(lambda: self.palace.entities.list(limit=MOST_LISTED), self._list, group="entities")

    def action_rename(self) -> None:
        self._name_another("Another name for {}:", self.palace.entities.rename, ())

    def action_merge(self) -> None:
        self._name_another(
            "{} is the same as whom or what? That name stays.", self.palace.entities.merge, tuple(self._names())
        )

    def _names(self) -> Iterator[str]:
        return (address(entity.name, entity.type) for _, entity in self._known)

    def _name_another(self, question: str, decide: Decide, names: Sequence[str]) -> None:
        """Ask for a name, decide with it on the chosen entity, and show the result."""
        name = self._meant()
        if name is None:
            return

        def named(other: str | None) -> None:
            if other:
                self._decide(decide, name, other)

        kind = name.rpartition(" ")[2]
        others = sorted((each for each in names if each != name), key=lambda each: not each.endswith(f" {kind}"))
        self.app.push_screen(NameScreen(question.format(name), names=others), named)

    def _decide(self, decide: Decide, name: str, other: str) -> None:
        """Decide about two names; ask whether to merge all the same what is hardly one."""

        def decided() -> Done:
            summary = decide(name, other)
            self._shown = next((address(each.name, each.type) for each in summary.entities), None)
            return decision_made(self.palace, summary.decision)

        def refused(problem: PalaceError) -> None:
            if not isinstance(problem, TwoTypes):
                self.not_done(problem)
                return
            anyway = partial(self.palace.entities.merge, anyway=True)
            screen = ConfirmScreen(f"{one_line(problem.what)}. Merge them all the same?", "Merge")
            self.app.push_screen(screen, lambda yes: self._decide(anyway, name, other) if yes else None)

        self.do(decided, failed=refused)

    def _meant(self) -> str | None:
        """Return the entity under the list's cursor, or else the one shown; notify if there is none."""
        name = self.rows.chosen if self.rows.has_focus else self._shown
        if name is None:
            self.say(NOBODY)
        return name

    def action_correct(self) -> None:
        """Ask what is wrong with the relation under the cursor, then what is right."""
        pane = self.query_one(TimelinePane)
        relation = pane.chosen
        if relation is None or not pane.rows.has_focus:
            self.action_view("timeline")
            self.say("go to what is wrong, and press c there" if relation else "nothing is known that could be wrong")
            return
        words = words_of(relation.predicate, relation.subject)
        offered = {each.format(subject=relation.subject, object=relation.object): each for each in Wrong}

        def chosen(choice: str | None) -> None:
            wrong = offered[choice] if choice is not None else None
            if wrong is Wrong.NEVER:
                self._correct(relation, wrong)
            elif wrong is not None:
                asked = {
                    Wrong.OVER: "Until when? 2026, 2026-05 or 2026-05-03:",
                    Wrong.OBJECT: f"{relation.subject} {words} …",
                    Wrong.SUBJECT: f"Who or what {words} {relation.object}? I is yourself.",
                }
                value = f"{moment_of_looking():%Y-%m-%d}" if wrong is Wrong.OVER else ""
                names = tuple(self._names()) if wrong is Wrong.SUBJECT else ()
                screen = NameScreen(asked[wrong], value=value, names=names)
                self.app.push_screen(screen, lambda typed: self._correct(relation, wrong, typed or ""))

        self.app.push_screen(ChoiceScreen(f"{relation.subject} {words} {relation.object}", tuple(offered)), chosen)

    def _correct(self, relation: Relation, wrong: Wrong, typed: str | None = None) -> None:
        if typed != "":
            self.do(lambda: correct(self.palace, relation, wrong, typed or ""))

    def action_about(self) -> None:
        name = self._meant()
        if name is not None:
            self.app.push_screen(AboutScreen(name))

    def action_filter(self) -> None:
        self.remove_class("-inside")
        self.query_one(NameBox).focus()

    def action_view(self, name: str) -> None:
        self.add_class("-inside")
        self.query_one("#entity-switch", ContentSwitcher).current = name
        chosen = self.query_one(f"#{name}")
        (self.query_one(TimelinePane).rows if name == "timeline" else chosen).focus()

    def action_back(self) -> None:
        """Go back: to the entity one walked from, then to the list, then to the screen before."""
        if self._walked:
            self._show(self._walked.pop())
        elif self.has_class("-inside"):
            self.remove_class("-inside")
            self.action_to_list()
        else:
            super().action_back()


def _cells(entity: Entity) -> tuple[str, str, str]:
    often = f"{entity.mention_count:,}" if entity.mention_count else ""
    return one_line(entity.name), entity.type, often


def _row(entity: Entity, columns: Sequence[int], room: int) -> Content:
    """Draw an entity: its name in the width that its type and its mentions leave."""
    (name, type, often), (names, types, number) = _cells(entity), columns
    wide = min(names, max(room - types - number - 2, LEAST_NAME))
    beside = line(f" {type:<{types}} {often:>{number}}", ASIDE)
    return Content(name).truncate(wide, ellipsis=True, pad=True).append(beside)


def _folded(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


def about(palace: Palace, name: str) -> tuple[Timeline, Neighbourhood]:
    """Return the timeline of an entity, and its neighbours now."""
    return palace.timeline(name, limit=MOST_DRAWN), palace.graph(name, hops=FAR)


def _head(entity: Entity) -> Content:
    called = f"also called {', '.join(entity.aliases)}\n" if entity.aliases else ""
    first, last = (moment(each)[:10] for each in (entity.first_said_at, entity.last_said_at))
    times = first if first == last else f"{first} to {last}"
    named = (
        f"named {count(entity.mention_count, 'time')}, {times}" if entity.mention_count else "not named by a message"
    )
    return Content(one_line(called) + ("\n" if called else "")).append(line(named, ASIDE))
