"""Formats hits, or a wake-up view, for a model: one block within a budget, every drawer citing its pointer. Pure.

Recalled text is data: whatever it contains, a block can be parsed in only one way:

    block   = "<memory_context>" LF, { drawer LF }, "</memory_context>"
    drawer  = pointer, [ tags ], " | ", when, " | ", who, " | ", text
    pointer = "§ W-", digits, "/R-", digits, "/D-", digits
    tags    = { " @", kind, " ", name, { ", ", name } }; the entities it is about, at most six
    kind    = "p" people, "l" places, "e" events, "i" items or "t" times, in this order
    when    = date ("2026-04-30") or "undated", [ ", no longer so since ", date ], [ until ],
              [ ", earlier than ", pointer ], [ stands ]
    until   = ", ", [ '"', claim, '" ' ], "until ", date, [ ", then ", pointer ]; since when it, or only the claim,
              no longer holds, and the drawer that says what holds instead
    stands  = ", open" or ", for ", date, [ " to ", date ], [ ", ", number, " more coming" ], only in a wake-up view;
              ", decision", ", failure", ", fix" or ", edit", only in a history of work
    who     = role, [ ' "', name, '"' ]; of a memory: type, [ ", from ", pointer, { " ", pointer } ]
    role    = "user", "assistant", "system" or "tool"
    type    = "fact", "how-to", "episode", "lesson" or "instruction"
    text    = line, { LF, "  ", line }

A tag's name is quoted, with entities, if it would be ambiguous otherwise (``palace.nlp.aaak``). The role is always
Palace's; a name from the source follows it in quotation marks. Names and claims contain no quotation marks or bars.
``<``, ``>`` and ``§`` occur only in Palace's own markup; in names and texts they are spelled out as entities, and so
are invisible characters (``palace.nlp.inert``).

A text keeps its lines and indentation, because models know code, lists and tables in that form. Every line after the
first is indented by two more spaces, so a line of the block always begins with the tag, ``§`` or these spaces, whatever
the text contains. Empty lines are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from palace.config.zones import in_zone
from palace.graph.wording import written_ended
from palace.models import (
    About,
    Drawer,
    Hit,
    HitOrder,
    Memory,
    Pointer,
    Recent,
    RecentItem,
    Recollection,
    Role,
    Span,
    Why,
    WorkEntry,
    WorkHistory,
)
from palace.nlp.aaak import most_telling, write_tags
from palace.nlp.inert import inert, inert_line, inert_name
from palace.recall.excerpt import focus_of, shown_lines, shown_span
from palace.recall.floor import LONGEST_TEXT

OPEN = "<memory_context>"
CLOSE = "</memory_context>"
CHARACTERS_PER_TOKEN = 4
"""Average of English text in current tokenizers, rounded down."""

WriteHit = Callable[[Hit], str]

_OPEN = frozenset({Why.QUESTION, Why.INTENTION, Why.BOX})

INDENTED = "\n  "
"""Precedes every further line of a text."""

MOST_TAGS = 6
"""Most tags of a drawer; those that its text does not contain come first."""

MOST_EVIDENCE = 3
"""Most drawers that are cited as evidence of a memory."""

LONGEST_NAME = 60
"""Most characters of a speaker's name."""


def line_writer(zone: tzinfo) -> WriteHit:
    """Return a function that formats hits and caches the result, because hits are tried repeatedly."""
    written: dict[tuple[Pointer | None, ...], str] = {}

    def write(hit: Hit) -> str:
        beside = (each.pointer for each in hit.before), (each.pointer for each in hit.after)
        shown = (hit.drawer.pointer, *beside[0], None, *beside[1])
        if shown not in written:
            written[shown] = "\n".join(_lines(hit, zone))
        return written[shown]

    return write


def memory_context(
    recollection: Recollection, *, token_budget: int = 1500, zone: tzinfo = UTC, write: WriteHit | None = None
) -> str:
    """Format a recollection as a block; return "" if there is no hit or none fits the budget.

    Dates are in ``zone``. The budget counts four characters per token; better hits have precedence, and those that do
    not fit are left out. A drawer occurs once: as a hit in its own place, as a neighbour with the first hit that has
    it. ``write`` formats a hit, as from ``line_writer``; pass one to share its cache between blocks.
    """
    write = write or line_writer(zone)
    budget = token_budget * CHARACTERS_PER_TOKEN - len(OPEN) - len(CLOSE) - 2
    lines: dict[int, str] = {}
    shown = recollection.own_places()
    for place in _best_first(recollection):
        hit = recollection.hits[place].without(shown)
        line = write(hit)
        if len(line) + 1 > budget:
            continue
        budget -= len(line) + 1
        lines[place] = line
        shown |= {drawer.pointer for drawer in (*hit.before, *hit.after)}
    return "\n".join([OPEN, *(lines[place] for place in sorted(lines)), CLOSE]) if lines else ""


def _best_first(recollection: Recollection) -> Sequence[int]:
    """Return the indexes of hits, the best first, regardless of their order."""
    places = range(len(recollection.hits))
    if recollection.order is HitOrder.RELEVANCE:
        return places
    return sorted(places, key=lambda place: -recollection.hits[place].score)


def _lines(hit: Hit, zone: tzinfo) -> list[str]:
    before = [_head(drawer, zone) + _text(_beginning(drawer)) for drawer in hit.asked_before()]
    after = [_head(drawer, zone) + _text(_beginning(drawer)) for drawer in hit.after]
    text = _excerpt(hit)
    tags = write_tags(most_telling(hit.tags, " ".join(text), MOST_TAGS))
    cited = f"{hit.drawer.pointer} {tags}" if tags else str(hit.drawer.pointer)
    return [*before, f"{cited} | {_told(hit.drawer, zone, hit.newer, memory=hit.memory)}{_text(text)}", *after]


def _text(lines: Sequence[str]) -> str:
    return f" | {INDENTED.join(map(inert_line, lines))}"


def cited_line(hit: Hit, zone: tzinfo) -> str:
    """Format a hit on one line, ``pointer | when | who | text``; long text is shown as an excerpt."""
    told = _told(hit.drawer, zone, hit.newer, memory=hit.memory)
    return f"{hit.drawer.pointer} | {told} | {inert(' '.join(_excerpt(hit)))}"


def written_item(drawer: Drawer, part: Span, stands: str, zone: tzinfo, memory: Memory | None = None) -> str:
    """Format a part of a drawer as ``memory_context`` does; ``stands`` is "" or a status ("open").

    ``memory`` is the one that the drawer states.
    """
    return _head(drawer, zone, stands=stands, memory=memory) + _text(shown_lines(drawer.content, part))


def _head(drawer: Drawer, zone: tzinfo, stands: str = "", memory: Memory | None = None) -> str:
    return f"{drawer.pointer} | {_told(drawer, zone, stands=stands, memory=memory)}"


def _told(
    drawer: Drawer, zone: tzinfo, newer: Pointer | None = None, *, stands: str = "", memory: Memory | None = None
) -> str:
    """Format when and by whom a drawer was said."""
    when = date_in(drawer.said_at, zone) if drawer.said_at else "undated"
    if drawer.replaced_at:
        when += f", no longer so since {date_in(drawer.replaced_at, zone)}"
    if drawer.until:
        what = f'"{_short(written_ended(drawer.ended))}" ' if drawer.ended else ""
        when += f", {what}until {date_in(drawer.until, zone)}"
        when += f", then {drawer.superseded_by}" if drawer.superseded_by else ""
    if newer and newer != drawer.superseded_by:
        when += f", earlier than {newer}"
    if stands:
        when += f", {stands}"
    return f"{when} | {_who(drawer) if memory is None else _kind_of(memory)}"


def _kind_of(memory: Memory) -> str:
    """Format what kind of memory it is, and the drawers that it stands on."""
    evidence = " ".join(map(str, memory.evidence[:MOST_EVIDENCE]))
    return f"{memory.type.noun}, from {evidence}" if evidence else memory.type.noun


def date_in(moment: datetime, zone: tzinfo) -> str:
    """Return the date of a datetime in ``zone``, as ISO 8601."""
    return in_zone(moment, zone).date().isoformat()


def _who(drawer: Drawer) -> str:
    name = " ".join((drawer.speaker or "").split())
    shown = _short(name)
    return f'{drawer.role.value} "{shown}"' if shown else drawer.role.value


def _short(name: str) -> str:
    return inert_name(name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]} …")


def _excerpt(hit: Hit) -> list[str]:
    """Return the lines of content if it is short, else of its passage or the part around its best sentence."""
    content = hit.drawer.content
    whole = Span(0, len(content))
    if len(content) <= LONGEST_TEXT:
        return shown_lines(content, whole)
    return shown_lines(content, shown_span(content, hit.passage, focus_of(hit), _cost, reach=LONGEST_TEXT))


def _beginning(drawer: Drawer) -> list[str]:
    whole = Span(0, len(drawer.content))
    return shown_lines(drawer.content, shown_span(drawer.content, whole, Span(0, 0), _cost, reach=LONGEST_TEXT))


def _cost(text: str) -> float:
    return len(text) / LONGEST_TEXT


def recent_context(recent: Recent, *, token_budget: int, zone: tzinfo = UTC, first: Iterable[RecentItem] = ()) -> str:
    """Format a wake-up view as a block: what is coming, open and told; "" if no item fits.

    The budget counts as in ``memory_context``. Output does not depend on the current day, so equal items give equal
    bytes. Items in ``first`` are included regardless of the budget.
    """
    shown = within(recent, token_budget=token_budget, zone=zone)
    lines = [_recent_line(item, zone) for item in (*first, *shown.coming[:-1])]
    lines += [_recent_line(item, zone, shown.more_coming) for item in shown.coming[-1:]]
    lines += [_recent_line(item, zone) for item in (*shown.open, *shown.told)]
    return "\n".join([OPEN, *lines, CLOSE]) if lines else ""


def about_context(page: About, *, token_budget: int, zone: tzinfo = UTC) -> str:
    """Format a page as a block, one sentence per line, as many as fit the budget; "" if none does."""
    lines = (line for kind in page.kinds for line in kind.lines)
    items = ((each.pointer, each.said_at, "", each.role, each.for_model) for each in lines)
    return _block_of(items, token_budget, zone)


def work_context(history: WorkHistory, *, token_budget: int, zone: tzinfo = UTC) -> str:
    """Format the newest entries of a history that fit the budget as a block, oldest first; "" if none does."""
    newest = (
        (each.pointer, each.said_at, f", {each.kind}", each.role, "\n".join(_entry_lines(each)))
        for each in reversed(history.entries)
    )
    return _block_of(newest, token_budget, zone, is_reversed=True)


def _entry_lines(entry: WorkEntry) -> Iterator[str]:
    yield entry.text
    if entry.error and entry.error != entry.text:
        yield f"{entry.command}: {entry.error}"
    if entry.fixed_by and entry.fixed_by not in entry.text:
        yield f"gone after {entry.fixed_by}"


def _block_of(
    items: Iterable[tuple[Pointer, datetime | None, str, Role, str]],
    token_budget: int,
    zone: tzinfo,
    *,
    is_reversed: bool = False,
) -> str:
    """Format pointers, times, states, roles and texts as a block, as many as fit the budget; "" if none does."""
    budget, lines = token_budget * CHARACTERS_PER_TOKEN - len(OPEN) - len(CLOSE) - 2, []
    for pointer, said_at, stands, role, text in items:
        when = date_in(said_at, zone) if said_at else "undated"
        line = f"{pointer} | {when}{stands} | {role.value}{_text(text.splitlines())}"
        if len(line) + 1 <= budget:
            budget -= len(line) + 1
            lines.append(line)
    return "\n".join([OPEN, *(lines[::-1] if is_reversed else lines), CLOSE]) if lines else ""


def within(recent: Recent, *, token_budget: int, zone: tzinfo = UTC) -> Recent:
    """Return the view with the items that fit a budget of four characters per token.

    Coming and open items have precedence, then told ones by score; the order stays.
    """
    most = recent.more_coming + len(recent.coming)
    budget = token_budget * CHARACTERS_PER_TOKEN - len(OPEN) - len(CLOSE) - 2 - len(_others(most))
    kept: set[int] = set()
    for item in _by_weight(recent):
        cost = len(_recent_line(item, zone)) + 1
        if cost <= budget:
            budget -= cost
            kept.add(id(item))
    told, ends, coming = (
        tuple(item for item in part if id(item) in kept) for part in (recent.told, recent.open, recent.coming)
    )
    return replace(recent, told=told, open=ends, coming=coming, more_coming=most - len(coming))


def _by_weight(recent: Recent) -> Iterable[RecentItem]:
    return (*recent.coming, *recent.open, *sorted(recent.told, key=lambda item: -item.score))


def _recent_line(item: RecentItem, zone: tzinfo, others: int = 0) -> str:
    return written_item(item.drawer, item.sentence, _stands(item, zone) + _others(others), zone)


def _others(number: int) -> str:
    return f", {number:,} more coming" if number else ""


def _stands(item: RecentItem, zone: tzinfo) -> str:
    if item.due is None:
        return "open" if item.why in _OPEN else ""
    first, last = (date_in(moment, zone) for moment in (item.due.start, item.due.end - timedelta(microseconds=1)))
    return f"for {first}" if first == last else f"for {first} to {last}"
