"""What recall found, and why, for a person; what is recent; and why a hook answers a prompt as it does.

What is remembered stands two columns in, but for names, and is all that does: no text can pass for a hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from palace.models import (
    Drawer,
    Hit,
    HookHit,
    HookReason,
    PlaceKind,
    Recent,
    RecentItem,
    Recollection,
    Role,
    Stretch,
    Why,
)
from palace_cli.clock import shown
from palace_cli.render.drawer import excerpt, preview, said, speaker, tagged, whereabouts
from palace_cli.render.figures import ago
from palace_cli.render.layout import named_values
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import ASIDE, CITED, HEADING, POINTER

MOST_WORDS = 5
"""Words of the query that are named; the rarest come first."""

NEAREST = 10
"""Place by meaning down to which a drawer is called close."""

_NAMED = frozenset(
    {"semantic", "keyword", "room", "named", "time", "spoken_of", "standing"} | {"about", "holds", "kind"}
)
"""The reasons that are put into words; others are signals of a strategy of the caller's own."""


def in_words(hit: Hit, better: Sequence[Hit] = ()) -> str:
    """Say on one line why a drawer was found; ``better`` are the hits in front of it."""
    ranks = {arm.arm: arm.rank for arm in hit.arms}
    reasons = [
        *([] if hit.confidence is None else [f"{hit.confidence:.0%} likely"]),
        *_words(hit, "keyword" in ranks),
        *_meaning(ranks.get("semantic")),
        *(_room(hit, better) if "room" in ranks else []),
        *(_named(hit) if "named" in ranks else []),
        *("said then, as asked" if arm.score >= 1 else "said near then" for arm in hit.arms if arm.arm == "time"),
        *(["speaks of then, as asked"] if "spoken_of" in ranks else []),
        *([_told(ranks)] if ranks.keys() & {"about", "holds"} else []),
        *(["names one of the kind"] if "kind" in ranks else []),
        *([_standing(hit.drawer)] if "standing" in ranks else []),
        *([f"chosen by the language model as number {hit.reranked}"] if hit.reranked else []),
        *(one_line(name) for name in ranks if name not in _NAMED),
        *([f"said again in {', '.join(str(drawer.pointer) for drawer in hit.again)}"] if hit.again else []),
    ]
    if len(reasons) <= (hit.confidence is not None):
        reasons.append("its room is about it" if "room" in ranks else "not far in meaning")
    return "; ".join(reasons)


def _told(ranks: Mapping[str, int]) -> str:
    return "tells what is asked of whom the query names" if "holds" in ranks else "names whom or what the query does"


def in_numbers(hit: Hit) -> str:
    """Give the fused score, how likely it answers, each signal's score and rank, and the place when reranked."""
    arms = (f"{arm.arm} {arm.score:.2f} (#{arm.rank})" for arm in hit.arms)
    reranked = () if hit.reranked is None else (f"reranked #{hit.reranked}",)
    likely = () if hit.confidence is None else (f"confidence {hit.confidence:.2f}",)
    return " · ".join((f"score {hit.score:.2f}", *likely, *arms, *reranked))


def _words(hit: Hit, is_worded: bool) -> list[str]:
    if not hit.words:
        return ["says words of yours elsewhere"] if is_worded else []
    said = hit.drawer.content[slice(*hit.passage)].lower()
    # Of the ways that a word is written there, the first.
    first = [min(forms, key=lambda form: (form not in said, said.find(form), -len(form))) for forms in hit.words]
    named = list(dict.fromkeys(first))
    more = ", …" if len(named) > MOST_WORDS else ""
    return ["says " + ", ".join(f'"{one_line(word)}"' for word in named[:MOST_WORDS]) + more]


def _meaning(rank: int | None) -> list[str]:
    if rank is None or rank > NEAREST:
        return []
    return ["closest in meaning" if rank == 1 else "close in meaning"]


def _room(hit: Hit, better: Sequence[Hit]) -> list[str]:
    room = hit.drawer.pointer.of_room
    found = next((other.drawer.pointer for other in better if other.drawer.pointer.of_room == room), None)
    # Without its sign, which a narrow terminal would part from it; commands take it as well.
    return [f"same room as {str(found).removeprefix('§ ')}"] if found else []


def _named(hit: Hit) -> list[str]:
    drawer = hit.drawer
    called = {
        PlaceKind.CLOSET: ("under", drawer.closet_name),
        PlaceKind.ROOM: ("in the conversation", drawer.room_name),
        PlaceKind.WING: ("in the wing", drawer.wing_name),
    }
    return [f"{where} “{one_line(name)}”" for where, name in (called[kind] for kind in hit.named) if name]


def _standing(drawer: Drawer) -> str:
    if drawer.role is Role.USER and drawer.speaker is None:
        return "standing: you asked for this"
    return f"standing: {speaker(drawer)} asked for this"


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


_WANTS = {
    "asks_back": "to know what was said or settled",
    "asks": "to know something",
    "error": "an error understood or mended",
    "works": "work done",
    "shows": "work done on what it shows",
}


def reason_view(reason: HookReason) -> RenderableType:
    """Show what each step said, what was found, and what would be answered."""
    gate = f"{reason.gate}: {reason.gate_reason}" if reason.gate else ""
    asked = "" if reason.least is None else f"{reason.least:.2f} of what bears most on it"
    steps = named_values(
        [
            ("project", reason.project or "none"),
            ("wings", ", ".join(reason.wings) or "none"),
            ("gate", gate),
            ("wants", _WANTS.get(reason.wants, "")),
            ("asks for", asked),
        ]
    )
    found = [line for hit in reason.hits for line in (_line(hit), Text(f"    {one_line(hit.said)}"))]
    said = Text(f"nothing is answered: {one_line(reason.silent)}", style=HEADING) if reason.silent else None
    answer = said or Group(Text("answered:", style=HEADING), Text(visible(reason.block)))
    return Group(steps, *found, answer)


def _line(hit: HookHit) -> Text:
    likely = "not measured" if hit.confidence is None else f"{hit.confidence:.2f}"
    kept = "kept" if hit.is_kept else "left out"
    return Text.assemble(
        (str(hit.pointer), HEADING),
        (f"  bears {hit.bears:.2f} (confidence {likely}, words {hit.coverage:.2f}), {kept}", ASIDE),
    )


_BULLET = re.compile(r"[-*+•] +(?!\[)")
NOT_ANSWERED = "not answered: "


def recent_view(recent: Recent, *, now: datetime) -> Group:
    """Show a view; dates are told from ``now``. Where there is nothing, one line says so."""
    sections = [("Coming up", recent.coming), ("What stands open", recent.open)]
    for wing, items in groupby(recent.told, key=lambda item: item.drawer.pointer.of_room.of_wing):
        told = tuple(items)
        sections.append((f"{one_line(told[0].drawer.wing_name)}  {wing}", told))
    width = max((len(moment_of(item, now)) for _, items in sections for item in items), default=0)
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
        days = Text(_days(item.due) if item.due else "", style=ASIDE)
        rows.add_row(
            Text(f"{' ' * INDENT}{moment_of(item, now)}", style=ASIDE), days.append(sentence_of(item)), pointer
        )
    return rows


def sentence_of(item: RecentItem) -> Text:
    content = item.drawer.content
    text = one_line(_BULLET.sub("", content[slice(*item.sentence)], count=1))
    cut = "…" if _is_cut(item) else ""
    who = "" if item.drawer.role is Role.USER and item.drawer.speaker is None else f"{speaker(item.drawer)}: "
    asked = NOT_ANSWERED if item.why is Why.QUESTION else ""
    return Text.assemble((who + asked, ASIDE), f"{text}{cut}")


def _is_cut(item: RecentItem) -> bool:
    """Whether the sentence goes on behind what is shown: neither it nor its line ends there."""
    last, behind = item.drawer.content[item.sentence.end - 1], item.drawer.content[item.sentence.end :]
    return last.isalnum() and behind[:1] not in ("", "\n", "\r") and bool(behind.strip())


def moment_of(item: RecentItem, now: datetime) -> str:
    if item.due is not None:
        return ago(max(item.due.start, now), now)
    told = ago(item.at, now)
    return told if item.drawer.said_at else f"undated, {told}"


def _days(due: Stretch) -> str:
    first, last = (shown(moment).date() for moment in (due.start, due.end - timedelta(microseconds=1)))
    return f"{first}: " if first == last else f"{first} to {last}: "
