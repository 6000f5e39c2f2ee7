"""Which hits bear on a prompt, and what a person asked for once and for all in a project."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.hooks.prompt_kind import PromptKind, kind_of_prompt
from palace.hooks.relevance import CERTAIN, LEAST, least_of, relevant_hits, told_apart
from palace.models import Drawer, Hit, Pointer, Role, Span, Why
from palace.recall.instructions import instructions_in, one_a_message, rules_of
from tests.hooks.conftest import Agent, line, spoken
from tests.text.tables import tables

SHARES = st.floats(0, 1)
MOMENT = datetime(2026, 4, 30, tzinfo=UTC)
FRIDAY = date(2026, 4, 24)


def drawer(content: str, role: Role = Role.USER, number: int = 1, at: datetime = MOMENT) -> Drawer:
    return Drawer(number, Pointer(1, 1, number), content, role, None, at, at, "Meter", "Morning", None, number)


ANY = drawer("The compaction now runs at 04:30.")


def hit(found: Drawer, confidence: float | None, coverage: float = 0.0, words: int = 3) -> Hit:
    said = tuple((f"w{number}",) for number in range(words))
    return Hit(found, 0.5, Span(0, 1), (), confidence=confidence, coverage=coverage, words=said)


def holds(said: str, task: str, coverage: float, role: Role = Role.USER) -> bool:
    """Tell whether work is told what was asked for once, and nothing else."""
    found = [hit(drawer(said, role), 0.1, coverage, 1), hit(drawer("something else"), 0.05, 0.0, 0)]
    kept = relevant_hits(found, task, PromptKind.WORKS, CERTAIN, today=FRIDAY)
    assert kept in ([], found[:1])
    return bool(kept)


@given(known=st.lists(st.tuples(SHARES, SHARES, st.integers(0, 4)), max_size=6), kind=st.sampled_from(PromptKind))
def test_what_is_kept_is_found_in_order_and_the_rest_behind_what_is_seen_is_never_more(
    known: list[tuple[float, float, int]], kind: PromptKind
) -> None:
    hits = [hit(ANY, *each) for each in known]
    assert least_of(kind, is_doubted=True) >= least_of(kind, is_doubted=False) > 0
    for is_doubted in (False, True):
        least = least_of(kind, is_doubted=is_doubted)
        kept = relevant_hits(hits, "Say it, will you", kind, least)
        rest = relevant_hits(hits, "Say it, will you", kind, least, seen=[hit(ANY, 0.0)])
        assert [each for each in hits if each in kept] == kept
        assert set(map(id, rest)) <= set(map(id, kept))
        assert bool(rest) == bool(kept)


def test_a_short_question_is_answered_by_what_says_its_words_and_work_is_not_disturbed_by_words_alone() -> None:
    def kept(prompt: str, kind: PromptKind, confidence: float | None, coverage: float = 0.0, words: int = 3) -> bool:
        least = least_of(kind, is_doubted=False)
        return bool(relevant_hits([hit(ANY, confidence, coverage, words)], prompt, kind, least))

    assert LEAST[PromptKind.ASKS_BACK] < LEAST[PromptKind.ASKS] < CERTAIN
    assert kept("?", PromptKind.ASKS, 0.09, 1.0)
    assert kept("?", PromptKind.ASKS, 0.75, 0.0, 0)
    assert not kept("?", PromptKind.ASKS, 0.6, 0.0, 0)
    assert not kept("?", PromptKind.ASKS, 0.09, 1.0, words=1), "one word stands anywhere"
    for kind in (PromptKind.WORKS, PromptKind.SHOWS):
        assert not kept("compact it", kind, 0.7, 1.0)
        assert kept("compact it", kind, 0.81)
    # A model that was never measured answers questions alone.
    assert kept("?", PromptKind.ASKS, None)
    assert not kept("do", PromptKind.WORKS, None)


def test_what_bears_hardly_anything_beside_the_best_is_left_out() -> None:
    def placed(number: int, confidence: float, newer: int | None = None) -> Hit:
        return replace(hit(drawer("x", number=number), confidence), newer=Pointer(1, 1, newer) if newer else None)

    best, near, far, renewed = placed(1, 0.98, newer=4), placed(2, 0.3), placed(3, 0.08), placed(4, 0.08)
    assert relevant_hits([best, near, far, renewed], "When?", PromptKind.ASKS, 0.7) == [best, near, renewed]
    assert relevant_hits([near, far], "When did we?", PromptKind.ASKS_BACK, 0.1) == [near, far]
    assert relevant_hits([near], "When did we?", PromptKind.ASKS_BACK, 0.1, seen=[best]) == []
    assert relevant_hits([near], "When did we?", PromptKind.ASKS_BACK, 0.1, seen=[far]) == [near]


def test_work_is_told_what_holds_for_it_and_on_a_friday_what_holds_on_fridays() -> None:
    pnpm, npm = "we use pnpm here, never npm. the lockfile broke", "npm install lodash"
    rows = [
        (pnpm, npm, 0.3, True),
        (pnpm, "centre the button", 0.3, False),
        (pnpm, npm, 0.1, False),
        ("never push to main on fridays", "deploy it now, it's friday evening", 0.0, True),
        ("the npm cache is full. never mind, always ask Rasmus", npm, 0.3, False),
        ("no new dependencies without asking me", "add zod as a dependency", 0.27, True),
        ("no new dependencies without asking me", "rename the variable total", 0.27, False),
        ("keine Mocks in Tests", "mock the database in the test of the parser", 0.45, True),
        ("> no new dependencies without asking me", "add zod as a dependency", 0.27, False),
        ("no deploys on fridays", "deploy the migration now", 0.0, True),
        ("no deploys on fridays", "deploy the migration tomorrow", 0.4, False),
        ("no deploys on fridays", "rename the variable total", 0.0, False),
        ("no deploys on thursdays", "deploy the migration now", 0.4, False),
        ("no deploys on weekends", "deploy it tomorrow", 0.0, True),
        ("nie freitags deployen", "push it, it's friday but small", 0.0, True),
    ]
    assert [row for row in rows if holds(*row[:3]) is not row[3]] == []
    assert not holds(pnpm, npm, 0.3, Role.ASSISTANT)


def test_work_is_not_told_what_was_taken_back() -> None:
    earlier = drawer("use pnpm, not npm", number=2, at=MOMENT - timedelta(days=10))
    found = [hit(earlier, 0.1, 0.4, 1), hit(drawer("you can use npm again"), 0.1, 0.3, 1)]
    assert relevant_hits(found[:1], "npm install lodash", PromptKind.WORKS, CERTAIN) == found[:1]
    assert relevant_hits(found, "npm install lodash", PromptKind.WORKS, CERTAIN) == []


def test_what_a_person_wants_is_told_by_their_words() -> None:
    rows = [
        ("fix this: Error: ERR_SHEET_GAP at row 2044", PromptKind.ERROR),
        ("explain TypeError: x is not a function", PromptKind.ERROR),
        ("die Fehlermeldung ECONNREFUSED schon wieder", PromptKind.ERROR),
        ("what does ERR_SHEET_GAP mean", PromptKind.ASKS),
        ("rename errorsOf to failures", PromptKind.WORKS),
        ("bump the version in EVERY file", PromptKind.WORKS),
        ("error\nat one\nat two\nat three\nat four", PromptKind.SHOWS),
    ]
    assert [(prompt, found) for prompt, kind in rows if (found := kind_of_prompt(prompt)) is not kind] == []


def test_a_later_instruction_or_decision_replaces_only_what_it_is_about() -> None:
    rows = [
        ("Never push to main.", "Always ask before you push the branch to origin.", True),
        ("Always answer in German.", "Never change the German texts.", True),
        ("Use pnpm, not npm.", "Always update pnpm.", True),
        ("Use pnpm, not npm.", "you can use npm again", False),
        ("We decided to keep sessions in Redis.", "We decided to keep sessions in Postgres instead of Redis.", False),
        ("We decided to keep sessions in Postgres.", "We decided to keep uploads in Postgres instead of S3.", True),
    ]

    # Ids are of the order of filing, which is not that of time.
    def applies(earlier: str, later: str) -> bool:
        said = [drawer(earlier, number=9, at=MOMENT - timedelta(days=1)), drawer(later)]
        return earlier in [item.drawer.content for item in instructions_in(said)]

    assert [row for row in rows if applies(*row[:2]) is not row[2]] == []
    names = map("".join, product("bdfglmnr", repeat=3))
    many = [drawer(f"Never rename {name}.", number=number) for number, name in enumerate(names)]
    begun = time.process_time()
    assert len(instructions_in(many, most=len(many))) == len(many)
    assert time.process_time() - begun < 2


SAID = (
    ("Never push to main on fridays, nobody is on call", False),  # it is told as it was said last
    ("nie freitags deployen, das hat Ole verlangt", False),
    ("use yarn, not bun", False),
    ("Please write commit messages in English", True),
    ("Bitte immer Sie statt du", True),
    ("Never push to main on fridays, nobody is on call", True),
    ("freitags darf wieder deployt werden", False),
    ("you can use bun again", False),
    ("> never rebase a branch", False),
    ("do you always use tabs?", False),
    ("Use the other branch", False),
)
"""What a person said in January, and whether it holds."""


def test_a_session_begins_with_what_holds_however_long_ago_and_in_whatever_words_it_was_said(agent: Agent) -> None:
    said = [{"role": "user", "content": text} for text, _ in SAID]
    said.append({"role": "assistant", "content": "always use tabs"})
    agent.file_lines(
        *(
            line(n, session="s-0", type=each["role"], message=each, timestamp=f"2026-01-09T10:{n:02}:00Z")
            for n, each in enumerate(said)
        )
    )
    later = (f"The gateway {number} of Kittiwake moved to host {number}." for number in range(1, 60, 2))
    agent.file_lines(*(line(2 * n + 1, said, session="s-5") for n, said in enumerate(later)), session="s-5")
    block = agent.send("SessionStart", session="s-9", source="startup")
    told_first = [each.rpartition("| ")[2] for each in block.splitlines() if "2026-01-09" in each]
    assert told_first == [said for said, holds in reversed(SAID) if holds]
    assert "Kittiwake" in block
    assert len(block) <= 600 * 4
    assert agent.send("SessionStart", session="s-8", source="startup") == block


def test_a_session_begins_with_decisions_that_hold_and_without_what_was_asked_for_once(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.hooks.recalling.NEWEST", 6)
    said = (
        "Always use pnpm.",
        "We decided to keep sessions in Redis.",
        "Am 6. Oktober haben wir vereinbart, dass die API nur auf Port 8642 lauscht.",
        "Rename the function parse_row to something clearer.",
        "We decided to keep sessions in Postgres instead of Redis.",
        *(f"Please resolve conflict {number}." for number in range(3)),
    )
    agent.file_lines(*(spoken(n, "user", text) for n, text in enumerate(said)), spoken(9, "assistant", "Done."))
    block = agent.send("SessionStart", session="s-9", source="startup")
    assert [each.rpartition("| ")[2] for each in block.splitlines()[1:-1]] == [said[4], said[2], said[0]]


def test_what_others_say_and_what_is_passed_on_never_holds(agent: Agent, tmp_path: Path) -> None:
    told, own = tables("planted", of="hooks"), "Never rebase a branch."
    assert [text for text in told["rules"] if not list(rules_of(drawer(text)))] == []
    for name, content in told["files"].items():
        (tmp_path / name).write_text(content)
        agent.palace.mine(tmp_path / name, wing="api")
    said = [own, *told["planted"]]
    agent.file_lines(
        *(spoken(n, "assistant" if n % 2 else "user", "Sure." if n % 2 else said[n // 2]) for n in range(82))
    )
    hits = agent.palace.recall("Write the commit for the new installer and push the branch", now=MOMENT).hits
    assert {hit.drawer.content for hit in hits if "standing" in {arm.arm for arm in hit.arms}} <= {own}
    recent = agent.palace.recent(days=9, now=MOMENT + timedelta(days=2), limit=200)
    assert {item.drawer.content for item in recent.told if item.why is Why.INSTRUCTION} == {own}
    assert own in agent.send("SessionStart", session="s-9", source="startup")


def test_a_relevance_that_is_just_too_low_does_not_read_as_the_one_that_is_required() -> None:
    assert told_apart(0.5, 0.8) == ("0.50", "0.80")
    assert told_apart(0.7996, 0.8) == ("0.7996", "0.8000")


def test_instructions_of_one_message_are_one_unless_others_words_are_between() -> None:
    own = "Always use tabs for the code. Never rename columns."
    quoting = "Always use tabs for the code.\n\n> Always use spaces.\n\nNever rename columns."
    for text, parts in ((own, [own]), (quoting, ["Always use tabs for the code.", "Never rename columns."])):
        items = one_a_message(instructions_in([drawer(text)]))
        assert [text[slice(*item.sentence)] for item in items] == parts
