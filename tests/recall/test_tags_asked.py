"""Tags in recall: what is about somebody without their name, and what a query with a tag wishes for."""

from __future__ import annotations

from palace import Palace, Strategy
from tests.graph.mined import MARCH, EntityType, said
from tests.recall.test_graph_arm import ALONE, NOISE, NOW, family, names, told

__all__ = ["family"]


def test_a_tag_in_a_query_puts_what_is_about_it_in_front(family: Palace) -> None:
    usual = told(family, "how long does the bread take to rise", Strategy())
    assert usual[0] == NOISE[0]
    wished = told(family, "how long does the bread take to rise @p anna", Strategy())
    about = {"Anna took the keys in Bergen today.", "My sister is called Anna Berg.", "Anna Berg has a flat in Oslo."}
    assert set(wished[:3]) == about
    assert NOISE[0] in wished


def test_a_tag_is_of_its_kind(palace: Palace) -> None:
    said(palace, "place", ("Florence in May.", MARCH, names("Florence", type_=EntityType.PLACE)))
    assert told(palace, "@l florence") == ["Florence in May."]
    hits = palace.recall("@p florence", now=NOW, strategy=ALONE, floor="none").hits
    reasons = [{one.arm for one in hit.arms} for hit in hits]
    assert all("holds" not in each for each in reasons)


def test_an_ordinary_word_behind_a_tag_is_a_name(palace: Palace) -> None:
    said(palace, "will", ("Will comes on Friday.", MARCH, names("Will")))
    assert told(palace, "when does will come?") == []
    assert told(palace, "when does @p will come?") == ["Will comes on Friday."]
