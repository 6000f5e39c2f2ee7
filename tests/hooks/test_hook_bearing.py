"""Which hits bear on a prompt: by their likelihood and by its words, and what the person asked for once and for all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.hooks.answering.asked.bearing import CERTAIN, DOUBTED, LEAST, bearing, bearing_on, least_of
from palace.hooks.answering.asked.stance import Stance, stance_of
from palace.records import Drawer, Hit, Pointer, Role, Span

SHARES = st.floats(0, 1)


def made_drawer(content: str, role: Role = Role.USER) -> Drawer:
    moment = datetime(2026, 4, 30, tzinfo=UTC)
    return Drawer(1, Pointer(1, 1, 1), content, role, None, moment, moment, "Meter", "Morning", None, 1)


def hit(drawer: Drawer, confidence: float | None, coverage: float = 0.0, words: int = 3) -> Hit:
    said = tuple((f"w{number}",) for number in range(words))
    return Hit(drawer, 0.5, Span(0, 1), (), confidence=confidence, coverage=coverage, words=said)


@pytest.fixture(scope="module")
def any_drawer() -> Drawer:
    return made_drawer("The compaction now runs at 04:30.")


@given(one=SHARES, other=SHARES, covered=SHARES, words=st.integers(0, 6))
def test_it_rises_with_likelihood_and_with_what_is_said_of_the_words(
    any_drawer: Drawer, one: float, other: float, covered: float, words: int
) -> None:
    less, more = sorted((one, other))
    assert bearing(hit(any_drawer, less, covered, words)) <= bearing(hit(any_drawer, more, covered, words))
    assert bearing(hit(any_drawer, covered, less, words)) <= bearing(hit(any_drawer, covered, more, words))
    assert bearing(hit(any_drawer, one, covered, words)) <= bearing(hit(any_drawer, one, covered, words + 1)) <= 2


@settings(deadline=None)
@given(known=st.lists(st.tuples(SHARES, SHARES, st.integers(0, 4)), max_size=6), stance=st.sampled_from(Stance))
def test_what_is_kept_is_found_in_order_and_the_rest_behind_what_is_seen_is_never_more(
    any_drawer: Drawer, known: list[tuple[float, float, int]], stance: Stance
) -> None:
    hits = [hit(any_drawer, *each) for each in known]
    for is_doubted in (False, True):
        least = least_of(stance, is_doubted=is_doubted)
        kept = bearing_on(hits, "Say it, will you", stance, least)
        rest = bearing_on(hits, "Say it, will you", stance, least, is_rest=True)
        assert [each for each in hits if each in kept] == kept
        assert set(map(id, rest)) <= set(map(id, kept))
        assert bool(rest) == bool(kept)


@given(stance=st.sampled_from(Stance))
def test_what_the_gate_doubts_is_asked_no_less_of(stance: Stance) -> None:
    assert least_of(stance, is_doubted=True) >= least_of(stance, is_doubted=False) > 0
    assert LEAST[Stance.ASKS_BACK] < LEAST[Stance.ASKS] < CERTAIN < DOUBTED + 0.01


def test_a_short_question_is_answered_by_what_says_its_words(any_drawer: Drawer) -> None:
    def kept(confidence: float, coverage: float, words: int = 3) -> bool:
        return bool(bearing_on([hit(any_drawer, confidence, coverage, words)], "?", Stance.ASKS, LEAST[Stance.ASKS]))

    assert kept(0.09, 1.0)
    assert kept(0.75, 0.0, 0)
    assert not kept(0.6, 0.0, 0)
    assert not kept(0.09, 1.0, words=1), "one word stands anywhere"


def test_what_bears_hardly_anything_beside_the_best_is_left_out(any_drawer: Drawer) -> None:
    def placed(number: int, confidence: float, newer: int | None = None) -> Hit:
        drawer = replace(any_drawer, id=number, pointer=Pointer(1, 1, number))
        return replace(hit(drawer, confidence), newer=Pointer(1, 1, newer) if newer else None)

    best, near, far, renewed = placed(1, 0.98, newer=4), placed(2, 0.3), placed(3, 0.08), placed(4, 0.08)
    assert bearing_on([best, near, far, renewed], "When?", Stance.ASKS, 0.7) == [best, near, renewed]
    assert bearing_on([near, far], "When did we?", Stance.ASKS_BACK, 0.1) == [near, far]


def test_words_alone_disturb_no_work(any_drawer: Drawer) -> None:
    for stance in (Stance.WORKS, Stance.SHOWS):
        least = least_of(stance, is_doubted=False)
        assert bearing_on([hit(any_drawer, 0.7, 1.0)], "compact it", stance, least) == []
        assert bearing_on([hit(any_drawer, 0.81, 0.0)], "compact it", stance, least)


def test_a_model_that_was_never_measured_answers_questions_alone(any_drawer: Drawer) -> None:
    hits = [hit(any_drawer, None)]
    assert bearing_on(hits, "?", Stance.ASKS, 0.7) == hits
    assert bearing_on(hits, "do", Stance.WORKS, 0.8) == []
    assert bearing_on([], "?", Stance.ASKS_BACK, 0.5) == []


@pytest.mark.parametrize(
    ("said", "task", "coverage", "role", "holds"),
    [
        ("we use pnpm here, never npm. the lockfile broke", "npm install lodash", 0.3, Role.USER, True),
        ("never push to main on fridays", "deploy it now, it's friday evening", 0.0, Role.USER, True),
        ("we use pnpm here, never npm", "npm install lodash", 0.3, Role.ASSISTANT, False),
        ("we use pnpm here, never npm", "centre the button", 0.3, Role.USER, False),
        ("we use pnpm here, never npm", "npm install lodash", 0.1, Role.USER, False),
        ("npm broke the lockfile", "npm install lodash", 0.3, Role.USER, False),
        ("the npm cache is full. never mind, always ask Rasmus", "npm install lodash", 0.3, Role.USER, False),
    ],
)
def test_work_is_told_what_holds_for_it(said: str, task: str, coverage: float, role: Role, *, holds: bool) -> None:
    found = [hit(made_drawer(said, role), 0.1, coverage, 1), hit(made_drawer("something else"), 0.05, 0.0, 0)]
    assert bearing_on(found, task, Stance.WORKS, CERTAIN) == (found[:1] if holds else [])


@pytest.mark.parametrize(
    ("said", "task", "coverage", "holds"),
    [
        ("no new dependencies without asking me", "add zod as a dependency", 0.27, True),
        ("no new dependencies without asking me", "rename the variable total", 0.27, False),
        ("keine Mocks in Tests", "mock the database in the test of the parser", 0.45, True),
        ("use the other dependency", "add zod as a dependency", 0.27, False),
        ("> no new dependencies without asking me", "add zod as a dependency", 0.27, False),
        ("no deploys on fridays", "deploy the migration now", 0.0, True),
        ("no deploys on fridays", "deploy the migration tomorrow", 0.4, False),
        ("no deploys on fridays", "deploy the migration on monday", 0.4, False),
        ("no deploys on thursdays", "deploy the migration now", 0.4, False),
        ("no deploys on thursdays", "deploy the migration on thursday", 0.0, True),
        ("no deploys on weekends", "deploy it tomorrow", 0.0, True),
        ("no deploys on fridays", "rename the variable total", 0.0, False),
        ("nie freitags deployen, das hat Ole verlangt", "deploy the migration now", 0.0, True),
        ("nie freitags deployen", "push it, it's friday but small", 0.0, True),
    ],
)
def test_work_on_a_friday_is_told_what_holds_on_fridays(said: str, task: str, coverage: float, *, holds: bool) -> None:
    found = [hit(made_drawer(said), 0.1, coverage, 1), hit(made_drawer("something else"), 0.05, 0.0, 0)]
    assert bearing_on(found, task, Stance.WORKS, CERTAIN, today=date(2026, 4, 24)) == (found[:1] if holds else [])


def test_work_is_not_told_what_was_taken_back() -> None:
    moment = datetime(2026, 4, 20, tzinfo=UTC)
    earlier = replace(made_drawer("use pnpm, not npm"), id=2, said_at=moment)
    found = [hit(earlier, 0.1, 0.4, 1), hit(made_drawer("you can use npm again"), 0.1, 0.3, 1)]
    assert bearing_on(found[:1], "npm install lodash", Stance.WORKS, CERTAIN) == found[:1]
    assert bearing_on(found, "npm install lodash", Stance.WORKS, CERTAIN) == []


@pytest.mark.parametrize(
    ("prompt", "stance"),
    [
        ("fix this: Error: ERR_SHEET_GAP at row 2044", Stance.ERROR),
        ("explain TypeError: x is not a function", Stance.ERROR),
        ("die Fehlermeldung ECONNREFUSED schon wieder", Stance.ERROR),
        ("what does ERR_SHEET_GAP mean", Stance.ASKS),
        ("rename errorsOf to failures", Stance.WORKS),
        ("bump the version in EVERY file", Stance.WORKS),
        ("error\nat one\nat two\nat three\nat four", Stance.SHOWS),
    ],
)
def test_an_error_is_told_by_what_it_is_called(prompt: str, stance: Stance) -> None:
    assert stance_of(prompt) is stance
