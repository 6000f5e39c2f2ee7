"""A neighbourhood as a picture (SVG 1.1), which needs nothing but itself and follows a dark screen."""

from __future__ import annotations

from collections.abc import Iterator

from palace.records import EntityType, Link, Neighbourhood, Standing
from palace_cli.render.graph.mindmap import BOX, LABEL, LINE, MARGIN, SIZE, Box, Line, Picture, picture, text_width
from palace_cli.render.graph.tables import about_line
from palace_cli.render.graph.tree import branches, told
from palace_cli.render.picture.drawing import FONT, opening, safe
from palace_cli.render.visible import one_line

HEAD, FOOT = 58, 44
ROW = 18
"""Pixels of a line below the picture."""
VALUE = "value"
"""What stands for the type of what is no entity."""
_COLOURS = {
    EntityType.PERSON: ("#dbe9ff", "#2f6fd0", "#173158", "#7fb0ff"),
    EntityType.PLACE: ("#dcf3e1", "#2c8a4b", "#16391f", "#6fd18b"),
    EntityType.ORGANISATION: ("#ebe3fd", "#7551c9", "#2f2352", "#b79cff"),
    EntityType.EVENT: ("#fdeccb", "#b3740c", "#43300b", "#f0b95a"),
    EntityType.ITEM: ("#d7f2f2", "#1a8389", "#0f3639", "#63cfd4"),
    EntityType.PROJECT: ("#fde0e6", "#c0405f", "#4a1a26", "#ff8fa6"),
    EntityType.TIME: ("#eceef1", "#69727d", "#2b3037", "#a9b2bd"),
    VALUE: ("#ffffff", "#9aa3ad", "#1b2026", "#78828d"),
}
"""Of each type: ground and edge on a light screen, then on a dark one."""


def svg_text(around: Neighbourhood) -> str:
    """Draw a neighbourhood: the one asked for in the middle, each relation's label on the line to whom it leads."""
    across = [_sentence(around, link) for link in branches(around)[1]]
    foot = FOOT + (ROW * (len(across) + 1) if across else 0)
    placed = picture(around, head=HEAD, foot=foot)
    return "".join(f"{line}\n" for line in _document(around, placed, across, foot))


def _sentence(around: Neighbourhood, link: Link) -> str:
    sides = (around.members[place].name for place in (link.subject, link.object))
    return " · ".join(filter(None, (next(sides), told(link), next(sides), link.when)))


def _document(around: Neighbourhood, placed: Picture, across: list[str], foot: float) -> Iterator[str]:
    title, line = around.members[0].name, about_line(around)
    widest = max(
        text_width(one_line(title), 20), text_width(line, 12), *(text_width(each, 12) for each in [*across, ""])
    )
    width, height = max(placed.width, widest + 2 * MARGIN, 360), placed.height
    shift = (width - placed.width) / 2
    yield from opening(width, height, f"{title}: {line}", _style())
    yield f'<text class="head" x="{MARGIN}" y="34">{safe(title)}</text>'
    yield f'<text class="note" x="{MARGIN}" y="53">{safe(line)}</text>'
    yield f'<g transform="translate({shift:.1f} 0)">'
    for link in branches(around)[1]:
        yield _arc(link, placed.boxes[link.subject], placed.boxes[link.object])
    for each in placed.lines:
        yield from _line(each)
    for box in placed.boxes:
        yield from _box(box, around)
    yield "</g>"
    yield from _foot(around, across, height - foot + MARGIN / 2)
    yield "</svg>"


def _line(line: Line) -> Iterator[str]:
    (x0, y0), (x1, y1) = line.start, line.end
    half = (line.bend + line.straight) / 2
    out = 1 if x1 > x0 else -1
    curve = f"C{half:.1f} {y0:.1f} {half:.1f} {y1:.1f} {line.straight:.1f} {y1:.1f}"
    kind = "line past" if line.is_past else "line"
    yield f'<path class="{kind}" d="M{x0:.1f} {y0:.1f}H{line.bend:.1f}{curve}H{x1:.1f}"/>'
    if line.points_out:
        yield f'<path class="tip" d="M{x1:.1f} {y1:.1f}l{-8 * out} -4v8z"/>'
    if line.points_in:
        yield f'<path class="tip" d="M{line.straight:.1f} {y1:.1f}l{8 * out} -4v8z"/>'
    middle = (line.straight + x1) / 2
    for number, text in enumerate(reversed(line.above)):
        yield f'<text class="label" x="{middle:.1f}" y="{y1 - 5 - number * LINE:.1f}">{safe(text)}</text>'
    if line.below:
        yield f'<text class="when" x="{middle:.1f}" y="{y1 + 14:.1f}">{safe(line.below)}</text>'


def _arc(link: Link, one: Box, other: Box) -> str:
    """Draw what relates two members across the tree, which is told below the picture; it lies behind all else."""
    bend = (one.x + other.x) / 2
    kind = "arc past" if _is_past(link) else "arc"
    ends = f"{bend:.1f} {one.y:.1f} {bend:.1f} {other.y:.1f} {other.x:.1f} {other.y:.1f}"
    return f'<path class="{kind}" d="M{one.x:.1f} {one.y:.1f}C{ends}"/>'


def _box(box: Box, around: Neighbourhood) -> Iterator[str]:
    member = around.members[box.place]
    kind = member.type or VALUE
    is_first = box.place == 0
    high = BOX + 8 if is_first else BOX
    whole = f"{member.name} ({kind})"
    yield f'<g class="{kind}{" first" if is_first else ""}"><title>{safe(whole)}</title>'
    yield (
        f'<rect class="box" x="{box.left:.1f}" y="{box.y - high / 2:.1f}" width="{box.width:.1f}" height="{high}"'
        f' rx="{6 if kind == VALUE else high / 2:.0f}"/>'
    )
    yield f'<text class="name" x="{box.x:.1f}" y="{box.y + 5:.1f}">{safe(box.text)}</text></g>'


def _foot(around: Neighbourhood, across: list[str], y: float) -> Iterator[str]:
    """Write what has no line, then which colour is which type."""
    if across:
        yield f'<text class="note" x="{MARGIN}" y="{y:.1f}">and across</text>'
        for text in across:
            y += ROW
            yield f'<text class="note across" x="{MARGIN}" y="{y:.1f}">{safe(text)}</text>'
        y += ROW
    x = float(MARGIN)
    present = {member.type or VALUE for member in around.members}
    for kind in _COLOURS:
        if kind in present:
            yield f'<g class="{kind}"><circle class="box" cx="{x + 5:.1f}" cy="{y + 8:.1f}" r="5"/></g>'
            yield f'<text class="note" x="{x + 15:.1f}" y="{y + 12:.1f}">{kind}</text>'
            x += 15 + text_width(kind, 12) + 14
    if any(map(_is_past, around.links)):
        yield f'<path class="line past" d="M{x:.1f} {y + 8:.1f}h24"/>'
        yield f'<text class="note" x="{x + 30:.1f}" y="{y + 12:.1f}">over</text>'


def _is_past(link: Link) -> bool:
    return link.standing is Standing.PAST


def _style() -> str:
    light = "".join(f".{kind} .box{{fill:{fill};stroke:{edge}}}" for kind, (fill, edge, _, _) in _COLOURS.items())
    dark = "".join(f".{kind} .box{{fill:{fill};stroke:{edge}}}" for kind, (_, _, fill, edge) in _COLOURS.items())
    return (
        f"{FONT}.name{{font-size:{SIZE}px;text-anchor:middle;fill:#1c2126}}"
        f".first .name{{font-size:{SIZE + 2}px;font-weight:600}}.first .box{{stroke-width:2.5px}}"
        f".label,.when{{font-size:{LABEL}px;text-anchor:middle;fill:#3b434c}}.when{{fill:#78828d}}"
        ".head{font-size:20px;font-weight:600;fill:#1c2126}.note{font-size:12px;fill:#69727d}"
        ".ground{fill:#fbfcfd}.line{fill:none;stroke:#b4bcc5;stroke-width:1.5px}.tip{fill:#8a949f}"
        ".past{stroke-dasharray:6 4}.arc{fill:none;stroke:#d5dae0;stroke-width:1.2px}"
        f".box{{stroke-width:1.3px}}{light}"
        "@media (prefers-color-scheme:dark){.ground{fill:#14181d}.name,.head{fill:#eef1f4}.label{fill:#ccd3da}"
        f".when,.note{{fill:#98a2ad}}.line{{stroke:#4b555f}}.arc{{stroke:#333b44}}.tip{{fill:#8b96a1}}{dark}}}"
    )
