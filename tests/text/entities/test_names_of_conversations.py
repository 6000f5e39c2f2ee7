"""What one message of a conversation tells of the names in another, and what the model is asked."""

from __future__ import annotations

from palace.models import EntityType, Role
from palace.nlp.names.reading import read_names
from tests.text.entities.named import names_in, names_of, said

ASSISTANT = Role.ASSISTANT


def test_a_name_without_a_capital_is_known_from_another_message() -> None:
    found = names_of(said("ran with ngozi this morning, ngozi is fast"), said("Does Ngozi run a lot?", ASSISTANT))
    assert [each.partition(":")[0] for each in found] == ["ngozi", "Ngozi"]


def test_a_pet_is_no_person_wherever_it_is_named() -> None:
    met = said("I met Anna and Oscar ate her shoe.")
    found = names_of(said("My dog is called Oscar."), met, said("Oh, Oscar!", ASSISTANT))
    assert found == ["Oscar: item", "Anna: person, Oscar: item", "Oscar: item"]
    for pets in ("two cats, Momo and Pixel", "dogs called Momo, Rufus and Pixel"):
        named, again = names_of(said(f"I have {pets}."), said("Momo is four. Pixel says no."))
        assert again == "Momo: item, Pixel: item"
        assert "person" not in named


def test_a_part_of_a_name_has_the_type_of_the_whole() -> None:
    visited, odd = "We visited the Marrowfield Jazz Festival last year.", "The line-up of Marrowfield was odd."
    whole, part = names_of(said(visited), said(odd))
    assert "Marrowfield Jazz Festival: event" in whole
    assert part == "Marrowfield: event"


def test_a_name_known_to_the_palace_is_found_with_its_type_or_without() -> None:
    known = {"Zephyrine": EntityType.ITEM, "Quillfeather": EntityType.PROJECT}
    turns = said("took zephyrine out today"), said("And how is Quillfeather?", ASSISTANT)
    assert names_of(*turns, known=known) == ["zephyrine: item, today: time", "Quillfeather: project"]
    assert [span.text for span in read_names([said("took zephyrine out")], ["Zephyrine"])[0]] == ["zephyrine"]


def test_headings_and_words_used_in_lower_case_are_no_names_and_what_is_told_in_running_text_is() -> None:
    headed = "## Meal Planning Basics\n\n1. **Grocery List**: Write it down.\n2. **Cooking Time**: An hour."
    assert names_of(said(headed, ASSISTANT)) == [""]
    assert names_in("The harbour is closed. I like the harbour, the Harbour is quiet.") == ""
    (told,) = names_of(said("You could try the hills near Snowdon, or ask Marta Kowalczyk.", ASSISTANT))
    assert {each.partition(":")[0] for each in told.split(", ")} == {"Snowdon", "Marta Kowalczyk"}
