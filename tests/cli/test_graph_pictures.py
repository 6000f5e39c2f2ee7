"""A neighbourhood as a tree, in Graphviz's language, as a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from palace.models import Precision
from palace_cli.render.graph import dot_text, tree_text
from palace_cli.render.svg import svg_text
from tests.graph.neighbourhoods import around
from tests.graph.relations_made import made

MONTH = (Precision.MONTH, None)
BOAT = [
    made("I", "owns", "efoil", precision=MONTH),
    made("efoil", "has_battery", "24V20Ah", precision=MONTH, is_value=True),
    made("Derek", "uses", "efoil", None),
    made("Derek", "likes", "efoil", None),
    made("Derek", "friend_of", "I", None),
]
HOSTILE = '</text><script>alert("1")</script>&amp;\x1b[31m\u202e\ud800\ufffe\x00'
SVG = "{http://www.w3.org/2000/svg}"


def test_a_picture_has_every_name_and_every_relation() -> None:
    shown = svg_text(around("efoil", BOAT))
    texts = [element.text for element in ElementTree.fromstring(shown).iter(f"{SVG}text")]
    assert {"efoil", "I", "24V20Ah", "Derek", "own", "has battery", "since May 2025"} <= set(texts)
    assert "Derek · is friend of · I" in texts
    assert "2026-09-01, 2 hops: 3 around it" in texts
    assert "@media (prefers-color-scheme:dark)" in shown
    assert svg_text(around("efoil", BOAT)) == shown
    assert "1 around it, 2 more left out" in svg_text(around("efoil", BOAT, most=2))


TEXTS = st.one_of(st.text(st.characters(), min_size=1, max_size=30), st.just(HOSTILE))


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8))
def test_whatever_names_are_a_picture_is_well_formed_and_harmless(named: list[tuple[str, str]]) -> None:
    claims = [made("a", f"has_{what}", name, None, is_value=True) for what, name in named]
    root = ElementTree.fromstring(svg_text(around("a", claims)).encode())
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "style", "rect", "text", "g", "path", "circle")
    }
    assert not [name for element in root.iter() for name in element.attrib if "href" in name or name.startswith("on")]


def test_a_name_is_nothing_but_text() -> None:
    found = around("efoil", [made("efoil", f"has_{HOSTILE}", HOSTILE, None, is_value=True)])
    for draw in (svg_text, dot_text, tree_text):
        assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", draw(found))
