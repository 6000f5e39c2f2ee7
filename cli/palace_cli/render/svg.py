"""Draw a neighbourhood as a self-contained picture (SVG 1.1), which follows a dark colour scheme.

The requested entity is in the middle, the others in columns on both sides. Each has a row of its own on its side, and
its relation's label is on the straight end of the line that leads to it, in a gap as wide as the widest label there: no
two labels can overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import combining, east_asian_width
from xml.sax.saxutils import escape

from palace.models import EntityType, Link, Neighbourhood, Standing
from palace_cli.render.graph import Branch, about_line, branches, told
from palace_cli.render.visible import one_line

FONT = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}"
"""The system's own fonts, so that nothing is downloaded."""
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def safe(text: str) -> str:
    """Escape a remembered text for XML, without characters that XML forbids."""
    return escape(_NO_XML.sub("\ufffd", one_line(text)), {'"': "&quot;"})


def opening(width: float, height: float, title: str, style: str) -> Iterator[str]:
    """Yield the beginning of a picture: its root element, title, style and background."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}" role="img">'
    )
    yield f"<title>{safe(title)}</title>"
    yield f"<style>{style}</style>"
    yield f'<rect class="ground" width="{width:.0f}" height="{height:.0f}"/>'


SIZE = 14
"""Font size of names, in pixels; labels have LABEL."""
LABEL = 11.5
BOX = 32
LINE = 15
BEND = 44
"""Width of the bend of a line, in pixels."""
MARGIN = 28
LONGEST = 30
"""Characters of a name that are shown; the tooltip has all of it."""
_NARROW = frozenset("iIljtfr.,:;'|!()[] ")
_WIDE = frozenset("mwMW@%—→←")


Point = tuple[float, float]
Columns = dict[int, tuple[float, float, float]]
"""For each distance: the x where the previous column ends, where labels begin, and where boxes begin."""


@dataclass(frozen=True, slots=True)
class Box:
    """A member's box."""

    place: int
    x: float
    y: float
    """Its centre, as is x."""
    width: float
    text: str


def text_width(text: str, size: float = SIZE) -> float:
    """Estimate the width of a text in a common sans-serif font, rather too wide than too narrow."""
    return size * 1.04 * sum(_advance(letter) for letter in text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a remembered text on one line, cut with "…" if it is too long."""
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _advance(letter: str) -> float:
    if combining(letter):
        return 0
    if east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF:
        return 1.05
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE:
        return 0.92
    return 0.69 if letter.isupper() else 0.57


def _sides(root: Branch) -> tuple[list[Branch], list[Branch]]:
    """Split the root's branches into right and left, so that both sides are about equally high."""
    right: list[Branch] = []
    left: list[Branch] = []
    half = sum(_room(child) for child in root.children) / 2
    for child in root.children:
        (right if _height(right) + _room(child) / 2 <= half or not right else left).append(child)
    return right, left


def _height(side: list[Branch]) -> float:
    return sum(_room(child) for child in side)


def _room(branch: Branch) -> float:
    """Return the height of a branch: its own row, or the sum of its children's."""
    lines = len(_above(branch)) or 1
    own = max(BOX + 14, 2 * (lines * LINE + 8))
    return max(own, _height(branch.children))


def _above(branch: Branch, direction: int = 1) -> tuple[str, ...]:
    if len(branch.links) == 1:
        return (told(branch.links[0]),)
    return tuple(_pointed(link, to_the_right=branch.is_object(link) == (direction > 0)) for link in branch.links)


def _pointed(link: Link, *, to_the_right: bool) -> str:
    """Return the label of one of several relations on a line, with its direction."""
    said = f"{told(link)} · {link.when}" if link.when else told(link)
    return f"{said} →" if to_the_right else f"← {said}"


def _below(branch: Branch) -> str:
    return branch.links[0].when if len(branch.links) == 1 else ""


def _width(branch: Branch) -> float:
    size = SIZE + 2 if branch.place == 0 else SIZE
    return max(text_width(shortened(branch.member.name), size) + 26, 2 * BOX)


def _label_width(branch: Branch) -> float:
    return max(text_width(text, LABEL) for text in (*_above(branch), _below(branch), "")) + 26


def _levels(side: list[Branch]) -> Iterator[list[Branch]]:
    while side:
        yield side
        side = [child for branch in side for child in branch.children]


def _reach(side: list[Branch]) -> float:
    return sum(BEND + max(map(_label_width, level)) + max(map(_width, level)) for level in _levels(side))


def _columns(side: list[Branch], edge: float, direction: int) -> Columns:
    """Return, for each distance, where the previous column ends, where labels begin, and where boxes begin."""
    columns: Columns = {}
    for level in _levels(side):
        labels = edge + direction * BEND
        boxes = labels + direction * max(map(_label_width, level))
        columns[level[0].member.hops] = (edge, labels, boxes)
        edge = boxes + direction * max(map(_width, level))
    return columns


def _placed(branch: Branch, x: float, y: float) -> Box:
    return Box(branch.place, x, y, _width(branch), shortened(branch.member.name))


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The layout of a neighbourhood: the box of each member, and the lines between them."""

    boxes: dict[int, Box]
    lines: list[str]

    def grow(self, side: list[Branch], parent: Box, top: float, direction: int, columns: Columns) -> None:
        """Place branches one below the other from ``top`` on; ``direction`` is 1 to the right, -1 to the left."""
        for branch in side:
            bend, straight, edge = columns[branch.member.hops]
            y = top + _room(branch) / 2
            box = self.boxes[branch.place] = _placed(branch, edge + direction * _width(branch) / 2, y)
            start = (parent.x + direction * parent.width / 2, parent.y)
            self.lines.extend(_line(branch, direction, start, (bend, straight), (edge, y)))
            self.grow(branch.children, box, y - _height(branch.children) / 2, direction, columns)
            top += _room(branch)


def _laid_out(root: Branch, head: float, foot: float) -> tuple[_Drawing, float, float]:
    """Lay out a neighbourhood with space above and below for texts; return the drawing, its width and its height."""
    right, left = _sides(root)
    middle = _width(root)
    height = max(_height(right), _height(left), BOX) + 2 * MARGIN + head + foot
    x, y = MARGIN + _reach(left) + middle / 2, head + (height - head - foot) / 2
    drawing = _Drawing({0: _placed(root, x, y)}, [])
    for side, direction in ((right, 1), (left, -1)):
        columns = _columns(side, x + direction * middle / 2, direction)
        drawing.grow(side, drawing.boxes[0], y - _height(side) / 2, direction, columns)
    return drawing, 2 * MARGIN + middle + _reach(right) + _reach(left), height


HEAD, FOOT = 58, 44
ROW = 18
"""Height of a line of text below the picture, in pixels."""
VALUE = "value"
"""Used as the type of values, which are no entities."""
_COLOURS = {
    EntityType.PERSON: ("#dbe9ff", "#2f6fd0", "#173158", "#7fb0ff"),
    EntityType.PLACE: ("#dcf3e1", "#2c8a4b", "#16391f", "#6fd18b"),
    EntityType.ORGANISATION: ("#ebe3fd", "#7551c9", "#2f2352", "#b79cff"),
    EntityType.EVENT: ("#fdeccb", "#b3740c", "#43300b", "#f0b95a"),
    EntityType.ITEM: ("#d7f2f2", "#1a8389", "#0f3639", "#63cfd4"),
    EntityType.PROJECT: ("#fde0e6", "#c0405f", "#4a1a26", "#ff8fa6"),
    EntityType.TIME: ("#eceef1", "#69727d", "#2b3037", "#a9b2bd"),
    EntityType.UNKNOWN: ("#f7f8fa", "#9aa3ad", "#20262d", "#78828d"),
    VALUE: ("#ffffff", "#9aa3ad", "#1b2026", "#78828d"),
}
"""Fill and edge of each type, for a light and for a dark screen."""


def svg_text(around: Neighbourhood) -> str:
    """Return the picture of a neighbourhood: the requested entity in the middle, labels on the lines to the others."""
    root, links = branches(around)
    across = [_sentence(around, link) for link in links]
    foot = FOOT + (ROW * (len(across) + 1) if across else 0)
    drawing, width, height = _laid_out(root, HEAD, foot)
    title, line = around.members[0].name, about_line(around)
    texts = (text_width(one_line(title), 20), *(text_width(each, 12) for each in (line, *across)))
    whole = max(width, max(texts) + 2 * MARGIN, 360)
    return "".join(
        f"{each}\n"
        for each in (
            *opening(whole, height, f"{title}: {line}", _style()),
            f'<text class="head" x="{MARGIN}" y="34">{safe(title)}</text>',
            f'<text class="note" x="{MARGIN}" y="53">{safe(line)}</text>',
            f'<g transform="translate({(whole - width) / 2:.1f} 0)">',
            *(_arc(link, drawing.boxes[link.subject], drawing.boxes[link.object]) for link in links),
            *drawing.lines,
            *(part for _, box in sorted(drawing.boxes.items()) for part in _drawn_box(box, around)),
            "</g>",
            *_foot(around, across, height - foot + MARGIN / 2),
            "</svg>",
        )
    )


def _sentence(around: Neighbourhood, link: Link) -> str:
    sides = (around.members[index].name for index in (link.subject, link.object))
    return " · ".join(filter(None, (next(sides), told(link), next(sides), link.when)))


def _line(branch: Branch, direction: int, start: Point, middle: Point, end: Point) -> Iterator[str]:
    """Draw the relations that lead to a branch, with their labels.

    The line leaves the nearer member at ``start``, bends between the two x of ``middle``, and is straight to its end.
    """
    (x0, y0), (bend, straight), (x1, y1) = start, middle, end
    half = (bend + straight) / 2
    curve = f"C{half:.1f} {y0:.1f} {half:.1f} {y1:.1f} {straight:.1f} {y1:.1f}"
    kind = "line past" if all(map(_is_past, branch.links)) else "line"
    yield f'<path class="{kind}" d="M{x0:.1f} {y0:.1f}H{bend:.1f}{curve}H{x1:.1f}"/>'
    out = [branch.is_object(link) for link in branch.links]
    if any(out):
        yield f'<path class="tip" d="M{x1:.1f} {y1:.1f}l{-8 * direction} -4v8z"/>'
    if not all(out):
        yield f'<path class="tip" d="M{straight:.1f} {y1:.1f}l{8 * direction} -4v8z"/>'
    x = (straight + x1) / 2
    for number, text in enumerate(reversed(_above(branch, direction))):
        yield f'<text class="label" x="{x:.1f}" y="{y1 - 5 - number * LINE:.1f}">{safe(text)}</text>'
    if _below(branch):
        yield f'<text class="when" x="{x:.1f}" y="{y1 + 14:.1f}">{safe(_below(branch))}</text>'


def _arc(link: Link, one: Box, other: Box) -> str:
    """Draw a relation between two members of the tree behind everything else; its text is below the picture."""
    bend = (one.x + other.x) / 2
    kind = "arc past" if _is_past(link) else "arc"
    ends = f"{bend:.1f} {one.y:.1f} {bend:.1f} {other.y:.1f} {other.x:.1f} {other.y:.1f}"
    return f'<path class="{kind}" d="M{one.x:.1f} {one.y:.1f}C{ends}"/>'


def _drawn_box(box: Box, around: Neighbourhood) -> Iterator[str]:
    member = around.members[box.place]
    kind = member.type or VALUE
    is_first = box.place == 0
    high = BOX + 8 if is_first else BOX
    whole = f"{member.name} ({kind})"
    yield f'<g class="{kind}{" first" if is_first else ""}"><title>{safe(whole)}</title>'
    yield (
        f'<rect class="box" x="{box.x - box.width / 2:.1f}" y="{box.y - high / 2:.1f}" width="{box.width:.1f}"'
        f' height="{high}" rx="{6 if kind == VALUE else high / 2:.0f}"/>'
    )
    yield f'<text class="name" x="{box.x:.1f}" y="{box.y + 5:.1f}">{safe(box.text)}</text></g>'


def _foot(around: Neighbourhood, across: list[str], y: float) -> Iterator[str]:
    """Draw the list of relations without a label, then the legend of colours."""
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
