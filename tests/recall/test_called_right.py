"""What a person would call right: answers before questions, the present before the past, few facts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from palace import BadRequest, Palace, Palaces
from palace.models import FloorLevel

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def palaces(bundled: Palaces) -> Palaces:
    return bundled


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


def test_an_appointment_that_moved_is_told_as_it_stands(palace: Palace) -> None:
    said(palace, "2026-03-01", ("user", "My dentist appointment is on the 3rd of May at ten."))
    said(palace, "2026-04-20", ("user", "My dentist appointment is on the 12th of May at nine, they moved it."))
    said(palace, "2026-04-21", ("user", "The garden needs water every evening."))
    hits = palace.recall("When is my dentist appointment?", now=NOW).hits
    assert ["12th" in hit.drawer.content for hit in hits[:2]] == [True, False]
    assert [hit.newer for hit in hits[:2]] == [None, hits[0].drawer.pointer]
    block = palace.context_block(palace.recall("When is my dentist appointment?", now=NOW))
    assert f"2026-03-01, earlier than {hits[0].drawer.pointer}" in block
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


def test_a_hit_says_how_likely_it_answers_and_the_caller_how_much_is_kept_back(palace: Palace) -> None:
    said(palace, "2026-02-01", ("user", "We got a parrot called Otto."))
    query = "quarterly tax return of the company"
    counts = [len(palace.recall(query, floor=floor).hits) for floor in ("none", "low", "normal", "strict")]
    assert counts == [1, 0, 0, 0]
    assert len(palace.recall("the parrot Otto", floor="strict").hits) == 1
    with pytest.raises(BadRequest, match="floor must be one of none, low, normal, strict, not 'high'"):
        palace.recall(query, floor="high")
    found = palace.recall("the parrot Otto")
    for budget in (0, -1500):
        with pytest.raises(BadRequest, match=f"^token_budget must be at least 1, not {budget}$"):
            palace.context_block(found, token_budget=budget)
    assert palace.context_block(found, token_budget=1) == ""
    said(palace, "2026-02-02", ("user", "The tax return is due in March."))
    parrot, tax = palace.recall("What is our parrot called?", floor="none", now=NOW).hits
    assert (parrot.confidence or 0) > 0.5 > (tax.confidence or 1)


def test_beside_a_clear_answer_what_hardly_answers_is_left_out(palace: Palace) -> None:
    said(
        palace, "2026-02-01", ("user", "What does the varnish need?"), ("assistant", "The varnish needs two dry days.")
    )
    for day, fact in enumerate(("We got a parrot called Otto.", "The dry season is over.", "I need two days off."), 2):
        said(palace, f"2026-02-0{day}", ("user", fact))
    found = {floor: palace.recall("What does the varnish need?", floor=floor, now=NOW).hits for floor in FloorLevel}
    assert [len(found[floor]) for floor in (FloorLevel.NONE, FloorLevel.NORMAL, FloorLevel.STRICT)] == [4, 1, 1]
