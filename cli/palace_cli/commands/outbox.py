"""``palace outbox``: what was said and could not be filed yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from palace_cli import diagnostics, options, output
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import open_outbox, open_palace
from palace_cli.options import option
from palace_cli.render.figures import ago, count, moment, size
from palace_cli.render.layout import cell, named_values, table

if TYPE_CHECKING:
    from palace.agent.outbox import OutboxContents, WaitingExchange

app = typer.Typer(help="See what waits to be filed; file it, or throw it away.")
app.callback(invoke_without_command=True)(options.help_when_alone)

RefusedOnly = Annotated[bool, option("--refused", "Only what can never be filed.")]
MOST_SHOWN = 100
"""Exchanges that a person is shown; ``--json`` has all."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """What was thrown away."""

    discarded: int
    """Exchanges."""


@dataclass(frozen=True, slots=True)
class Flushed:
    """What came of filing what waited, in exchanges."""

    filed: int
    refused: int
    """What can never be filed."""
    left: int
    """What waits on."""


def outbox_view(found: OutboxContents) -> Group:
    now = datetime.now(UTC)
    oldest = min((each.said_at for each in found.waiting if each.said_at), default=None)
    since = f", the oldest of {moment(oldest)}, {ago(oldest, now)}" if oldest else ""
    rows = [
        ("waiting", f"{count(len(found.waiting), 'exchange')}{since}"),
        ("refused", count(len(found.refused), "exchange") if found.refused else ""),
        ("size", size(sum(each.size_bytes for each in (*found.waiting, *found.refused)))),
        ("file", str(found.file)),
    ]
    parts: list[RenderableType] = [named_values(rows), ""]
    everything = (*found.waiting, *found.refused)
    parts.append(_exchanges(everything[:MOST_SHOWN]))
    if len(everything) > MOST_SHOWN:
        parts.append(f"… and {len(everything) - MOST_SHOWN:,} more (--json has them)")
    return Group(*parts)


def _exchanges(exchanges: tuple[WaitingExchange, ...]) -> Table:
    shown = table("said", "messages", "conversation", "state", numbers=("messages",), elastic=("conversation", "state"))
    for each in exchanges:
        state = f"refused: {each.reason}" if each.reason else "waits"
        shown.add_row(moment(each.said_at), str(each.messages), cell(each.conversation), cell(state))
    return shown


def flushed_view(flushed: Flushed) -> Table:
    counted = {"filed": flushed.filed, "refused": flushed.refused, "waiting": flushed.left}
    return named_values([(name, f"{number:,}") for name, number in counted.items()])


def discarded_view(found: Discarded) -> Text:
    return Text(f"threw away {count(found.discarded, 'exchange')}")


def _question(waiting: int, refused: int) -> str:
    told = [f"{count(waiting, 'exchange')} to be filed"] if waiting else []
    told += [f"{count(refused, 'exchange')} that cannot be filed"] if refused else []
    return f"Throw away {' and '.join(told)}? Nothing else has what was said."


@app.command("list")
def list_(user: options.User = None, as_json: options.Json = False) -> None:
    """List what waits to be filed, and what never can be.

    It is told without a word of it. No server is asked, so this works while yours is away.

    \b
    palace outbox list
    """
    found = open_outbox(user).contents()
    if found.waiting or found.refused or as_json:
        output.present(found, outbox_view, as_json=as_json)
    if not found.waiting and not found.refused:
        diagnostics.remark("nothing waits: what was said is filed")


@app.command("flush")
def flush(user: options.User = None, as_json: options.Json = False) -> None:
    """File what waits, in order; what is filed is not filed again.

    \b
    palace outbox flush
    """
    with open_palace(user) as palace:
        emptied = palace.turns.flush()
    flushed = Flushed(emptied.filed, emptied.refused, emptied.left)
    output.present(flushed, flushed_view, as_json=as_json)
    if emptied.refused:
        diagnostics.warn([f"{count(emptied.refused, 'exchange')} can never be filed: palace outbox list says why"])
    if emptied.left:
        raise typer.Exit(ExitCode.INCOMPLETE)


@app.command("discard")
def discard(
    *,
    refused: RefusedOnly = False,
    yes: options.Yes = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Throw away what waits, after asking; it is nowhere else.

    \b
    palace outbox discard --refused
    """
    outbox = open_outbox(user)
    found = outbox.contents()
    waiting, never = (0 if refused else len(found.waiting)), len(found.refused)
    if not waiting and not never:
        diagnostics.remark("nothing waits: nothing was thrown away")
    elif not yes and not diagnostics.confirm(_question(waiting, never)):
        diagnostics.remark("nothing was thrown away")
        raise typer.Exit(ExitCode.INCOMPLETE)
    else:
        outbox.discard(refused_only=refused)
    output.present(Discarded(waiting + never), discarded_view, as_json=as_json)
