"""``palace about``: what is known of oneself, or of anybody or anything named."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from rich.console import Group, RenderableType
from rich.text import Text

from palace.models import About, AboutKind
from palace.models.about import YOU
from palace_cli import completion, diagnostics, options, output
from palace_cli.clock import shown
from palace_cli.commands.recall import BLOCK_BUDGET
from palace_cli.opening import open_palace
from palace_cli.options import argument, flag, option, since
from palace_cli.render.layout import grid
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING, POINTER


def about(
    name: str | None = argument(
        "NAME", "Whom or what, by any name; yourself unless given.", default=None, completes=completion.known("ENTITY")
    ),
    *,
    past: bool = flag("--past", "Add what is no longer so."),
    limit: int = option("--limit", "How many lines of each kind at most.", "N", default=20, min=1, max=10_000),
    now: datetime | None = since("--now", "The moment it is seen from; this one unless given."),
    block: bool = flag("--block", "Write a <memory_context> block for a model."),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show what is known of you, or of anybody or anything named.

    A page of what holds now, by kinds, each line with the day and the drawer that said it last: family, home, work,
    likes, health, possessions; of yourself also what you asked for once and for all, decided, and have to do. What
    one would expect and nobody said is named as well.

    \b
    palace about
    palace about Derek --past
    palace about --block
    """
    options.exclusive(("--json", as_json), ("--block", block))
    with open_palace(user) as palace:
        found = palace.about(name, past=past, limit=limit, now=now)
        written = palace.context_block(found, token_budget=BLOCK_BUDGET) if block else None
        is_empty = found.is_empty and not found.has_past
        jobs = palace.jobs.counts() if is_empty else None
    if written is None:
        output.present(found, about_view, as_json=as_json)
    elif written:
        output.write_all_verbatim([f"{written}\n"])
    if jobs and jobs.waiting + jobs.running:
        diagnostics.remark("not all that was filed is read yet: try again soon; `palace jobs` shows what is left")
    elif is_empty:
        diagnostics.remark(
            "nothing is known: `palace mine FILE` or `palace note TEXT` adds something; --me says who you are in chats"
        )


def about_view(page: About) -> Group:
    """Show what is known, each line with its drawer and the day, then what is not."""
    others = f", also called {', '.join(page.entity.aliases[:5])}" if page.entity and page.entity.aliases else ""
    kind = f" ({page.entity.type})" if page.entity and page.name != YOU else ""
    title = Text(one_line(f"{page.name}{kind}{others if kind else ''}"), style=HEADING)
    gaps: list[RenderableType] = ["", Text(one_line(page.gaps), style=ASIDE)] if page.gaps else []
    return Group(title, *(part for each in page.kinds for part in _kind(each)), *gaps)


def _kind(kind: AboutKind) -> Iterator[RenderableType]:
    yield ""
    yield Text(kind.title, style=HEADING)
    rows = grid(None, 0, 0)
    for line in kind.lines:
        day = f"{shown(line.said_at):%Y-%m-%d}" if line.said_at else "undated"
        text = Text(f"  {one_line(line.text)}")
        rows.add_row(text, Text(day, style=ASIDE), Text(str(line.pointer), style=POINTER))
    yield rows
    if kind.left_out:
        yield Text(f"  {kind.left_out:,} more: --limit shows them", style=ASIDE)
