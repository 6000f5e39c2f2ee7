"""Answering: each question with what the product recalls for it, by a reader model."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.answering.asking import attempt, open_haystack
from bench.answering.log import Answered, LineLog
from bench.answering.prompts import READER, fingerprint, reader_prompt
from bench.retrieval.dataset import Question
from bench.retrieval.log import RunFiles
from bench.retrieval.product import DELIVERED, Places, recall
from bench.retrieval.run import Run, by_haystack
from palace import Palace, Strategy
from palace.errors import BadRequest
from palace.llm.protocol import LanguageModel
from palace.opened import OpenPalace

TOKEN_BUDGET = 1500
"""Of the block that the reader is given: the product's own default."""

IDENTITY = ("dataset", "haystack", "variant", "limit", "model", "revision", "reader")
"""What must be the same for answers to be gone on with."""


def answers_of(run: Run, reader: str) -> LineLog[Answered]:
    """Give the log of a run's answers by a reader model."""
    name = f"{run.name}--{reader.replace('/', '-')}.jsonl"
    return LineLog(RunFiles(run.out / "generation_logs" / name), Answered)


def answer(run: Run, reader: LanguageModel, *, fresh: bool = False) -> LineLog[Answered]:
    """Have the reader answer every question that has no answer yet, failed ones included, a line each; give the log.

    Questions of which the file does not say what answer is right are not asked.

    Raises:
        BadRequest: the variant is not the product, or the log that is there is of another run.
        LanguageModelError: there is no key, or one question after another failed; what was answered is kept.
    """
    require_product(run)
    log = answers_of(run, reader.model)
    log.files.begin(_manifest(run, reader), IDENTITY, fresh=fresh)
    done = {name for name, line in log.latest().items() if not line.error}
    waiting = [question for question in judgeable(run) if question.id not in done]
    log.keep("answered", _answers(run, reader, waiting), total=len(waiting))
    return log


def require_product(run: Run) -> None:
    """Do nothing when the run's variant has a palace to answer from.

    Raises:
        BadRequest: it has none.
    """
    if not run.variant.is_product:
        raise BadRequest(f"answers are made from what the product recalls: {run.variant.name} is none of its variants")


def judgeable(run: Run) -> list[Question]:
    """List the questions of which the file says what answer is right."""
    return [question for question in run.dataset.questions if question.can_be_judged]


def _manifest(run: Run, reader: LanguageModel) -> dict[str, Any]:
    told = {"model": reader.model, "drawers": DELIVERED, "tokens": TOKEN_BUDGET, "instructions": fingerprint(READER)}
    return {**run.manifest(), "asked": len(judgeable(run)), "reader": told}


@dataclass(frozen=True, slots=True)
class _Recalled:
    """What the reader is given, and the time it took to find."""

    block: str
    drawers: dict[str, str]
    milliseconds: float


def _answers(run: Run, reader: LanguageModel, questions: Sequence[Question]) -> Iterator[Answered]:
    for haystack, asked in by_haystack(run, questions):
        with open_haystack(run, haystack) as (opened, palace):
            places = Places.of(palace, haystack)
            for question in asked:
                recalled = _recalled(palace, places, question, run.variant.strategy)
                yield _answer(opened, reader, question, recalled)


def _recalled(palace: Palace, places: Places, question: Question, strategy: Strategy) -> _Recalled:
    started = time.perf_counter()
    recollection = recall(palace, question, DELIVERED, strategy)
    milliseconds = round((time.perf_counter() - started) * 1000, 3)
    block = palace.context_block(recollection, token_budget=TOKEN_BUDGET)
    turns = {str(hit.drawer.pointer): places.turn(hit.drawer) for hit in recollection.hits}
    # What no longer fitted the budget was not given.
    given = {pointer: turn for pointer, turn in turns.items() if f"{pointer} |" in block}
    return _Recalled(block, given, milliseconds)


def _answer(opened: OpenPalace, reader: LanguageModel, question: Question, recalled: _Recalled) -> Answered:
    replied = attempt(opened, lambda: reader.ask(reader_prompt(question, recalled.block)))
    return Answered(
        question_id=question.id,
        question_type=question.type,
        question=question.text,
        asked_at=question.asked_at.isoformat() if question.asked_at else None,
        hypothesis=replied.value,
        drawers=recalled.drawers,
        recall_ms=recalled.milliseconds,
        calls=replied.calls,
        error=replied.error,
    )
