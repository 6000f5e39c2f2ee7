"""``palace outbox``: what was said and could not be filed yet."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer
from rich.console import Group
from rich.table import Table

from palace_cli import diagnostics, options, output
from palace_cli.command import Answer, Palace, agreed, listing, subcommand
from palace_cli.opening import open_outbox
from palace_cli.options import flag
from palace_cli.render.figures import ago, count, moment, size
from palace_cli.render.layout import named_values, records

if TYPE_CHECKING:
    from palace.agent.outbox import OutboxContents
    from palace.operations.outbox import OutboxVerbs

app = typer.Typer(help="See what waits to be filed; file it, or throw it away.")


MOST_SHOWN = 100
"""Exchanges that a person is shown; ``--json`` has all."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """How much was thrown away."""

    discarded: int
    """Exchanges."""


@dataclass(frozen=True, slots=True)
class Flushed:
    """The result of filing what waited, in exchanges."""

    filed: int
    refused: int
    """What can never be filed."""
    left: int
    """What waits on."""


def outbox_view(found: OutboxContents) -> Group:
    oldest = min((each.said_at for each in found.waiting if each.said_at), default=None)
    since = f", the oldest of {moment(oldest)}, {ago(oldest, datetime.now(UTC))}" if oldest else ""
    everything = (*found.waiting, *found.refused)
    rows = {
        "waiting": f"{count(len(found.waiting), 'exchange')}{since}",
        "refused": count(len(found.refused), "exchange") if found.refused else "",
        "size": size(sum(each.size_bytes for each in everything)),
        "file": found.file,
    }
    columns = {
        "said": lambda each: moment(each.said_at),
        "messages": "messages",
        "conversation": "conversation",
        "state": lambda each: f"refused: {each.reason}" if each.reason else "waits",
    }
    shown = records(everything[:MOST_SHOWN], columns, numbers=("messages",), elastic=("conversation", "state"))
    more = len(everything) - MOST_SHOWN
    return Group(named_values(rows), "", shown, *([f"… and {more:,} more (--json has them)"] if more > 0 else []))


def flushed_view(flushed: Flushed) -> Table:
    return named_values({"filed": flushed.filed, "refused": flushed.refused, "waiting": flushed.left})


def _question(waiting: int, refused: int) -> str:
    told = [f"{count(waiting, 'exchange')} to be filed"] if waiting else []
    told += [f"{count(refused, 'exchange')} that cannot be filed"] if refused else []
    return f"Throw away {' and '.join(told)}? Nothing else has what was said."


@listing(
    app,
    "list",
    outbox_view,
    nothing="nothing waits: what was said is filed",
    opens=lambda user: nullcontext(open_outbox(user)),
)
def list_(outbox: OutboxVerbs) -> OutboxContents:
    """List what waits to be filed, and what never can be.

    It shows no word of any message. It needs no server, so it works while yours is away.

    \b
    palace outbox
    """
    return outbox.contents()


@subcommand(app, "flush", flushed_view, incomplete=lambda flushed: flushed.left)
def flush(palace: Palace) -> Answer:
    """File what waits, in order; what is filed is not filed again.

    \b
    palace outbox flush
    """
    emptied = palace.turns.flush()
    never = f"{count(emptied.refused, 'exchange')} can never be filed: palace outbox list says why"
    flushed = Flushed(emptied.filed, emptied.refused, emptied.left)
    return Answer(flushed, warnings=[never] if emptied.refused else [])


@app.command("discard")
def discard(
    *,
    refused: bool = flag("--refused", "Only what can never be filed."),
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
    if waiting or never:
        agreed(_question(waiting, never), yes=yes, otherwise="nothing was thrown away")
        outbox.discard(refused_only=refused)
    else:
        diagnostics.remark("the outbox is empty")
    if waiting or never or as_json:
        done = Discarded(waiting + never)
        output.present(done, lambda _: f"threw away {count(done.discarded, 'exchange')}", as_json=as_json)
