"""Views of hits with the reasons for them, of recent items, and of a hook's answer to a prompt.

Remembered text other than names is indented by two columns, and nothing else is: no text can pass for a hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from palace.models import Role, Why
from palace.recall.reasons import in_numbers, reasons
from palace_cli.clock import shown
from palace_cli.render.drawer import excerpt, preview, said, speaker, tagged, whereabouts
from palace_cli.render.figures import ago
from palace_cli.render.layout import grid, named_values
from palace_cli.render.memory import kind_of
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import ASIDE, CITED, HEADING, POINTER

if TYPE_CHECKING:
    from palace.models import Drawer, Hit, HookHit, HookReason, Recent, RecentItem, Recollection, Stretch


def in_words(hit: Hit, better: Sequence[Hit] = ()) -> str:
    """Return in one line why a hit was found; ``better`` are the hits before it."""
    return one_line(reasons(hit, better))


INDENT = 2


def recollection_view(
    recollection: Recollection,
    *,
    width: int,
    now: datetime | None = None,
    verbose: bool = False,
    longest: int | None = None,
) -> Group:
    """Return a view of the hits, best first, each with pointer, place, excerpt and reasons.

    ``now`` is the reference of relative dates ("3 days ago"), by default the current time; ``verbose`` adds the scores;
    ``longest`` limits the characters of a neighbour, by default to the width. A neighbour of several hits is shown
    once.
    """
    told_from = now or datetime.now(UTC)
    hits = _each_once(recollection)
    parts = (_hit(hit, hits[:index], _Shown(width, told_from, verbose, longest)) for index, hit in enumerate(hits))
    return Group(*(part for block in parts for part in (block, "")))


@dataclass(frozen=True, slots=True)
class _Shown:
    """How hits are shown."""

    width: int
    now: datetime
    verbose: bool
    longest: int | None


def _each_once(recollection: Recollection) -> list[Hit]:
    """Return the hits without duplicate neighbours: other hits are dropped from them, and so are repetitions."""
    shown, hits = recollection.own_places(), []
    for found in recollection.hits:
        hits.append(found.without(shown))
        shown |= {drawer.pointer for drawer in (*found.before, *found.after)}
    return hits


def _hit(hit: Hit, better: Sequence[Hit], how: _Shown) -> Group:
    drawer = hit.drawer
    return Group(
        Text(str(drawer.pointer), style=CITED) + Text(f"  {whereabouts(drawer)}", style=HEADING),
        Text(
            said(drawer, how.now, memory=hit.memory)
            + (f", earlier than {hit.newer}" if hit.newer not in (None, hit.superseded_by) else ""),
            style=ASIDE,
        ),
        *([Text(kind_of(hit.memory), style=ASIDE)] if hit.memory else []),
        *(_neighbour("asked" if drawer == hit.question else "before", drawer, how) for drawer in hit.asked_before()),
        Padding(excerpt(hit, width=how.width - INDENT), (0, 0, 0, INDENT), expand=False),
        *(_neighbour("after", drawer, how) for drawer in hit.after),
        Text(in_words(hit, better), style=ASIDE),
        *(Text(line, style=ASIDE) for line in (*tagged(drawer), in_numbers(hit)) if how.verbose),
    )


def _neighbour(where: str, drawer: Drawer, how: _Shown) -> Text:
    """Return a neighbour on one line, flush left, where no line of a hit's text begins."""
    head = f"{where} {drawer.pointer}  {speaker(drawer)}: "
    shown = head + preview(drawer.content, limit=how.longest or max(how.width - len(head), 1))
    return Text(shown, style=ASIDE, no_wrap=True, overflow="ellipsis")


_WANTS = {
    "asks_back": "to know what was said or settled",
    "asks": "to know something",
    "error": "an error understood or mended",
    "works": "work done",
    "shows": "work done on what it shows",
}


def reason_view(reason: HookReason) -> RenderableType:
    """Return a view of each step's result, the hits, and the answer."""
    gate = f"{reason.gate}: {reason.gate_reason}" if reason.gate else ""
    asked = "" if reason.least is None else f"a best hit with a relevance of {reason.least:.2f} or more"
    steps = named_values(
        [
            ("project", reason.project or "none"),
            ("wings", ", ".join(reason.wings) or "none"),
            ("gate", gate),
            ("wants", _WANTS.get(reason.wants, "")),
            ("asks for", asked),
        ]
    )
    is_good = reason.wants != "works" or any(hit.bears >= (reason.least or 0) for hit in reason.hits)
    kept = "kept" if is_good else "kept as a standing instruction"
    found = [line for hit in reason.hits for line in (_line(hit, kept), Text(f"    {one_line(hit.said)}"))]
    said = Text(f"nothing is answered: {one_line(reason.silent)}", style=HEADING) if reason.silent else None
    answer = said or Group(Text("answered:", style=HEADING), Text(visible(reason.block)))
    return Group(steps, *found, answer)


def _line(hit: HookHit, kept: str) -> Text:
    likely = "not measured" if hit.confidence is None else f"{hit.confidence:.2f}"
    kept = kept if hit.is_kept else "left out"
    return Text.assemble(
        (str(hit.pointer), HEADING),
        (f"  relevance {hit.bears:.2f} (confidence {likely}, words {hit.coverage:.2f}), {kept}", ASIDE),
    )


_BULLET = re.compile(r"[-*+•] +(?!\[)")
NOT_ANSWERED = "not answered: "


def recent_view(recent: Recent, *, now: datetime) -> Group:
    """Return a view of recent items; dates are relative to ``now``. If there are none, one line says so."""
    coming = "Coming up" + (f" ({recent.more_coming:,} more)" if recent.more_coming else "")
    sections = [(coming, recent.coming), ("What stands open", recent.open)]
    for wing, items in groupby(recent.told, key=lambda item: item.drawer.pointer.of_room.of_wing):
        told = tuple(items)
        sections.append((f"{one_line(told[0].drawer.wing_name)}  {wing}", told))
    width = max((len(moment_of(item, now)) for _, items in sections for item in items), default=0)
    return Group(
        Text(stretch(recent, now), style=ASIDE),
        *(part for name, items in sections for part in _section(name, items, now, width)),
    )


def stretch(recent: Recent, now: datetime) -> str:
    """Return a line with the days shown, and the reason if they are not those requested."""
    first, last = shown(recent.since).date(), shown(recent.until).date()
    days = f"on {last}" if first >= last else f"from {first} to {last}"
    if recent.is_earlier:
        said = "the last was said" if recent.is_empty else "these are the latest days in which something was"
        return f"Nothing was said in the days asked for; {said}: {days}, {ago(recent.until, now)}."
    if recent.is_empty:
        return f"Nothing that tells was said {days}."
    return f"What was said {days}."


def _section(name: str, items: Sequence[RecentItem], now: datetime, width: int) -> Iterator[RenderableType]:
    if items:
        yield ""
        yield Text(name, style=HEADING)
        yield _rows(items, now, width)


def _rows(items: Sequence[RecentItem], now: datetime, width: int) -> Table:
    rows = grid(width + INDENT, None, 0)
    for item in items:
        pointer = Text(str(item.drawer.pointer), style=POINTER)
        days = Text(_days(item.due) if item.due else "", style=ASIDE)
        rows.add_row(
            Text(f"{' ' * INDENT}{moment_of(item, now)}", style=ASIDE), days.append(sentence_of(item)), pointer
        )
    return rows


def sentence_of(item: RecentItem) -> Text:
    content = item.drawer.content
    text = one_line(_BULLET.sub("", content[slice(*item.sentence)], count=1))
    # An item may end in the middle of a sentence or line.
    last, behind = content[item.sentence.end - 1], content[item.sentence.end :]
    cut = "…" if last.isalnum() and behind[:1] not in ("", "\n", "\r") and behind.strip() else ""
    who = "" if item.drawer.role is Role.USER and item.drawer.speaker is None else f"{speaker(item.drawer)}: "
    asked = NOT_ANSWERED if item.why is Why.QUESTION else ""
    return Text.assemble((who + asked, ASIDE), f"{text}{cut}")


def moment_of(item: RecentItem, now: datetime) -> str:
    if item.due is not None:
        return ago(max(item.due.start, now), now)
    told = ago(item.at, now)
    return told if item.drawer.said_at else f"undated, filed or begun {told}"


def _days(due: Stretch) -> str:
    first, last = (shown(moment).date() for moment in (due.start, due.end - timedelta(microseconds=1)))
    return f"{first}: " if first == last else f"{first} to {last}: "
