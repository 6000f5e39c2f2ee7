"""The pictures of the documentation are those that this program draws, and a page shows each."""

from __future__ import annotations

import re
import struct
import uuid
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from pydantic import SecretStr

from palace import Settings
from tests.docs.pages import PAGES
from tests.hosts import Host
from tests.hosts.reach import TEMPLATE
from tests.pictures.page import SIZE
from tests.pictures.pictures import FOLDER, ROOT, pictures


@pytest.fixture(scope="module")
def drawn(host: Host, settings: Settings) -> Iterator[dict[str, bytes]]:
    """All pictures, drawn now, in a database where nobody has been."""
    name = f"pictures_{uuid.uuid4().hex[:10]}"
    host.create_database(name, template=TEMPLATE)
    addresses = (host.runtime_url(name), host.owner_url(name))
    told = Settings(
        home=settings.home, database_url=SecretStr(addresses[0]), database_owner_url=SecretStr(addresses[1])
    )
    yield dict(pictures(told))
    host.drop_database(name)


@pytest.mark.nightly
def test_the_pictures_in_the_repository_are_up_to_date(drawn: dict[str, bytes]) -> None:
    kept = {path.name: path.read_bytes() for path in FOLDER.glob("*.svg")}
    assert [name for name in drawn if kept.get(name) != drawn[name]] == [], "make pictures"
    assert set(kept) == set(drawn)


def test_every_picture_is_well_formed_harmless_and_small() -> None:
    for path in FOLDER.glob("*.svg"):
        name, picture = path.name, path.read_bytes()
        root = ElementTree.fromstring(picture)
        assert root.tag == "{http://www.w3.org/2000/svg}svg", name
        assert not [element for element in root.iter() if element.tag.endswith(("script", "image", "use"))], name
        assert not re.search(rb'href=|src=|\son\w+="', picture), name
        assert len(picture) < 300_000, name


def test_the_picture_of_the_page_is_small_and_of_its_size() -> None:
    (path,) = (each for each in FOLDER.iterdir() if each.suffix != ".svg")
    picture = path.read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == SIZE
    assert len(picture) < 150_000


def test_a_page_shows_every_picture() -> None:
    pages = "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
    assert [path.name for path in FOLDER.iterdir() if f"pictures/{path.name})" not in pages] == []
