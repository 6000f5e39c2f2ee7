"""Pages in HTML: whatever a message holds is text, and a policy in each page forbids scripts and the network. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from palace.files.lines import DrawerLine
from palace.transfer.pages import model
from palace.transfer.pages.text import harmless, in_parts

ENDING = "html"
_STYLE = (
    ":root{color-scheme:light dark}body{max-width:48rem;margin:2rem auto;padding:0 1rem;"
    "font:1rem/1.5 system-ui,sans-serif}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}"
    "code{display:block;white-space:pre;overflow-x:auto;font:.9em/1.4 ui-monospace,monospace}"
    "article{margin:1.5rem 0;padding-left:1rem;border-left:3px solid gray}header,nav,footer{color:gray}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def index_page(wings: Sequence[model.WingPage], extents: model.Extents) -> str:
    """Write the page that lists the wings."""
    items = (
        _item(
            f"{model.wing_folder(each.wing)}/index.html", each.pointer, each.wing.name, model.beside_wing(each, extents)
        )
        for each in wings
    )
    return _page("Palace", ["<h1>Palace</h1>", *_list(items), *(_zone(each) for each in wings[:1])])


def wing_page(page: model.WingPage, extents: model.Extents) -> str:
    """Write the page that lists a wing's rooms."""
    items = (
        _item(f"{model.room_stem(each.room)}.html", each.pointer, each.room.name, model.beside_room(each, extents))
        for each in page.pages
    )
    body = [
        '<nav><a href="../index.html">Palace</a></nav>',
        f"<h1>{_text(page.wing.name)}</h1>",
        *_list(items),
        _zone(page),
    ]
    return _page(page.wing.name, body)


def room_begin(page: model.RoomPage) -> str:
    """Write a room's page up to its first drawer."""
    title = f"{page.room.name} · {page.wing.name}"
    told = f"<p>{page.pointer}</p>\n{_zone(page)}"
    return _head(title) + "\n".join([_links(page), f"<h1>{_text(page.room.name)}</h1>", told, ""])


def drawer_part(page: model.RoomPage, drawer: DrawerLine) -> str:
    """Write a drawer."""
    name, told = model.anchor(drawer), model.remarks(drawer)
    remark = f" · {_text(told)}" if told else ""
    cited = f'<a href="#{name}">§ {page.pointer}/{name}</a>'
    return (
        f'<article id="{name}"><header>{cited} · {_text(model.spoken_by(drawer, page.zone))}{remark}</header>\n'
        f'<pre dir="auto">{_said(drawer.content)}</pre></article>\n'
    )


def room_end(page: model.RoomPage) -> str:
    """Write what follows the last drawer."""
    return f"{_links(page)}\n</body></html>\n"


def _said(content: str) -> str:
    """Write a message as it is, in letters of one width what lines up in them alone."""
    shown = harmless(content)
    # The first line feed behind the tag is not read as one (HTML, section 13.1.2).
    begin = "\n" if shown.startswith("\n") else ""
    parts = (
        f'<code dir="auto">{escape(part)}</code>' if lines_up else escape(part) for part, lines_up in in_parts(shown)
    )
    return begin + "".join(parts)


def _zone(page: model.RoomPage | model.WingPage) -> str:
    return f"<p>{_text(model.times_are_in(page.zone))}</p>"


def _links(page: model.RoomPage) -> str:
    links = ['<a href="../index.html">Palace</a>', f'<a href="index.html">{_text(page.wing.name)}</a>']
    for room, arrow in ((page.before, "← {}"), (page.after, "{} →")):
        if room is not None:
            links.append(f'<a href="{model.room_stem(room)}.html">{arrow.format(_text(room.name))}</a>')
    return f"<nav>{' · '.join(links)}</nav>"


def _item(to: str, pointer: str, name: str, beside: str = "") -> str:
    shown = f" · {beside}" if beside else ""
    return f'<li>{pointer} <a href="{to}">{_text(name) or "(no name)"}</a>{shown}</li>'


def _list(items: Iterable[str]) -> list[str]:
    return ["<ul>", *items, "</ul>"]


def _page(title: str, body: Sequence[str]) -> str:
    return _head(title) + "\n".join([*body, "</body></html>", ""])


def _head(title: str) -> str:
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="referrer" content="no-referrer"><meta name="generator" content="palace export">\n'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
    )


def _text(text: str) -> str:
    return escape(harmless(text), quote=True)
