"""The settings page: what holds, who says so, and saying otherwise; for oneself and for agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Input, Static

from palace.errors import PalaceError
from palace.records.settings import ShownSetting
from palace_cli.render.figures import written
from palace_cli.render.visible import one_line
from palace_cli.terminal.styles import ASIDE, HEADING
from palace_cli.tui.screens.page import PageScreen
from palace_cli.tui.source.pages.settings import SettingsPage
from palace_cli.tui.widgets.banner import Banner
from palace_cli.tui.widgets.rows import Rows, line, lines

_AGENT, _VALUE = "agent", "value"


class SettingsScreen(PageScreen):
    """Settings above, what is known of one below, and a line to type in where one is changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "reset", "Reset", id="settings.reset", tooltip="Take a value away: what stands behind it holds."),
        Binding("a", "agent", "Agent", id="settings.agent", tooltip="Name an agent; an empty name is yourself."),
        Binding("n", "next_agent", "Next agent", id="settings.next", tooltip="Go to the next that has settings."),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._agent: str | None = None
        self._agents: tuple[str, ...] = ()
        self._typing = _VALUE
        self._shown: dict[str, ShownSetting] = {}

    def compose(self) -> ComposeResult:
        """Whose they are, the list, one of them, and the line to type in."""
        yield Banner()
        yield Static(id="settings-whose", markup=False)
        yield Rows(id="settings-rows")
        with VerticalScroll(id="settings-detail", can_focus=False):
            yield Static(id="settings-told", markup=False)
        yield Input(id="settings-input")
        yield Static(id="settings-wrong", markup=False)
        yield Footer()

    def begin(self) -> None:
        """List one's own."""
        self.query_one("#settings-input").display = False
        self.query_one("#settings-rows").focus()
        self._list()

    def _list(self) -> None:
        agent = self._agent
        self.ask(lambda: self.source.settings.all(agent), self._fill, group="settings", failed=self._wrong)

    def _fill(self, page: SettingsPage) -> None:
        self._agents = page.agents
        self._shown = {each.name: each for each in page.shown}
        others = f"; agents with settings of their own: {', '.join(page.agents)}" if page.agents else ""
        self.query_one("#settings-whose", Static).update(line(f"for {self._agent or 'yourself'}{others}", HEADING))
        width = max((len(each) for each in self._shown), default=0)
        self.query_one("#settings-rows", Rows).fill(
            (each.name, line(f"{each.name:<{width}}  {written(each.value)}  ({each.level})")) for each in page.shown
        )
        self._explain()

    @property
    def _setting(self) -> ShownSetting | None:
        return self._shown.get(self.query_one("#settings-rows", Rows).chosen or "")

    def on_option_list_option_highlighted(self) -> None:
        """Tell of the one under the cursor."""
        self._explain()

    def _explain(self) -> None:
        setting, agent = self._setting, self._agent
        if setting is not None:
            self.ask(lambda: self.source.settings.explain(setting.name, agent), self._tell, group="explain")

    def _tell(self, shown: ShownSetting) -> None:
        said = [line(f"may be: {shown.wants}", ASIDE)]
        for place, each in enumerate(shown.said):
            where = f" ({each.where})" if each.where else ""
            said.append(line(f"{each.level}{where}: {written(each.value)}", ASIDE if place else "bold"))
        self.query_one("#settings-told", Static).update(lines(line(shown.means), *said))

    def on_option_list_option_selected(self) -> None:
        """Change the one that was chosen."""
        if self._setting is not None:
            value = written(self._setting.value)
            self._type(_VALUE, self._setting.name, "" if value in ("-", "none") else value)

    def action_agent(self) -> None:
        """Name an agent."""
        self._type(_AGENT, "the agent's name; empty for yourself", self._agent or "")

    def action_next_agent(self) -> None:
        """Go to the next who has settings of their own; behind the last stands oneself."""
        everybody: list[str | None] = [None, *self._agents]
        place = everybody.index(self._agent) if self._agent in everybody else 0
        self._agent = everybody[(place + 1) % len(everybody)]
        self._list()

    def _type(self, what: str, about: str, value: str) -> None:
        self._typing = what
        typed = self.query_one("#settings-input", Input)
        typed.placeholder, typed.value, typed.display = about, value, True
        typed.border_title = Content(about)
        self._say("")
        typed.focus()

    def on_input_changed(self) -> None:
        """What was wrong was so of what stood there before."""
        self._say("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Set what was typed."""
        if self._typing == _AGENT:
            self._agent = event.value.strip() or None
            self._end_typing()
            self._list()
            return
        setting, agent = self._setting, self._agent
        if setting is not None:
            self._change(lambda: self.source.settings.set(setting.name, event.value, agent))

    def action_reset(self) -> None:
        """Take the value away."""
        setting, agent = self._setting, self._agent
        if setting is not None:
            self._change(lambda: self.source.settings.reset(setting.name, agent))

    def _change(self, deed: Callable[[], ShownSetting]) -> None:
        def changed(shown: ShownSetting) -> None:
            self._end_typing()
            self.notify(one_line(f"{shown.name} is {written(shown.value)} ({shown.level})"), markup=False)
            for warning in shown.warnings:
                self.notify(one_line(warning), severity="warning", markup=False)
            self._list()

        self.ask(deed, changed, group="change", failed=self._wrong)

    def _wrong(self, problem: PalaceError) -> None:
        """Say in one line what is wrong; what was typed stays."""
        self._say(str(problem))
        if self._typing == _AGENT and not self.query_one("#settings-input").display:
            self._agent = None

    def _say(self, told: str) -> None:
        self.query_one("#settings-wrong", Static).update(line(told, "$text-error") if told else Content(""))

    def _end_typing(self) -> None:
        self._say("")
        self.query_one("#settings-input").display = False
        self.query_one("#settings-rows").focus()

    def action_back(self) -> None:
        """Leave the line, then the page."""
        if self.query_one("#settings-input").display:
            self._end_typing()
        else:
            super().action_back()
