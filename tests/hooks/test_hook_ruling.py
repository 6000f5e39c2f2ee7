"""What a person asked for once and for all in a project stands first at the beginning of a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.hooks.answering.budget import weigh
from palace.hooks.answering.ruling import MOST, instructions_in
from palace.records import Drawer, Pointer, Role
from tests.hooks.conftest import Agent, line

MOMENT = datetime(2026, 4, 30, tzinfo=UTC)
RULES = (
    "never push to main on fridays",
    "we use pnpm here, never npm. the lockfile was broken twice",
    "please never mention customer names in commit messages",
    "always push to main on fridays",
    "forget what I said about pnpm",
    "The staging host is down.",
    "always always always",
    "",
)


def said(content: str, number: int = 1, role: Role = Role.USER) -> Drawer:
    at = MOMENT + timedelta(hours=number)
    return Drawer(number, Pointer(1, 1, number), content, role, None, at, at, "Meter", "Morning", None, number)


def told(*latest_first: str) -> list[str]:
    drawers = [said(content, 99 - number) for number, content in enumerate(latest_first)]
    return [item.drawer.content[slice(*item.sentence)] for item in instructions_in(drawers)]


def test_the_sentence_that_rules_is_told_and_no_other() -> None:
    assert told("good. we use pnpm here, never npm. the lockfile was broken twice", "the host is down") == [
        "we use pnpm here, never npm."
    ]


@pytest.mark.parametrize(
    ("latest_first", "holds"),
    [
        (("never push to main on fridays!", "never push to main on fridays"), ["never push to main on fridays!"]),
        (("always push to main on fridays", "never push to main on fridays"), ["always push to main on fridays"]),
        (("> never push to main", "`always use tabs`"), []),
        (("do you always use tabs?",), []),
        (("you can use npm again", "use pnpm, not npm"), []),
        (("freitags darf wieder deployt werden", "nie freitags deployen, das hat Ole verlangt"), []),
        (("no emojis in commit messages", "you can commit to main again"), ["no emojis in commit messages"]),
        (
            ("no emojis in commit messages", "please write commit messages in English"),
            ["no emojis in commit messages", "please write commit messages in English"],
        ),
        (("the readme says `no deploys on fridays` and more",), []),
        (("look:\n```\nnever use eval\n```\n- use pnpm, not npm",), ["- use pnpm, not npm"]),
    ],
)
def test_a_thing_is_told_once_as_it_was_said_last(latest_first: tuple[str, ...], holds: list[str]) -> None:
    assert told(*latest_first) == holds


def test_what_an_agent_said_is_no_rule() -> None:
    assert instructions_in([said("always use tabs", role=Role.ASSISTANT)]) == []


@settings(deadline=None)
@given(st.lists(st.sampled_from(RULES) | st.text(max_size=60), max_size=12))
def test_what_is_told_was_said_and_is_bounded(contents: list[str]) -> None:
    items = instructions_in(said(content, 99 - number) for number, content in enumerate(contents))
    assert len(items) <= MOST
    for item in items:
        assert 0 <= item.sentence.start < item.sentence.end <= len(item.drawer.content)
        assert item.drawer.content[slice(*item.sentence)].strip()


def test_a_session_begins_with_what_people_ask_for_in_any_words(agent: Agent) -> None:
    rules = ("Use pnpm, not npm", "No deploys on fridays", "Bitte immer Sie statt du in den Texten")
    passing = ("Use the other branch", "No tests failed this time")
    lines = [line(2 * n + 1, f"{said}. Row", session="s-0") for n, said in enumerate((*rules, *passing))]
    agent.send("Stop", session="s-0", transcript_path=str(agent.transcript(*lines, name="s-0")))
    agent.miner.look()
    agent.palace.turns.end()
    block = agent.send("SessionStart", session="s-9", source="startup").splitlines()
    first = "\n".join(block[1:4])
    assert all(f"| {said}." in first for said in rules)


def test_a_session_begins_with_what_holds_however_long_ago_it_was_said(agent: Agent) -> None:
    old = [
        line(1, "Never push to main on fridays, nobody is on call.", session="s-0", timestamp="2026-01-09T10:00:00Z"),
        line(2, "Understood.", session="s-0", timestamp="2026-01-09T10:00:01Z"),
        line(3, "We use pnpm here, never npm.", session="s-0", timestamp="2026-01-09T10:01:00Z"),
    ]
    new = [
        line(n, f"The gateway {n} of Kittiwake was moved to host number {n}.", session="s-5") for n in range(1, 60, 2)
    ]
    for name, lines in (("s-0", old), ("s-5", new)):
        agent.send("Stop", session=name, transcript_path=str(agent.transcript(*lines, name=name)))
        agent.miner.look()
    agent.palace.turns.end()
    block = agent.send("SessionStart", session="s-9", source="startup")
    first = block.splitlines()[1:3]
    assert "We use pnpm here, never npm." in first[0]
    assert "Never push to main on fridays" in first[1]
    assert "Kittiwake" in block
    assert weigh(block) <= 600
    assert agent.send("SessionStart", session="s-8", source="startup") == block
