"""What the person asked for once and for all is found where it applies, without a word in common."""

from __future__ import annotations

import gc
import uuid
from datetime import UTC, datetime, timedelta
from itertools import combinations
from types import FunctionType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import Palace, Palaces, Strategy
from palace.models import Floor, PassageKey, Statement
from palace.nlp.words import fold
from palace.recall.standing import Held, latest, with_standing
from tests.held import execute
from tests.recall.ranked import fused, order

STANDING = Strategy().standing
NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
RULE = "By the way, from now on indent with tabs, always."
TASK = "Write me a function that adds two numbers."


@pytest.fixture
def palace(bundled: Palaces) -> Palace:
    """A palace of thirty remarks on all sorts of things."""
    opened = bundled.palace(f"user-{uuid.uuid4()}")
    said(opened, 1, *(f"In number {n} of the street they added two new windows to the house." for n in range(30)))
    return opened


def said(palace: Palace, day: int, *texts: str) -> None:
    turns = [
        {"role": "user", "content": text, "timestamp": f"2026-03-{day:02}T10:{n:02}:00Z"}
        for n, text in enumerate(texts)
    ]
    palace.file(turns, id=str(uuid.uuid4()))


def standing(palace: Palace, query: str) -> list[str]:
    """Give what is among the hits because it stands."""
    hits = palace.recall(query, now=NOW).hits
    return [hit.drawer.content for hit in hits if "standing" in {arm.arm for arm in hit.arms}]


def test_an_instruction_is_found_for_a_task_that_shares_no_word_with_it(palace: Palace) -> None:
    said(palace, 5, RULE, "Never suggest a restaurant with loud music, please.")
    assert standing(palace, TASK) == [RULE], "and none about something else"
    assert RULE not in standing(palace, "Which windows were added in number 7?")
    without = palace.recall(TASK, now=NOW, strategy=Strategy.of({"standing": {"newest": 0}})).hits
    assert RULE not in [hit.drawer.content for hit in without]
    later = palace.recall(TASK, now=NOW, since=datetime(2026, 3, 10, tzinfo=UTC)).hits
    assert RULE not in [hit.drawer.content for hit in later]


def texts_in_caches(words: str) -> list[str]:
    """Return the texts with some words that caches of functions of Palace hold."""
    found, seen = list[str](), set[int]()
    pending: list[object] = [each for each in gc.get_objects() if isinstance(each, type(fold))]
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).startswith("palace."):
            pending += [cell.cell_contents for cell in each.__closure__ or () if isinstance(cell.cell_contents, dict)]
    while pending:
        each = pending.pop()
        if isinstance(each, str) and words in each.lower():
            found.append(each)
        is_part = isinstance(each, dict | list | tuple | set | frozenset | type(fold))
        if id(each) not in seen and (is_part or type(each).__name__ == "_lru_list_elem"):
            seen.add(id(each))
            pending += gc.get_referents(each)
    return found


def test_no_cache_holds_a_text_after_it_was_forgotten(palace: Palace) -> None:
    word = "zebra4711"
    rule = f"From now on always indent with tabs, {word} {word}, and never mention the {word} house."
    said(palace, 5, rule, f"Which {word} {word} did the function add on Tuesday?")
    said(palace, 6, f"On Tuesday we wrote the {word} {word} function that adds two numbers.")
    assert standing(palace, TASK) == [rule]
    for query in (f"Which function did we write on Tuesday with the {word}?", f"What did the {word} function add?"):
        assert palace.recall(query, now=NOW).hits
    for hit in palace.recall(word, now=NOW).hits:
        palace.forget(str(hit.drawer.pointer))
    assert not [hit for hit in palace.recall(TASK, now=NOW).hits if word in hit.drawer.content]
    assert texts_in_caches(word), "single words are kept"
    assert texts_in_caches(f"{word} {word}") == []


def test_what_was_taken_back_no_longer_stands_and_says_so(palace: Palace) -> None:
    before, after = "I don't eat meat, so never suggest it.", "I've started eating meat again."
    said(palace, 2, before)
    said(palace, 20, after)
    hits = palace.recall("What meat dish should I cook tonight?", now=NOW).hits
    found = {hit.drawer.content: hit for hit in hits}
    assert "standing" in {arm.arm for arm in found[after].arms}
    if before in found:
        assert "standing" not in {arm.arm for arm in found[before].arms}
        assert found[before].newer == found[after].drawer.pointer


@pytest.mark.nightly
def test_a_palace_of_before_is_marked_by_its_steps(palace: Palace) -> None:
    said(palace, 5, RULE)
    execute(palace, "UPDATE passage SET is_standing = false")
    assert standing(palace, TASK) == []
    palace.rebuild()
    assert standing(palace, TASK) == [RULE]


def statement(number: int, text: str = "Never suggest olives.", *, similarity: float = 0.3, day: int = 0) -> Statement:
    return Statement(PassageKey(number, 0), text, similarity, NOW + timedelta(days=day))


def test_what_is_said_several_times_is_stronger_but_not_without_end() -> None:
    def strength(times: int) -> float:
        held = [Held(statement(number, day=number), 0.3) for number in range(times)]
        alike = {frozenset((one.statement.key, other.statement.key)): 0.9 for one, other in combinations(held, 2)}
        (found,) = latest(held, alike, STANDING)
        assert found.drawer_id == times - 1
        return found.score

    assert strength(1) < strength(2) < strength(4) < strength(8) == strength(100)


@given(
    st.lists(st.floats(0, 1), max_size=10).map(lambda found: sorted(found, reverse=True)),
    st.sets(st.integers(0, 12), max_size=5),
    st.integers(1, 20),
)
def test_nothing_is_lost_or_twice_there_and_scores_fall(near: list[float], chosen: set[int], wanted: int) -> None:
    ranked = [fused(number, worth=similarity, similarity=similarity) for number, similarity in enumerate(near)]
    held = [Held(statement(number), 0.3) for number in sorted(chosen)]
    placed = with_standing(ranked, ranked, held, STANDING, floor=Floor(), wanted=wanted)
    assert sorted(order(placed)) == list(range(len(near)))
    scores = [each.score for each in placed]
    assert scores == sorted(scores, reverse=True)
    assert sum(each.standing is not None for each in placed) <= 3
