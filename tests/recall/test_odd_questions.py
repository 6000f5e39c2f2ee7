"""Questions that nobody means, and palaces that hardly are any: an answer, nothing, or one clear line."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from palace import Palace
from palace.errors import BadRequest
from palace.records import FloorLevel, Recollection
from palace.settings import Settings

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
BEFORE_ALL = datetime(1990, 1, 1, tzinfo=UTC)
EDGES = (datetime.min, datetime.max, datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC))  # noqa: DTZ901
PARROT = "We got a parrot called Otto."
FACTS = (PARROT, "The boat lies in berth 3.", "I work as a baker in Leith.", "The kettle is descaled with vinegar.")

ODD = {
    "a stop word": "the",
    "a language nobody spoke": "今天天气怎么样",
    "another": "أين يعيش الببغاء؟",
    "a date": "2024-05-03",
    "the first year": "What happened on 0001-01-01?",
    "the last year": "What happened in december 9999?",
    "no date": "0000-00-00, or 99/99/9999",
    "contradicting times": "What did we do yesterday in 1999?",
    "many times": "in 1999 and 2001, last week, yesterday and in three years",
    "before the calendar": "What happened 999 decades ago?",
    "where the calendar ends": "What happened 170 decades ago?",
    "behind it": "What happens in 790 decades?",
    "operators": "parrot & | ! ( ) :* <-> '",
    "a statement": "'; DROP TABLE drawer; --",
    "half a character": "parrot \udcff",
    "a zero": "parrot\x00",
}
NOTHING = {"a sign": "?", "signs": "& | ! ( ) :* <->", "a picture": "🦜", "unseen": "\u200b"}


def file_facts(palace: Palace, facts: tuple[str, ...], *, dated: bool = True) -> None:
    for number, fact in enumerate(facts):
        when = {"timestamp": f"2026-02-{1 + number:02}T10:00:00Z"} if dated else {}
        palace.file([{"role": "user", "content": fact, **when}], id=str(number))


def file_again_and_again(palace: Palace) -> None:
    days = ((NOW - timedelta(days=300 - number)).isoformat() for number in range(200))
    palace.file([{"role": "user", "content": PARROT, "timestamp": day} for day in days], id="again")


@pytest.fixture(scope="module")
def places(settings: Settings) -> Iterator[dict[str, Palace]]:
    """Palaces with the bundled model: empty, of one drawer, of 200 that say the same, of some without dates."""
    opened = {name: Palace.open(settings, user=f"user-{uuid.uuid4()}") for name in ("empty", "one", "same", "undated")}
    file_facts(opened["one"], (PARROT,))
    file_again_and_again(opened["same"])
    file_facts(opened["undated"], FACTS, dated=False)
    yield opened
    for palace in opened.values():
        palace.close()


def said(recollection: Recollection) -> list[str]:
    return [hit.drawer.content for hit in recollection.hits]


@pytest.mark.parametrize("query", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", ["empty", "one", "same", "undated"])
def test_any_question_is_taken_at_any_moment(places: dict[str, Palace], name: str, query: str) -> None:
    palace = places[name]
    for now in (None, NOW, BEFORE_ALL, *EDGES):
        found = palace.recall(query, now=now)
        assert found.warnings == ()
        assert set(said(found)) <= set(FACTS)
        assert palace.context_block(found).count("\n§") == len(found.hits)


@pytest.mark.parametrize("query", NOTHING.values(), ids=NOTHING)
def test_what_says_nothing_finds_nothing_and_says_why(places: dict[str, Palace], query: str) -> None:
    for palace in places.values():
        found = palace.recall(query, floor="none")
        assert found.hits == ()
        assert found.warnings == ("the query has neither letters nor digits: there is nothing to look for",)


def test_of_an_endless_question_the_beginning_is_asked(places: dict[str, Palace]) -> None:
    query = ("What is our parrot called? " * 2_000)[:50_000]
    found = places["undated"].recall(query)
    assert said(found)[0] == PARROT
    assert found.warnings == ("the query has 50,000 characters; its first 2,000 were used",)


@pytest.mark.parametrize("query", ["", " \n\t "])
def test_an_empty_question_is_refused(places: dict[str, Palace], query: str) -> None:
    for palace in places.values():
        with pytest.raises(BadRequest, match=r"^the query is empty: say what to recall$"):
            palace.recall(query)


@pytest.mark.parametrize("floor", FloorLevel)
def test_every_floor_is_taken_everywhere(places: dict[str, Palace], floor: str) -> None:
    for name, palace in places.items():
        found = palace.recall("What is our parrot called?", floor=floor, now=NOW)
        assert said(found)[:1] == ([] if name == "empty" else [PARROT])


def test_one_hit_stands_for_all_that_say_the_same(places: dict[str, Palace]) -> None:
    same = places["same"]
    for top_k in (1, 5, 1000):
        assert said(same.recall("What is our parrot called?", top_k=top_k)) == [PARROT]
    (hit,) = same.recall("What is our parrot called?", top_k=1000, context=100).hits
    told = {hit.drawer.pointer, *(drawer.pointer for drawer in hit.again)}
    assert len(told) == 1 + len(hit.again)
    block = same.context_block(same.recall("the parrot", context=100), token_budget=100_000)
    pointers = [line.split(" | ")[0] for line in block.splitlines() if line.startswith("§")]
    assert len(pointers) == len(set(pointers))


@pytest.mark.parametrize("top_k", [1, 1000])
def test_as_many_as_there_are_are_given(places: dict[str, Palace], top_k: int) -> None:
    found = places["undated"].recall("the parrot, the boat, a baker, the kettle", top_k=top_k, floor="none")
    assert len(said(found)) == min(top_k, len(FACTS))


@pytest.mark.parametrize("top_k", [0, -1, 1001, 10**30])
def test_more_or_fewer_than_can_be_given_are_refused(places: dict[str, Palace], top_k: int) -> None:
    with pytest.raises(BadRequest, match=f"^top_k must be from 1 to 1000, not {top_k}$"):
        places["one"].recall("the parrot", top_k=top_k)


def test_asked_before_everything_was_said_all_is_found_all_the_same(places: dict[str, Palace]) -> None:
    for now in (BEFORE_ALL, *EDGES):
        assert said(places["one"].recall("What is our parrot called?", now=now)) == [PARROT]


def test_what_has_no_date_is_found_at_a_time_that_nobody_can_tell(places: dict[str, Palace]) -> None:
    assert said(places["undated"].recall("Which parrot did we get in 1999?", now=NOW))[0] == PARROT
    for edge in EDGES:
        places["undated"].recall("the parrot", since=edge)
        places["undated"].recall("the parrot", until=edge)


@pytest.mark.parametrize("when", [datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)])
def test_what_was_said_at_the_end_of_the_calendar_is_filed_and_found(palace: Palace, when: datetime) -> None:
    for text in ("We met in May, last spring.", "It was 90 years ago, or next December."):
        assert palace.recall(palace.note(text, said_at=when).content, now=when).hits[0].drawer.content == text


def test_a_record_of_each_is_json(places: dict[str, Palace]) -> None:
    from palace import to_json

    for palace in places.values():
        for query in ODD.values():
            json.loads(to_json(palace.recall(query, floor="none")))
