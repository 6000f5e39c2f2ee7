"""How likely a hit answers."""

from __future__ import annotations

import uuid
from dataclasses import replace

from palace import Palaces
from palace.models import Compared, FloorLevel
from palace.recall.floor import CALIBRATIONS, CUTS, features_of, likelihood
from palace.recall.fuse import Fused
from tests.recall.ranked import drawer as any_drawer

MEASURED = next(iter(CALIBRATIONS.values())).confidence


def drawer(similarity: float | None, coverage: float = 0.0) -> Compared:
    return any_drawer(1, similarity, coverage=coverage)


def test_a_drawer_is_held_against_the_ten_most_similar_others() -> None:
    others = [drawer(0.1)] * 20 + [drawer(0.3)] * 5 + [drawer(0.5)] * 5
    one = drawer(0.6, 0.7)
    first = features_of(Fused(one, 1.0), [*others, one], drawers=1000, is_first=True)
    assert first == (0.6, 0.7, 0.6 - 0.4, 3.0, 1.0, 0.0, 0.0)
    assert features_of(Fused(one, 1.0), [one], drawers=1, is_first=False) == (0.6, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert features_of(Fused(drawer(None), 1.0), [], drawers=0, is_first=False) == (0.0,) * 7


def test_a_question_is_less_likely_to_answer_than_what_answers_it() -> None:
    assert MEASURED is not None
    asked = replace(drawer(0.9, 1.0), asked="What does the charger give?")
    alone = features_of(Fused(asked, 1.0), [asked], drawers=100, is_first=True)
    answer = drawer(0.4, 0.2)
    answered = features_of(Fused(answer, 1.0, asked), [asked, answer], drawers=100, is_first=True)
    assert (alone[5:], answered[5:]) == ((1.0, 0.0), (0.0, 1.0))
    assert likelihood(alone, MEASURED) < 0.3 < likelihood(answered, MEASURED)


def test_what_was_said_just_now_is_likely_by_its_words_before_its_vector_is_made(bundled: Palaces) -> None:
    palace = bundled.palace(f"user-{uuid.uuid4()}")
    palace.file([{"role": "user", "content": f"The lamp in room {number} is dim."} for number in range(40)], id="lamps")
    said = "The chimney sweep is called Leopold Maroschek."
    palace.file([{"role": "user", "content": said}], id="sweep", background=True)
    found = palace.recall("what is the chimney sweep called?")
    assert found.hits[0].drawer.content == said
    assert not any(arm.arm == "semantic" for arm in found.hits[0].arms)
    assert (found.hits[0].confidence or 0.0) > 0.3
    assert not palace.recall("what is the piano tuner called?").hits


def test_where_nothing_seems_to_answer_there_is_only_the_nearest(bundled: Palaces) -> None:
    palace = bundled.palace(f"user-{uuid.uuid4()}")
    said = ("Anna is allergic to penicillin.", "The boat has a red keel.", "Our landlord wants the rent on the third.")
    for number, text in enumerate(said):
        palace.file([{"role": "user", "content": text}], id=f"talk-{number}")
    answered = (
        "What is Anna allergic to?",
        "When is the rent due?",
        "penicillin",
        "keel boat",
        "Wann will der landlord?",
    )
    assert [query for query in answered if not palace.recall(query).hits] == []
    for query in ("What is Tobias allergic to?", "Which opera did we see in Milan?", "zeppelin"):
        assert palace.recall(query).hits == (), query
    german = palace.recall("Wogegen ist Tobias allergisch?")
    assert german.hits, "the chance was measured for English alone"
    assert (german.chance or 1.0) < CUTS[FloorLevel.NORMAL]
    found, shown = (palace.recall("What is Tobias allergic to?", floor=floor) for floor in (None, "none"))
    assert found.nearest is not None
    assert (shown.hits[0].drawer, shown.nearest, shown.chance) == (found.nearest.drawer, None, found.chance)
    assert (found.chance or 1.0) < CUTS[FloorLevel.LOW] < CUTS[FloorLevel.NORMAL] < CUTS[FloorLevel.STRICT]


def test_a_number_that_is_asked_for_and_lacking_is_against_an_answer(bundled: Palaces) -> None:
    def chance(said: str) -> float:
        palace = bundled.palace(f"user-{uuid.uuid4()}")
        palace.file([{"role": "user", "content": said}], id="cat")
        return palace.recall("How old is the cat?", floor="none").chance or 0.0

    assert chance("The cat is grey.") < 0.75 < chance("The cat is fifteen.")
