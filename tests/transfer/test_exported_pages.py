"""Pages for people: linked, harmless whatever messages hold, and never written over what is not ours."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from palace import Palace
from palace.errors import BadRequest, NotFound
from palace.settings import Settings
from palace.testing import HashingEmbedder
from palace.transfer.pages import html, markdown
from palace.transfer.pages.aligned import in_parts
from palace.transfer.pages.harmless import harmless
from palace.transfer.pages.model import RoomPage, WingPage
from tests.transfer.conftest import OPEN, write_talk
from tests.transfer.test_format import DRAWER, MOMENT, ROOM, WING

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
    drawer = type(DRAWER)(
        "", 1, 1, b"\x01", 0, DRAWER.role, content[:20] or None, None, DRAWER.filed_at, False, False, content
    )
    tags = [tag for tag, _ in _tags(html.drawer_part(page, drawer))]
    assert tags[:4] == ["article", "header", "a", "pre"]
    assert set(tags[4:]) <= {"code"}
    _, _, *lines = markdown.drawer_part(page, drawer).split("\n\n", 2)[2].split("\n")
    fence = markdown.drawer_part(page, drawer).rstrip("\n").rsplit("\n", 1)[1]
    inner = markdown.drawer_part(page, drawer).split(f"{fence}text\n", 1)[1].rstrip("\n")[: -len(fence) - 1]
    assert fence not in inner
    assert lines is not None


SIGNS = st.text(st.sampled_from("ab1 _*`~[]()<>#!|&;:/.@$^={}%\\-+\"'\n"), max_size=30)
MESSAGES = st.lists(
    st.sampled_from(["", "```", "~~~~", "  ```py", "|a|b|", "a | b", "---|---", "+--+", "\u2502x", "text", "<b>"])
)


@given(st.one_of(SIGNS, st.text(st.characters(exclude_categories=["Cs"]), max_size=60)))
@example("__init__ a_b *x* `y` ## C# #")
@example("user, 2026-03-02 00:00 (https://evil.example) www.evil.example &lt; AT&T")
def test_a_name_is_text_in_a_heading_and_in_a_link(name: str) -> None:
    wanted = " ".join(harmless(name).split())
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
    assert "".join(child.content for child in heading.children or ()) == " ".join(harmless(f"H{name}").split())
    assert [child.type for child in listed.children or () if "link" in child.type] == ["link_open", "link_close"]
    assert wanted in "".join(child.content for child in listed.children or ())


def test_times_and_plain_names_are_not_escaped() -> None:
    page = RoomPage(WING, dataclasses.replace(ROOM, name="AT&T (2026-03-02), snake_case & C#: 5 > 4"))
    assert "\n# AT&T (2026-03-02), snake_case & C#: 5 > 4\n" in markdown.room_begin(page)
    said = dataclasses.replace(DRAWER, said_at=MOMENT)
    assert "· user, 2026-04-30 18:20\n" in markdown.drawer_part(page, said)


@given(MESSAGES.map("\n".join))
def test_what_lines_up_is_told_from_what_does_not_and_nothing_is_lost(content: str) -> None:
    parts = list(in_parts(content))
    assert "".join(part for part, _ in parts) == content
    assert all(one != next_one for (_, one), (_, next_one) in pairwise(parts))
    shown = html.drawer_part(RoomPage(WING, ROOM), dataclasses.replace(DRAWER, content=content))
    said = re.sub(r"</?code[^>]*>", "", shown.partition('<pre dir="auto">')[2].rpartition("</pre>")[0])
    assert unescape(said).removeprefix("\n" if content.startswith("\n") else "") == content


def test_code_and_tables_line_up() -> None:
    table = "name | size\n---- | ---:\na    | 1\n"
    content = f"See:\n```py\nif x:\n    y\n```\nand\n{table}end | of it\n\nor | not\n| so\n"
    aligned = [part for part, lines_up in in_parts(content) if lines_up]
    assert aligned == ["```py\nif x:\n    y\n```\n", f"{table}end | of it\n", "| so\n"]
    assert [part for part, lines_up in in_parts("a\n~~~\nnever ends\n")] == ["a\n", "~~~\nnever ends\n"]


@pytest.mark.parametrize("kind", ["html", "markdown"])
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


def test_a_listing_that_palace_did_not_write_has_nothing_deleted(full: Palace, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    (folder / "sub").mkdir(parents=True)
    (folder / "report.txt").write_text("mine")
    (folder / "sub" / "x").write_text("mine")
    listing = folder / "palace-pages.json"
    digest = hashlib.sha256(b"mine").hexdigest()
    for files in (["report.txt", "sub/x"], {"report.txt": digest, "sub/x": digest}, None, 7):
        listing.write_text(json.dumps({"format": "palace-pages", "files": files}))
        with pytest.raises(BadRequest, match=r"did not write|is not empty"):
            full.transfer.pages(folder, force=True)
    listing.write_text("[" * 20_000)
    with pytest.raises(BadRequest, match="is not empty"):
        full.transfer.pages(folder, force=True)
    listing.unlink()
    os.mkfifo(listing)
    with pytest.raises(BadRequest, match="is not empty"):
        full.transfer.pages(folder, force=True)
    assert (folder / "report.txt").read_text() == (folder / "sub" / "x").read_text() == "mine"


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


def test_what_appears_at_the_last_moment_is_kept(full: Palace, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    full.transfer.pages(folder)
    with pytest.raises(BadRequest, match="'late', which palace did not write"), _late(folder):
        full.transfer.pages(folder, force=True)
    assert (folder / "late").read_text() == "mine"
    assert (folder / "index.html").is_file()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@contextmanager
def _late(folder: Path) -> Iterator[None]:
    """Have somebody put a file there after the folder was looked at."""
    replace = Path.replace

    def late(self: Path, target: Path) -> Path:
        if self == folder:
            (folder / "late").write_text("mine")
        return replace(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", late)
        yield


@pytest.mark.parametrize("mode", [0o2775, 0o755, 0o700])
def test_a_folder_that_is_there_keeps_who_may_what_with_it(mode: int, full: Palace, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, 1234, 4321)
    folder.chmod(mode)
    before = folder.stat()
    for force in (False, True):
        full.transfer.pages(folder, force=force)
        after = folder.stat()
        assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    inner, page = (folder / "W-001").stat(), (folder / "W-001" / "index.html").stat()
    assert (stat.S_IMODE(inner.st_mode), inner.st_gid) == (mode, before.st_gid)
    assert (stat.S_IMODE(page.st_mode), page.st_gid) == (mode & 0o666, before.st_gid)


def test_what_cannot_be_written_is_told_in_one_line(full: Palace, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    for name in (tmp_path / "file", tmp_path / "no\nwhere" / "pages", tmp_path / "a\0b"):
        with pytest.raises(BadRequest) as refused:
            full.transfer.pages(name)
        assert "\n" not in str(refused.value)
    with pytest.raises(BadRequest, match="markdown or html"):
        full.transfer.pages(tmp_path / "pages", format="pdf")
    with pytest.raises(NotFound):
        full.transfer.pages(tmp_path / "pages", wing="Nowhere")
    assert not (tmp_path / "pages").exists()
