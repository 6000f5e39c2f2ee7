"""Which of an entity's relations a question asks for, when each held in words, and what stands around an entity."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from palace.graph.wording import entry, in_order, predicate_of, ranked, standing, when, words_of
from palace.models import Precision, Standing
from tests.graph.neighbourhoods import around
from tests.graph.relations_made import IDS, SEEN_FROM, made
from tests.text.tables import misread, tables

TABLES = tables("wording", of="graph")
RELATIONS = {who: [made(*each) for each in TABLES[who]] for who in ("of_derek", "of_me", "of_nadia")}


def test_a_question_finds_what_it_asks_for() -> None:
    for who, question, objects in TABLES["asked"]:
        assert [each.object for each in ranked(RELATIONS[who], question)] == objects, question
    german = TABLES["asked_in_german"]
    assert misread(lambda question: ranked(RELATIONS["of_nadia"], question)[0].object, german.items()) == []


def test_what_is_asked_of_stands_in_front() -> None:
    klara, me = made("Klara", "lives_in", "Leipzig"), made("I", "lives_in", "Ghent")
    assert ranked([klara, me], "where do I live") == (me, klara)
    assert ranked([klara, me], "who lives where") == (klara, me)
    derek = RELATIONS["of_derek"]
    assert ranked([derek[6], derek[1]], "Where does Derek live?")[0].subject == "Derek"


def test_who_somebody_is_to_somebody_is_said_with_a_verb() -> None:
    said = {("partner_of", "I"): "am partner of", ("married_to", "Anna"): "is married to", ("is", "I"): "am"}
    assert {each: words_of(*each) for each in said} == said
    assert [predicate_of(words) for words in said.values()] == [predicate for predicate, _ in said]


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_a_time_is_told_as_exactly_as_it_is_known() -> None:
    for since, until, begin, end, words in TABLES["times"]:
        begun, ended = (None if each is None else day(each) for each in (since, until))
        precision = (Precision(begin), None if end is None else Precision(end))
        told = when(made("I", "lives_in", "Porto", begun, ended, precision=precision), UTC, SEEN_FROM)
        assert told == words, (since, until)


def test_what_happens_lasts_to_the_end_of_its_last_day() -> None:
    for until, words in (("2025-05-04", "on 3 May 2025"), ("2025-05-11", "from 3 May 2025 to 10 May 2025")):
        trip = made("I", "visited", "Lisbon", day("2025-05-03"), day(until), precision=(Precision.DAY, Precision.DAY))
        assert when(trip, UTC, SEEN_FROM) == words


def test_a_visit_without_a_day_has_no_end() -> None:
    assert when(made("I", "visited", "Greece", None, day("2026-06-01")), UTC, SEEN_FROM) == ""


def test_days_are_those_of_the_persons_zone() -> None:
    begun = datetime(2025, 5, 2, 22, tzinfo=UTC)
    assert when(made("I", "owns", "boat", begun), ZoneInfo("Europe/Berlin"), SEEN_FROM) == "since 3 May 2025"


def test_a_relation_is_past_present_or_still_to_come() -> None:
    past = made("I", "lives_in", "Ghent", None, day("2025-05-01"))
    present = made("I", "lives_in", "Utrecht", day("2025-05-01"), day("2027-01-01"))
    future = made("I", "lives_in", "Porto", day("2027-01-01"))
    found = [standing(each, SEEN_FROM) for each in (past, present, future)]
    assert found == [Standing.PAST, Standing.PRESENT, Standing.FUTURE]
    entries = in_order([entry(each, UTC, SEEN_FROM) for each in (future, past, present)])
    assert [each.relation for each in entries] == [past, present, future]


ANNA = made("I", "sibling_of", "Anna")
RENT = made("Bridge House", "has_rent", "1,450", is_value=True)
FAMILY = [ANNA, made("Anna", "lives_in", "Porto"), made("Bridge House", "located_in", "Porto"), RENT]


def test_each_hop_reaches_one_relation_further_in_either_direction() -> None:
    reached = ["I", "Anna", "Porto", "Bridge House", "1,450"]
    for hops in range(5):
        assert [each.name for each in around("I", FAMILY, hops=hops).members] == reached[: hops + 1]
    assert [each.hops for each in around("I", FAMILY, hops=9).members] == [0, 1, 2, 3, 4]
    near = around("Porto", FAMILY, hops=1)
    ends = [(near.members[link.subject].name, near.members[link.object].name) for link in near.links]
    assert ends == [("Anna", "Porto"), ("Bridge House", "Porto")]


def test_one_with_very_many_relations_leaves_room_for_the_others() -> None:
    crowd = [made("Anna", "likes", f"song {number}") for number in range(50)]
    brother = [made("I", "sibling_of", "Tom"), made("Tom", "plays", "cello")]
    found = around("I", [ANNA, *brother, *crowd], most=8)
    assert len(found.members) == 8
    assert "cello" in {each.name for each in found.members}
    assert found.left_out == 46


NAMES = st.sampled_from("abcdefgh")


@given(st.lists(st.tuples(NAMES, NAMES, st.booleans()), max_size=40), st.integers(0, 5), st.integers(1, 12))
def test_a_walk_keeps_its_bounds(pairs: list[tuple[str, str, bool]], hops: int, most: int) -> None:
    relations = [
        made(one, "likes", other, is_value=is_value, number=number)
        for number, (one, other, is_value) in enumerate(pairs)
    ]
    IDS.setdefault("a", len(IDS) + 1)
    found = around("a", relations, hops=hops, most=most)
    assert len(found.members) <= most
    assert max(each.hops for each in found.members) <= hops
    assert [each.hops for each in found.members] == sorted(each.hops for each in found.members)
    entities = [each.entity_id for each in found.members if each.entity_id is not None]
    assert len(entities) == len(set(entities))
    for link in found.links:
        one, other = found.members[link.subject], found.members[link.object]
        assert one.entity_id == link.relation.subject_id
        assert other.entity_id == link.relation.object_id
        assert abs(one.hops - other.hops) <= 1
