"""Index steps that a program brings: done behind Palace's own, wherever those are, and told when something is gone."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from palace import (
    BadRequest,
    CallRecord,
    ConversationStep,
    FiledTurn,
    ModelError,
    Palace,
    Palaces,
    Settings,
    StepVersion,
    UserSession,
    Work,
)
from palace.testing import FailingStep, HashingEmbedder

FIRST = StepVersion("said", 1)
Kept = dict[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Said(ConversationStep):
    """Keeps what was said, by user and conversation."""

    made: StepVersion = FIRST
    participle: str = "kept"
    calls_model: bool = False
    kept: Kept = field(default_factory=dict)
    written: list[int] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    """How many conversations are written at once."""
    meanwhile: list[Callable[[], object]] = field(default_factory=list)
    """What happens between reading and writing, each once."""

    def make(self, work: Work, turns: Sequence[FiledTurn]) -> tuple[str, ...]:
        work.record("memory_keep", [CallRecord("example/keeper", 3, Decimal("0.25"), 0.1, "ok")])
        if self.meanwhile:
            self.meanwhile.pop()()
        if any("poison" in turn.content for turn in turns):
            raise ModelError("no reply")
        return tuple(turn.content for turn in turns)

    def write(self, session: UserSession, conversation_id: int, made: tuple[str, ...]) -> None:
        self.written.append(conversation_id)
        self.kept[session.user_id, conversation_id] = made

    def write_each(self, session: UserSession, made: Mapping[int, tuple[str, ...]]) -> None:
        self.together.append(len(made))
        ConversationStep.write_each(self, session, made)

    def drop(self, work: Work, conversations: Sequence[int]) -> None:
        for conversation_id in conversations:
            self.kept.pop((work.database.user_id, conversation_id), None)


@pytest.fixture
def step() -> Said:
    return Said()


@pytest.fixture
def kept(settings: Settings, step: Said) -> Iterator[Palace]:
    """A palace whose program brings a step."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder(), steps=[step]) as opened:
        yield opened


def said(*contents: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": content} for content in contents]


def test_it_is_done_for_what_is_filed_mined_and_noted_and_again_for_what_grew(
    kept: Palace, step: Said, tmp_path: Path
) -> None:
    kept.file(said("The heron is back."), id="a")
    kept.note("Buy a net.")
    (tmp_path / "b.json").write_text(json.dumps(said("The boat is red.")))
    kept.mine(tmp_path)
    assert sorted(step.kept.values()) == [("Buy a net.",), ("The boat is red.",), ("The heron is back.",)]
    kept.file(said("The heron is back.", "It ate a goldfish."), id="a")
    assert ("The heron is back.", "It ate a goldfish.") in step.kept.values()
    assert len(step.written) == 4
    assert [(found.name, found.pending) for found in kept.status().steps][-1] == ("said", 0)


def test_conversations_with_many_drawers_are_not_read_together(kept: Palace, step: Said, tmp_path: Path) -> None:
    for name, amount in {"a": 1200, "b": 700, "c": 700, "d": 1200}.items():
        talk = {"id": name, "messages": said(*(f"{name} {number}" for number in range(amount)))}
        (tmp_path / f"{name}.json").write_text(json.dumps(talk))
    kept.mine(tmp_path)
    assert step.together == [2, 2]


def test_a_raised_version_and_a_rebuild_have_it_done_again(kept: Palace, settings: Settings, step: Said) -> None:
    kept.file(said("The heron is back."), id="a")
    raised = Said(made=StepVersion("said", 2))
    with Palace.open(settings, user=kept.user, embedder=HashingEmbedder(), steps=[raised]) as opened:
        opened.embeddings.backfill()
        assert len(raised.written) == 1
        opened.embeddings.backfill()
        assert len(raised.written) == 1
        opened.rebuild()
    assert len(raised.written) == 2


def test_a_conversation_that_grew_between_reading_and_writing_is_read_again(
    kept: Palace, settings: Settings, step: Said
) -> None:
    def grow() -> None:
        with Palace.open(settings, user=kept.user, embedder=HashingEmbedder()) as other:
            other.file(said("The heron is back.", "It ate a goldfish."), id="a")

    step.meanwhile.append(grow)
    kept.file(said("The heron is back."), id="a")
    assert (list(step.kept.values()), len(step.written)) == ([("The heron is back.", "It ate a goldfish.")], 1)


@pytest.mark.nightly
def test_a_conversation_that_is_forgotten_between_reading_and_writing_is_not_written(
    kept: Palace, settings: Settings, step: Said
) -> None:
    def forget() -> None:
        with Palace.open(settings, user=kept.user, embedder=HashingEmbedder()) as other:
            other.forget("W-001/R-01")

    step.meanwhile.append(forget)
    kept.file(said("The heron is back."), id="a")
    assert step.kept == {}


def test_forgetting_undoing_and_forgetting_everything_take_away_what_it_keeps(kept: Palace, step: Said) -> None:
    first = kept.file(said("The heron is back.", "It ate a goldfish."), id="a", wing="Pond")
    second = kept.file(said("The boat is red."), id="b", wing="Boats")
    kept.file(said("The sail is white."), id="c", wing="Boats")
    kept.forget(str(first.pointers[1][0]))
    assert ("The heron is back.",) in step.kept.values()
    kept.forget("Pond")
    assert sorted(step.kept.values()) == [("The boat is red.",), ("The sail is white.",)]
    assert second.run_id is not None
    kept.runs.undo(second.run_id)
    assert list(step.kept.values()) == [("The sail is white.",)]
    kept.forget_everything(dry_run=True)
    assert step.kept
    kept.forget_everything()
    assert step.kept == {}


def test_a_conversation_that_it_fails_for_is_named_and_the_others_are_done(
    kept: Palace, step: Said, tmp_path: Path
) -> None:
    for name, content in {"a": "The heron is back.", "b": "poison", "c": "The boat is red."}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"id": name, "messages": said(content)}))
    assert kept.mine(tmp_path).warnings == ("not everything is kept: no reply",)
    assert len(step.kept) == len(step.written) == 2
    assert [(found.pending, found.failed) for found in kept.status().steps][-1] == (1, 1)
    # What was made before the failure was kept: only the one that fails was tried again.
    assert [line.calls for line in kept.costs() if line.purpose == "memory_keep"] == [4]


def test_what_it_pays_for_is_in_the_ledger_and_in_what_the_mine_cost(kept: Palace) -> None:
    assert kept.file(said("The heron is back."), id="a").cost_usd == Decimal("0.25")
    (line,) = [line for line in kept.costs() if line.purpose == "memory_keep"]
    assert (line.model, line.calls, line.cost_usd) == ("example/keeper", 1, Decimal("0.25"))


def test_users_of_one_program_have_it_each_for_themselves(settings: Settings, step: Said) -> None:
    ann, bob = f"ann-{uuid.uuid4()}", f"bob-{uuid.uuid4()}"
    with Palaces.open(settings, embedder=HashingEmbedder(), steps=[step]) as palaces:
        palaces.palace(ann).file(said("I am Ann."), id="a")
        palaces.palace(bob).file(said("I am Bob."), id="a")
        assert sorted(step.kept.values()) == [("I am Ann.",), ("I am Bob.",)]
        palaces.palace(ann).forget_everything()
        assert list(step.kept.values()) == [("I am Bob.",)]


UNUSABLE: list[tuple[list[Any], str]] = [
    ([Said(), Said()], "two index steps have the same name: said"),
    ([Said(made=StepVersion("passages", 1))], "two index steps have the same name: passages"),
    ([Said(needs=("graph",))], "the index step said needs graph, which no step before it makes"),
    ([Said(made=StepVersion("said", 0))], "the version of an index step is from 1: that of said is 0"),
    (["said"], r"an index step must be a palace\.IndexStep, not str"),
]


def test_what_cannot_be_done_is_refused_before_anything_is_opened(settings: Settings) -> None:
    user = f"user-{uuid.uuid4()}"
    for steps, message in UNUSABLE:
        with pytest.raises(BadRequest, match=message):
            Palace.open(settings, user=user, steps=steps)
        with pytest.raises(BadRequest, match=message):
            Palaces.open(settings, steps=steps)
    steps = [Said(), FailingStep(needs=("said",))]
    with Palace.open(settings, user=user, embedder=HashingEmbedder(), steps=steps) as opened:
        assert [step.name for step in opened.status().steps][-2:] == ["said", "failing"]
