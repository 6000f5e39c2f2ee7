"""Pages for people: linked, harmless whatever messages hold, and never written over what is not ours."""

from __future__ import annotations

import dataclasses
import json
import re
import stat
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from palace import BadRequest, Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder
from palace.transfer.pages import html, markdown
from palace.transfer.pages.model import RoomPage, WingPage
from tests.transfer.conftest import OPEN, write_talk
from tests.transfer.test_format import DRAWER, ROOM, WING

HOSTILE = "<script>alert(1)</script>\n```\n![x](http://evil/x.png)\n````\n<img src=x onerror=go()>\x1b[31m\u202e"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def _tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Tags()
    parser.feed(text)
    return parser.tags


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["html", "markdown"])
def test_every_link_of_the_pages_leads_to_one_of_them(full: Palace, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "pages"
    summary = full.transfer.pages(folder, format=kind)
    assert (summary.wings, summary.rooms, summary.drawers) == (2, 4, 8)
    ending = {"html": "html", "markdown": "md"}[kind]
    pages = sorted(folder.rglob(f"*.{ending}"))
    assert len(pages) == 1 + 2 + 4
    for page in pages:
        text = page.read_text()
        found = re.findall(r'href="([^"]+)"' if kind == "html" else r"\]\(([^)]+)\)", text)
        targets = [link for link in found if not link.startswith("#")]
        assert all((page.parent / link).is_file() for link in targets if "http" not in link)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "Which battery?" in (folder / "W-001" / f"R-01.{ending}").read_text()


def test_nothing_that_is_said_is_markup_in_html(open_palace: OPEN, tmp_path: Path) -> None:
    palace = open_palace()
    write_talk(tmp_path / "evil.json", HOSTILE, '"><b onclick=x>')
    palace.mine(tmp_path / "evil.json", wing="<i>Wing</i>")
    palace.transfer.pages(tmp_path / "pages")
    for page in (tmp_path / "pages").rglob("*.html"):
        tags = _tags(page.read_text())
        assert not {tag for tag, _ in tags} & {"script", "img", "b", "i", "iframe", "link"}
        assert not any(name.startswith("on") for _, attributes in tags for name in attributes)
        assert any("default-src 'none'" in str(attributes.get("content")) for _, attributes in tags)
        assert not any("\x1b" in text or "\u202e" in text for text in [page.read_text()])


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_message_cannot_leave_its_place(content: str) -> None:
    page = RoomPage(WING, ROOM)
    drawer = dataclasses.replace(DRAWER, speaker=content[:20] or None, content=content)
    tags = [tag for tag, _ in _tags(html.drawer_part(page, drawer))]
    assert tags[:4] == ["article", "header", "a", "pre"]
    assert set(tags[4:]) <= {"code"}
    written = markdown.drawer_part(page, drawer)
    fence = written.rstrip("\n").rsplit("\n", 1)[1]
    assert fence not in written.split(f"{fence}text\n", 1)[1].rstrip("\n")[: -len(fence) - 1]


SIGNS = st.text(st.sampled_from("ab1 _*`~[]()<>#!|&;:/.@$^={}%\\-+\"'\n"), max_size=30)


@given(st.one_of(SIGNS, st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=60)))
@example("__init__ a_b *x* `y` ## C# #")
@example("user, 2026-03-02 00:00 (https://evil.example) www.evil.example &lt; AT&T")
def test_a_name_is_text_in_a_heading_and_in_a_link(name: str) -> None:
    wanted = " ".join(name.split())
    assume(wanted.isprintable())
    room = dataclasses.replace(ROOM, name=name)
    parser = MarkdownIt("commonmark").enable(["strikethrough", "table"])
    heading, listed = (
        next(token for token in parser.parse(page) if token.type == "inline" and kind in token.content)
        for kind, page in (
            ("H", markdown.room_begin(RoomPage(WING, dataclasses.replace(room, name=f"H{name}")))),
            ("W-001", markdown.wing_page(WingPage(WING, [room]), {})),
        )
    )
    assert [child.type for child in heading.children or ()] == ["text"] * len(heading.children or ())
    assert heading.content.startswith("H")
    assert "".join(child.content for child in heading.children or ()) == " ".join(f"H{name}".split())
    assert [child.type for child in listed.children or () if "link" in child.type] == ["link_open", "link_close"]
    assert wanted in "".join(child.content for child in listed.children or ())


def test_code_and_tables_line_up_and_nothing_is_lost() -> None:
    code, table = "```py\nif x:\n    y\n```\n", "name | size\n---- | ---:\na    | 1\n"
    content = f"See:\n{code}and\n{table}end | of it\n\nor | not\n| so\n"
    shown = html.drawer_part(RoomPage(WING, ROOM), dataclasses.replace(DRAWER, content=content))
    said = shown.partition('<pre dir="auto">')[2].rpartition("</pre>")[0]
    assert unescape(re.sub(r"</?code[^>]*>", "", said)) == content
    aligned = [unescape(part) for part in re.findall(r"<code[^>]*>(.*?)</code>", said, re.DOTALL)]
    assert aligned == [code, f"{table}end | of it\n", "| so\n"]


@pytest.mark.parametrize("kind", ["html", pytest.param("markdown", marks=pytest.mark.nightly)])
def test_pages_tell_times_where_the_person_is_and_go_by_them(settings: Settings, tmp_path: Path, kind: str) -> None:
    there = Settings(**settings.model_dump(exclude_unset=True) | {"timezone": "Asia/Tokyo"})
    with Palace.open(there, user=f"traveller-{uuid4()}", embedder=HashingEmbedder()) as palace:
        for name, day in (("Later", "2026-05-02T20:00:00Z"), ("Undated", None), ("Earlier", "2026-05-01T20:00:00Z")):
            talk = {"id": name, "title": name, "messages": [{"role": "user", "content": name, "timestamp": day}]}
            (tmp_path / f"{name}.json").write_text(json.dumps(talk))
            palace.mine(tmp_path / f"{name}.json", wing="Trips")
        for folder in ("one", "two"):
            palace.transfer.pages(tmp_path / folder, format=kind)
    one, two = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        for name in ("one", "two")
    )
    assert one == two
    ending = {"html": "html", "markdown": "md"}[kind]
    index = one[Path(f"W-001/index.{ending}")].decode()
    assert index.index("Earlier") < index.index("Later") < index.index("Undated")
    assert "1 drawer · 2026-05-02" in index
    whole = one[Path(f"index.{ending}")].decode()
    assert "3 rooms · 3 drawers · 2026-05-02 to 2026-05-03" in whole
    rooms = [text.decode() for path, text in one.items() if path.name.startswith("R-")]
    for text in (*rooms, index, whole):
        assert text.count("Asia/Tokyo") == 1
    later = next(text for text in rooms if "2026-05-03 05:00" in text)
    links = later.partition("Times are in")[0]
    assert links.index("Earlier") < links.index("Undated")


def test_what_is_there_is_never_written_over(full: Palace, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "diary.txt").write_text("mine")
    for force in (False, True):
        with pytest.raises(BadRequest, match="is not empty"):
            full.transfer.pages(folder, force=force)
    (folder / "diary.txt").unlink()
    full.transfer.pages(folder)
    with pytest.raises(BadRequest, match="--force"):
        full.transfer.pages(folder)
    full.transfer.pages(folder, force=True, wing="Trips")
    assert [path.name for path in sorted(folder.iterdir())] == ["W-002", "index.html", "palace-pages.json"]
    (folder / "diary.txt").write_text("mine")
    with pytest.raises(BadRequest, match=r"'diary\.txt', which palace did not write"):
        full.transfer.pages(folder, force=True)
    assert (folder / "diary.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_page_that_somebody_changed_is_not_replaced(full: Palace, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    full.transfer.pages(folder)
    page = folder / "W-001" / "R-01.html"
    written = page.read_bytes()
    page.write_bytes(written + b"my remark")
    with pytest.raises(BadRequest, match=r"'W-001/R-01\.html', which was changed since"):
        full.transfer.pages(folder, force=True)
    assert page.read_bytes() == written + b"my remark"
    page.unlink()
    (tmp_path / "elsewhere").write_bytes(written)
    page.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadRequest, match=r"R-01\.html"):
        full.transfer.pages(folder, force=True)
    page.unlink()
    (folder / "empty").mkdir()
    with pytest.raises(BadRequest, match="'empty', which palace did not write"):
        full.transfer.pages(folder, force=True)
    (folder / "empty").rmdir()
    full.transfer.pages(folder, force=True)
    assert page.read_bytes() == written
