"""Pages for people: linked, harmless whatever messages hold, and never written over what is not ours."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import Palace
from palace.errors import BadRequest, NotFound
from palace.transfer.pages import html, markdown
from palace.transfer.pages.model import RoomPage
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
    assert [tag for tag, _ in _tags(html.drawer_part(page, drawer))] == ["article", "header", "a", "pre"]
    _, _, *lines = markdown.drawer_part(page, drawer).split("\n\n", 2)[2].split("\n")
    fence = markdown.drawer_part(page, drawer).rstrip("\n").rsplit("\n", 1)[1]
    inner = markdown.drawer_part(page, drawer).split(f"{fence}text\n", 1)[1].rstrip("\n")[: -len(fence) - 1]
    assert fence not in inner
    assert lines is not None


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
