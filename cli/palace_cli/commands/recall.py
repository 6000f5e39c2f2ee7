"""``palace recall``: answer a query with the drawers that matter."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, TypedDict

from palace.models import Recollection
from palace.models.spool import own_input
from palace_cli import completion, diagnostics, options, output
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.hits import recollection_view
from palace_cli.warm import ask_worker


class Times(TypedDict):
    """The moments that a recall takes."""

    since: datetime | None
    until: datetime | None
    now: datetime | None


class Said(TypedDict):
    """By whom something was said, in which language, and whether what tools returned counts."""

    role: str | None
    speaker: str | None
    language: str | None
    tools: bool


class Format(StrEnum):
    """Whom the text is for."""

    HUMAN = "human"
    BLOCK = "block"


Query = Annotated[
    list[str],
    argument("QUERY...", "What to remember, in plain words, or - to read it from standard input."),
]
RoleName = Annotated[
    str | None,
    option(
        "--role",
        "Only what was said in this role.",
        "user|assistant|system|tool",
        completion.words("user", "assistant", "system", "tool"),
    ),
]
Speaker = Annotated[
    str | None,
    option("--speaker", "Only what was said by this speaker.", "NAME", completion.known("SPEAKER")),
]
Language = Annotated[str | None, option("--language", "Only what is written in it: en, de, fr, ….", "CODE")]
LONGEST_INPUT = 1 << 20
"""Bytes of standard input that are read: many times what a query may have."""
TopK = Annotated[
    int | None,
    option(
        "--top-k",
        "How many hits at most; 5 unless given, up to 15 for a question about all of a kind.",
        "N",
        min=1,
        max=1000,
    ),
]
Since = Annotated[str | None, option("--since", "Only what was said from then on.", "WHEN")]
Until = Annotated[
    str | None,
    option("--until", "Only what was said up to then; a date includes its day.", "WHEN"),
]
Now = Annotated[
    str | None,
    option("--now", "When the question is asked; this moment unless given. Hides nothing.", "WHEN"),
]
Tools = Annotated[bool, option("--tools", "Look at what tools returned as well.")]
Rerank = Annotated[
    bool | None,
    option(
        "--rerank/--no-rerank",
        "Let a language model put the hits in front that answer the query; as the settings say unless given.",
    ),
]
FormatOption = Annotated[
    Format,
    option("--format", "Text for people, or a <memory_context> block for a model.", "human|block"),
]
FloorName = Annotated[
    str | None,
    option(
        "--floor",
        "How much is kept back as not relevant; normal unless set.",
        "none|low|normal|strict",
        completion.words("none", "low", "normal", "strict"),
    ),
]
OrderName = Annotated[
    str,
    option("--order", "The best first, or as they were said.", "relevance|time", completion.words("relevance", "time")),
]
Verbose = Annotated[bool, option("--verbose,-v", "Show the numbers behind the reasons as well.")]
Colour = Annotated[
    bool | None,
    option("--color/--no-color", "Write in colour, the query's words marked; on a terminal unless given."),
]


def recall(
    query: Query,
    *,
    top_k: TopK = None,
    wing: options.Wing = None,
    since: Since = None,
    until: Until = None,
    now: Now = None,
    tools: Tools = False,
    role: RoleName = None,
    speaker: Speaker = None,
    language: Language = None,
    context: options.Context = 0,
    floor: FloorName = None,
    order: OrderName = "relevance",
    rerank: Rerank = None,
    agent: options.AgentName = None,
    format_: FormatOption = Format.HUMAN,
    verbose: Verbose = False,
    color: Colour = None,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Find the drawers that matter for a query.

    Each stands with its pointer and why it was found. Several words are one query; @p NAME in it asks for a person,
    @l for a place, @e an event, @i an item. WHEN is a date, a moment, or "2 weeks ago".

    \b
    palace recall "why did the wire overheat?" --wing "Efoil rebuild"
    palace recall "which batteries have I bought?" --since 2026-04-01 --order time --format block
    """
    options.exclusive(("--json", as_json), ("--format block", format_ is Format.BLOCK))
    times, said = _times(since, until, now), Said(role=role, speaker=speaker, language=language, tools=tools)
    how = {"top_k": top_k, "context": context, "floor": floor, "order": order, "rerank": rerank, "agent": agent}
    asked: dict[str, Any] = {"query": _read_query(query), "wing": wing, **how, **times, **said}
    done = ask_worker("recall", user, **asked, block=format_ is Format.BLOCK)
    found, shown, block = done or (None, None, None)
    if found is None or shown is None:
        with open_palace(user, embeds_at_once=True) as palace:
            found = palace.recall(**asked)
            shown = found.shown(floor or palace.settings.effective(agent).floor)
            block = palace.context_block(shown) if format_ is Format.BLOCK else None
    width, longest = output.text_width(), output.longest_line()
    view = partial(recollection_view, now=times["now"], verbose=verbose, width=width, longest=longest)
    if block is None:
        output.present(found if as_json else shown, view, as_json=as_json, colour=color)
    elif block:
        output.write_all_verbatim([f"{block}\n"])
    _tell(found, nothing_likely=not (shown.hits or as_json))


def _tell(found: Recollection, *, nothing_likely: bool) -> None:
    """Say how the query was read, what was wrong, and in one line where nothing is shown."""
    diagnostics.note(f"nothing says “{each.typed}”: read as “{each.read_as}”" for each in found.corrections)
    diagnostics.warn(found.warnings)
    if not found.hits:
        diagnostics.remark("nothing relevant found")
    elif nothing_likely:
        diagnostics.remark("nothing likely found: --floor low shows what is unlikely")


def _times(since: str | None, until: str | None, now: str | None) -> Times:
    return {
        "since": options.moment("--since", since),
        "until": options.last_moment("--until", until),
        "now": options.moment("--now", now),
    }


def _read_query(query: list[str]) -> str:
    if query != ["-"]:
        return " ".join(query)
    return own_input().read(LONGEST_INPUT).decode("utf-8", "replace")
