"""``palace`` alone: the state of the palace, and what to do next. It starts nothing and is there at once."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Group
from rich.table import Table
from rich.text import Text

import palace
from palace.models.health import PalaceGlance, ServerState
from palace_cli import options, output
from palace_cli.opening import settings_of
from palace_cli.render.figures import count, moment
from palace_cli.render.layout import named_values
from palace_cli.styles import COMMAND, HEADING

_SERVERS = {
    ServerState.NEW: "nothing is made yet: the first conversation makes it, and starts the server",
    ServerState.STOPPED: "the embedded server is not running: the next command that needs it starts it",
    ServerState.AWAY: "the shared server does not answer",
    ServerState.OUTDATED: "the server has no palace of this version yet",
    ServerState.BUSY: "the server is busy, and does not tell at once",
    ServerState.RUNNING: "running",
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something to type next."""

    command: str
    does: str


_MENDING = {
    ServerState.AWAY: NextStep("palace doctor", "says what is in the way"),
    ServerState.OUTDATED: NextStep("palace db upgrade", "makes one, or brings it to this version"),
    ServerState.BUSY: NextStep("palace db status", "says what it is doing"),
}


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of the palace, and what to do next."""

    palace: PalaceGlance
    next: tuple[NextStep, ...]


def glance(user: options.User = None, as_json: options.Json = False) -> None:
    """Show the state of the palace, and what to do next."""
    from palace.operations.glance import glance as look

    found = look(settings_of(user))
    output.present(Overview(found, next_steps(found)), overview_view, as_json=as_json)


def next_steps(found: PalaceGlance) -> tuple[NextStep, ...]:
    """Return what a person may want to do next; what repairs something comes first."""
    steps = [*_mending(found)]
    if found.is_empty:
        steps += [
            NextStep("palace mine FILE", "files a conversation: an export, a transcript, notes"),
            NextStep('palace note "TEXT"', "files one line by hand"),
        ]
    elif found.server not in (ServerState.AWAY, ServerState.OUTDATED):
        steps += [
            NextStep('palace recall "QUESTION"', "finds what was said"),
            NextStep("palace recent", "looks back on the last days"),
            NextStep("palace browse", "walks the wings, in the terminal"),
        ]
    return (*steps, NextStep("palace --help", "lists all commands"))


def _mending(found: PalaceGlance) -> list[NextStep]:
    mending = [_MENDING[found.server]] if found.server in _MENDING else []
    if found.failed:
        mending.append(NextStep("palace jobs list --state failed", f"says why {count(found.failed, 'job')} failed"))
    if found.waiting:
        mending.append(NextStep("palace worker --until-empty", f"does {count(found.waiting, 'job')} that wait"))
    return mending


def overview_view(overview: Overview) -> Group:
    """Show the state as named values, and each next step with what it does."""
    steps = Table.grid(padding=(0, 3, 0, 2))
    steps.add_column(no_wrap=True)
    steps.add_column()
    for step in overview.next:
        steps.add_row(Text(step.command, style=COMMAND), step.does)
    return Group(
        Text(f"Palace {palace.__version__}: long-term memory for people and agents", style=HEADING),
        "",
        named_values(_rows(overview.palace)),
        "",
        steps,
    )


def _rows(found: PalaceGlance) -> list[tuple[str, str]]:
    kind = "shared" if found.is_shared else "embedded"
    rows = [("user", found.user), ("home", found.home)]
    is_running = found.server is ServerState.RUNNING
    rows.append(("server", f"{kind}, running" if is_running else _SERVERS[found.server]))
    if found.drawers is None:
        return rows
    held = f"{count(found.wings or 0, 'wing')}, {count(found.rooms or 0, 'room')}, {count(found.drawers, 'drawer')}"
    rows.append(("holds", held if found.drawers else "nothing yet"))
    if found.last_mined_at:
        rows.append(("last mined", moment(found.last_mined_at)))
    return rows
