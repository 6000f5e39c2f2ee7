"""LongMemEval and LoCoMo files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]


def question(*sessions: tuple[str, str, list[Any]]) -> dict[str, Any]:
    return {
        "question_id": "q",
        "question": "?",
        "answer": "!",
        "haystack_session_ids": [key for key, _, _ in sessions],
        "haystack_dates": [date for _, date, _ in sessions],
        "haystack_sessions": [turns for _, _, turns in sessions],
    }


SAID = [{"role": "user", "content": "My car", "has_answer": True}, {"role": "assistant", "content": "Nice"}]
DATE = "2023/04/10 (Mon) 23:07"


def test_every_distinct_session_is_a_conversation_with_its_date(read: Read) -> None:
    first, second = read([question(("s1", DATE, SAID), ("s2", DATE, SAID[:1])), question(("s1", DATE, SAID))])
    assert (first.reader, first.source_id, second.source_id) == ("longmemeval", "s1", "s2")
    moment = datetime(2023, 4, 10, 23, 7, tzinfo=UTC)
    assert first.started_at == moment
    assert [(t.role, t.content, t.said_at) for t in first.turns] == [
        (Role.USER, "My car", moment),
        (Role.ASSISTANT, "Nice", moment),
    ]


def test_a_session_without_a_date_is_kept_with_a_warning(read: Read) -> None:
    [found] = read([question(("s1", "yesterday", SAID))])
    assert found.started_at is None
    assert found.warnings == ('2 messages with an unreadable time (the first at message 1: "yesterday")',)


def test_a_question_with_lists_of_different_length_is_missing_alone(read_told: ReadTold) -> None:
    odd = {**question(("s1", DATE, SAID)), "haystack_dates": []}
    found, reading = read_told([question(("s0", DATE, SAID)), odd, question(("s2", DATE, SAID))])
    assert [c.source_id for c in found] == ["s0", "s2"]
    [problem] = reading.failures
    assert "question 2: haystack_session_ids, haystack_dates, haystack_sessions are not of one length" in str(problem)


def test_a_turn_without_a_role_is_missing_alone(read_told: ReadTold) -> None:
    [found], reading = read_told([question(("s1", DATE, [SAID[0], {"content": "x"}]))])
    assert ([turn.content for turn in found.turns], found.is_partial) == (["My car"], True)
    [problem] = reading.failures
    assert str(problem).endswith("chat.json, session s1, message 2: the message has no role")


@pytest.mark.parametrize("turns", [None, "x", {"role": "user"}])
def test_a_session_that_is_no_list_is_missing_alone(read_told: ReadTold, turns: Any) -> None:
    [found], reading = read_told([question(("s1", DATE, turns), ("s2", DATE, SAID))])
    assert found.source_id == "s2"
    assert "session s1: the session is not a list of turns" in str(reading.failures[0])


def sample(**sessions: Any) -> dict[str, Any]:
    people = {"speaker_a": "Caroline", "speaker_b": "Melanie"}
    return {"sample_id": "conv-26", "qa": [], "conversation": {**people, **sessions}}


def test_every_session_of_two_people_is_a_conversation(read: Read) -> None:
    turns = [
        {"speaker": "Caroline", "dia_id": "D1:1", "text": "Hey Mel!"},
        {"speaker": "Melanie", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a dog"},
    ]
    later = [{"speaker": "Melanie", "dia_id": "D10:1", "text": "Again"}]
    found = read(
        [
            sample(
                session_10=later,
                session_10_date_time="12:05 am on 1 February, 2024",
                session_1=turns,
                session_1_date_time="1:56 pm on 8 May, 2023",
            )
        ]
    )
    assert [c.source_id for c in found] == ["conv-26/session_1", "conv-26/session_10"]
    assert (found[0].reader, found[0].project) == ("locomo", "Caroline & Melanie")
    assert found[0].started_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert found[1].started_at == datetime(2024, 2, 1, 0, 5, tzinfo=UTC)
    assert [(t.role, t.speaker, t.content, t.source_id) for t in found[0].turns] == [
        (Role.USER, "Caroline", "Hey Mel!", "D1:1"),
        (Role.USER, "Melanie", "Look!\n[shares a photo of a dog]", "D1:2"),
    ]


def test_a_single_sample_is_read_as_well(read: Read) -> None:
    assert len(read(sample(session_1=[{"speaker": "Caroline", "text": "Hi"}]))) == 1


def test_a_turn_without_a_speaker_is_missing_alone(read_told: ReadTold) -> None:
    [found], reading = read_told([sample(session_1=[{"text": "Hi"}, {"speaker": "Caroline", "text": "Hello"}])])
    assert ([turn.content for turn in found.turns], found.is_partial) == (["Hello"], True)
    [problem] = reading.failures
    assert "conversation 1, session 1, message 1: the message has no speaker" in str(problem)


def test_a_sample_or_session_that_is_odd_is_missing_alone(read_told: ReadTold) -> None:
    said = [{"speaker": "Caroline", "text": "Hi"}]
    found, reading = read_told([sample(session_1=said), {"conversation": {}}, sample(session_2="x", session_10=said)])
    assert [c.source_id for c in found] == ["conv-26/session_1", "conv-26/session_10"]
    assert [str(problem).partition(": ")[2] for problem in reading.failures] == [
        "the conversation has no sessions (session_1)",
        "the session is not a list of turns",
    ]


def test_sessions_are_found_by_the_name_they_have(read: Read) -> None:
    found = read([sample(session_03=[{"speaker": "Caroline", "text": "Hi"}])])
    assert [c.source_id for c in found] == ["conv-26/session_03"]
