"""Pages for people: linked, harmless whatever messages hold, and never written over what is not ours."""

from __future__ import annotations

import json
import re
import stat
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest
from markdown_it import MarkdownIt

from palace import BadRequest, Palace, Settings
from palace.testing import HashingEmbedder
from tests.transfer.conftest import write_talk

NAME = "__init__ a_b *x* `y` ## [C](http://evil) &lt; AT&T <b> www.evil.example"
TABLE = "name | size\n---- | ---:\na    | 1\n"
CODE = f"See:\n```py\nif x:\n    y\n```\nand\n{TABLE}"
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


@pytest.fixture
def hostile(palace: Palace, tmp_path: Path) -> Palace:
    """A palace in which everything that has a name or says something would be markup."""
    write_talk(tmp_path / "evil.json", HOSTILE, '"><b onclick=x>', CODE)
    palace.mine(tmp_path / "evil.json", wing="<i>Wing</i>")
    palace.tree.rename("W-001/R-01", NAME)
    return palace


def test_nothing_that_is_said_is_markup_in_html(hostile: Palace, tmp_path: Path) -> None:
    hostile.transfer.pages(tmp_path / "pages")
    for page in (tmp_path / "pages").rglob("*.html"):
        tags = _tags(page.read_text())
        assert not {tag for tag, _ in tags} & {"script", "img", "b", "i", "iframe", "link"}
        assert not any(name.startswith("on") for _, attributes in tags for name in attributes)
        assert any("default-src 'none'" in str(attributes.get("content")) for _, attributes in tags)
        assert not any(sign in page.read_text() for sign in ("\x1b", "\u202e"))
    said = (tmp_path / "pages" / "W-001" / "R-01.html").read_text()
    assert CODE in unescape(re.sub(r"</?code[^>]*>", "", said)), "nothing is lost of code and tables, which line up"
    assert TABLE in [unescape(part) for part in re.findall(r"<code[^>]*>(.*?)</code>", said, re.DOTALL)]


def test_nothing_that_is_said_is_markup_in_markdown(hostile: Palace, tmp_path: Path) -> None:
    hostile.transfer.pages(tmp_path / "pages", format="markdown")
    parser = MarkdownIt("commonmark").enable(["strikethrough", "table"])
    room, wing = (parser.parse((tmp_path / "pages/W-001" / name).read_text()) for name in ("R-01.md", "index.md"))
    assert [token.content for token in room if token.type == "fence"][1:] == ['"><b onclick=x>\n', f"{CODE}\n"]
    assert all(token.content.startswith('<a id="D-') for token in room if token.type.startswith("html"))
    heading = room[[token.type for token in room].index("heading_open") + 1].children or []
    assert [(child.type, child.content) for child in heading] == [("text", NAME)]
    (listed,) = (token.children or [] for token in wing if token.type == "inline" and "W-001/R-01" in token.content)
    assert [child.type for child in listed if "link" in child.type] == ["link_open", "link_close"]
    assert NAME in "".join(child.content for child in listed)


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
