"""What one message of a conversation tells of the names in another."""

from __future__ import annotations

import subprocess
import sys

import pytest

from palace.records import Role
from palace.records.graph import EntityType, Said
from palace.text.entities import bundled_tagger, read_names, tagging

USER, ASSISTANT = Role.USER, Role.ASSISTANT


def read(*messages: tuple[Role, str], known: dict[str, EntityType] | None = None) -> list[dict[str, str]]:
    turns = [Said(content, role, language="en") for role, content in messages]
    return [{span.text: span.type.value for span in spans} for spans in read_names(turns, None, known or {})]


def test_a_name_without_a_capital_is_known_from_another_message() -> None:
    found = read((USER, "ran with ngozi this morning, ngozi is fast"), (ASSISTANT, "Does Ngozi run a lot?"))

    assert [set(names) for names in found] == [{"ngozi"}, {"Ngozi"}]


def test_a_pet_is_no_person_wherever_it_is_named() -> None:
    found = read(
        (USER, "My dog is called Oscar."), (USER, "I met Anna and Oscar ate her shoe."), (ASSISTANT, "Oh, Oscar!")
    )

    assert found == [{"Oscar": "item"}, {"Anna": "person", "Oscar": "item"}, {"Oscar": "item"}]


@pytest.mark.parametrize("pets", ["two cats, Momo and Pixel", "dogs called Momo, Rufus and Pixel"])
def test_several_pets_are_no_people_either(pets: str) -> None:
    named, again = read((USER, f"I have {pets}."), (USER, "Momo is four. Pixel says no."))
    assert again == {"Momo": "item", "Pixel": "item"}
    assert set(named.values()) == {"item"}


def test_a_part_of_a_name_has_the_type_of_the_whole() -> None:
    found = read(
        (USER, "We visited the Marrowfield Jazz Festival last year."), (USER, "The line-up of Marrowfield was odd.")
    )

    assert found[0]["Marrowfield Jazz Festival"] == "event"
    assert found[1] == {"Marrowfield": "event"}


def test_a_name_known_to_the_palace_is_found_with_its_type() -> None:
    known = {"Zephyrine": EntityType.ITEM, "Quillfeather": EntityType.PROJECT}

    found = read((USER, "took zephyrine out today"), (ASSISTANT, "And how is Quillfeather?"), known=known)

    assert found == [{"zephyrine": "item", "today": "time"}, {"Quillfeather": "project"}]


def test_speakers_that_the_source_names_are_people() -> None:
    turns = [
        Said("hello", USER, speaker="Zephyrine Quill", language="en"),
        Said("zephyrine said so", USER, language="en"),
    ]
    turns.append(Said("You can ask the user. Zephyrine Quill knows.", ASSISTANT, speaker="user", language="en"))

    assert [[(span.text, span.type.value) for span in spans] for spans in read_names(turns)] == [
        [],
        [("zephyrine", "person")],
        [("Zephyrine Quill", "person")],
    ]


def test_known_names_may_come_without_types() -> None:
    turns = [Said("took zephyrine out", USER, language="en")]

    assert [span.text for span in read_names(turns, None, ["Zephyrine"])[0]] == ["zephyrine"]


def test_a_word_used_in_lower_case_is_no_name_for_a_capital() -> None:
    found = read((USER, "The harbour is closed. I like the harbour, the Harbour is quiet."))

    assert found == [{}]


def test_headings_and_labels_of_an_assistant_are_no_names() -> None:
    found = read(
        (ASSISTANT, "## Meal Planning Basics\n\n1. **Grocery List**: Write it down.\n2. **Cooking Time**: An hour.")
    )

    assert found == [{}]


def test_what_an_assistant_names_in_running_text_is_found() -> None:
    found = read((ASSISTANT, "You could try the hills near Snowdon, or ask Marta Kowalczyk."))

    assert set(found[0]) == {"Snowdon", "Marta Kowalczyk"}


def test_what_an_assistant_says_does_not_go_to_the_model() -> None:
    heard: list[str] = []

    class Listening:
        def tag(self, texts: list[str]) -> list[tuple[tagging.Tag, ...]]:
            heard.extend(texts)
            return [() for _ in texts]

    turns = [
        Said("I met Anna in Kiel.", USER, language="en"),
        Said("Anna is nice. So is Kiel.", ASSISTANT, language="en"),
    ]
    turns.append(Said("Ich traf Anna in Kiel.", USER, language="de"))
    read_names(turns, Listening())  # type: ignore[arg-type]

    assert heard == ["I met Anna in Kiel."]


def test_without_the_model_the_rules_do_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagging, "MODEL", "no_such_model")
    bundled_tagger.cache_clear()
    try:
        assert bundled_tagger() is None
    finally:
        bundled_tagger.cache_clear()


def test_another_model_than_the_one_measured_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagging, "SHA256", "0" * 64)
    bundled_tagger.cache_clear()
    try:
        assert bundled_tagger() is None
    finally:
        bundled_tagger.cache_clear()


def test_the_model_is_installed() -> None:
    tagger = bundled_tagger()

    assert tagger is not None
    text = "Angela Merkel lives in Berlin."
    (tags,) = tagger.tag([text])
    assert [text[tag.start : tag.end] for tag in tags] == ["Angela Merkel", "Berlin"]


def test_spacy_is_not_loaded_until_a_message_needs_it() -> None:
    code = (
        "import sys, palace, palace.text.entities as e; e.bundled_tagger(); "
        "sys.exit('spacy' in sys.modules or 'thinc' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
