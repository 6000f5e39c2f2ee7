"""Draw the state of a palace: its contents, their growth, and the largest wings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from palace.models import Calendar, CalendarSlot, CalendarUnit, PalaceStatus, Wing
from palace_cli.render.figures import count, moment
from palace_cli.render.svg import FONT, opening, safe, shortened, text_width

WIDTH, MARGIN = 760, 32
MOST_WINGS = 8
MOST_SLOTS = 48
"""Bars of the growth chart, at most."""
LONGEST = 60
"""Characters of a name, at most; fewer if they are wide."""
_INSIDE = WIDTH - 2 * MARGIN
_TILE = _INSIDE / 6
_CHART, _ROW = 150, 30
_NAMES = 230
"""Width of the names of wings, in pixels."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_STYLE = (
    f"{FONT}.ground{{fill:#fbfcfd}}.head{{font-size:20px;font-weight:600;fill:#1c2126}}"
    ".part{font-size:14px;font-weight:600;fill:#1c2126}.number{font-size:22px;font-weight:600;fill:#1c2126}"
    ".note{font-size:12px;fill:#69727d}.name{font-size:13px;fill:#1c2126}.end{text-anchor:end}"
    ".before{fill:#c9dbf5}.new{fill:#2f6fd0}.axis{stroke:#b4bcc5;stroke-width:1px}"
    "@media (prefers-color-scheme:dark){.ground{fill:#14181d}.head,.part,.number,.name{fill:#eef1f4}"
    ".note{fill:#98a2ad}.before{fill:#24406b}.new{fill:#7fb0ff}.axis{stroke:#4b555f}}"
)


def state_svg(status: PalaceStatus, said: Calendar, wings: Sequence[Wing]) -> str:
    """Return the picture of a palace's state as SVG; the same state gives the same bytes."""
    largest = sorted(wings, key=lambda wing: (-wing.drawer_count, wing.number))[:MOST_WINGS]
    more = len(wings) - len(largest)
    chart, below = 144, 144 + (_CHART + 72 if said.slots else 0)
    height = below + (_ROW * (len(largest) + (more > 0)) + 24 if largest else 0) + MARGIN / 2
    lines = [*opening(WIDTH, height, f"The palace of {status.user}", _STYLE), *_head(status)]
    if said.slots:
        lines += _growth(status, said, chart)
    if largest:
        lines += _wings(largest, more, below)
    return "".join(f"{line}\n" for line in [*lines, "</svg>"])


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{safe(text)}</text>'


def _bar(kind: str, left: float, top: float, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _head(status: PalaceStatus) -> Iterator[str]:
    yield _text("head", MARGIN, 40, shortened(status.user, LONGEST))
    mined = f"last mined {moment(status.last_mined_at)}" if status.last_mined_at else "nothing was mined yet"
    yield _text("note", MARGIN, 59, mined)
    for index, name in enumerate(("wings", "rooms", "drawers", "passages", "entities", "relations")):
        yield _text("number", MARGIN + index * _TILE, 98, f"{getattr(status, name):,}")
        yield _text("note", MARGIN + index * _TILE, 115, name)


def _growth(status: PalaceStatus, said: Calendar, top: float) -> Iterator[str]:
    """Draw one bar per slot: the drawers before it, and on top those said in it."""
    unit, slots = said.unit, said.slots
    until_then = list(accumulate(slot.drawers for slot in slots))
    earlier = max(status.drawers - until_then[-1], 0)
    yield _text("part", MARGIN, top + 12, f"Drawers by the {unit} in which they were said")
    yield _text("note end", WIDTH - MARGIN, top + 12, f"{earlier:,} earlier" if earlier else "")
    foot = top + 30 + _CHART
    step = _INSIDE / len(slots)
    scale, width = _CHART / max(until_then[-1], 1), min(step, 60)
    for index, (slot, total) in enumerate(zip(slots, until_then, strict=True)):
        new, before = slot.drawers * scale, (total - slot.drawers) * scale
        left = MARGIN + index * step + width * 0.1
        yield f"<g><title>{safe(f'{_name(unit, slot)}: {slot.drawers:,} new, {total:,} in all')}</title>"
        yield _bar("before", left, foot - before, width * 0.8, before)
        yield _bar("new", left, foot - before - new, width * 0.8, new) + "</g>"
    yield f'<path class="axis" d="M{MARGIN} {foot:.1f}H{WIDTH - MARGIN}"/>'
    yield _text("note", MARGIN, foot + 17, _name(unit, slots[0]))
    if len(slots) > 1:
        last = f"{_name(unit, slots[-1])}: {count(until_then[-1], 'drawer')}"
        yield _text("note end", WIDTH - MARGIN, foot + 17, last)


def _name(unit: CalendarUnit, slot: CalendarSlot) -> str:
    """Return the name of a slot in English, a day or week by its first day."""
    day = slot.start
    of_day = f"{day.day} " if unit in {CalendarUnit.DAY, CalendarUnit.WEEK} else ""
    return str(day.year) if unit is CalendarUnit.YEAR else f"{of_day}{_MONTHS[day.month - 1]} {day.year}"


def _wings(largest: Sequence[Wing], more: int, top: float) -> Iterator[str]:
    yield _text("part", MARGIN, top + 12, "Largest wings" if more else "Wings")
    longest = _INSIDE - _NAMES - 70
    for index, wing in enumerate(largest):
        y = top + 24 + index * _ROW
        width = max(longest * wing.drawer_count / largest[0].drawer_count, 1)
        yield f"<g><title>{safe(f'{wing.name} ({wing.pointer})')}</title>"
        yield _text("name", MARGIN, y + 17, _fitting(wing.name)) + "</g>"
        yield _bar("new", MARGIN + _NAMES, y + 4, width, _ROW - 12)
        yield _text("note", MARGIN + _NAMES + width + 8, y + 17, f"{wing.drawer_count:,}")
    if more:
        yield _text("note", MARGIN, top + 24 + len(largest) * _ROW + 17, f"and {count(more, 'more wing')}")


def _fitting(name: str) -> str:
    for longest in range(min(len(name), LONGEST), 1, -1):
        if text_width(shortened(name, longest), 13) <= _NAMES - 12:
            return shortened(name, longest)
    return shortened(name, 1)
