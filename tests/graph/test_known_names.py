"""Names that the palace knows are found in whatever says them, whoever said it and whichever was filed first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sqlalchemy as sa

from palace import Palace, Tag, TagKind
from palace.mining.index import Runner
from palace.mining.steps.registry import STEPS
from palace.records import Role
from palace.records.graph import Said
from palace.text.entities.known import KnownNames, first_words
from palace.text.entities.page import page_of
from tests.graph.test_update import rows

ANNA = Tag(TagKind.PERSON, "Quilla")
TOLD = ("user", "My sister is called Quilla. My sister Quilla moved to Ghent with Quilla's cat.")
ASKED = ("user", "What should I cook?")
ANSWER = ("assistant", "A soup would please quilla, I think.")
"""A name that nothing tells to be one but another conversation."""
DRAWERS = "SELECT id, xmin::text FROM drawer WHERE user_id = :user_id ORDER BY 1"


def filed(palace: Palace, identity: str, *turns: tuple[str, str]) -> list[str]:
    summary = palace.file([{"role": role, "content": text} for role, text in turns], id=identity)
    return [str(pointer) for (pointer,) in summary.pointers]


def tags(palace: Palace, pointer: str) -> tuple[Tag, ...]:
    return palace.show(pointer).drawer.tags


def noted(palace: Palace) -> list[tuple[object, ...]]:
    query = "SELECT folded, count(*) FROM known_name WHERE user_id = :user_id GROUP BY 1 ORDER BY 1"
    return rows(palace, query)


@pytest.mark.parametrize("told_first", [True, False])
def test_an_assistants_message_is_about_whom_another_conversation_told(palace: Palace, told_first: bool) -> None:
    if told_first:
        filed(palace, "told", TOLD)
    _, answer = filed(palace, "helped", ASKED, ANSWER)
    if not told_first:
        filed(palace, "told", TOLD)
    assert ANNA in tags(palace, answer)


@pytest.mark.parametrize("told_first", [True, False])
def test_who_is_called_by_what_they_are_is_known_by_name(palace: Palace, told_first: bool) -> None:
    spoken = [("user", "It was late when my sister rang."), ("assistant", "Was your sister well?")]
    if told_first:
        filed(palace, "told", TOLD)
    own, answer = filed(palace, "spoken", *spoken)
    if not told_first:
        filed(palace, "told", TOLD)
    assert ANNA in tags(palace, own)
    assert ANNA in tags(palace, answer)


def test_what_is_forgotten_is_known_no_more_and_known_again_when_told(palace: Palace) -> None:
    (told,) = filed(palace, "told", TOLD)
    _, answer = filed(palace, "helped", ASKED, ANSWER)
    assert ANNA in tags(palace, answer)
    assert ("quilla", 1) in noted(palace)
    palace.forget(told)
    assert ANNA not in tags(palace, answer)
    assert not noted(palace)
    filed(palace, "again", ("user", "My sister is called Quilla. Quilla came by."))
    assert ANNA in tags(palace, answer)
    palace.forget(answer)
    assert not rows(palace, "SELECT 1 FROM known_name WHERE user_id = :user_id AND folded = 'quilla'")


def test_a_name_that_stands_for_two_is_nobodys_tag_elsewhere(palace: Palace) -> None:
    filed(palace, "told", TOLD)
    _, answer = filed(palace, "helped", ASKED, ANSWER)
    filed(palace, "other", ("user", "Another one."))
    second = "(SELECT id FROM entity WHERE user_id = :u AND key = 'quilla 2')"
    made = (
        "INSERT INTO entity (user_id, key, name, type, is_named) VALUES (:u, 'quilla 2', 'Quilla', 'person', true)",
        "INSERT INTO alias (user_id, conversation_id, folded, name, type, is_named, count, family, entity_id)"
        f" SELECT user_id, conversation_id, 'quilla', 'Quilla', 'person', true, 1, 'quilla', {second} FROM drawer"
        " WHERE user_id = :u AND content = 'Another one.'",
    )
    with palace._opened.session() as session:
        for each in made:
            session.connection.execute(sa.text(each), {"u": session.user_id})
        session.connection.commit()
    assert ANNA not in tags(palace, answer)


def test_a_palace_of_before_is_brought_up_without_touching_a_drawer(palace: Palace) -> None:
    filed(palace, "told", TOLD)
    _, answer = filed(palace, "helped", ASKED, ANSWER)
    before, drawers = noted(palace), rows(palace, DRAWERS)
    with palace._opened.session() as session:
        for rest in ("known_name WHERE user_id = :u", "index_step WHERE step = 'tags' AND user_id = :u"):
            session.connection.execute(sa.text(f"DELETE FROM {rest}"), {"u": session.user_id})
        session.connection.commit()
    assert ANNA not in tags(palace, answer)
    assert {step.name: step.pending for step in palace.status().steps}["tags"] == 2
    Runner(palace._opened.work(), STEPS).run()
    assert noted(palace) == before
    assert ANNA in tags(palace, answer)
    assert rows(palace, DRAWERS) == drawers


def found(names: Sequence[str], text: str, role: Role = Role.ASSISTANT, language: str | None = "en") -> set[str]:
    return KnownNames(names).found_in(page_of(Said(text, role, language=language)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Then ask Derek Hughes about it.", {"derek hughes"}),
        ("Derek's boat", {"derek"}),
        ("ask derek", {"derek"}),
        ("Will it rain?", set()),
        ("I met Will there.", {"will"}),
        ("the rose is red", set()),
        ("see `Derek` in code", set()),
        ("Your sister and my sister", {"my sister"}),
    ],
)
def test_a_known_name_is_found_where_it_is_written_as_one(text: str, names: set[str]) -> None:
    assert found(["derek hughes", "derek", "will", "rose", "my sister"], text) == names


def test_what_the_person_calls_theirs_is_another_speakers_own() -> None:
    known = KnownNames(["my old boss"])
    mine = page_of(Said("my old boss and my dentist", Role.USER, language="en"))
    others = page_of(Said("my old boss and my dentist", Role.USER, speaker="Bo", language="en", is_self=False))
    assert known.found_in(mine) == {"my old boss", "my dentist"}
    assert known.found_in(others) == set()


def test_a_message_has_forty_known_names_at_most() -> None:
    names = [f"zork{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(60)]
    page = page_of(Said(" ".join(name.title() for name in names), Role.ASSISTANT, language="en"))
    assert len(KnownNames(names).found_in(page)) == 40
    assert set(names) <= first_words(page)
