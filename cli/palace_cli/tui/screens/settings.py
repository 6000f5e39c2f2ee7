"""The settings page: show and change settings, of the person and of agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from palace.errors import BadRequest, PalaceError
from palace.models.settings import SettingLevel, ShownSetting
from palace_cli.render.figures import written
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.reviewing import Done
from palace_cli.tui.screens.browse import PageScreen
from palace_cli.tui.widgets.rows import Rows, line, lines

if TYPE_CHECKING:
    from palace.api.palace import Palace

_AGENT, _VALUE = "agent", "value"
WHOLE_PALACE = "embedding_model"


class SettingsScreen(PageScreen):
    """Settings above, the details of one below, and a line to type its value."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("r", "reset", "Reset", "settings.reset", "Take a value away: what stands behind it holds.", show=True),
        key("a", "agent", "Agent", "settings.agent", "Name an agent; an empty name is yourself.", show=True),
        key("n", "next_agent", "Next agent", "settings.next", "Go to the next that has settings.", show=True),
        key("u", "undo", "Undo", "settings.undo", "Take back what was done last.", show=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._agent: str | None = None
        self._agents: tuple[str, ...] = ()
        self._typing = _VALUE
        self._shown: dict[str, ShownSetting] = {}

    def contents(self) -> ComposeResult:
        yield Rows(id="settings-rows")
        with VerticalScroll(id="settings-detail", can_focus=False):
            yield Static(id="settings-told", markup=False)
        yield Input(id="settings-input")
        yield Static(id="settings-wrong", markup=False)

    def begin(self) -> None:
        self.query_one("#settings-input").display = False
        self.query_one("#settings-rows").focus()
        self._list()

    def _list(self) -> None:
        agent = self._agent
        found = lambda: (self.palace.settings.all(agent=agent), self.palace.settings.agents())  # noqa: E731
        self.ask(found, lambda all: self._fill(*all), group="settings", failed=self._wrong)

    def _fill(self, shown: tuple[ShownSetting, ...], agents: tuple[str, ...]) -> None:
        self._agents = agents
        self._shown = {each.name: each for each in shown}
        others = f"; agents with settings of their own: {', '.join(agents)}" if agents else ""
        whose = one_line(f"Settings for {self._agent or 'yourself'}{others}")
        self.query_one("#settings-rows").border_title = Content(whose)
        width = max((len(each) for each in self._shown), default=0)
        self.query_one("#settings-rows", Rows).fill(
            (each.name, line(f"{each.name:<{width}}  {written(each.value)}  ({each.level})")) for each in shown
        )
        self._explain()

    @property
    def _setting(self) -> ShownSetting | None:
        return self._shown.get(self.query_one("#settings-rows", Rows).chosen or "")

    def on_option_list_option_highlighted(self) -> None:
        self._explain()

    def _explain(self) -> None:
        setting, agent = self._setting, self._agent
        if setting is not None:
            self.ask(lambda: self.palace.settings.get(setting.name, agent=agent), self._show_details, group="explain")

    def _show_details(self, shown: ShownSetting) -> None:
        details = [line(f"may be: {shown.wants}", ASIDE)]
        for place, each in enumerate(shown.said):
            where = f" ({each.where})" if each.where else ""
            details.append(line(f"{each.level}{where}: {written(each.value)}", ASIDE if place else "bold"))
        self.query_one("#settings-told", Static).update(lines(line(shown.means), *details))

    def on_option_list_option_selected(self) -> None:
        if self._setting is not None:
            value = written(self._setting.value)
            self._type(_VALUE, self._setting.name, "" if value in ("-", "none") else value)

    def action_agent(self) -> None:
        self._type(_AGENT, "the agent's name; empty for yourself", self._agent or "")

    def action_next_agent(self) -> None:
        everybody: list[str | None] = [None, *self._agents]
        place = everybody.index(self._agent) if self._agent in everybody else 0
        self._agent = everybody[(place + 1) % len(everybody)]
        self._list()

    def _type(self, what: str, about: str, value: str) -> None:
        self._typing = what
        typed = self.query_one("#settings-input", Input)
        typed.placeholder, typed.value, typed.display = about, value, True
        typed.border_title = Content(about)
        self._show_problem("")
        typed.focus()

    def on_input_changed(self) -> None:
        self._show_problem("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self._typing == _AGENT:
            self._agent = event.value.strip() or None
            self._end_typing()
            self._list()
            return
        setting, agent = self._setting, self._agent
        if setting is not None:
            self._change(setting.name, lambda: set_value(self.palace, setting.name, event.value, agent))

    def action_reset(self) -> None:
        setting, agent = self._setting, self._agent
        if setting is not None:
            self._change(setting.name, lambda: self.palace.settings.reset(setting.name, agent=agent)[0])

    def _change(self, name: str, deed: Callable[[], ShownSetting]) -> None:
        agent = self._agent
        self.do(lambda: changed(self.palace, name, agent, deed), failed=self._wrong)

    def list_again(self) -> None:
        self._end_typing()
        self._list()

    def _wrong(self, problem: PalaceError) -> None:
        self._show_problem(str(problem))
        if self._typing == _AGENT and not self.query_one("#settings-input").display:
            self._agent = None

    def _show_problem(self, problem: str) -> None:
        self.query_one("#settings-wrong", Static).update(line(problem, "$text-error") if problem else Content(""))

    def _end_typing(self) -> None:
        self._show_problem("")
        self.query_one("#settings-input").display = False
        self.query_one("#settings-rows").focus()

    def action_back(self) -> None:
        if self.query_one("#settings-input").display:
            self._end_typing()
        else:
            super().action_back()


def changed(palace: Palace, name: str, agent: str | None, deed: Callable[[], ShownSetting]) -> Done:
    """Change a setting, and return the change with an undo that sets the value of before."""
    level = SettingLevel.USER if agent is None else SettingLevel.AGENT
    before = [each.value for each in palace.settings.get(name, agent=agent).said if each.level is level]
    shown = deed()

    def undo() -> str:
        again = (
            palace.settings.set(name, before[0], agent=agent) if before else palace.settings.reset(name, agent=agent)[0]
        )
        return f"{name} is {written(again.value)} ({again.level}) again"

    return Done("; ".join((f"{name} is {written(shown.value)} ({shown.level})", *shown.warnings)), undo)


def set_value(palace: Palace, name: str, value: str, agent: str | None) -> ShownSetting:
    """Set a value from typed text.

    Raises:
        BadRequest: it is invalid; or it is the embedding model, a change of which embeds everything again.
    """
    from palace.config.table import get_setting

    if name == WHOLE_PALACE:
        raise BadRequest("another model embeds everything anew: `palace embeddings switch MODEL` shows how far it is")
    return palace.settings.set(name, get_setting(name).kind.read(value), agent=agent)
