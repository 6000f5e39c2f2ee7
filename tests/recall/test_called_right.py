"""What a person would call right: answers before questions, the present before the past, few facts."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from palace import Palace, Strategy
from palace.errors import BadRequest
from palace.records import FloorLevel
from palace.settings import Settings
from palace.text.pointers import parse_pointer

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as opened:
        yield opened


def said(palace: Palace, day: str, *turns: tuple[str, str]) -> None:
    palace.file(
        [{"role": role, "content": text, "timestamp": f"{day}T10:0{n}:00Z"} for n, (role, text) in enumerate(turns)],
        id=day,
    )


def test_the_answer_stands_where_its_question_would_and_brings_it_along(palace: Palace) -> None:
    asked = "What charger voltage do I need for 14S?"
    answer = "For fourteen cells in series you charge to 58.8 volts."
    said(palace, "2026-03-01", ("user", asked), ("assistant", answer))
    said(palace, "2026-03-02", ("user", "The charger for my phone is broken."))
    first = palace.recall("What charger voltage for 14S?", now=NOW).hits[0]
    assert (first.drawer.content, first.question and first.question.content) == (answer, asked)
    block = palace.context_block(palace.recall("What charger voltage for 14S?", now=NOW))
    assert block.index(asked) < block.index(answer)
    assert block.count(asked) == 1


def test_after_a_question_back_the_answer_is_what_answers(palace: Palace) -> None:
    asked = "What charger voltage do I need for the board?"
    answer = "You charge that one to 58.8 volts."
    said(
        palace,
        "2026-03-01",
        ("user", asked),
        ("assistant", "How many cells in series does the board's battery have?"),
        ("user", "The battery of the board has fourteen cells."),
        ("assistant", answer),
    )
    said(palace, "2026-03-02", ("user", "The charger for my phone is broken."))
    first = palace.recall("What charger voltage for the board?", now=NOW).hits[0]
    assert (first.drawer.content, first.question and first.question.content) == (answer, asked)


def test_a_question_with_what_it_is_asked_for_behind_it_gives_its_place_to_the_answer(palace: Palace) -> None:
    asked = "Which charger for 14S? I want to charge it overnight in the garage, slowly."
    told = "A 58.8 volt one with 5 amperes. It ends by itself when the cells are full."
    palace.file([{"role": "user", "content": asked}, {"role": "assistant", "content": told}], wing="Efoil")
    hits = palace.recall("What charger voltage for 14S?").hits
    assert hits[0].drawer.content == told
    assert hits[0].question is not None


def test_questions_split_over_turns_have_one_answer_however_many(palace: Palace) -> None:
    asked = ["How long does the varnish dry?", "Can I sand it the same day?", "Do I need a primer?", "Or two coats?"]
    back, clear, answer = "Is it outside?", "It is outside.", "A day at twenty degrees; sand it after that."
    said(palace, "2026-03-01", *(("user", each) for each in asked), ("assistant", answer))
    said(
        palace,
        "2026-03-02",
        *(("user", f"{each[:-1]} on the boat?") for each in asked[1:]),
        ("assistant", back),
        ("user", clear),
        ("assistant", answer.replace("A day", "Two days")),
    )
    for query in asked[:3]:
        first = palace.recall(query, now=NOW).hits[0]
        assert (first.drawer.content, first.question and first.question.content) == (answer, query)
    first = palace.recall("Can I sand it the same day on the boat?", now=NOW).hits[0]
    assert first.drawer.content.startswith("Two days")
    assert not any(hit.drawer.content.endswith("?") for hit in palace.recall("varnish on the boat", now=NOW).hits)


def test_an_appointment_that_moved_is_told_as_it_stands(palace: Palace) -> None:
    said(palace, "2026-03-01", ("user", "My dentist appointment is on the 3rd of May at ten."))
    said(palace, "2026-04-20", ("user", "My dentist appointment is on the 12th of May at nine, they moved it."))
    said(palace, "2026-04-21", ("user", "The garden needs water every evening."))
    hits = palace.recall("When is my dentist appointment?", now=NOW).hits
    assert ["12th" in hit.drawer.content for hit in hits[:2]] == [True, False]
    assert [hit.newer for hit in hits[:2]] == [None, hits[0].drawer.pointer]
    block = palace.context_block(palace.recall("When is my dentist appointment?", now=NOW))
    assert f"2026-03-01, earlier than {parse_pointer(str(hits[0].drawer.pointer))}" in block
    then = palace.recall("When was my dentist appointment?", now=NOW).hits
    assert all(hit.newer is None for hit in then)


def test_what_changed_is_told_as_of_each_time(palace: Palace) -> None:
    said(palace, "2024-10-03", ("user", "The vet was less kind to Bruno: 31 kilos."))
    said(palace, "2025-02-20", ("user", "Bruno got on the scales again: 27 and a half, no more crusts."))
    said(palace, "2026-02-15", ("user", "Twenty-five kilos, the vet gave Bruno a sticker."))
    said(palace, "2026-04-21", ("user", "Bruno sleeps at the vet's while we are away."))

    def first(query: str) -> str:
        return palace.recall(query, now=NOW).hits[0].drawer.content

    assert "Twenty-five" in first("How much does Bruno weigh at the vet?")
    assert "27" in first("How heavy was Bruno in autumn 2025?")
    assert "31" in first("What did Bruno weigh at first, at the vet?")


def test_what_a_question_tells_by_the_way_is_found_by_its_words(palace: Palace) -> None:
    asked = "Since my flight LH881 lands at 23:40, is there still a night bus?"
    said(palace, "2026-03-01", ("user", asked), ("assistant", "Night buses run hourly."))
    said(palace, "2026-03-02", ("user", "The kettle is descaled with vinegar."))
    for query in ("LH881", "When does LH881 land?"):
        first = palace.recall(query, now=NOW).hits[0]
        assert first.question is not None
        assert first.question.content == asked


def test_what_has_no_date_is_neither_newer_nor_older(palace: Palace) -> None:
    said(palace, "2026-03-01", ("user", "My rent is 910 euros."))
    palace.file([{"role": "user", "content": "My rent is 780 euros."}], id="undated")
    assert [hit.newer for hit in palace.recall("What is my rent?", now=NOW).hits] == [None, None]


def test_a_palace_of_few_facts_answers_in_other_words(palace: Palace) -> None:
    facts = ["I earn my money as a baker in Leith.", "We got a parrot called Otto.", "I cannot stand olives."]
    for number, fact in enumerate(facts, start=1):
        said(palace, f"2026-02-0{number}", ("user", fact))
    assert palace.recall("Where do I work?", now=NOW).hits[0].drawer.content == facts[0]
    assert palace.recall("What is the user's job?", now=NOW).hits[0].drawer.content == facts[0]


def test_the_caller_may_say_how_much_is_kept_back(palace: Palace) -> None:
    said(palace, "2026-02-01", ("user", "We got a parrot called Otto."))
    query = "quarterly tax return of the company"
    counts = [len(palace.recall(query, floor=floor).hits) for floor in ("none", "low", "normal", "strict")]
    assert counts == [1, 0, 0, 0]
    assert len(palace.recall("the parrot Otto", floor="strict").hits) == 1
    with pytest.raises(BadRequest, match="floor must be one of none, low, normal, strict, not 'high'"):
        palace.recall(query, floor="high")


def test_a_hit_says_how_likely_it_answers(palace: Palace) -> None:
    said(palace, "2026-02-01", ("user", "We got a parrot called Otto."))
    said(palace, "2026-02-02", ("user", "The tax return is due in March."))
    hits = palace.recall("What is our parrot called?", floor="none", now=NOW).hits
    likely = [hit.confidence for hit in hits]
    assert len(likely) == 2
    assert likely[0] is not None
    assert likely[1] is not None
    assert likely[0] > 0.5 > likely[1]


def test_a_block_for_no_tokens_is_refused(palace: Palace) -> None:
    said(palace, "2026-02-01", ("user", "We got a parrot called Otto."))
    found = palace.recall("the parrot Otto")
    for budget in (0, -1, -1500):
        with pytest.raises(BadRequest, match=f"^token_budget must be at least 1, not {budget}$"):
            palace.context_block(found, token_budget=budget)
    assert palace.context_block(found, token_budget=1) == ""


def test_beside_a_clear_answer_what_hardly_answers_is_left_out(palace: Palace) -> None:
    said(
        palace, "2026-02-01", ("user", "What does the varnish need?"), ("assistant", "The varnish needs two dry days.")
    )
    for day, fact in enumerate(("We got a parrot called Otto.", "The dry season is over.", "I need two days off."), 2):
        said(palace, f"2026-02-0{day}", ("user", fact))
    found = {floor: palace.recall("What does the varnish need?", floor=floor, now=NOW).hits for floor in FloorLevel}
    assert [len(found[floor]) for floor in (FloorLevel.NONE, FloorLevel.NORMAL, FloorLevel.STRICT)] == [4, 1, 1]


def test_of_an_amount_that_grows_the_newest_stands_first(palace: Palace) -> None:
    """Both say how long it has been, the older in nearly the words of the question."""
    older = "I need tips for the attic. I am proud of sticking to my daily stretching routine, for 3 weeks already!"
    newer = "Which mat is good for my back? I stuck to that stretching routine every day for seven weeks now."
    said(palace, "2026-06-11", ("user", older))
    said(palace, "2026-07-09", ("user", newer))
    asked = "How long have I been sticking to my daily stretching routine?"

    def first(query: str, strategy: Strategy | None = None) -> str:
        return palace.recall(query, now=NOW, strategy=strategy).hits[0].drawer.content

    assert first(asked, Strategy.of({"present": {"drawers": 0}})) == older
    assert first(asked) == newer
    assert first("How long did I stick to my daily stretching routine?") == older
