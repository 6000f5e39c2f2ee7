"""The entity view: who and what there is, and of one of them what held when, and what stands around it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Footer, Input, OptionList, Static

from palace.errors import PalaceError
from palace.models import Entity, Neighbourhood, Timeline
from palace_cli.render.figures import count, moment
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING
from palace_cli.tui.keys import key
from palace_cli.tui.places import address
from palace_cli.tui.screens.about import AboutScreen
from palace_cli.tui.screens.asking import Banner
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.widgets.neighbours import EntityWanted, NeighbourMap, NeighbourTree
from palace_cli.tui.widgets.rows import Rows, line, lines
from palace_cli.tui.widgets.timeline import TimelinePane

if TYPE_CHECKING:
    from palace.api.palace import Palace

MOST_LISTED = 5_000
MOST_DRAWN = 300
"""Relations of an entity, the latest begun."""
FAR = 2
"""Relations that are walked from an entity."""
MOST_SHOWN = 200
"""Entities that are listed at a time: typing narrows them."""
REST = 0.12
"""Seconds that the cursor rests on one before it is looked up."""
_EMPTY = "Nobody and nothing is named yet: `palace mine` reads names from what it files."


class EntityScreen(PageScreen):
    """Entities on the left, one of them on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("slash", "filter", "Find", "entity.filter", "Type a part of a name.", show=True),
        key("t", "view('timeline')", "Timeline", "entity.timeline", "Draw what held when.", show=True),
        key("n", "view('neighbours')", "Neighbours", "entity.neighbours", "Walk what stands around it.", show=True),
        key("m", "view('map')", "Map", "entity.map", "Draw what stands around it.", show=True),
        key("a", "about", "About", "entity.about", "Show what holds of it now."),
        key("b", "before", "Before", "entity.before", "Go back to the entity before."),
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
            with Vertical(id="entity-left"):
                yield Input(placeholder="type a name", id="entity-filter")
                yield Rows(id="entity-rows")
            with Vertical(id="entity-right"):
                yield Static(id="entity-head", markup=False)
                with ContentSwitcher(initial="timeline", id="entity-switch"):
                    yield TimelinePane("timeline")
                    yield NeighbourTree("neighbours")
                    yield NeighbourMap("map")
        yield Footer()

    def begin(self) -> None:
        self.ask(self._every, self._list, group="entities")
        self.query_one("#entity-rows").focus()

    def _every(self) -> tuple[Entity, ...]:
        return self.palace.entities.list(limit=MOST_LISTED)

    def _list(self, found: tuple[Entity, ...]) -> None:
        self._known = tuple((_folded(" ".join((each.name, *each.aliases))), each) for each in found)
        if not found:
            self.query_one("#entity-head", Static).update(Content(_EMPTY))
        self._fill(self.query_one("#entity-filter", Input).value)

    def _fill(self, typed: str) -> None:
        words = _folded(typed).split()
        found = [each for names, each in self._known if all(word in names for word in words)]
        if words:
            found.sort(key=lambda each: (_folded(each.name) != words[0], not _folded(each.name).startswith(words[0])))
        rows = [
            (
                address(each.name, each.type),
                lines(line(each.name), line(f"  {each.type}{_often(each)}", ASIDE)),
            )
            for each in found[:MOST_SHOWN]
        ]
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

    def action_before(self) -> None:
        if self._walked:
            self._show(self._walked.pop())

    def _show(self, name: str) -> None:
        self._shown = name
        self.ask(lambda: about(self.palace, name), lambda found: self._tell(*found), group="entity", failed=self._gone)

    def _gone(self, problem: PalaceError) -> None:
        self.tell(problem)
        self.ask(self._every, self._list, group="entities")

    def _tell(self, timeline: Timeline, around: Neighbourhood) -> None:
        self.query_one("#entity-head", Static).update(_head(timeline.entity))
        self.query_one(TimelinePane).show(timeline)
        self.query_one(NeighbourTree).show(around)
        self.query_one(NeighbourMap).show(around)

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
        if self.focused is not None and self.focused.id != "entity-rows":
            self.remove_class("-inside")
            self.query_one("#entity-rows").focus()
        else:
            super().action_back()


def _often(entity: Entity) -> str:
    return f" {entity.mention_count:,}" if entity.mention_count else ""


def _folded(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


def about(palace: Palace, name: str) -> tuple[Timeline, Neighbourhood]:
    """Return what held and holds of an entity, and what stands around it now."""
    return palace.timeline(name, limit=MOST_DRAWN), palace.graph(name, hops=FAR)


def _head(entity: Entity) -> Content:
    called = f", also called {', '.join(entity.aliases)}" if entity.aliases else ""
    times = f"{moment(entity.first_said_at)} to {moment(entity.last_said_at)}" if entity.first_said_at else "undated"
    named = (
        f"named {count(entity.mention_count, 'time')}, {times}" if entity.mention_count else "not named by a message"
    )
    parts = [
        Content.styled(one_line(address(entity.name, entity.type)), HEADING),
        Content(one_line(called)),
        Content("\n"),
    ]
    return Content("").join([*parts, line(named, ASIDE)])
