"""Which hits bear on a prompt, and what a person asked for once and for all in a project."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palace.hooks.answering.asked.bearing import CERTAIN, LEAST, bearing, bearing_on, least_of
from palace.hooks.answering.asked.stance import Stance, stance_of
from palace.hooks.answering.ruling import MOST, instructions_in
from palace.records import Drawer, Hit, Pointer, Role, Span
from tests.hooks.conftest import Agent, line

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
    kept = bearing_on(found, task, Stance.WORKS, CERTAIN, today=FRIDAY)
    assert kept in ([], found[:1])
    return bool(kept)


@given(one=SHARES, other=SHARES, covered=SHARES, words=st.integers(0, 6))
def test_it_rises_with_likelihood_and_with_what_is_said_of_the_words(
    one: float, other: float, covered: float, words: int
) -> None:
    less, more = sorted((one, other))
    assert bearing(hit(ANY, less, covered, words)) <= bearing(hit(ANY, more, covered, words))
    assert bearing(hit(ANY, covered, less, words)) <= bearing(hit(ANY, covered, more, words))
    assert bearing(hit(ANY, one, covered, words)) <= bearing(hit(ANY, one, covered, words + 1)) <= 2


@given(known=st.lists(st.tuples(SHARES, SHARES, st.integers(0, 4)), max_size=6), stance=st.sampled_from(Stance))
def test_what_is_kept_is_found_in_order_and_the_rest_behind_what_is_seen_is_never_more(
    known: list[tuple[float, float, int]], stance: Stance
) -> None:
    hits = [hit(ANY, *each) for each in known]
    assert least_of(stance, is_doubted=True) >= least_of(stance, is_doubted=False) > 0
    for is_doubted in (False, True):
        least = least_of(stance, is_doubted=is_doubted)
        kept = bearing_on(hits, "Say it, will you", stance, least)
        rest = bearing_on(hits, "Say it, will you", stance, least, is_rest=True)
        assert [each for each in hits if each in kept] == kept
        assert set(map(id, rest)) <= set(map(id, kept))
        assert bool(rest) == bool(kept)


def test_a_short_question_is_answered_by_what_says_its_words_and_work_is_not_disturbed_by_words_alone() -> None:
    def kept(prompt: str, stance: Stance, confidence: float | None, coverage: float = 0.0, words: int = 3) -> bool:
        least = least_of(stance, is_doubted=False)
        return bool(bearing_on([hit(ANY, confidence, coverage, words)], prompt, stance, least))

    assert LEAST[Stance.ASKS_BACK] < LEAST[Stance.ASKS] < CERTAIN
    assert kept("?", Stance.ASKS, 0.09, 1.0)
    assert kept("?", Stance.ASKS, 0.75, 0.0, 0)
    assert not kept("?", Stance.ASKS, 0.6, 0.0, 0)
    assert not kept("?", Stance.ASKS, 0.09, 1.0, words=1), "one word stands anywhere"
    for stance in (Stance.WORKS, Stance.SHOWS):
        assert not kept("compact it", stance, 0.7, 1.0)
        assert kept("compact it", stance, 0.81)
    # A model that was never measured answers questions alone.
    assert kept("?", Stance.ASKS, None)
    assert not kept("do", Stance.WORKS, None)


def test_what_bears_hardly_anything_beside_the_best_is_left_out() -> None:
    def placed(number: int, confidence: float, newer: int | None = None) -> Hit:
        return replace(hit(drawer("x", number=number), confidence), newer=Pointer(1, 1, newer) if newer else None)

    best, near, far, renewed = placed(1, 0.98, newer=4), placed(2, 0.3), placed(3, 0.08), placed(4, 0.08)
    assert bearing_on([best, near, far, renewed], "When?", Stance.ASKS, 0.7) == [best, near, renewed]
    assert bearing_on([near, far], "When did we?", Stance.ASKS_BACK, 0.1) == [near, far]


def test_work_is_told_what_holds_for_it_and_on_a_friday_what_holds_on_fridays() -> None:
    pnpm, npm = "we use pnpm here, never npm. the lockfile broke", "npm install lodash"
    rows = [
        (pnpm, npm, 0.3, True),
        (pnpm, "centre the button", 0.3, False),
        (pnpm, npm, 0.1, False),
        ("never push to main on fridays", "deploy it now, it's friday evening", 0.0, True),
        ("npm broke the lockfile", npm, 0.3, False),
        ("the npm cache is full. never mind, always ask Rasmus", npm, 0.3, False),
        ("no new dependencies without asking me", "add zod as a dependency", 0.27, True),
        ("no new dependencies without asking me", "rename the variable total", 0.27, False),
        ("keine Mocks in Tests", "mock the database in the test of the parser", 0.45, True),
        ("use the other dependency", "add zod as a dependency", 0.27, False),
        ("> no new dependencies without asking me", "add zod as a dependency", 0.27, False),
        ("no deploys on fridays", "deploy the migration now", 0.0, True),
        ("no deploys on fridays", "deploy the migration tomorrow", 0.4, False),
        ("no deploys on fridays", "deploy the migration on monday", 0.4, False),
        ("no deploys on fridays", "rename the variable total", 0.0, False),
        ("no deploys on thursdays", "deploy the migration now", 0.4, False),
        ("no deploys on thursdays", "deploy the migration on thursday", 0.0, True),
        ("no deploys on weekends", "deploy it tomorrow", 0.0, True),
        ("nie freitags deployen, das hat Ole verlangt", "deploy the migration now", 0.0, True),
        ("nie freitags deployen", "push it, it's friday but small", 0.0, True),
    ]
    assert [row for row in rows if holds(*row[:3]) is not row[3]] == []
    assert not holds(pnpm, npm, 0.3, Role.ASSISTANT)


def test_work_is_not_told_what_was_taken_back() -> None:
    earlier = drawer("use pnpm, not npm", number=2, at=MOMENT - timedelta(days=10))
    found = [hit(earlier, 0.1, 0.4, 1), hit(drawer("you can use npm again"), 0.1, 0.3, 1)]
    assert bearing_on(found[:1], "npm install lodash", Stance.WORKS, CERTAIN) == found[:1]
    assert bearing_on(found, "npm install lodash", Stance.WORKS, CERTAIN) == []


def test_what_a_person_wants_is_told_by_their_words() -> None:
    rows = [
        ("fix this: Error: ERR_SHEET_GAP at row 2044", Stance.ERROR),
        ("explain TypeError: x is not a function", Stance.ERROR),
        ("die Fehlermeldung ECONNREFUSED schon wieder", Stance.ERROR),
        ("what does ERR_SHEET_GAP mean", Stance.ASKS),
        ("rename errorsOf to failures", Stance.WORKS),
        ("bump the version in EVERY file", Stance.WORKS),
        ("error\nat one\nat two\nat three\nat four", Stance.SHOWS),
    ]
    assert [(prompt, found) for prompt, stance in rows if (found := stance_of(prompt)) is not stance] == []


def ruling(*latest_first: str) -> list[str]:
    """Give the sentences that rule, of what was said."""
    drawers = [drawer(said, number=n, at=MOMENT - timedelta(hours=n)) for n, said in enumerate(latest_first, 1)]
    return [item.drawer.content[slice(*item.sentence)] for item in instructions_in(drawers)]


def test_a_rule_is_told_once_as_it_was_said_last_and_what_is_none_is_not() -> None:
    emojis, english = "no emojis in commit messages", "please write commit messages in English"
    rows = [
        (("good. we use pnpm here, never npm. it broke", "the host is down"), ["we use pnpm here, never npm."]),
        (("never push to main on fridays!", "never push to main on fridays"), ["never push to main on fridays!"]),
        (("always push to main on fridays", "never push to main on fridays"), ["always push to main on fridays"]),
        (("> never push to main", "`always use tabs`"), []),
        (("do you always use tabs?",), []),
        (("you can use npm again", "use pnpm, not npm"), []),
        (("freitags darf wieder deployt werden", "nie freitags deployen, das hat Ole verlangt"), []),
        ((emojis, "you can commit to main again"), [emojis]),
        ((emojis, english), [emojis, english]),
        (("the readme says `no deploys on fridays` and more",), []),
        (("look:\n```\nnever use eval\n```\n- use pnpm, not npm",), ["- use pnpm, not npm"]),
    ]
    assert [(said, found) for said, wanted in rows if (found := ruling(*said)) != wanted] == []
    assert instructions_in([drawer("always use tabs", Role.ASSISTANT)]) == []


RULES = ("never push to main on fridays", "we use pnpm here, never npm. it broke", "forget what I said about pnpm", "")


@given(st.lists(st.sampled_from(RULES) | st.text(max_size=60), max_size=12))
def test_what_is_told_was_said_and_is_bounded(contents: list[str]) -> None:
    found = ruling(*contents)
    assert len(found) <= MOST
    assert all(told.strip() and any(told in said for said in contents) for told in found)


def test_a_session_begins_with_what_holds_however_long_ago_and_in_whatever_words_it_was_said(agent: Agent) -> None:
    old = (
        "Never push to main on fridays, nobody is on call",
        "We use pnpm here, never npm",
        "Bitte immer Sie statt du",
    )
    passing = ("Use the other branch", "No tests failed this time")
    lines = (
        line(2 * n + 1, f"{said}. Row", session="s-0", timestamp=f"2026-01-09T10:0{n}:00Z")
        for n, said in enumerate((*old, *passing))
    )
    agent.file_lines(*lines)
    agent.file_lines(
        *(line(n, f"The gateway {n} of Kittiwake moved to host {n}.", session="s-5") for n in range(1, 60, 2)),
        session="s-5",
    )
    block = agent.send("SessionStart", session="s-9", source="startup")
    first = "\n".join(block.splitlines()[1:4])
    assert all(f"| {said}." in first for said in old)
    assert "Kittiwake" in block
    assert len(block) <= 600 * 4
    assert agent.send("SessionStart", session="s-8", source="startup") == block
