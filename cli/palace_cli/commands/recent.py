"""``palace recent``: what matters of the last days, and what stands open."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from palace_cli import diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import option
from palace_cli.render.recent import recent_view

Days = Annotated[int, option("--days", "Today and so many days before.", "N", min=1, max=36_525)]
Since = Annotated[str | None, option("--since", "What was said from then on, in place of --days.", "WHEN")]
Limit = Annotated[
    int,
    option("--limit,--top-k", "How many at most: told, open and coming up, of each.", "N", min=1, max=1000),
]
Budget = Annotated[
    int | None,
    option("--budget", "No more than so many tokens of a block.", "TOKENS", min=1, max=1_000_000),
]
Now = Annotated[
    str | None,
    option("--now", "The moment to look back from; this one unless given.", "WHEN"),
]
Block = Annotated[bool, option("--block", "Write a <memory_context> block for a model.")]
BLOCK_BUDGET = 1500
"""Tokens of a block, unless --budget says otherwise."""


def recent(
    *,
    days: Days = 7,
    since: Since = None,
    wing: options.Wing = None,
    limit: Limit = 10,
    budget: Budget = None,
    now: Now = None,
    block: Block = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show what matters of the last days, what is open or coming up.

    Of what was said, the sentences that tell most, by wing, each with its pointer: the person's before an assistant's,
    from many conversations, each statement once. Open are questions that nobody answered, and what is to be done.
    Where nothing was said in those days, the latest are shown in which something was.

    \b
    palace recent
    palace recent --wing "Efoil rebuild" --days 30
    palace recent --block --budget 800
    """
    options.exclusive(("--json", as_json), ("--block", block))
    asked_at = options.moment("--now", now)
    with open_palace(user) as palace:
        found = palace.recent(
            days=days,
            since=options.moment("--since", since),
            wing=wing,
            limit=limit,
            budget=budget,
            now=asked_at,
        )
        written = palace.context_block(found, token_budget=budget or BLOCK_BUDGET) if block else None
    if written is None:
        view = partial(recent_view, now=asked_at or datetime.now(UTC))
        output.present(found, view, as_json=as_json)
    elif written:
        output.write_all_verbatim([f"{written}\n"])
    diagnostics.warn(found.warnings)
    if written == "":
        diagnostics.remark("nothing to tell, and nothing open")
