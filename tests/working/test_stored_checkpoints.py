"""Checkpoints that a palace keeps: another process goes on, nothing forgotten or secret stays in them."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pytest

from palace import BufferWindow, DatabaseUnavailable, LanguageModelError, Palace
from palace.testing import HashingEmbedder
from tests import held
from tests.held import execute
from tests.working.histories import Scribe, buffer, chat

KEY = "AKIA" + "QRTUVWXYZ2345672"


def rows(palace: Palace, column: str = "*") -> list[Any]:
    return held.rows(palace, f"SELECT {column} FROM working_summary")


def again(palace: Palace, user: str | None = None) -> Palace:
    return Palace.open(palace._opened.settings, user=user or palace.user, embedder=HashingEmbedder())


def test_another_process_goes_on_where_the_first_stopped(palace: Palace) -> None:
    first = Scribe()
    kept = palace.working.keep(chat(20), session="boat", memory=buffer(first))
    assert len(first.asked) == 1
    with again(palace) as other:
        scribe = Scribe()
        same = other.working.keep(chat(20), session="boat", memory=buffer(scribe))
        assert (same.messages, scribe.asked) == (kept.messages, [])
        grown = other.working.keep(chat(40), session="boat", memory=buffer(scribe))
        assert scribe.asked[0][0] == kept.checkpoint.summary  # type: ignore[union-attr]
    assert len(rows(palace)) == 1
    assert palace.working.sessions()[0].summary == grown.checkpoint.summary  # type: ignore[union-attr]


def test_agents_of_one_session_have_checkpoints_of_their_own(palace: Palace) -> None:
    system = [{"role": "system", "content": "You plan."}]
    for history, agent in ((chat(20), None), ([*system, *chat(20)], "planner")):
        kept = palace.working.keep(history, session="boat", agent=agent, memory=buffer(Scribe()))
        assert not kept.warnings
    assert {each.agent for each in palace.working.sessions()} == {None, "planner"}
    assert palace.working.drop("boat", agent="planner")
    assert not palace.working.drop("boat", agent="planner")
    assert [each.agent for each in palace.working.sessions()] == [None]


def test_a_history_that_was_changed_is_summed_up_anew(palace: Palace) -> None:
    palace.working.keep(chat(20), session="boat", memory=buffer(Scribe()))
    changed, scribe = chat(20), Scribe()
    changed[0]["content"] = "Never mind."
    kept = palace.working.keep(changed, session="boat", memory=buffer(scribe))
    assert scribe.asked[0][0] == ""
    assert "it is summed up anew" in kept.warnings[0]
    assert palace.working.keep(changed, session="boat", memory=buffer(scribe)).warnings == ()


def test_it_goes_with_a_message_that_it_sums_up(palace: Palace) -> None:
    for number, id in enumerate(("boat", "elsewhere")):
        history = chat(20, start=100 * number)
        palace.working.keep(history, session="boat", memory=buffer(Scribe()))
        palace.working.keep(chat(20, start=50), session="car", memory=buffer(Scribe()))
        filed = palace.file(history[:2], id=id)
        palace.forget(str(filed.pointers[0][0]))
        assert [each.session for each in palace.working.sessions()] == ["car"], id


def test_what_is_forgotten_while_it_is_summed_up_is_not_kept(palace: Palace) -> None:
    history = chat(20)
    filed = palace.file(history, id="boat")
    scribe = Scribe(meanwhile=lambda: palace.forget(str(filed.pointers[0][0])))
    kept = palace.working.keep(history, session="boat", memory=buffer(scribe))
    assert "the summary was not kept" in kept.warnings[0]
    assert rows(palace) == []


def test_no_secret_is_shown_or_kept(palace: Palace) -> None:
    history, scribe = chat(20), Scribe()
    history[0]["content"] = f"My key is {KEY}."
    history[1]["content"] = "Your badge is TIDE-123456."
    palace.settings.set("secrets_patterns", {"badge": r"TIDE-\d{6}"})
    kept = palace.working.keep(history, session="boat", memory=buffer(scribe))
    told = str([scribe.asked, kept.checkpoint, rows(palace)])
    assert "[secret: key]" in told
    assert "[secret: badge]" in told
    assert KEY not in told
    assert "TIDE-123456" not in told
    # Messages that are kept are the program's own.
    assert history[-1] in kept.messages


def test_a_scrub_reaches_what_is_kept(palace: Palace) -> None:
    history = chat(20)
    history[0]["content"] = "Your badge is TIDE-123456."
    for session in ("filed", "not filed"):
        said = [*history, {"role": "user", "content": session}]
        palace.working.keep(said, session=session, memory=buffer(Scribe()))
    palace.file(history[2:4], id="other")
    assert all("TIDE-123456" in each.summary for each in palace.working.sessions())
    palace.settings.set("secrets_patterns", {"badge": r"TIDE-\d{6}"})
    palace.scrub()
    assert "TIDE-123456" not in str(rows(palace))
    assert len(palace.working.sessions()) == 2
    # What was scrubbed counts still: nothing is summed up anew.
    scribe = Scribe()
    said = [*history, {"role": "user", "content": "filed"}]
    assert "[secret: badge]" in palace.working.keep(said, session="filed", memory=buffer(scribe)).messages[0]["content"]
    assert scribe.asked == []


def test_nothing_kept_tells_whether_a_guess_is_right(palace: Palace) -> None:
    history = chat(20)
    palace.working.keep(history, session="boat", memory=buffer(Scribe()))
    with again(palace, f"user-{uuid.uuid4()}") as other:
        other.working.keep(history, session="boat", memory=buffer(Scribe()))
        [(their_digest, theirs)] = rows(other, "digest, covers")
    [(digest, mine)] = rows(palace, "digest, covers")
    assert digest != their_digest
    assert not set(map(bytes, mine)) & set(map(bytes, theirs))


def test_it_expires(palace: Palace) -> None:
    palace.working.keep(chat(20), session="boat", memory=buffer(Scribe()))
    execute(palace, "UPDATE working_summary SET expires_at = now()")
    scribe = Scribe()
    assert palace.working.sessions() == ()
    palace.working.keep(chat(20, start=7), session="car", memory=buffer(scribe))
    assert len(rows(palace)) == 1
    palace.working.keep(chat(20), session="boat", memory=buffer(scribe))
    assert [asked[0] for asked in scribe.asked] == ["", ""]


def test_two_at_once_ask_once_and_lose_nothing(palace: Palace) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        may_end.wait(20)

    slow = Scribe(meanwhile=wait)
    first = threading.Thread(target=lambda: palace.working.keep(chat(20), session="boat", memory=buffer(slow)))
    first.start()
    assert begun.wait(20)
    with again(palace) as other:
        second = Scribe()
        kept = other.working.keep(chat(21), session="boat", memory=buffer(second))
        assert (second.asked, kept.is_due, kept.warnings) == ([], True, ())
        assert kept.messages[-1] == chat(21)[-1]
        may_end.set()
        first.join()
        assert not other.working.keep(chat(21), session="boat", memory=buffer(second)).is_due
        assert second.asked == []


def test_the_last_who_began_writes(palace: Palace) -> None:
    """One process takes longer than it has: another takes over, and what the first comes back with is not kept."""

    def take_over() -> None:
        execute(palace, "UPDATE working_summary SET claimed_until = now() - interval '1 s'")
        with again(palace) as other:
            other.working.keep(chat(30), session="boat", memory=buffer(Scribe()))

    kept = palace.working.keep(chat(20), session="boat", memory=buffer(Scribe(meanwhile=take_over)))
    assert "somebody else renewed it" in kept.warnings[0]
    assert "u12" in palace.working.sessions()[0].summary


def test_a_model_that_fails_leaves_the_former_summary_and_lets_others_renew(palace: Palace) -> None:
    former = palace.working.keep(chat(20), session="boat", memory=buffer(Scribe()))
    problems: list[Exception] = [LanguageModelError("429"), DatabaseUnavailable("away"), ZeroDivisionError()]

    def fail() -> None:
        raise problems[0]

    for _ in range(2):
        kept = palace.working.keep(chat(30), session="boat", memory=buffer(Scribe(meanwhile=fail)))
        assert kept.checkpoint.summary == former.checkpoint.summary  # type: ignore[union-attr]
        assert kept.messages[0] == former.messages[0]
        assert kept.messages[-1] == chat(30)[-1]
        problems.pop(0)
    with pytest.raises(ZeroDivisionError):
        palace.working.keep(chat(31), session="boat", memory=buffer(Scribe(meanwhile=fail)))
    with again(palace) as other:
        scribe = Scribe()
        assert other.working.keep(chat(31), session="boat", memory=buffer(scribe)).warnings == ()
        assert len(scribe.asked) == 1


def test_without_a_database_the_messages_come_with_the_summary_last_known(palace: Palace) -> None:
    with again(palace) as opened:
        former = opened.working.keep(chat(20), session="boat", memory=buffer(Scribe()))
    opened_again = again(palace)
    opened_again.working.keep(chat(20), session="boat", memory=buffer(Scribe()))
    opened_again.close()
    kept = opened_again.working.keep(chat(20), session="boat", memory=buffer(Scribe()))
    assert kept.messages == former.messages
    assert "could not be looked up" in kept.warnings[0]
    assert opened_again.working.keep(chat(20), session="boat").messages == chat(20)


def test_blocks_of_recall_that_come_and_go_change_no_checkpoint(palace: Palace) -> None:
    block = "<memory_context>\n§ W-001/R-01/D-001 | undated | user | The boat is called Otter.\n</memory_context>"
    history, scribe = chat(20), Scribe()
    with_block = [{**history[0], "content": f"{block}\n\n{history[0]['content']}"}, *history[1:]]
    parts = [{"type": "text", "text": block}, {"type": "text", "text": "What is it called?"}]
    with_parts = [{"role": "user", "content": parts}, *with_block]
    bare = [{"role": "user", "content": parts[1:]}, *history]
    palace.working.keep(with_parts, session="boat", memory=buffer(scribe))
    assert "Otter" not in palace.working.sessions()[0].summary
    kept = palace.working.keep(bare, session="boat", memory=buffer(scribe))
    assert (kept.warnings, len(scribe.asked)) == ((), 1)


def test_without_a_session_nothing_is_kept(palace: Palace) -> None:
    assert palace.working.keep(chat(20), memory=buffer(Scribe())).checkpoint is not None
    assert palace.working.keep(chat(20), session="boat", memory=BufferWindow(4)).left_out == 36
    assert rows(palace) == []


def test_a_scrub_of_a_message_that_is_summed_up_takes_the_summary(palace: Palace) -> None:
    history = chat(20)
    history[0]["content"] = "Your badge is TIDE-123456."
    palace.file(history, id="filed")
    palace.working.keep(history, session="other", memory=buffer(Scribe()))
    palace.settings.set("secrets_patterns", {"badge": r"TIDE-\d{6}"})
    palace.scrub()
    assert rows(palace) == []
