"""Memories among hits: marked as such, once beside what they stand on, and never those that do not count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from palace import Palace


def _said(palace: Palace, text: str) -> str:
    return str(palace.note(text).pointer)


def test_a_hit_says_that_it_is_a_memory_and_what_it_stands_on(palace: Palace) -> None:
    first = _said(palace, "Anna starts at the harbour office in May.")
    second = _said(palace, "The harbour office is in Vigo.")
    stored = palace.memories.store("Anna works at the harbour office in Vigo from May", evidence=[first, second])
    found = palace.recall("where does Anna work?", floor="none")
    hit = next(each for each in found.hits if each.drawer.pointer == stored.id)
    assert hit.memory is not None
    assert (hit.memory.type, [str(each) for each in hit.memory.evidence]) == ("semantic", [first, second])
    assert all(each.memory is None for each in found.hits if each is not hit)
    assert f" | fact, from {first} {second} | " in palace.context_block(found)


def test_a_memory_and_the_one_drawer_that_it_stands_on_are_one_hit(palace: Palace) -> None:
    said = _said(palace, "The alarm code of the boat house is written on the fridge.")
    palace.memories.store("The alarm code of the boat house is on the fridge", evidence=[said])
    hits = palace.recall("where is the alarm code of the boat house?").hits
    assert [str(each.drawer.pointer) for each in hits] == [said]


def test_a_memory_of_what_another_wing_says_does_not_cite_it_there(palace: Palace) -> None:
    said = str(palace.note("The launch is moved to June.", wing="Secret plans").pointer)
    palace.memories.store("The launch is in June", wing="Team", evidence=[said, _said(palace, "June it is.")])
    (hit,) = palace.recall("when is the launch?", wing="Team", floor="none").hits
    assert hit.memory is not None
    assert hit.memory.evidence == ()


def test_an_instruction_of_any_wording_is_among_the_hits_of_a_task(palace: Palace) -> None:
    palace.memories.store("Oxford commas, British spelling", "instruction")
    for text in ("The gallery opens on Sunday.", "Bread needs salt."):
        _said(palace, text)
    found = palace.recall("write a short text about the gallery", floor="none")
    assert any(hit.memory is not None and hit.memory.type == "instruction" for hit in found.hits)


def test_what_a_program_remembered_is_nothing_that_was_said_lately(palace: Palace) -> None:
    palace.memories.store("The person must renew the passport by Friday", maker="rule")
    palace.memories.store("I have to renew my passport by Friday")
    told = palace.recent()
    texts = {item.drawer.content for item in (*told.told, *told.open, *told.coming)}
    assert texts <= {"I have to renew my passport by Friday"}


def test_an_expired_memory_is_not_recalled_until_it_is_accepted_again(palace: Palace) -> None:
    over = datetime.now(UTC) - timedelta(days=1)
    stored = palace.memories.store("The gym opens at seven", expires=over)
    assert not palace.recall("when does the gym open?", floor="none").hits
    palace.memories.accept(str(stored.id))
    assert palace.recall("when does the gym open?", floor="none").hits
