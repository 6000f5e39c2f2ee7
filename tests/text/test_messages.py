"""What is filed with a message: sentences and times of what a person says, of nobody else's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.records import MessageIndex, PassageKind, Role, Stretch
from palace.text.messages import index_message
from palace.text.messages.sentences import LONGEST_MESSAGE, split_sentences
from palace.text.passages import split_passages

WHOLE, KEYWORDS, SENTENCE = PassageKind.WHOLE, PassageKind.KEYWORDS, PassageKind.SENTENCE
SAID_AT = datetime(2026, 5, 20, 12, tzinfo=UTC)
TALK = "The regatta was louder than the last one. I prefer small harbours with a bakery. We sailed on to the next bay."


def index(content: str, role: Role = Role.USER, said_at: datetime | None = SAID_AT) -> MessageIndex:
    return index_message(content, role, said_at)


def test_a_persons_sentences_follow_the_passages() -> None:
    passages = index(TALK).passages
    assert [passage.kind for passage in passages] == [KEYWORDS, SENTENCE, SENTENCE, SENTENCE]
    assert tuple(passage.span for passage in passages[1:]) == split_sentences(TALK)


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
def test_what_others_say_has_passages_alone(role: Role) -> None:
    told = f"{TALK} That was yesterday."
    found = index(told, role)
    assert tuple(passage.span for passage in found.passages) == split_passages(told)
    assert not any(passage.kind is SENTENCE or passage.is_preference for passage in found.passages)
    assert found.spoken_of == ()


def test_a_sentence_that_states_a_choice_marks_itself_and_its_passage() -> None:
    assert [passage.is_preference for passage in index(TALK).passages] == [True, False, True, False]


def test_a_message_of_one_sentence_carries_its_choice_in_the_passage() -> None:
    (passage,) = index("I prefer small harbours.").passages
    assert (passage.kind, passage.is_preference) == (WHOLE, True)


def test_a_message_is_embedded_by_its_sentences_where_it_has_several() -> None:
    assert [passage.kind.has_vector for passage in index(TALK).passages] == [False, True, True, True]
    assert [passage.kind for passage in index(TALK, Role.ASSISTANT).passages] == [WHOLE]
    assert [passage.kind for passage in index(TALK, Role.TOOL).passages] == [PassageKind.TOOL]
    assert {passage.kind for passage in index(TALK * 60).passages} == {WHOLE}


def test_a_passage_without_the_choice_of_another_is_not_marked() -> None:
    content = "The boat passed buoy after buoy in the fog. " * 40 + "I prefer small harbours with a bakery."
    passages = [passage for passage in index(content).passages if passage.kind is not SENTENCE]
    assert len(passages) > 1
    assert [passage.is_preference for passage in passages] == [False] * (len(passages) - 1) + [True]


def test_a_pasted_document_has_neither_sentences_nor_choices_nor_times() -> None:
    content = f"I prefer small harbours. Yesterday we sailed. {TALK} " * 60
    assert len(content) > LONGEST_MESSAGE
    found = index(content)
    assert found.passages
    assert not any(passage.kind is SENTENCE or passage.is_preference for passage in found.passages)
    assert found.spoken_of == ()


def test_times_are_widened_by_how_soft_they_are() -> None:
    ((start, end),) = index("We sailed yesterday.").spoken_of
    assert start < datetime(2026, 5, 19, tzinfo=UTC) < datetime(2026, 5, 20, tzinfo=UTC) < end
    assert end - start < timedelta(days=3)


def test_an_open_stretch_reaches_ten_years() -> None:
    ((start, end),) = index("I had a dinghy before 2020.").spoken_of
    assert (start.year, end.year) == (2009, 2020)
    ((start, end),) = index("I will build a boat after 2030.").spoken_of
    assert (start.year, end.year) == (2030, 2041)


def test_a_message_without_its_moment_speaks_of_no_time() -> None:
    assert index("We sailed yesterday.", said_at=None).spoken_of == ()
    assert index("We sailed there.").spoken_of == ()


def test_the_zone_of_the_moment_does_not_count() -> None:
    late = datetime(2026, 5, 20, 23, 30, tzinfo=timezone(timedelta(hours=-7)))
    assert index("We sailed yesterday.", said_at=late) == index("We sailed yesterday.", said_at=late.astimezone(UTC))


@pytest.mark.parametrize("year", [1, 9999])
def test_a_moment_that_stands_for_none_is_none(year: int) -> None:
    assert index("We sailed in May, before 2020.", said_at=datetime(year, 1, 1, tzinfo=UTC)).spoken_of == ()


WORDS = st.sampled_from(
    ["yesterday", "before 2020", "last spring", "in 3 weeks", "I like tea.", "10 years ago", "\n", "."]
)


@given(st.lists(WORDS, max_size=12).map(" ".join), st.datetimes(timezones=st.just(UTC)))
def test_stretches_are_bounded_and_not_empty(content: str, said_at: datetime) -> None:
    for stretch in index(content, said_at=said_at).spoken_of:
        assert isinstance(stretch, Stretch)
        assert stretch.start < stretch.end


def test_what_sentences_leave_out_keeps_a_vector_of_its_passage() -> None:
    code = "```\n" + "for turn in turns: print(turn.content)\n" * 5 + "```"
    index = index_message(
        f"I wrote this loop in the afternoon. It prints far too much for my taste.\n{code}", Role.USER, None
    )
    assert [passage.kind for passage in index.passages] == [WHOLE, SENTENCE, SENTENCE]
