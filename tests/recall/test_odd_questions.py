"""Questions that nobody means, and palaces that hardly are any: an answer, nothing, or one clear line."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from palace import BadRequest, Palace, Palaces, to_json
from palace.models import FloorLevel, Recollection

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
EDGES = (datetime.min, datetime.max)  # noqa: DTZ901 — naive, as a caller may give it
PARROT = "We got a parrot called Otto."
FACTS = (PARROT, "The boat lies in berth 3.", "I work as a baker in Leith.", "The kettle is descaled with vinegar.")

ODD = (
    "the", "今天天气怎么样", "أين يعيش الببغاء؟", "2024-05-03", "What happened on 0001-01-01?",
    "What happened in december 9999?", "0000-00-00, or 99/99/9999", "What did we do yesterday in 1999?",
    "in 1999 and 2001, last week, yesterday and in three years", "What happened 999 decades ago?",
    "What happens in 790 decades?", "parrot & | ! ( ) :* <-> '", "'; DROP TABLE drawer; --", "parrot \udcff",
    "parrot\x00",
)  # fmt: skip
NOTHING = ("?", "& | ! ( ) :* <->", "🦜", "\u200b")


@pytest.fixture(scope="module")
def places(bundled: Palaces) -> dict[str, Palace]:
    """Palaces with the bundled model: empty, of forty drawers that say the same, of some without dates."""
    opened = {name: bundled.palace(f"user-{uuid.uuid4()}") for name in ("empty", "same", "undated")}
    days = ((NOW - timedelta(days=300 - number)).isoformat() for number in range(40))
    opened["same"].file([{"role": "user", "content": PARROT, "timestamp": day} for day in days], id="again")
    for number, fact in enumerate(FACTS):
        opened["undated"].file([{"role": "user", "content": fact}], id=str(number))
    return opened


def said(recollection: Recollection) -> list[str]:
    return [hit.drawer.content for hit in recollection.hits]


@pytest.mark.nightly
def test_any_question_is_taken_at_any_moment(places: dict[str, Palace]) -> None:
    for palace in (places["empty"], places["undated"]):
        for query in ODD:
            for now in (None, *EDGES):
                found = palace.recall(query, now=now, floor="none" if now is None else "normal")
                assert found.warnings == (), (query, now)
                assert set(said(found)) <= set(FACTS)
                assert palace.context_block(found).count("\n§") == len(found.hits)
                json.loads(to_json(found))


def test_what_says_nothing_finds_nothing_and_says_why(places: dict[str, Palace]) -> None:
    for palace in places.values():
        for query in NOTHING:
            found = palace.recall(query, floor="none")
            assert found.hits == ()
            assert found.warnings == ("the query has neither letters nor digits: there is nothing to look for",)
        for query in ("", " \n\t "):
            with pytest.raises(BadRequest, match=r"^the query is empty: say what to recall$"):
                palace.recall(query)


def test_of_an_endless_question_the_beginning_is_asked(places: dict[str, Palace]) -> None:
    query = ("What is our parrot called? " * 2_000)[:50_000]
    found = places["undated"].recall(query)
    assert said(found)[0] == PARROT
    assert found.warnings == ("the query has 50,000 characters; its first 2,000 were used",)


def test_every_floor_is_taken_everywhere(places: dict[str, Palace]) -> None:
    for name, palace in places.items():
        for floor in FloorLevel:
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


def test_as_many_as_there_are_are_given_and_more_or_fewer_refused(places: dict[str, Palace]) -> None:
    for top_k in (1, 1000):
        found = places["undated"].recall("the parrot, the boat, a baker, the kettle", top_k=top_k, floor="none")
        assert len(said(found)) == min(top_k, len(FACTS))
    for top_k in (0, -1, 1001, 10**30):
        with pytest.raises(BadRequest, match=f"^top_k must be from 1 to 1000, not {top_k}$"):
            places["empty"].recall("the parrot", top_k=top_k)


def test_what_was_said_at_the_end_of_the_calendar_is_filed_and_found(palace: Palace) -> None:
    for when in (datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)):
        text = f"We met in May {when:%m}, last spring, 90 years ago, or next December."
        assert palace.recall(palace.note(text, said_at=when).content, now=when).hits[0].drawer.content == text


def test_what_was_asked_and_not_known_stands_behind_what_is_so(bundled: Palaces) -> None:
    palace = bundled.palace(f"user-{uuid.uuid4()}")
    asked, excuse, fact = (
        "Where does Mirek teach?",
        "I have no notes about where Mirek teaches.",
        "Mirek got the post in Brno.",
    )
    stated, reply = "Mirek's flat has no lift and he is on floor six, who moves pianos?", "Removal firms move pianos."
    palace.file([{"role": "user", "content": fact}, {"role": "assistant", "content": "Good for Mirek!"}], id="fact")
    for id_, told in (
        ("first", (asked, excuse)),
        ("again", (f"{asked} 🎹", "Done, I looked at that.")),
        ("told", (stated, reply)),
    ):
        palace.file(
            [{"role": role, "content": each} for role, each in zip(("user", "assistant"), told, strict=True)], id=id_
        )
    found = said(palace.recall(asked, floor="none", top_k=9))
    assert found[0] == fact
    assert {asked, excuse} <= set(found)
    assert min(map(found.index, (asked, excuse))) > found.index(stated)
    assert said(palace.recall("Which floor does Mirek live on?"))[0] == stated


def test_a_question_asked_before_stands_behind_its_answer_with_or_without_a_sign(bundled: Palaces) -> None:
    for asked, beside, fact in (
        ("how many eggs in grandma's rhubarb cake", "", "Baked after grandma's recipe: rhubarb cake, three eggs!"),
        ("What ring size do I have?", " The jeweller needs grandma's ring soon.", "Sizes: shoes 39, ring 54."),
    ):
        palace = bundled.palace(f"user-{uuid.uuid4()}")
        palace.file([{"role": "user", "content": fact}], id="fact")
        palace.file([{"role": "user", "content": asked + beside}], id="asked")
        found = said(palace.recall(asked, floor="none"))
        assert found.index(fact) < found.index(asked + beside)


def test_a_speaker_whom_the_question_names_gives_way_to_what_is_said_of_them(bundled: Palaces) -> None:
    palace = bundled.palace(f"user-{uuid.uuid4()}")
    talk = (("Idris", "I love you"), ("Idris", "ok!"), ("Nora", "Idris starts at the city library on Monday."))
    palace.file([{"role": "user", "name": name, "content": content} for name, content in talk])
    for asked in ("where does Idris work?", "Idris's job", "did Idris find a job?", "Wo arbeitet Idris?"):
        assert said(palace.recall(asked, floor="none"))[0] == talk[2][1], asked
    assert said(palace.recall("What did Idris say?", floor="none"))[0] != talk[2][1]
