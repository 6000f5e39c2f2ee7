"""What recall found, for a person.

What is remembered stands two columns in, but for names, and is all that does: no text can pass for a hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from palace.records import Drawer, Hit, Recollection
from palace_cli.render.drawer import said, speaker, tagged, whereabouts
from palace_cli.render.excerpt import excerpt, preview
from palace_cli.render.hits.why import in_numbers, in_words
from palace_cli.terminal.styles import ASIDE, CITED, HEADING

INDENT = 2


def recollection_view(
    recollection: Recollection,
    *,
    width: int,
    now: datetime | None = None,
    verbose: bool = False,
    longest: int | None = None,
) -> Group:
    """Show the hits, best first, each with its pointer, its place, what was said and why it was found.

    ``now`` is what dates are told from ("3 days ago"), this moment unless given; ``verbose`` shows the numbers behind
    the reasons; ``longest`` is how many characters of a neighbour are shown, as many as fit the width unless given.
    A drawer that several hits bring along is shown once.
    """
    told_from = now or datetime.now(UTC)
    hits = _each_once(recollection)
    parts = (_hit(hit, hits[:place], _Shown(width, told_from, verbose, longest)) for place, hit in enumerate(hits))
    return Group(*(part for block in parts for part in (block, "")))


@dataclass(frozen=True, slots=True)
class _Shown:
    """How hits are shown."""

    width: int
    now: datetime
    verbose: bool
    longest: int | None


def _each_once(recollection: Recollection) -> list[Hit]:
    """Leave every drawer with a place of its own there, and every other one with the first hit beside it."""
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
            said(drawer, how.now)
            + (f", earlier than {hit.newer}" if hit.newer not in (None, hit.superseded_by) else ""),
            style=ASIDE,
        ),
        *(_neighbour("asked" if drawer == hit.question else "before", drawer, how) for drawer in hit.asked_before()),
        Padding(excerpt(hit, width=how.width - INDENT), (0, 0, 0, INDENT), expand=False),
        *(_neighbour("after", drawer, how) for drawer in hit.after),
        Text(in_words(hit, better), style=ASIDE),
        *(Text(line, style=ASIDE) for line in (*tagged(drawer), in_numbers(hit)) if how.verbose),
    )


def _neighbour(where: str, drawer: Drawer, how: _Shown) -> Text:
    """Show a neighbour on one line, flush left, where no line of a hit's text begins."""
    head = f"{where} {drawer.pointer}  {speaker(drawer)}: "
    shown = head + preview(drawer.content, limit=how.longest or max(how.width - len(head), 1))
    return Text(shown, style=ASIDE, no_wrap=True, overflow="ellipsis")
