"""Pages in Markdown: what a message holds stands in a fence, where no markup and no HTML of it counts. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.files.lines import DrawerLine
from palace.transfer.pages import model
from palace.transfer.pages.text import harmless

ENDING = "md"
_FENCES = re.compile(r"`{3,}")
_MARKUP = re.compile(
    r"[\\`*\[\]<{~$@^]"
    r"|(?<!\w)_+|_++(?!\w)"
    r"|&(?=#?\w{1,40};)|%(?=%)|=(?==)"
    r"|:(?=[^\s\d])|(?<=www)\."
    r"|(?:(?<=\s)|^)#(?=#*$)",
    re.IGNORECASE,
)
"""What can be markup within a line: CommonMark 0.31, GitHub's links and what editors add. Nothing that is escaped
begins a line, so that lists, quotations and rules cannot; a heading may end in number signs."""


def index_page(wings: Sequence[model.WingPage], extents: model.Extents) -> str:
    """Write the page that lists the wings."""
    items = [
        f"- {each.pointer} {_link(each.wing.name, f'{model.wing_folder(each.wing)}/index.md')} · {model.beside_wing(each, extents)}"
        for each in wings
    ]
    return "\n".join(["# Palace", "", *items, "", *(f"{_zone(each)}\n" for each in wings[:1])])


def wing_page(page: model.WingPage, extents: model.Extents) -> str:
    """Write the page that lists a wing's rooms."""
    items = [
        f"- {each.pointer} {_link(each.room.name, f'{model.room_stem(each.room)}.md')} · {model.beside_room(each, extents)}"
        for each in page.pages
    ]
    return "\n".join(["[Palace](../index.md)", "", f"# {_line(page.wing.name)}", "", *items, "", _zone(page), ""])


def room_begin(page: model.RoomPage) -> str:
    """Write a room's page up to its first drawer."""
    return "\n".join([_links(page), "", f"# {_line(page.room.name)}", "", f"{page.pointer} · {_zone(page)}", "", ""])


def drawer_part(page: model.RoomPage, drawer: DrawerLine) -> str:
    """Write a drawer."""
    content, told = harmless(drawer.content), model.remarks(drawer)
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(content))])
    remark = f" · {told}" if told else ""
    name = model.anchor(drawer)
    return (
        f'<a id="{name}"></a>\n\n**§ {page.pointer}/{name}** · {_line(model.spoken_by(drawer, page.zone))}{remark}\n\n'
        f"{fence}text\n{content}\n{fence}\n\n"
    )


def room_end(page: model.RoomPage) -> str:
    """Write what follows the last drawer."""
    return f"{_links(page)}\n"


def _links(page: model.RoomPage) -> str:
    links = ["[Palace](../index.md)", _link(page.wing.name, "index.md")]
    if page.before is not None:
        links.append(f"← {_link(page.before.name, f'{model.room_stem(page.before)}.md')}")
    if page.after is not None:
        links.append(f"{_link(page.after.name, f'{model.room_stem(page.after)}.md')} →")
    return " · ".join(links)


def _zone(page: model.RoomPage | model.WingPage) -> str:
    return _line(model.times_are_in(page.zone))


def _link(name: str, to: str) -> str:
    return f"[{_line(name) or '(no name)'}]({to})"


def _line(text: str) -> str:
    """Give a text on one line, with what could be markup escaped."""
    escaped = _MARKUP.sub(lambda found: "".join(f"\\{sign}" for sign in found[0]), " ".join(harmless(text).split()))
    return escaped
