"""What is told of a drawer beside its text: its head, what is known of it, how it is cut, what was said around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from rich.text import Text

from palace.records import Drawer, NewPassage, TagKind
from palace.text.aaak import write_tags
from palace_cli.render.drawer import holding, said, speaker, tagged, version, whereabouts
from palace_cli.render.excerpt import preview
from palace_cli.render.figures import count, moment, secrets_of, size
from palace_cli.render.graph.tables import said_lines
from palace_cli.render.visible import one_line
from palace_cli.terminal.styles import ASIDE, HEADING
from palace_cli.tui.source.drawers import Reading

LONGEST_PASSAGE = 300
"""Characters of a passage that are shown."""
MOST_PASSAGES = 500


def head(reading: Reading) -> list[str]:
    """Name pointer, place, who and when, and whom and what it is about; of times that it tells the text itself does."""
    drawer = reading.shown.drawer
    named = replace(drawer, tags=tuple(tag for tag in drawer.tags if tag.kind is not TagKind.TIME))
    return [str(drawer.pointer), whereabouts(drawer), said(drawer), *tagged(named)]


def about(reading: Reading) -> Iterator[Text]:
    """Tell all that is known of a drawer, a line each."""
    shown, drawer = reading.shown, reading.shown.drawer
    told = one_line(f"{drawer.pointer} {write_tags(drawer.tags)}".strip())
    facts = (
        ("AAAK", told),
        ("Said by", speaker(drawer) + (f" ({drawer.role.value})" if drawer.speaker else "")),
        ("Said", moment(drawer.said_at)),
        ("Filed", moment(drawer.filed_at)),
        ("Answers", str(drawer.answers) if drawer.answers else ""),
        ("Version", version(drawer)),
        ("Until", holding(drawer)),
        ("Language", drawer.language or ""),
        ("Taken out", secrets_of(drawer.redacted)),
        ("Size", f"{len(drawer.content):,} characters, {size(len(drawer.content.encode('utf-8', 'replace')))}"),
    )
    for name, value in facts:
        if value:
            yield Text.assemble((f"{name:<10} ", ASIDE), value)
    kinds: dict[str, list[str]] = {}
    for tag in drawer.tags:
        kinds.setdefault(tag.kind.name.lower(), []).append(one_line(tag.name))
    for kind, names in kinds.items():
        yield Text.assemble((f"{kind:<10} ", ASIDE), ", ".join(names))
    yield Text()
    lines = said_lines(shown.says, shown.ends)
    yield Text("Relations" if lines else "No relation is read from it.", HEADING if lines else ASIDE)
    yield from (Text(line) for line in lines)


def passages(reading: Reading, listed: Sequence[NewPassage]) -> Iterator[Text]:
    """Show how a drawer is cut into what is indexed."""
    content = reading.shown.drawer.content
    if not listed:
        yield Text("It is not cut into passages yet.", ASIDE)
    for number, each in enumerate(listed[:MOST_PASSAGES]):
        yield Text(f"{number}  {each.span.start:,}–{each.span.end:,}  {each.kind}", HEADING)
        yield Text(preview(content[each.span.start : each.span.end], limit=LONGEST_PASSAGE))
        yield Text()
    if len(listed) > MOST_PASSAGES:
        yield Text(f"… and {count(len(listed) - MOST_PASSAGES, 'more passage')}", ASIDE)


def talk(reading: Reading) -> tuple[list[Text], int]:
    """List what was said before and after a drawer in its conversation; and at which of these the drawer itself is."""
    before = [_said(drawer) for drawer in reading.before]
    after = [_said(drawer) for drawer in reading.after]
    return [*before, _said_here(reading.shown.drawer), *after], len(before)


def _said_here(drawer: Drawer) -> Text:
    said = preview(drawer.content[:400], limit=200)
    return Text.assemble(("▶ ", HEADING), _who(drawer.said_at, speaker(drawer)), (said, HEADING), "\n")


def _said(drawer: Drawer) -> Text:
    return Text.assemble(_who(drawer.said_at, speaker(drawer)), preview(drawer.content[:400], limit=200), "\n")


def _who(when: datetime | None, who: str) -> tuple[str, str]:
    return f"{moment(when)} {who}: ", ASIDE
