"""What of a conversation is new, where it stands, and what it replaces."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.filing.identity import content_digest, conversation_identity, identity_by_count, identity_by_id
from palace.mining.filing.plan import Plan, Source, plan_turns
from palace.models import Conversation, KnownTurn, Replacement, Role, Turn

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def conversation(*contents: str, **fields: object) -> Conversation:
    turns = tuple(Turn(Role.USER, content) for content in contents)
    return Conversation(reader="openai", turns=turns, **fields)  # type: ignore[arg-type]  # fields of several types


class Palace:
    """What is filed of one conversation, as the store would have it."""

    def __init__(self) -> None:
        self.known: list[KnownTurn] = []
        self.said: dict[bytes, str] = {}

    def file(self, given_: Conversation, *, excluded: frozenset[int] = frozenset(), reading: int = 2) -> Plan:
        plan = plan_turns(Source(given_, "c", excluded), self.known)
        moved = [replace(turn, position=plan.moved.get(turn.identity, turn.position)) for turn in self.known]
        ids = {turn.identity: turn.drawer_id for turn in moved}
        for planned in plan.turns:
            turn = given_.turns[planned.given]
            assert planned.identity not in ids
            ids[planned.identity] = len(ids)
            self.said[planned.identity] = turn.content
            filed = KnownTurn(
                planned.identity,
                planned.position,
                drawer_id=ids[planned.identity],
                digest=content_digest(turn.content),
                role=turn.role,
                speaker=turn.speaker,
                said_at=turn.said_at,
                run_id=1,
                reading=reading,
            )
            moved.append(filed)
        new_of = {each.old: each.new for each in plan.replaced}
        self.known = sorted(
            (
                replace(
                    turn,
                    is_replaced=turn.identity in new_of or (turn.is_replaced and turn.identity not in plan.restored),
                    replaced_by=ids.get(new_of.get(turn.identity) or b"", turn.replaced_by),
                )
                for turn in moved
            ),
            key=lambda turn: (turn.position, turn.drawer_id or 0),
        )
        return plan

    def standing(self) -> list[str]:
        return [self.said[turn.identity] for turn in self.known if not turn.is_replaced and not turn.is_forgotten]

    def gone(self) -> list[str]:
        return [self.said[turn.identity] for turn in self.known if turn.is_replaced]


def mined(*talks: Conversation) -> Palace:
    palace = Palace()
    for talk in talks:
        palace.file(talk)
    return palace


texts = st.lists(st.text(max_size=6), min_size=1, max_size=12)
unique_texts = st.lists(st.text(max_size=6), min_size=1, max_size=12, unique=True)


@given(texts, texts)
def test_a_grown_conversation_adds_exactly_its_new_turns_in_order(before: list[str], more: list[str]) -> None:
    palace = mined(conversation(*before))
    plan = palace.file(conversation(*before, *more))
    assert len(plan.turns) == len(more)
    assert palace.standing() == before + more
    assert not any(turn.is_revision for turn in plan.turns)
    assert not plan.replaced


@given(texts, texts)
def test_what_was_cut_off_its_beginning_stays_and_nothing_is_filed_twice(before: list[str], more: list[str]) -> None:
    palace = mined(conversation(*before, *more))
    assert palace.file(conversation(*more)).is_nothing
    assert palace.standing() == before + more


@given(unique_texts, st.data())
def test_what_is_reworded_is_replaced_and_its_former_words_stay(contents: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(contents) - 1))
    edited = [*contents[:place], "other words", *contents[place + 1 :]]
    palace = mined(conversation(*contents))
    (planned,) = palace.file(conversation(*edited)).turns
    assert planned.is_revision
    assert palace.standing() == edited
    assert palace.gone() == [contents[place]]
    assert palace.file(conversation(*edited)).is_nothing


@given(st.lists(st.text(max_size=6), min_size=3, max_size=12, unique=True), st.data())
def test_what_is_taken_out_between_others_is_gone_and_replaced_by_nothing(
    contents: list[str], data: st.DataObject
) -> None:
    place = data.draw(st.integers(1, len(contents) - 2))
    palace = mined(conversation(*contents))
    plan = palace.file(conversation(*contents[:place], *contents[place + 1 :]))
    assert [each.new for each in plan.replaced] == [None]
    assert palace.gone() == [contents[place]]


@given(unique_texts, unique_texts)
def test_nothing_that_a_source_says_is_ever_left_out(one: list[str], other: list[str]) -> None:
    palace = mined(conversation(*one), conversation(*other))
    assert set(other) <= set(palace.standing())
    assert set(one) | set(other) == set(palace.standing()) | set(palace.gone())


@given(texts, st.sets(st.integers(0, 11)), texts)
def test_what_is_excluded_changes_no_identity_of_what_is_left(
    contents: list[str], excluded: set[int], more: list[str]
) -> None:
    kept = frozenset(place for place in excluded if place < len(contents))
    palace, whole = Palace(), Palace()
    palace.file(conversation(*contents), excluded=kept)
    whole.file(conversation(*contents))
    assert {turn.identity for turn in palace.known} <= {turn.identity for turn in whole.known}
    palace.file(conversation(*contents, *more))
    whole.file(conversation(*contents, *more))
    assert sorted(palace.standing()) == sorted(whole.standing())


def test_a_message_said_again_behind_the_cut_is_filed_again() -> None:
    palace = mined(conversation("ok", "first", "ok", "second"))
    palace.file(conversation("ok", "second", "ok", "third"))
    assert palace.standing() == ["ok", "first", "ok", "second", "ok", "third"]


def test_two_parts_of_a_long_talk_do_not_replace_each_other() -> None:
    def part(first: int) -> Conversation:
        turns = tuple(
            Turn(Role.USER, f"message {n}", said_at=NOON + timedelta(days=n), source_id=str(n))
            for n in range(first, first + 5)
        )
        return Conversation("slack", turns, source_id="c")

    palace = mined(part(5), part(0))
    assert palace.gone() == []
    assert len(palace.standing()) == 10


def test_a_forgotten_turn_stays_out_wherever_it_stands() -> None:
    talk = conversation("a", "secret", "b")
    palace = mined(talk)
    palace.known[1] = KnownTurn(palace.known[1].identity, 1, is_forgotten=True)
    assert palace.file(talk).is_nothing
    plan = palace.file(conversation("a", "b", "secret", "c"))
    assert 2 not in {turn.given for turn in plan.turns}
    assert plan.forgotten == {2}


def test_what_an_older_version_read_without_a_name_and_a_time_is_filed_anew_and_stands_once() -> None:
    palace = Palace()
    palace.file(conversation("good morning to you", "and to you"), reading=1)
    dated = tuple(
        Turn(Role.USER, content, speaker="Ann", said_at=NOON) for content in ("good morning to you", "and to you")
    )
    better = Conversation("openai", dated)
    plan = palace.file(better)
    assert len(plan.turns) == len(plan.replaced) == 2
    assert not any(turn.is_revision for turn in plan.turns)
    assert palace.standing() == ["good morning to you", "and to you"]
    assert palace.file(better).is_nothing
    assert palace.file(Conversation("openai", (*dated, Turn(Role.USER, "more")))).turns[0].given == 2


def test_what_this_version_read_is_not_filed_anew_for_another_name() -> None:
    def said(speaker: str) -> Conversation:
        return Conversation("slack", (Turn(Role.USER, "hello", speaker, NOON, "1"),), source_id="c")

    assert mined(said("Ann")).file(said("Ann Smith")).is_nothing


def test_an_alternative_of_the_source_is_filed_as_an_old_version() -> None:
    turns = (
        Turn(Role.USER, "Which boat?", source_id="u"),
        Turn(Role.ASSISTANT, "A dinghy.", source_id="a1", replaced_by="a2"),
        Turn(Role.ASSISTANT, "A ketch.", source_id="a2"),
    )
    palace = Palace()
    plan = palace.file(Conversation("chatgpt", turns, source_id="c"))
    assert palace.standing() == ["Which boat?", "A ketch."]
    assert plan.replaced == (Replacement(plan.identities[1], plan.identities[2]),)
    assert palace.file(Conversation("chatgpt", turns, source_id="c")).is_nothing


def test_a_reply_knows_what_it_answers_once() -> None:
    turns = (Turn(Role.USER, "Fees?", source_id="1"), Turn(Role.USER, "Ten.", source_id="2", answers="1"))
    palace = Palace()
    plan = palace.file(Conversation("slack", turns, source_id="c"))
    assert plan.answers == ((plan.identities[1], plan.identities[0]),)
    palace.known[1] = replace(palace.known[1], is_answering=True)
    assert palace.file(Conversation("slack", turns, source_id="c")).is_nothing


def test_global_turn_ids_are_the_same_turn_in_every_conversation() -> None:
    turn = Turn(Role.USER, "hello", source_id="uuid-1")
    first = Conversation("claude-code", (turn,), source_id="s1", turn_ids_are_global=True)
    second = Conversation("claude-code", (turn,), source_id="s2", turn_ids_are_global=True)
    assert identity_by_id(first, "x", turn) == identity_by_id(second, "y", turn)


def test_identities_of_what_was_filed_by_an_earlier_version_are_found_again() -> None:
    turn = Turn(Role.USER, "The propeller pitch is 155 mm.")
    assert identity_by_count("openai:efoil", turn, 1).hex() == "fde2161e36608148617542aed8f9ddcd"


@given(st.text(), st.text())
def test_the_source_id_alone_makes_the_identity_where_there_is_one(first: str, second: str) -> None:
    assert conversation_identity(conversation(first, source_id="7")) == conversation_identity(
        conversation(second, source_id="7")
    )
