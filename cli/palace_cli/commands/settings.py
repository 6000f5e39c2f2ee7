"""``palace settings``: what a person sets for themselves and for their agents."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from palace.models.settings import ShownSetting
from palace_cli import completion, diagnostics, options
from palace_cli.command import Answer, Palace, answers, subcommand
from palace_cli.options import argument, flag, option
from palace_cli.render.figures import written
from palace_cli.render.layout import cell, named_values, records, table
from palace_cli.styles import ASIDE, HEADING

app = typer.Typer(help="What you set for yourself, and for your agents.")

Name = Annotated[
    str,
    argument("NAME", "The setting, as `palace settings` lists it.", completes=completion.setting_names),
]


Agent = Annotated[
    str | None,
    option(
        "--agent",
        "For one agent, by its name; for yourself unless given.",
        "AGENT",
        default=...,
        completes=completion.known("AGENT"),
    ),
]


def value_view(setting: ShownSetting) -> str:
    return written(setting.value)


def settings_view(shown: tuple[ShownSetting, ...]) -> Table:
    """Show one line per setting: its value, where that comes from, what it means."""
    columns = {"setting": "name", "value": value_view, "from": "level", "means": "means"}
    return records(shown, columns, elastic=("means",))


def explained_view(setting: ShownSetting) -> Group:
    """Show a setting with what each level says, the one that holds first."""
    head = named_values(
        {"setting": setting.name, "agent": setting.agent, "means": setting.means, "may be": setting.wants}
    )
    levels = table("", "says", "where", elastic=("where",))
    for index, said in enumerate(setting.said):
        style = HEADING if index == 0 else ASIDE
        levels.add_row(Text(said.level.value, style=style), cell(written(said.value), style), cell(said.where))
    return Group(head, Text(), levels)


@app.callback(invoke_without_command=True)
@answers(settings_view, is_group=True)
def settings(palace: Palace, agent: Agent = None) -> Answer:
    """List your settings, or an agent's, and where each value comes from.

    A value that is not set for an agent is the one that you set for yourself, else that of the environment, of the
    file config.toml, or the default.

    \b
    palace settings set top_k 8
    palace settings set enabled false --agent coder
    palace settings explain top_k --agent coder
    """
    agents = palace.settings.agents() if agent is None else ()
    remarks = [f"agents with settings of their own: {', '.join(agents)}"] if agents else []
    return Answer(palace.settings.all(agent=agent), remarks=remarks)


@subcommand(app, "get", value_view)
def get(palace: Palace, name: Name, agent: Agent = None) -> ShownSetting:
    """Show the value of a setting.

    \b
    palace settings get similarity_threshold
    """
    return palace.settings.get(name, agent=agent)


@subcommand(app, "set", settings_view)
def set_(
    palace: Palace,
    name: Name,
    value: str = argument(
        "VALUE", "What it is to be; `palace settings get NAME` says what.", completes=completion.setting_values
    ),
    agent: Agent = None,
) -> Answer:
    """Set a value for yourself, or for an agent.

    embedding_model is that of the whole palace: everything is embedded again, and it is set when that is done.

    \b
    palace settings set use_rerank true
    palace settings set gate greeting,tool --agent coder
    """
    from palace.config.table import get_setting

    with diagnostics.progress() as progress:
        shown = palace.settings.set(name, get_setting(name).kind.read(value), agent=agent, progress=progress)
    return Answer((shown,), warnings=shown.warnings)


@subcommand(app, "reset", settings_view)
def reset(
    palace: Palace,
    name: str | None = argument(
        "NAME", "The setting; all of them with --all.", default=None, completes=completion.setting_names
    ),
    *,
    everything: bool = flag("--all", "Everything that is set for you, or for the agent."),
    agent: Agent = None,
) -> tuple[ShownSetting, ...]:
    """Remove a value; the next level's holds again.

    \b
    palace settings reset top_k
    palace settings reset --all --agent coder
    """
    from palace.errors import BadRequest

    options.exclusive(("NAME", name is not None), ("--all", everything))
    if name is None and not everything:
        raise BadRequest("name a setting, or say --all: `palace settings` lists them")
    return palace.settings.reset(name, agent=agent)


@subcommand(app, "explain", explained_view)
def explain(palace: Palace, name: Name, agent: Agent = None) -> ShownSetting:
    """Show where a value comes from, and what the other levels say.

    \b
    palace settings explain use_rerank --agent coder
    """
    return palace.settings.get(name, agent=agent)
