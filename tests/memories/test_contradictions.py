"""Memories that say otherwise than others: found, resolved by rule or by a person, and taken back."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from palace import BadRequest, Memory, Palace, Replaced, Settings
from palace.ai.embedders.registry import embedder_for
from palace.config.settings import BUNDLED_MODEL
from palace.memories.contradicting import ClaimReader, says_the_same, texts_contradict
from palace.mining.index import Runner
from palace.recall.floor import calibration_of


class Statement(NamedTuple):
    """A dated statement; two named c07a and c07b contradict each other."""

    half: str
    name: str
    said_at: datetime
    type: str
    text: str

    @property
    def pair(self) -> str:
        return self.name[:-1] if self.name.startswith("c") else self.name


def _statements(name: str) -> list[Statement]:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    found = [
        Statement(half, name, datetime.fromisoformat(day).replace(tzinfo=UTC), *rest) for half, name, day, *rest in rows
    ]
    return sorted(found, key=lambda each: each.said_at)


STATEMENTS = _statements("statements.tsv")


def _flagged(statements: list[Statement], settings: Settings) -> tuple[int, int]:
    """Count the pairs that are rightly and wrongly held to contradict each other."""
    embedder, related = embedder_for(BUNDLED_MODEL, settings), calibration_of(BUNDLED_MODEL).related
    vectors = embedder.embed_passages([each.text for each in statements]).vectors
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    near = vectors @ vectors.T
    pairs = [(a, b) for a, b in combinations(range(len(statements)), 2) if near[a, b] >= related]
    claims_of = ClaimReader(UTC)
    alike = [(statements[a], statements[b]) for a, b in pairs]
    found = [(a, b) for a, b in alike if a.type == b.type != "episodic" and texts_contradict(a.text, b.text, claims_of)]
    right = [(a, b) for a, b in found if a.pair == b.pair]
    return len(right), len(found) - len(right)


def test_contradictions_among_two_hundred_statements_are_told_from_what_only_looks_like_one(settings: Settings) -> None:
    right, wrong = _flagged(STATEMENTS, settings)
    assert right >= 58
    assert wrong <= 1


def test_contradictions_in_chatty_statements_are_found_less_often_but_none_is_made_up(settings: Settings) -> None:
    right, wrong = _flagged(_statements("statements_apart.tsv"), settings)
    assert right >= 14
    assert wrong == 0


@pytest.mark.nightly
def test_two_hundred_stored_statements_are_all_kept_and_their_contradictions_flagged(own: Palace) -> None:
    stored = {
        each.name: own.memories.store(each.text, each.type, said_at=each.said_at, wing="Statements").id
        for each in STATEMENTS
    }
    memories = {name: own.memories.get(str(id)) for name, id in stored.items()}
    names = {id: name for name, id in stored.items()}
    flagged = {frozenset((name, names[other])) for name, each in memories.items() for other in each.contradicts}
    pairs = {frozenset((f"c{number:02}a", f"c{number:02}b")) for number in range(1, 61)}
    assert len(stored) == len(names) == 200
    assert [memories[name].content for name in memories] == [each.text for each in STATEMENTS]
    assert len(flagged & pairs) >= 55
    assert len(flagged - pairs) <= 3
    superseded = {name for name, each in memories.items() if each.superseded_by}
    assert len(superseded - {f"c{number:02}a" for number in range(1, 61)}) <= 3


JUNE, JULY, AUGUST = (datetime(2026, month, 1, tzinfo=UTC) for month in (6, 7, 8))


def _two(palace: Palace, *, origin: str = "person") -> tuple[Memory, Memory]:
    older = palace.memories.store("I live in Lisbon.", said_at=JUNE)
    newer = palace.memories.store("I live in Porto now.", said_at=JULY, origin=origin)
    return palace.memories.get(str(older.id)), palace.memories.get(str(newer.id))


def test_what_the_person_says_later_supersedes_and_both_sides_say_so(own: Palace) -> None:
    older, newer = _two(own)
    assert older.superseded_by == newer.id
    assert (older.content, older.contradicts, newer.contradicts) == ("I live in Lisbon.", (newer.id,), (older.id,))
    assert [each.id for each in own.memories.versions(str(newer.id))] == [older.id, newer.id]
    assert [each.memory.id for each in own.memories.retrieve("where do I live?", threshold=0)] == [newer.id]
    assert own.memories.conflicts() == ()


def test_what_was_said_earlier_but_stored_later_does_not_take_the_place_of_newer(own: Palace) -> None:
    newer = own.memories.store("I live in Porto now.", said_at=JULY)
    older = own.memories.store("I live in Lisbon.", said_at=JUNE)
    assert older.superseded_by == newer.id
    assert own.memories.get(str(newer.id)).superseded_by is None


def test_a_sale_and_a_change_of_mind_supersede_what_they_end(own: Palace) -> None:
    changes = {
        "I own a Volvo V60.": "I sold the V60 to my neighbour, and I bought a cargo bike.",
        "I like jazz": "I don't like jazz any more",
        "I am a vegetarian.": "I'm no longer a vegetarian.",
    }
    for said in (*changes, *changes.values(), "In 2012 I moved to Ghent."):
        own.memories.store(said)
    assert {each.content for each in own.memories.list()} == {*changes.values(), "In 2012 I moved to Ghent."}
    assert texts_contradict("I live in Mechelen.", "Yesterday I moved to Leuven.", ClaimReader(UTC))
    assert not texts_contradict("I live in Mechelen.", "In 2012 I moved to Ghent.", ClaimReader(UTC))


def test_what_ends_or_takes_the_place_of_a_claim_supersedes_it_however_differently_it_is_said(own: Palace) -> None:
    changes = {
        "I live in Mechelen with my two cats": "We have just relocated to Kortrijk",
        "I'm dating Tom": "We split up",
        "I drink coffee every morning": "I gave up coffee",
        "I smoke ten a day": "I stopped smoking on Ash Wednesday",
        "Anna is my flatmate's sister": "My budget for the flat is 900",
    }
    for said in (*changes, *changes.values(), "My budget for the car is 5000", "My flight to Rome leaves at 7:40."):
        own.memories.store(said)
    own.memories.store("My flight to Oslo leaves at 7:40.")
    superseded = [said for said in changes if said not in {each.content for each in own.memories.list()}]
    assert superseded == list(changes)[:4]
    assert len(own.memories.list()) == len(changes) + 4


def test_the_end_of_something_becomes_a_memory_that_supersedes(own: Palace) -> None:
    own.file([{"role": "user", "content": "Anna is my girlfriend"}], id="june", title="Anna")
    own.memories.make()
    own.file([{"role": "user", "content": "Anna and I split up last week"}], id="july", title="July")
    own.memories.make()
    assert [each.content for each in own.memories.list()] == ["Anna and I split up last week"]


def test_the_last_of_undated_messages_that_are_filed_together_is_the_newest(own: Palace) -> None:
    said = [f"I play {sport}" for sport in ("padel", "golf", "chess", "tennis", "squash", "rugby")]
    said.append("I no longer play padel")
    own.file([{"role": "user", "content": each} for each in said], id="july", title="July")
    moments = [own.show(f"W1/R1/D{number}").drawer.filed_at for number in range(1, len(said) + 1)]
    assert moments == sorted(moments)
    assert own.relations("padel") == ()


def test_what_no_person_said_waits_for_a_person(own: Palace) -> None:
    older, newer = _two(own, origin="assistant")
    (conflict,) = own.memories.conflicts()
    assert (conflict.older, conflict.newer) == (older, newer)
    assert conflict.older.drawer.said_at == JUNE
    assert own.memories.resolve(str(older.id)).superseded_by is None
    assert own.memories.get(str(newer.id)).superseded_by == older.id
    assert own.memories.conflicts() == ()
    assert own.memories.resolve(str(newer.id)).superseded_by is None
    assert own.memories.get(str(older.id)).superseded_by == newer.id


def test_only_the_current_version_is_resolved(own: Palace) -> None:
    _, newer = _two(own, origin="assistant")
    changed = own.memories.update(str(newer.id), "I live in Porto, I think.")
    with pytest.raises(Replaced):
        own.memories.resolve(str(newer.id))
    own.memories.resolve(str(changed.id))
    assert [each.id for each in own.memories.list()] == [changed.id]


def test_the_first_of_three_takes_its_place_back_from_the_last(own: Palace) -> None:
    first, second, third = (
        own.memories.store(f"My doctor is Dr {name}.", said_at=at)
        for name, at in (("Weiss", JUNE), ("Braun", JULY), ("Klein", AUGUST))
    )
    for kept in (first, third, second):
        own.memories.resolve(str(kept.id))
        assert [each.id for each in own.memories.list()] == [kept.id]


def test_both_sides_of_a_contradiction_are_filed_at_once(own: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    older = own.memories.store("I live in Lisbon.", said_at=JUNE)
    run, steps = Runner.run, iter(("filed", "stopped"))

    def stopped(runner: Runner, conversations: list[int]) -> object:
        if next(steps, "stopped") == "filed":
            raise KeyboardInterrupt
        return run(runner, conversations)

    monkeypatch.setattr(Runner, "run", stopped)
    with pytest.raises(KeyboardInterrupt):
        own.memories.store("I live in Porto now.", said_at=JULY, origin="assistant")
    (conflict,) = own.memories.conflicts()
    assert conflict.older.id == older.id


def test_a_pinned_memory_is_not_superseded(own: Palace) -> None:
    own.memories.pin(str(own.memories.store("I live in Lisbon.", said_at=JUNE).id))
    own.memories.store("I live in Porto now.", said_at=JULY)
    assert len(own.memories.conflicts()) == 1


def test_what_was_superseded_holds_again_when_the_newer_one_goes(own: Palace) -> None:
    older, newer = _two(own)
    own.memories.reject(str(newer.id))
    assert own.memories.get(str(older.id)).superseded_by is None
    own.memories.resolve(str(newer.id))
    assert own.memories.get(str(older.id)).superseded_by == newer.id
    own.forget(str(newer.id))
    assert [each.id for each in own.memories.list()] == [older.id]
    own.forgotten.restore(str(newer.id))
    assert [each.id for each in own.memories.list()] == [newer.id]


def test_other_subjects_of_the_same_words_do_not_become_versions(own: Palace) -> None:
    own.memories.store("I prefer window seats on planes.")
    own.memories.store("My wife prefers window seats on planes.")
    own.memories.store("On 3 December we held the sprint review and accepted five stories.", "episodic")
    own.memories.store("On 17 December we held the sprint review and accepted three stories.", "episodic")
    assert len(own.memories.list()) == 4
    assert says_the_same("The budget for the Hawaii trip is $10,000.", "The Hawaii trip has a budget of $10,000.")


def test_only_a_memory_that_contradicts_another_can_be_resolved(palace: Palace) -> None:
    stored = palace.memories.store("The ferry leaves at nine")
    with pytest.raises(BadRequest):
        palace.memories.resolve(str(stored.id))
