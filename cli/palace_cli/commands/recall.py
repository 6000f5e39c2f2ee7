"""``palace recall`` and ``recent``: the drawers that matter for a query, and what matters of the last days."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

from palace.models import Recollection
from palace.models.spool import own_input
from palace.recall.reasons import silence
from palace_cli import completion, diagnostics, options, output
from palace_cli.opening import ask_worker, open_palace
from palace_cli.options import argument, choice, flag, option, since, until
from palace_cli.render.hits import recent_view, recollection_view

LONGEST_INPUT = 1 << 20
"""Bytes of standard input that are read: many times what a query may have."""
BLOCK_BUDGET = 1500
"""Tokens of a block, unless --budget says otherwise."""
RERANKS = "Let a language model put the hits in front that answer the query; as the settings say unless given."
HITS = "How many hits at most; 5 unless given, up to 15 for a question about all of a kind."
COLOURS = "Write in colour, the query's words marked; on a terminal unless given."

TopK = Annotated[int | None, option("--top-k", HITS, "N", default=..., min=1, max=1000)]
Rerank = Annotated[bool | None, option("--rerank/--no-rerank", RERANKS, default=...)]
Colour = Annotated[bool | None, option("--color/--no-color", COLOURS, default=...)]


class Format(StrEnum):
    """The reader of the text."""

    HUMAN = "human"
    BLOCK = "block"


def recall(
    query: list[str] = argument("QUERY...", "What to remember, in plain words, or - to read it from standard input."),
    *,
    top_k: TopK = None,
    wing: options.Wing = None,
    since: datetime | None = since("--since", "Only what was said from then on."),
    until: datetime | None = until("--until", "Only what was said up to then; a date includes its day."),
    now: datetime | None = since("--now", "When the question is asked; this moment unless given. Hides nothing."),
    tools: bool = flag("--tools", "Look at what tools returned as well."),
    role: str | None = choice("--role", "Only what was said in this role.", "user", "assistant", "system", "tool"),
    speaker: str | None = option(
        "--speaker", "Only what was said by this speaker.", "NAME", completes=completion.known("SPEAKER")
    ),
    language: str | None = option("--language", "Only what is written in it: en, de, fr, ….", "CODE"),
    context: options.Context = 0,
    floor: str | None = choice(
        "--floor", "How likely an answer must be; by default normal.", "none", "low", "normal", "strict"
    ),
    order: str = choice("--order", "The best first, or as they were said.", "relevance", "time", default="relevance"),
    rerank: Rerank = None,
    agent: options.AgentName = None,
    format_: Format = option(
        "--format", "Text for people, or a <memory_context> block for a model.", "human|block", default=Format.HUMAN
    ),
    verbose: bool = flag("--verbose,-v", "Show the numbers behind the reasons as well."),
    color: Colour = None,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Find the drawers that matter for a query.

    Each is shown with its pointer and why it was found. Several words are one query; @p NAME in it asks for a person,
    @l for a place, @e an event, @i an item. WHEN is a date, a moment, or "2 weeks ago".

    \b
    palace recall "why did the wire overheat?" --wing "Efoil rebuild"
    palace recall "which batteries have I bought?" --since 2026-04-01 --order time --format block
    """
    options.exclusive(("--json", as_json), ("--format block", format_ is Format.BLOCK))
    asked = {"query": _read_query(query), "top_k": top_k, "wing": wing, "since": since, "until": until, "now": now}
    asked |= {"tools": tools, "role": role, "speaker": speaker, "language": language, "context": context}
    asked |= {"floor": floor, "order": order, "rerank": rerank, "agent": agent}
    found, block = _recall(asked, user, writes_block=format_ is Format.BLOCK)
    width, longest = output.text_width(), output.longest_line()
    view = partial(recollection_view, now=now, verbose=verbose, width=width, longest=longest)
    if block is None:
        output.present(found, view, as_json=as_json, colour=color)
    else:
        _write_block(block)
    _tell(found)


def _recall(asked: dict[str, Any], user: str | None, *, writes_block: bool) -> tuple[Recollection, str | None]:
    """Return what was found, and as a block if wanted; a running worker does it if there is one."""
    found, block = ask_worker("recall", user, **asked, block=writes_block) or (None, None)
    if found is None:
        with open_palace(user, embeds_at_once=True) as palace:
            found = palace.recall(**asked)
            block = palace.context_block(found) if writes_block else None
    return found, block


def _tell(found: Recollection) -> None:
    """Write how the query was corrected, its warnings, and one line if there are no hits."""
    diagnostics.note(f"nothing says “{each.typed}”: read as “{each.read_as}”" for each in found.corrections)
    diagnostics.warn(found.warnings)
    if not found.hits:
        diagnostics.remark(silence(found))


def _read_query(query: list[str]) -> str:
    if query != ["-"]:
        return " ".join(query)
    return own_input().read(LONGEST_INPUT).decode("utf-8", "replace")


def _write_block(block: str) -> None:
    if block:
        output.write_all_verbatim([f"{block}\n"])


def recent(
    *,
    days: int = option("--days", "Today and so many days before.", "N", default=7, min=1, max=36_525),
    since: datetime | None = since("--since", "What was said from then on, in place of --days."),
    wing: options.Wing = None,
    limit: int = option(
        "--limit,--top-k", "How many at most: told, open and coming up, of each.", "N", default=10, min=1, max=1000
    ),
    budget: int | None = option("--budget", "No more than so many tokens of a block.", "TOKENS", min=1, max=1_000_000),
    now: datetime | None = since("--now", "The moment to look back from; this one unless given."),
    block: bool = flag("--block", "Write a <memory_context> block for a model."),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Show what matters of the last days, what is open, and what is coming up.

    Of what was said, the sentences that tell most, by wing, each with its pointer: the person's before an assistant's,
    from many conversations, each statement once. Open are questions that nobody answered, and what is to be done.
    Where nothing was said in those days, the latest are shown in which something was.

    \b
    palace recent
    palace recent --wing "Efoil rebuild" --days 30
    palace recent --block --budget 800
    """
    options.exclusive(("--json", as_json), ("--block", block))
    with open_palace(user) as palace:
        found = palace.recent(days=days, since=since, wing=wing, limit=limit, budget=budget, now=now)
        written = palace.context_block(found, token_budget=budget or BLOCK_BUDGET) if block else None
    if written is None:
        output.present(found, partial(recent_view, now=now or datetime.now(UTC)), as_json=as_json)
    else:
        _write_block(written)
    diagnostics.warn(found.warnings)
    if written == "":
        diagnostics.remark("nothing to tell, and nothing open")
