"""The entity view: who and what there is, and of one of them what held when, and what stands around it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Footer, Input, OptionList, Static

from palace.errors import PalaceError
from palace.graph.wording import words_of
from palace.models import Entity, Neighbourhood, Relation, Timeline
from palace.models.graph import DecisionSummary
from palace_cli.render.figures import count, moment
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.places import address
from palace_cli.tui.reviewing import ELSE, NEVER, OVER, correct, decision_made
from palace_cli.tui.screens.about import AboutScreen
from palace_cli.tui.screens.asking import Banner
from palace_cli.tui.screens.browse import PageScreen, moment_of_looking
from palace_cli.tui.screens.dialogs import ChoiceScreen, NameScreen
from palace_cli.tui.widgets.neighbours import EntityWanted, NeighbourTree
from palace_cli.tui.widgets.rows import Rows, line
from palace_cli.tui.widgets.timeline import TimelinePane

if TYPE_CHECKING:
    from palace.api.palace import Palace

Decide = Callable[[str, str], DecisionSummary]
MOST_LISTED = 5_000
MOST_DRAWN = 300
"""Relations of an entity, the latest begun."""
FAR = 2
"""Relations that are walked from an entity."""
MOST_SHOWN = 200
"""Entities that are listed at a time: typing narrows them."""
REST = 0.12
"""Seconds that the cursor rests on one before it is looked up."""
NAME = 14
"""Columns of a name in the list."""
NOBODY = "nobody is chosen: type a name"
_EMPTY = "Nobody and nothing is named yet: `palace mine` reads names from what it files."


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
        """With all their names, folded."""
        self._walked: list[str] = []
        self._shown: str | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Banner()
        with Horizontal(id="entity-panes"):
            with Vertical(id="entity-left", classes="panel") as left:
                left.border_title = "Who and what"
                yield Input(placeholder="/ type a name", id="entity-filter")
                yield Rows(id="entity-rows")
            with Vertical(id="entity-right", classes="panel"):
                yield Static(id="entity-head", markup=False)
                with ContentSwitcher(initial="timeline", id="entity-switch"):
                    yield TimelinePane("timeline")
                    yield NeighbourTree("neighbours")
        yield Footer(compact=True, show_command_palette=False)

    def begin(self) -> None:
        self.list_again()
        self.query_one("#entity-rows").focus()

    def _every(self) -> tuple[Entity, ...]:
        return self.palace.entities.list(limit=MOST_LISTED)

    def _list(self, found: tuple[Entity, ...]) -> None:
        self._known = tuple((_folded(" ".join((each.name, *each.aliases))), each) for each in found)
        if not found:
            self.query_one("#entity-head", Static).update(Content(_EMPTY))
        self._fill(self.query_one("#entity-filter", Input).value)
        if self._shown is not None and self._shown in self._names():
            self._show(self._shown)

    def _fill(self, typed: str) -> None:
        words = _folded(typed).split()
        found = [each for names, each in self._known if all(word in names for word in words)]
        if words:
            found.sort(key=lambda each: (_folded(each.name) != words[0], not _folded(each.name).startswith(words[0])))
        rows = [(address(each.name, each.type), _row(each)) for each in found[:MOST_SHOWN]]
        shown = list(dict(rows).items())
        if len(found) > MOST_SHOWN:
            more = f"{len(found) - MOST_SHOWN:,} more: type"
            self.query_one("#entity-rows", Rows).fill([*shown, (None, line(more, ASIDE))])
        else:
            self.query_one("#entity-rows", Rows).fill(shown or [(None, line("nothing like that", ASIDE))])

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill(event.value)
        self.query_one("#entity-rows", Rows).action_first()

    def on_input_submitted(self) -> None:
        self.query_one("#entity-rows").focus()

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
        self.ask(lambda: about(self.palace, name), lambda found: self._tell(*found), group="entity", failed=self._gone)

    def _gone(self, problem: PalaceError) -> None:
        self.tell(problem)
        self.list_again()

    def _tell(self, timeline: Timeline, around: Neighbourhood) -> None:
        entity = timeline.entity
        self.query_one("#entity-right").border_title = Content(one_line(address(entity.name, entity.type)))
        self.query_one("#entity-head", Static).update(_head(entity))
        self.query_one(TimelinePane).show(timeline)
        self.query_one(NeighbourTree).show(around)

    def list_again(self) -> None:
        """List everybody, and tell of the one that is shown, as it is by now."""
        self.ask(self._every, self._list, group="entities")

    def action_rename(self) -> None:
        self._name_another("Another name for {}:", self.palace.entities.rename, ())

    def action_merge(self) -> None:
        self._name_another("{} is the same as whom or what?", self.palace.entities.merge, tuple(self._names()))

    def _names(self) -> Iterator[str]:
        return (address(entity.name, entity.type) for _, entity in self._known)

    def _name_another(self, question: str, decide: Decide, names: Sequence[str]) -> None:
        """Ask for a name, and decide with it on the entity that is shown, which is the other one then."""
        name = self._shown
        if name is None:
            self.say(NOBODY)
            return

        def decided(summary: DecisionSummary) -> None:
            self._shown = next((address(each.name, each.type) for each in summary.entities), None)
            self.did(decision_made(self.palace, summary.decision))

        def named(other: str | None) -> None:
            if other:
                self.ask(lambda: decide(name, other), decided, group="deed", failed=self.not_done)

        self.app.push_screen(NameScreen(question.format(name), names=names), named)

    def action_correct(self) -> None:
        """Ask what is wrong with the relation under the cursor, then for what is right."""
        relation = self.query_one(TimelinePane).chosen
        if relation is None:
            self.say("nothing that could be corrected is chosen: t goes to what is known")
            return
        told = words_of(relation.predicate, relation.subject)

        def chosen(choice: str | None) -> None:
            if choice == NEVER:
                self._correct(relation, choice)
            elif choice is not None:
                question = (
                    f"{relation.subject} {told} …" if choice == ELSE else "Until when? 2026, 2026-05 or 2026-05-03:"
                )
                value = "" if choice == ELSE else f"{moment_of_looking():%Y-%m-%d}"
                self.app.push_screen(
                    NameScreen(question, value=value), lambda typed: self._correct(relation, choice, typed or "")
                )

        self.app.push_screen(ChoiceScreen(f"{relation.subject} {told} {relation.object}", (OVER, NEVER, ELSE)), chosen)

    def _correct(self, relation: Relation, choice: str, typed: str | None = None) -> None:
        if typed != "":
            deed = lambda: correct(self.palace, relation, choice, typed or "")  # noqa: E731
            self.ask(deed, self.did, group="deed", failed=self.not_done)

    def action_about(self) -> None:
        if self._shown is not None:
            self.app.push_screen(AboutScreen(self._shown))

    def action_filter(self) -> None:
        self.remove_class("-inside")
        self.query_one("#entity-filter").focus()

    def action_view(self, name: str) -> None:
        self.add_class("-inside")
        self.query_one("#entity-switch", ContentSwitcher).current = name
        chosen = self.query_one(f"#{name}")
        (self.query_one(TimelinePane).rows if name == "timeline" else chosen).focus()

    def action_back(self) -> None:
        """Go back: to the one before, where one walked, to the list, and then to where one came from."""
        if self._walked:
            self._show(self._walked.pop())
        elif self.focused is not None and self.focused.id != "entity-rows":
            self.remove_class("-inside")
            self.query_one("#entity-rows").focus()
        else:
            super().action_back()


def _row(entity: Entity) -> Content:
    often = f"{entity.mention_count:,}" if entity.mention_count else ""
    name = Content(one_line(entity.name)).truncate(NAME, ellipsis=True, pad=True)
    return Content.assemble(name, (f" {entity.type:<12} {often}", ASIDE))


def _folded(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


def about(palace: Palace, name: str) -> tuple[Timeline, Neighbourhood]:
    """Return what held and holds of an entity, and what stands around it now."""
    return palace.timeline(name, limit=MOST_DRAWN), palace.graph(name, hops=FAR)


def _head(entity: Entity) -> Content:
    called = f"also called {', '.join(entity.aliases)}\n" if entity.aliases else ""
    first, last = (moment(each)[:10] for each in (entity.first_said_at, entity.last_said_at))
    times = first if first == last else f"{first} to {last}"
    named = (
        f"named {count(entity.mention_count, 'time')}, {times}" if entity.mention_count else "not named by a message"
    )
    return Content(one_line(called) + ("\n" if called else "")).append(line(named, ASIDE))
