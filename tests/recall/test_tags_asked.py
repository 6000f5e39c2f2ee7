"""Tags in recall: what is about somebody without their name, and what a query with a tag wishes for."""

from __future__ import annotations

from palace import Palace, Strategy
from palace.records.graph import EntityType
from tests.graph.test_known_names import filed
from tests.graph.test_update import MARCH, said
from tests.recall.test_graph_arm import ALONE, NOISE, NOW, family, names, told

__all__ = ["family"]


def noise(palace: Palace) -> None:
    for number, text in enumerate(NOISE * 4):
        filed(palace, f"noise {number}", ("user", f"{text} {number}"))


def test_whom_a_query_names_is_found_where_they_are_called_by_what_they_are(palace: Palace) -> None:
    filed(palace, "told", ("user", "My sister is called Anna. Anna likes the opera."))
    filed(palace, "spoken", ("user", "It was late when my sister rang."), ("assistant", "Was your sister well?"))
    noise(palace)
    found = told(palace, "Anna")
    assert "It was late when my sister rang." in found
    assert "Was your sister well?" in found
    without = Strategy.of({"arms": ["graph"], "graph": {"tag": 0}})
    hit = next(
        hit for hit in palace.recall("Anna", now=NOW, strategy=ALONE, floor="none").hits if "late" in hit.drawer.content
    )
    assert "about" in {reason.arm for reason in hit.arms}
    hits = palace.recall("Anna", now=NOW, strategy=without, floor="none").hits
    assert not [hit for hit in hits if "late" in hit.drawer.content and "about" in {one.arm for one in hit.arms}]


def test_naming_somebody_says_more_than_being_about_them(palace: Palace) -> None:
    filed(palace, "told", ("user", "My sister is called Anna. Anna likes the opera."))
    filed(palace, "spoken", ("user", "It was late when my sister rang."))
    filed(palace, "named", ("user", "Yesterday Anna came by."))
    noise(palace)
    scores = {
        hit.drawer.content: {one.arm: one.score for one in hit.arms}.get("about", 0.0)
        for hit in palace.recall("Anna", now=NOW, strategy=ALONE, floor="none").hits
    }
    assert 0 < scores["It was late when my sister rang."] < scores["Yesterday Anna came by."]


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


def test_a_tag_that_nobody_has_is_the_words_that_it_is(family: Palace) -> None:
    assert told(family, "@p Nobody Here") == []
    hits = family.recall("@p bread rise", now=NOW, floor="none").hits
    plain = family.recall("bread rise", now=NOW, floor="none").hits
    assert [hit.drawer.content for hit in hits] == [hit.drawer.content for hit in plain]
