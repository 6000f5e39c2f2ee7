"""Typeset drawers as lines of a terminal: verbatim, as Markdown, or their data. It is slow: call it in a thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from io import StringIO

from rich.console import Console, RenderableType
from rich.text import Text
from rich.theme import Theme
from textual.strip import Strip

from palace.models import Drawer, TagKind
from palace.nlp.aaak import write_tags
from palace_cli.render.drawer import holding, preview, said, speaker, tagged, version, whereabouts
from palace_cli.render.figures import moment, secrets_of, size
from palace_cli.render.graph import said_lines
from palace_cli.render.memory import kind_of
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import ASIDE, HEADING
from palace_cli.tui.places import Reading

PART = 20_000
"""Characters that are shown at first, and that each "+" adds."""

_THEME = Theme(
    # Colours that are readable on light and dark; rich's own inline code is on black.
    {
        "markdown.code": "bold cyan",
        "markdown.code_block": "cyan",
        "markdown.h1": "bold underline",
        "markdown.h2": "bold underline",
        "markdown.h1.border": "dim",
        "markdown.block_quote": "dim",
        "markdown.link": "underline",
        "markdown.link_url": "underline",
    }
)


def part_of(content: str, parts: int) -> str:
    """Return the first parts of a text, cut at the end of a line where one is near."""
    most = PART * parts
    if len(content) <= most:
        return content
    end = content.rfind("\n", most - PART // 2, most)
    return content[: end + 1 if end > 0 else most]


def as_written(text: str, width: int) -> list[Strip]:
    """Typeset text verbatim, wrapped."""
    return _lines(Text(visible(text).expandtabs(4)), width)


def as_markdown(text: str, width: int, *, dark: bool) -> list[Strip]:
    """Typeset text as Markdown with coloured code; line breaks are kept."""
    from palace_cli.tui.markdown import WholeMarkdown

    made = WholeMarkdown(visible(text), "ansi_dark" if dark else "ansi_light")
    return _lines(made, width) if made.fits(width) else as_written(text, width)


def as_lines(lines: Iterable[Text], width: int) -> list[Strip]:
    """Typeset lines of text."""
    return _lines(Text("\n").join(lines), width)


def as_lines_at(lines: Sequence[Text], at: int, width: int) -> tuple[list[Strip], int]:
    """Typeset lines of text, and return the row at which one of them begins."""
    before = as_lines([*lines[:at], Text()], width)
    return as_lines(lines, width), len(before) - 1


def _lines(shown: RenderableType, width: int) -> list[Strip]:
    console = Console(
        file=StringIO(),
        width=max(width, 4),
        force_terminal=True,
        color_system="truecolor",
        theme=_THEME,
        markup=False,
        emoji=False,
        highlight=False,
        no_color=False,
        legacy_windows=False,
    )
    options = console.options.update(highlight=False)
    return [Strip(line) for line in console.render_lines(shown, options, pad=False)]


def head(reading: Reading) -> list[str]:
    """Return the heading of a drawer: place, speaker, time, kind of memory, and tags but times, which its text says."""
    drawer, memory = reading.shown.drawer, reading.shown.memory
    named = replace(drawer, tags=tuple(tag for tag in drawer.tags if tag.kind is not TagKind.TIME))
    kind = [kind_of(memory)] if memory else []
    return [whereabouts(drawer), said(drawer, memory=memory), *kind, *tagged(named)]


def about(reading: Reading) -> Iterator[Text]:
    """Yield the data of a drawer, one line each."""
    shown, drawer = reading.shown, reading.shown.drawer
    aaak = one_line(f"{drawer.pointer} {write_tags(drawer.tags)}".strip())
    facts = (
        ("AAAK", aaak),
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


def talk(reading: Reading) -> tuple[list[Text], int]:
    """Return the messages around a drawer in its conversation, with its own index among them."""
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
