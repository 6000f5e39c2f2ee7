"""Summing up: what is too old goes into one summary, from checkpoint to checkpoint, whatever the model does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import BadRequest, Checkpoint, Kept, LanguageModelError, Phase, Progress, Reply, SummaryBuffer
from tests.working.histories import (
    HISTORIES,
    LETTERS,
    Message,
    chat,
    has_pairs_intact,
    is_block,
    is_part_in_order,
    is_system,
    said_in,
    tokens_of,
)

OPENING = "<conversation_summary>"


@dataclass
class Scribe:
    """Sums up by noting how much it was given; fails as often as it is told to."""

    failures: int = 0
    longest: int = 10**6
    asked: list[tuple[str, list[Message], int]] = field(default_factory=list)

    def sum_up(self, previous: str, entries: Sequence[Any], tokens: int) -> Reply[str]:
        self.asked.append((previous, [dict(entry.shape) for entry in entries], tokens))
        if self.failures:
            self.failures -= 1
            raise LanguageModelError("nobody/at-all did not reply (throttled): scripted")
        return Reply(f"{previous} +{len(entries)}".strip()[: self.longest])


def buffer(scribe: Scribe, **numbers: Any) -> SummaryBuffer:
    return SummaryBuffer(scribe, counter=LETTERS, image_tokens=50, **numbers)


def summaries_in(kept: Kept) -> list[Message]:
    return [message for message in kept.messages if is_system(message) and message["content"].startswith(OPENING)]


def without_summary(kept: Kept) -> list[Message]:
    return [message for message in kept.messages if message not in summaries_in(kept)]


def test_nothing_is_summed_up_below_the_trigger_and_nobody_asked_where_that_is_not_wanted() -> None:
    scribe = Scribe()
    kept = buffer(scribe, budget=8_000).keep(chat(30))
    assert (kept.messages, kept.left_out, scribe.asked) == (chat(30), 0, [])
    assert kept.checkpoint == Checkpoint()
    kept = buffer(scribe, budget=2_000).keep(chat(30), asks=False)
    assert (kept.is_due, scribe.asked, summaries_in(kept)) == (True, [], [])
    assert tokens_of(kept) <= 2_000


def test_above_the_trigger_older_messages_go_into_a_summary_and_the_latest_stay() -> None:
    scribe, history = Scribe(), chat(34)
    kept = buffer(scribe, budget=8_000).keep(history)
    assert tokens_of(kept) <= 0.70 * 8_000
    (summary,) = summaries_in(kept)
    assert kept.messages[0] is summary
    latest = kept.messages[1:]
    assert latest == history[-len(latest) :]
    assert 0.7 * 0.8 * 0.7 * 8_000 < sum(len(message["content"]) + 4 for message in latest) <= 0.8 * 0.7 * 8_000
    ((previous, said, tokens),) = scribe.asked
    assert (previous, said) == ("", history[: -len(latest)])
    assert tokens == pytest.approx(0.2 * 0.7 * 8_000, abs=5)


def test_a_summary_is_renewed_and_never_a_second_one() -> None:
    scribe, checkpoint = Scribe(), None
    strategy = buffer(scribe, budget=2_000)
    history = chat(60)
    for length in range(1, len(history) + 1):
        kept = strategy.keep(history[:length], checkpoint)
        checkpoint = kept.checkpoint
        assert len(summaries_in(kept)) <= 1
        assert tokens_of(kept) <= 2_000
    assert checkpoint is not None
    assert checkpoint.summary.startswith("+")
    assert [said[0] for _, said, _ in scribe.asked[1:]] == [
        history[sum(len(said) for _, said, _ in scribe.asked[:number])] for number in range(1, len(scribe.asked))
    ]
    assert len(scribe.asked) < len(history) / 4


def test_in_a_long_run_of_calls_the_question_stays_while_the_steps_are_summed_up() -> None:
    steps: list[Message] = []
    question = {"role": "user", "content": "Do it."}
    scribe, checkpoint = Scribe(), None
    strategy = buffer(scribe, budget=2_000, least=4)
    for number in range(60):
        calls = [{"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
        steps += [
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "found ".ljust(100, "x")},
        ]
        kept = strategy.keep([*chat(2), question, *steps], checkpoint)
        checkpoint = kept.checkpoint
        assert tokens_of(kept) <= 2_000
        assert question in kept.messages
        assert has_pairs_intact(kept.messages)
        assert kept.warnings == ()
    assert len(scribe.asked) > 2
    assert all(question not in said for _, said, _ in scribe.asked)
    everything = [message for _, said, _ in scribe.asked for message in said]
    assert [*everything, *said_in(kept.messages)[1:]] == [*chat(2), *steps]


@given(HISTORIES, st.integers(300, 900), st.integers(1, 8), st.integers(0, 2))
def test_the_rules_hold_of_what_is_kept_beside_a_summary(
    history: list[Message], budget: int, least: int, failures: int
) -> None:
    strategy, checkpoint = buffer(Scribe(failures), budget=budget, least=least), None
    for length in (len(history) // 3, 2 * len(history) // 3, len(history)):
        kept = strategy.keep(history[:length], checkpoint)
        said = said_in(kept.messages)
        assert not said or said[0]["role"] == "user"
        assert has_pairs_intact(kept.messages)
        assert is_part_in_order(without_summary(kept), history[:length])
        assert len(summaries_in(kept)) <= 1
        pinned = [message for message in history[:length] if is_system(message) and not is_block(message)]
        assert [m for m in without_summary(kept) if is_system(m) and not is_block(m)] == pinned
        least_kept = buffer(Scribe(), budget=1, least=least).keep(history[:length], kept.checkpoint, asks=False)
        assert tokens_of(kept) <= budget or kept.messages == least_kept.messages
        checkpoint = kept.checkpoint


@given(HISTORIES, st.integers(300, 900), st.integers(1, 8))
def test_the_same_history_is_summed_up_once_and_what_was_kept_stays(
    history: list[Message], budget: int, least: int
) -> None:
    scribe = Scribe(longest=20)
    strategy = buffer(scribe, budget=budget, least=least)
    kept = strategy.keep(history)
    again = buffer(Scribe(longest=20), budget=budget, least=least).keep(history)
    assert (again.messages, again.checkpoint) == (kept.messages, kept.checkpoint)
    asked = len(scribe.asked)
    if not kept.is_due:
        assert strategy.keep(history, kept.checkpoint).messages == kept.messages
        assert strategy.keep(kept.messages, kept.checkpoint).messages == kept.messages
        assert strategy.keep(kept.messages).messages == kept.messages
        assert len(scribe.asked) == asked


def test_a_summary_that_cannot_be_made_leaves_the_former_and_the_latest_messages() -> None:
    scribe = Scribe()
    strategy = buffer(scribe, budget=2_000)
    first = strategy.keep(chat(12))
    assert first.checkpoint is not None
    scribe.failures = 1
    kept = strategy.keep(chat(24), first.checkpoint)
    assert summaries_in(kept) == summaries_in(first)
    assert kept.messages[-1] == chat(24)[-1]
    assert tokens_of(kept) <= 2_000
    assert kept.is_due
    assert kept.warnings == ("older messages were not summed up: nobody/at-all did not reply (throttled): scripted",)
    mended = strategy.keep(chat(25), kept.checkpoint)
    assert mended.checkpoint is not None
    assert (mended.is_due, mended.checkpoint.failures) == (False, 0)
    said = [message for _, given, _ in (scribe.asked[0], scribe.asked[-1]) for message in given]
    assert [*said, *said_in(mended.messages)] == chat(25)


def test_a_model_that_goes_on_failing_is_asked_ever_more_rarely() -> None:
    scribe, checkpoint = Scribe(failures=1_000), None
    strategy = buffer(scribe, budget=1_000)
    history = chat(100)
    for length in range(20, len(history) + 1):
        checkpoint = strategy.keep(history[:length], checkpoint).checkpoint
        strategy.keep(history[:length], checkpoint)
    assert len(scribe.asked) == 1 + 1 + 1 + 1 + 1 + 1 + 4


def test_a_very_long_history_is_summed_up_over_several_requests() -> None:
    scribe, told = Scribe(), list[Progress]()
    history = chat(400, length=1_000)
    strategy = buffer(scribe, budget=20_000)
    kept = strategy.keep(history, progress=told.append)
    assert (len(scribe.asked), kept.is_due) == (4, True)
    assert all(sum(len(message["content"]) for message in said) <= 40_000 for _, said, _ in scribe.asked)
    assert {now.phase for now in told} == {Phase.SUM_UP}
    assert [now.done for now in told] == sorted(now.done for now in told)
    assert told[-1].total == told[0].total
    while kept.is_due:
        before = len(scribe.asked)
        kept = strategy.keep(history, kept.checkpoint)
        assert len(scribe.asked) > before
    assert [m for _, said, _ in scribe.asked for m in said] + said_in(kept.messages) == history


def test_a_summary_that_is_too_long_is_cut() -> None:
    class Talker:
        def sum_up(self, previous: str, entries: Sequence[Any], tokens: int) -> Reply[str]:
            return Reply("word & " * 10_000)

    kept = SummaryBuffer(Talker(), counter=LETTERS, budget=4_000).keep(chat(40))
    assert tokens_of(kept) <= 0.7 * 4_000
    assert kept.checkpoint is not None
    assert kept.checkpoint.summary.endswith(("word", "&"))


def test_what_is_no_checkpoint_and_shares_that_contradict_each_other_are_refused() -> None:
    good = Checkpoint().as_dict()
    odd: list[Any] = [None, {}, {"summary": "x"}, {**good, "version": 2}, {**good, "covered": -1}, {**good, "more": 1}]
    odd += [{**good, "covered": True}, {**good, "summary": None}, {**good, "stays": 3}, {**good, "stays": ["1"]}]
    for value in odd:
        with pytest.raises(BadRequest, match="checkpoint of a working memory"):
            Checkpoint.from_dict(value)
    shares: list[dict[str, Any]] = [{"trigger": 1.5}, {"target": 0.9}, {"target": 0}, {"recent": 1}, {"recent": 0}]
    for numbers in (*shares, {"budget": 0}, {"least": 0}):
        with pytest.raises(BadRequest):
            buffer(Scribe(), **numbers)
    with pytest.raises(BadRequest, match="summariser must have sum_up, which int has not"):
        SummaryBuffer(7)  # type: ignore[arg-type]


def test_a_checkpoint_of_a_history_that_was_changed_is_not_gone_by() -> None:
    scribe = Scribe()
    strategy = buffer(scribe, budget=2_000)
    kept = strategy.keep(chat(30))
    changed = [{"role": "user", "content": "[secret: token]"}, *chat(30)[1:]]
    again = strategy.keep(changed, kept.checkpoint)
    assert again.warnings == ("the checkpoint is of another history, or one that was changed: it is summed up anew",)
    assert scribe.asked[1][0] == ""
    assert scribe.asked[1][1][0] == changed[0]


@given(st.text(st.characters(exclude_categories=["Cc", "Cn", "Cs"]), max_size=300))
def test_nothing_in_a_summary_ends_its_message_and_it_is_read_back(text: str) -> None:
    class Says:
        asked = 0

        def sum_up(self, previous: str, entries: Sequence[Any], tokens: int) -> Reply[str]:
            self.asked += 1
            return Reply(f"So: {text}")

    strategy = SummaryBuffer(says := Says(), counter=LETTERS, budget=4_000)
    system = {"role": "system", "content": "You help with boats."}
    kept = strategy.keep([system, *chat(40)])
    (summary,) = summaries_in(kept)
    assert kept.messages[:2] == [system, summary]
    assert summary["content"].count("</conversation_summary>") == 1
    assert strategy.keep(kept.messages).messages == kept.messages
    assert says.asked == 1
