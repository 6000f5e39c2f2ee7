"""Which of an entity's relations a question asks for, when each held in words, and what stands around an entity."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from palace.graph.wording.dates import entry, in_order, standing, when
from palace.graph.wording.questions import ranked
from palace.records import Precision, Standing
from tests.graph.neighbourhoods import around
from tests.graph.relations_made import IDS, SEEN_FROM, made

OF_DEREK = [
    made("Derek", "works_at", "Vestas"),
    made("Derek", "lives_in", "Aarhus"),
    made("Derek", "owns", "efoil"),
    made("Derek", "has_dentist", "Dr Sato"),
    made("Derek", "plays", "cello"),
    made("Derek", "married_to", "Ines"),
    made("Ines", "lives_in", "Skive"),
]
OF_ME = [
    made("I", "lives_in", "Ghent"),
    made("I", "does", "judo"),
    made("I", "works_as", "nurse"),
    made("I", "owns", "cello"),
    made("I", "has", "asthma"),
    made("I", "visited", "Oslo"),
]
OF_NADIA = [
    made("I", "lives_in", "Aarhus"),
    made("I", "owns", "Skoda Enyaq"),
    made("I", "has_dentist", "Dr. Sato"),
    made("I", "has_gp", "Dr. Rehberg"),
    made("I", "has_rent", "870 Euro"),
    made("I", "has_age", "34"),
    made("I", "dislikes", "Oliven"),
    made("I", "uses", "Tidal"),
]
DAY, MONTH, SEASON, YEAR = Precision.DAY, Precision.MONTH, Precision.SEASON, Precision.YEAR
VAGUE, MOMENT = Precision.VAGUE, Precision.MOMENT


def test_a_question_finds_what_it_asks_for() -> None:
    asked = [
        (OF_DEREK, "Where does Derek live?", ["Aarhus", "Skive"]),
        (OF_DEREK, "Wo wohnt er?", ["Aarhus", "Skive"]),
        (OF_DEREK, "which instruments does he play", ["cello"]),
        (OF_DEREK, "Who is he married to?", ["Ines"]),
        (OF_DEREK, "the efoil", ["efoil"]),
        (OF_DEREK, "what did he eat on Tuesday", []),
        (OF_DEREK, "", []),
        # A verb that only makes it a question asks for nothing.
        (OF_ME, "do I live in Ghent", ["Ghent"]),
        (OF_ME, "what do I do", ["judo", "nurse"]),
        (OF_ME, "which sports do I do", ["judo"]),
        (OF_ME, "what have I got", ["cello"]),
        (OF_ME, "do I have asthma", ["asthma", "cello"]),
        (OF_ME, "where did I go", ["Oslo"]),
        (OF_ME, "wo habe ich gelebt, wo wohne ich", ["Ghent"]),
    ]
    wrong = []
    for relations, question, objects in asked:
        found = [each.object for each in ranked(relations, question)]
        if found != objects:
            wrong.append((question, objects, found))
    assert wrong == []


def test_a_german_question_finds_what_it_asks_for() -> None:
    asked = {
        "Wo lebe ich?": "Aarhus",
        "Was für ein Auto fahre ich?": "Skoda Enyaq",
        "Wie heißt meine Hausärztin?": "Dr. Rehberg",
        "Wer ist mein Zahnarzt?": "Dr. Sato",
        "Was zahle ich an Miete?": "870 Euro",
        "Wie alt bin ich?": "34",
        "Was hasse ich?": "Oliven",
        "welche programme benutze ich": "Tidal",
    }
    assert {question: ranked(OF_NADIA, question)[0].object for question in asked} == asked


def test_what_is_asked_of_stands_in_front() -> None:
    klara, me = made("Klara", "lives_in", "Leipzig"), made("I", "lives_in", "Ghent")
    assert ranked([klara, me], "where do I live") == (me, klara)
    assert ranked([klara, me], "who lives where") == (klara, me)
    assert ranked([OF_DEREK[6], OF_DEREK[1]], "Where does Derek live?")[0].subject == "Derek"


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_a_time_is_told_as_exactly_as_it_is_known() -> None:
    times: list[tuple[str | None, str | None, tuple[Precision, Precision | None], str]] = [
        ("2025-05-03", None, (DAY, None), "since 3 May 2025"),
        ("2025-05-01", None, (MONTH, None), "since May 2025"),
        ("2025-06-01", None, (SEASON, None), "since summer 2025"),
        ("2025-12-01", None, (SEASON, None), "since winter 2025/26"),
        ("2025-01-01", None, (YEAR, None), "since 2025"),
        ("2019-01-01", None, (VAGUE, None), "since about 2019"),
        ("2019-06-01", None, (VAGUE, None), "since about June 2019"),
        ("2025-05-03T18:20", None, (MOMENT, None), "known since 3 May 2025"),
        (None, "2019-01-01", (VAGUE, VAGUE), "until about 2019"),
        (None, "2026-07-03T10:00", (VAGUE, VAGUE), "until 3 July 2026 at the latest"),
        (None, "2025-05-01", (VAGUE, MONTH), "until May 2025"),
        (None, None, (VAGUE, None), ""),
        ("2025-05-03", "2025-06-01", (DAY, MONTH), "from 3 May 2025 to June 2025"),
        ("2025-05-03T10:00", "2025-07-03T09:00", (MOMENT, MOMENT), "known from 3 May 2025 to 3 July 2025"),
        ("2025-05-01", "2025-05-20", (MONTH, MONTH), "in May 2025"),
        ("2025-05-03T10:00", "2025-05-03T12:00", (MOMENT, MOMENT), "on 3 May 2025"),
        ("2025-05-03T10:00", "2025-05-03T10:00", (VAGUE, VAGUE), "over by 3 May 2025"),
        ("2027-01-01", None, (MONTH, None), "from January 2027"),
    ]
    wrong = []
    for since, until, precision, words in times:
        begun, ended = (None if each is None else day(each) for each in (since, until))
        told = when(made("I", "lives_in", "Porto", begun, ended, precision=precision), UTC, SEEN_FROM)
        if told != words:
            wrong.append((since, until, words, told))
    assert wrong == []


def test_what_happens_lasts_to_the_end_of_its_last_day() -> None:
    for until, words in (("2025-05-04", "on 3 May 2025"), ("2025-05-11", "from 3 May 2025 to 10 May 2025")):
        trip = made("I", "visited", "Lisbon", day("2025-05-03"), day(until), precision=(DAY, DAY))
        assert when(trip, UTC, SEEN_FROM) == words


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
