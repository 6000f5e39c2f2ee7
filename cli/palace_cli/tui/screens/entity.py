"""The entity view: who and what there is, and of one of them what held when, and what stands around it."""

from __future__ import annotations

import unicodedata
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Footer, Input, OptionList, Static

from palace.errors import PalaceError
from palace.records import Entity
from palace_cli.render.figures import count, moment
from palace_cli.render.visible import one_line
from palace_cli.terminal.styles import ASIDE, HEADING
from palace_cli.tui.screens.page import PageScreen
from palace_cli.tui.source.pages.entities import EntityPage, address
from palace_cli.tui.widgets.banner import Banner
from palace_cli.tui.widgets.neighbours import EntityWanted, NeighbourMap, NeighbourTree
from palace_cli.tui.widgets.rows import Rows, line, lines
from palace_cli.tui.widgets.timeline import TimelinePane

MOST_SHOWN = 200
"""Entities that are listed at a time: typing narrows them."""
REST = 0.12
"""Seconds that the cursor rests on one before it is looked up."""
_EMPTY = "Nobody and nothing is named yet: `palace mine` reads names from what it files."


class EntityScreen(PageScreen):
    """Entities on the left, one of them on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Find", id="entity.filter", tooltip="Type a part of a name."),
        Binding("t", "view('timeline')", "Timeline", id="entity.timeline", tooltip="Draw what held when."),
        Binding("n", "view('neighbours')", "Neighbours", id="entity.neighbours", tooltip="Walk what stands around it."),
        Binding("m", "view('map')", "Map", id="entity.map", tooltip="Draw what stands around it."),
        Binding("b", "before", "Before", id="entity.before", tooltip="Go back to the entity before.", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._known: tuple[tuple[str, Entity], ...] = ()
        """With all their names, folded."""
        self._walked: list[str] = []
        self._shown: str | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """A list with a line to type in, and three views of one entity."""
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
        """List who and what there is."""
        self.ask(self.source.entities.list, self._list, group="entities")
        self.query_one("#entity-rows").focus()

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
        unique = dict(rows)
        shown = list(unique.items())
        if len(found) > MOST_SHOWN:
            more = f"{len(found) - MOST_SHOWN:,} more: type"
            self.query_one("#entity-rows", Rows).fill([*shown, (None, line(more, ASIDE))])
        else:
            self.query_one("#entity-rows", Rows).fill(shown or [(None, line("nothing like that", ASIDE))])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list; the cursor goes to what fits best."""
        self._fill(event.value)
        self.query_one("#entity-rows", Rows).action_first()

    def on_input_submitted(self) -> None:
        """Go to the list."""
        self.query_one("#entity-rows").focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the entity that the cursor rests on."""
        name = event.option.id
        if self._timer is not None:
            self._timer.stop()
        if name is not None and name != self._shown:
            self._timer = self.set_timer(REST, lambda: self._show(name))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go into it."""
        self.add_class("-inside")
        if event.option.id is not None:
            self._show(event.option.id)
        self.action_view("timeline")

    def on_entity_wanted(self, message: EntityWanted) -> None:
        """Walk to a neighbour."""
        member = message.member
        if member.type is not None:
            self._walk(address(member.name, member.type))

    def _walk(self, name: str) -> None:
        if self._shown is not None:
            self._walked.append(self._shown)
        self._show(name)

    def action_before(self) -> None:
        """Go back to the entity that one came from."""
        if self._walked:
            self._show(self._walked.pop())

    def _show(self, name: str) -> None:
        self._shown = name
        self.ask(lambda: self.source.entities.about(name), self._tell, group="entity", failed=self._gone)

    def _gone(self, problem: PalaceError) -> None:
        """Say that it is there no more, and list what is."""
        self.tell(problem)
        self.ask(self.source.entities.list, self._list, group="entities")

    def _tell(self, page: EntityPage) -> None:
        self.query_one("#entity-head", Static).update(_head(page))
        self.query_one(TimelinePane).show(page.timeline)
        self.query_one(NeighbourTree).show(page.around)
        self.query_one(NeighbourMap).show(page.around)

    def action_filter(self) -> None:
        """Type a part of a name."""
        self.remove_class("-inside")
        self.query_one("#entity-filter").focus()

    def action_view(self, name: str) -> None:
        """Show the timeline, the neighbours or the map."""
        self.add_class("-inside")
        self.query_one("#entity-switch", ContentSwitcher).current = name
        chosen = self.query_one(f"#{name}")
        (self.query_one(TimelinePane).rows if name == "timeline" else chosen).focus()

    def action_back(self) -> None:
        """Go back to the list, then to where one came from."""
        if self.focused is not None and self.focused.id != "entity-rows":
            self.remove_class("-inside")
            self.query_one("#entity-rows").focus()
        else:
            super().action_back()


def _often(entity: Entity) -> str:
    return f" {entity.mention_count:,}" if entity.mention_count else ""


def _folded(text: str) -> str:
    """Write a name without case and accents."""
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


def _head(page: EntityPage) -> Content:
    entity = page.entity
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
