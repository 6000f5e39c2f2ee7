"""Names that the palace knows are found in whatever says them, whoever said it and whichever was filed first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palace import Palace, Tag, TagKind
from palace.db.graph.tags import add_known_names
from tests.graph.mined import tell
from tests.held import rows
from tests.statements import sent_statements

ANNA = Tag(TagKind.PERSON, "Quilla")
TOLD = ("user", "My sister is called Quilla. My sister Quilla moved to Ghent with Quilla's cat.")
ASKED = ("user", "What should I cook?")
ANSWER = ("assistant", "A soup would please quilla, I think.")
"""A name that nothing tells to be one but another conversation."""


def filed(palace: Palace, identity: str, *turns: tuple[str, str]) -> list[str]:
    summary = palace.file([{"role": role, "content": text} for role, text in turns], id=identity)
    return [str(pointer) for (pointer,) in summary.pointers]


def tags(palace: Palace, pointer: str) -> tuple[Tag, ...]:
    return palace.show(pointer).drawer.tags


def noted(palace: Palace) -> list[tuple[object, ...]]:
    query = "SELECT folded, count(*) FROM known_name WHERE user_id = :user_id GROUP BY 1 ORDER BY 1"
    return rows(palace, query)


@pytest.mark.parametrize("told_first", [pytest.param(True, marks=pytest.mark.nightly), False])
def test_an_assistants_message_is_about_whom_another_conversation_told(palace: Palace, told_first: bool) -> None:
    if told_first:
        filed(palace, "told", TOLD)
    _, answer = filed(palace, "helped", ASKED, ANSWER)
    own, mention = filed(palace, "spoken", ("user", "My sister rang late."), ("assistant", "Was your sister well?"))
    if not told_first:
        filed(palace, "told", TOLD)
    for pointer in (answer, own, mention):
        assert ANNA in tags(palace, pointer)


def test_names_are_looked_up_once_for_many_conversations(palace: Palace, tmp_path: Path) -> None:
    chats = [[ASKED, ANSWER]] * 6 + [[TOLD]]
    lines = (
        json.dumps({"id": f"c{number}", "messages": [{"role": role, "content": text} for role, text in chat]})
        for number, chat in enumerate(chats)
    )
    (tmp_path / "chats.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with sent_statements() as sent:
        palace.mine(tmp_path / "chats.jsonl")
    assert sum("split_part" in statement for statement in sent) == 1
    assert ("quilla", 6) in noted(palace)


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


def test_a_known_name_is_found_where_it_is_written_as_one(palace: Palace) -> None:
    tell(palace, "told", "Derek Hughes", "Will", "Rose")
    answers = {
        "Then ask Derek Hughes about it.": {"Derek Hughes"},
        "Will it rain?": set(),
        "I met Will there.": {"Will"},
        "the rose is red": set(),
        "see `Rose` in code": set(),
    }
    pointers = filed(palace, "helped", ASKED, *(("assistant", text) for text in answers))[1:]
    found = {
        text: {tag.name for tag in tags(palace, pointer) if tag.kind is TagKind.PERSON}
        for text, pointer in zip(answers, pointers, strict=True)
    }
    assert found == answers


def test_a_name_that_is_forgotten_meanwhile_is_not_written(palace: Palace) -> None:
    _, answer = filed(palace, "helped", ASKED, ANSWER)
    drawer_id = palace.show(answer).drawer.id
    palace._opened.run(lambda session: add_known_names(session, [(drawer_id, "quilla")]))
    assert noted(palace) == []
