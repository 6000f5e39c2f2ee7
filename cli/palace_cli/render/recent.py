"""A wake-up view, for a person: what is coming up, what stands open, and by wing what was told.

Each item is a row: when, in words; the sentence; its pointer. What is remembered stands in the middle column, so that
no text can pass for a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from palace.models import Recent, RecentItem, Role, Stretch, Why
from palace_cli.clock import shown
from palace_cli.render.drawer import speaker
from palace_cli.render.figures import ago
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING, POINTER

_BULLET = re.compile(r"[-*+•] +(?!\[)")
INDENT = 2
NOT_ANSWERED = "not answered: "


def recent_view(recent: Recent, *, now: datetime) -> Group:
    """Show a view; dates are told from ``now``. Where there is nothing, one line says so."""
    sections = [("Coming up", recent.coming), ("What stands open", recent.open)]
    for wing, items in groupby(recent.told, key=lambda item: item.drawer.pointer.of_room.of_wing):
        told = tuple(items)
        sections.append((f"{one_line(told[0].drawer.wing_name)}  {wing}", told))
    width = max((len(_when(item, now)) for _, items in sections for item in items), default=0)
    return Group(
        Text(stretch(recent, now), style=ASIDE),
        *(part for name, items in sections for part in _section(name, items, now, width)),
    )


def stretch(recent: Recent, now: datetime) -> str:
    """Say on one line which days are shown, and why where they are not those that were asked for."""
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
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(no_wrap=True, min_width=width + INDENT)
    rows.add_column(overflow="fold")
    rows.add_column(no_wrap=True)
    for item in items:
        pointer = Text(str(item.drawer.pointer), style=POINTER)
        rows.add_row(Text(f"{' ' * INDENT}{_when(item, now)}", style=ASIDE), _sentence(item), pointer)
    return rows


def _sentence(item: RecentItem) -> Text:
    content = item.drawer.content
    text = one_line(_BULLET.sub("", content[slice(*item.sentence)], count=1))
    cut = "…" if _is_cut(item) else ""
    who = "" if item.drawer.role is Role.USER and item.drawer.speaker is None else f"{speaker(item.drawer)}: "
    asked = NOT_ANSWERED if item.why is Why.QUESTION else ""
    days = _days(item.due) if item.due else ""
    return Text.assemble((days + who + asked, ASIDE), f"{text}{cut}")


def _is_cut(item: RecentItem) -> bool:
    """Whether the sentence goes on behind what is shown: neither it nor its line ends there."""
    last, behind = item.drawer.content[item.sentence.end - 1], item.drawer.content[item.sentence.end :]
    return last.isalnum() and behind[:1] not in ("", "\n", "\r") and bool(behind.strip())


def _when(item: RecentItem, now: datetime) -> str:
    if item.due is not None:
        return ago(max(item.due.start, now), now)
    told = ago(item.at, now)
    return told if item.drawer.said_at else f"undated, {told}"


def _days(due: Stretch) -> str:
    first, last = (shown(moment).date() for moment in (due.start, due.end - timedelta(microseconds=1)))
    return f"{first}: " if first == last else f"{first} to {last}: "
