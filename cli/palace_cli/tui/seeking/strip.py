"""How a calendar is drawn: a bar a slot, and what stands below them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p

from palace.records import Calendar, CalendarSlot, CalendarUnit

BARS = " ▁▂▃▄▅▆▇█"


def bars_of(slots: Sequence[CalendarSlot]) -> str:
    """Draw a bar for each slot; one in which anything was said has some, also beside one with very much."""
    most = max((slot.drawers for slot in slots), default=0)
    highest = len(BARS) - 1
    return "".join(
        BARS[max(1, round(highest * log1p(slot.drawers) / log1p(most)))] if slot.drawers else BARS[0] for slot in slots
    )


def axis_of(calendar: Calendar, width: int) -> str:
    """Write when the first and the last slot are, at the two ends."""
    if not calendar.slots:
        return ""
    first, last = (label_of(calendar.unit, slot) for slot in (calendar.slots[0], calendar.slots[-1]))
    room = min(width, max(len(calendar.slots), len(first)))
    if len(calendar.slots) == 1 or len(first) + len(last) + 1 > room:
        return first[:width]
    return first + last.rjust(room - len(first))


def label_of(unit: CalendarUnit, slot: CalendarSlot) -> str:
    """Name a slot: a day or a week by its first day, a month, a year."""
    return slot.start.strftime({CalendarUnit.MONTH: "%Y-%m", CalendarUnit.YEAR: "%Y"}.get(unit, "%Y-%m-%d"))


def told(calendar: Calendar, first: int, last: int) -> str:
    """Say what a span of slots holds, both ends included."""
    slots = calendar.slots[first : last + 1]
    if not slots:
        return "nothing was said"
    names = list(dict.fromkeys(label_of(calendar.unit, slot) for slot in (slots[0], slots[-1])))
    of = "week of " if calendar.unit is CalendarUnit.WEEK else ""
    return f"{of}{' – '.join(names)}: {sum(slot.drawers for slot in slots):,} said"
