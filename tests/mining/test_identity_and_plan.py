"""Who a conversation is, and what of it is new."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.filing.identity import conversation_identity, former_identities, turn_identities
from palace.mining.filing.plan import Opening, choose_opening, plan_turns
from palace.records import Conversation, KnownTurn, Role, Turn

LONG = "Which battery should I take for the efoil, and how do I wire it?"


def conversation(*contents: str, **fields: object) -> Conversation:
    turns = tuple(Turn(Role.USER, content) for content in contents)
    return Conversation(reader="openai", turns=turns, **fields)  # type: ignore[arg-type]


def known(identities: list[bytes]) -> list[KnownTurn]:
    return [KnownTurn(identity, position) for position, identity in enumerate(identities)]


texts = st.lists(st.text(max_size=6), min_size=1, max_size=12)


@given(texts)
def test_a_conversation_read_again_has_nothing_new(contents: list[str]) -> None:
    identities = turn_identities(conversation(*contents), "c")
    assert plan_turns(identities, known(identities)) == ()


@given(texts, texts)
def test_a_grown_conversation_adds_exactly_its_new_turns_in_order(before: list[str], more: list[str]) -> None:
    old = turn_identities(conversation(*before), "c")
    new = turn_identities(conversation(*before, *more), "c")
    planned = plan_turns(new, known(old))
    assert [turn.position for turn in planned] == list(range(len(before), len(before) + len(more)))
    assert not any(turn.is_revision for turn in planned)


@given(texts, st.data())
def test_taking_a_turn_out_makes_nothing_new_but_repeats_of_it(contents: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.integers(0, len(contents) - 1))
    rest = contents[:gone] + contents[gone + 1 :]
    identities = turn_identities(conversation(*contents), "c")
    assert plan_turns(turn_identities(conversation(*rest), "c"), known(identities)) == ()


@given(texts)
def test_identities_are_unique_within_a_conversation(contents: list[str]) -> None:
    identities = turn_identities(conversation(*contents), "c")
    assert len(set(identities)) == len(contents)


def test_an_edited_last_turn_is_new_and_a_revision() -> None:
    old = turn_identities(conversation("a", "b", "c"), "c")
    (planned,) = plan_turns(turn_identities(conversation("a", "b", "changed"), "c"), known(old))
    assert planned.position == 2
    assert planned.is_revision


def test_a_turn_inserted_in_the_middle_is_no_revision() -> None:
    old = turn_identities(conversation("a", "c"), "c")
    (planned,) = plan_turns(turn_identities(conversation("a", "b", "c"), "c"), known(old))
    assert (planned.position, planned.is_revision) == (1, False)


def test_a_message_id_with_another_text_is_another_turn() -> None:
    def with_id(content: str) -> Conversation:
        turn = Turn(Role.USER, content, source_id="m1")
        return Conversation(reader="chatgpt", turns=(turn,), source_id="c1")

    assert turn_identities(with_id("a"), "c") != turn_identities(with_id("b"), "c")
    assert turn_identities(with_id("a"), "c") == turn_identities(with_id("a"), "c")


def test_global_turn_ids_are_the_same_turn_in_every_conversation() -> None:
    turn = Turn(Role.USER, "hello", source_id="uuid-1")
    first = Conversation("claude-code", (turn,), source_id="s1", turn_ids_are_global=True)
    second = Conversation("claude-code", (turn,), source_id="s2", turn_ids_are_global=True)
    assert turn_identities(first, "x") == turn_identities(second, "y")


def test_two_conversations_with_one_opening_in_one_run_are_two() -> None:
    first, second = conversation("Hi", "Hello!", "Boats?"), conversation("Hi", "Good day.", "Trains?")
    opening = conversation_identity(first)
    assert conversation_identity(second) == opening
    filed = Opening(1, opening, known(turn_identities(first, opening)))
    assert choose_opening(second, opening, [filed], frozenset({1})) == f"{opening}#2"
    assert choose_opening(first, opening, [filed], frozenset()) == opening


def test_the_one_of_several_with_the_longest_shared_beginning_is_taken() -> None:
    first, second = conversation(LONG, "a", "b"), conversation(LONG, "x", "y")
    opening = conversation_identity(first)
    filed = [
        Opening(1, opening, known(turn_identities(first, opening))),
        Opening(2, f"{opening}#2", known(turn_identities(second, f"{opening}#2"))),
    ]
    assert choose_opening(conversation(LONG, "x", "y", "z"), opening, filed, frozenset()) == f"{opening}#2"


def test_an_edit_of_the_second_turn_stays_in_its_conversation_when_the_opening_is_distinctive() -> None:
    first, edited = conversation(LONG, "a"), conversation(LONG, "b")
    opening = conversation_identity(first)
    filed = Opening(1, opening, known(turn_identities(first, opening)))
    assert choose_opening(edited, opening, [filed], frozenset()) == opening
    assert choose_opening(edited, opening, [filed], frozenset({1})) == f"{opening}#2"


def test_an_interrupted_conversation_without_drawers_is_taken_up_again() -> None:
    first = conversation("Hi", "Hello!")
    opening = conversation_identity(first)
    assert choose_opening(first, opening, [Opening(1, opening, [])], frozenset()) == opening


@given(st.text(), st.text())
def test_the_source_id_alone_makes_the_identity_where_there_is_one(first: str, second: str) -> None:
    assert conversation_identity(conversation(first, source_id="7")) == conversation_identity(
        conversation(second, source_id="7")
    )


def test_a_talk_without_zones_keeps_its_identity_when_its_person_moves() -> None:
    wall = datetime.fromisoformat("2024-05-01T10:32")
    greenwich, tokyo = datetime(2024, 5, 1, 10, 32, tzinfo=UTC), datetime(2024, 5, 1, 1, 32, tzinfo=UTC)
    before = Conversation("transcript", (Turn(Role.USER, "Ready?", "Ann", greenwich),))
    moved = Conversation("transcript", (Turn(Role.USER, "Ready?", "Ann", tokyo, wall_time=wall),))
    assert conversation_identity(moved) == conversation_identity(before)


def test_what_was_filed_before_its_times_could_be_read_is_known_again() -> None:
    undated = Conversation("transcript", (Turn(Role.USER, "Ready?", "Ann"),))
    dated = Conversation("transcript", (Turn(Role.USER, "Ready?", "Ann", datetime(2024, 5, 1, tzinfo=UTC)),))
    chat = replace(dated, reader="whatsapp")
    assert former_identities(dated) == (conversation_identity(undated),)
    assert conversation_identity(undated) in former_identities(chat)
    assert former_identities(undated) == ()
    assert former_identities(replace(dated, source_id="7")) == ()
