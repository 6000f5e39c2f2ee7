"""Answers of a reader model from what the product recalls, and judgements of them by a judge model."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, field_validator

from bench.answering.models import Answered, Judged, attempt, keep, open_haystack, require_all, require_product
from bench.answering.prompts import READER, RULES, fingerprint, judge_prompt, reader_prompt
from bench.answering.score import score
from bench.harness import Figures
from bench.retrieval.dataset import Question
from bench.retrieval.log import Log
from bench.retrieval.product import DELIVERED, Places, recall
from bench.retrieval.run import Run
from palace import Administration
from palace.ai.llm import LanguageModel, ask_for

TOKEN_BUDGET = 1500
"""Of the block that the reader is given: the product's own default."""
OF_ANSWERS = ("dataset", "haystack", "variant", "limit", "model", "revision", "reader")
"""What must be the same for answers to be gone on with."""
OF_JUDGEMENTS = ("dataset", "haystack", "variant", "limit", "reader", "judge")
"""What must be the same for judgements to be gone on with; each is of one answer's words besides."""


class Verdict(BaseModel):
    """The reply that is asked for."""

    label: Literal["yes", "no"]

    @field_validator("label", mode="before")
    @classmethod
    def _in_lower_case(cls, label: Any) -> Any:
        return label.strip().lower() if isinstance(label, str) else label


def answers_of(run: Run, reader: str) -> Log[Answered]:
    """Give the log of a run's answers by a reader model."""
    path = run.out / "generation_logs" / f"{run.name}--{reader.replace('/', '-')}.jsonl"
    return Log(path, Answered, "qa")


def judgements_of(run: Run, reader: str, judge: str) -> Log[Judged]:
    """Give the log of a judge's judgements of the answers of one reader."""
    name = f"{answers_of(run, reader).path.stem}--{judge.replace('/', '-')}.jsonl"
    return Log(run.out / "judgements" / name, Judged, "score-qa")


def answer(run: Run, reader: LanguageModel, *, fresh: bool = False) -> Log[Answered]:
    """Have the reader answer every question that has no answer yet, failed ones included, a line each; give the log.

    Questions of which the file does not say what answer is right are not asked.

    Raises:
        BadRequest: the variant is not the product, or the log that is there is of another run.
        LanguageModelError: there is no key, or one question after another failed; what was answered is kept.
    """
    require_product(run)
    log, asked = answers_of(run, reader.model), _judgeable(run)
    told = {"model": reader.model, "drawers": DELIVERED, "tokens": TOKEN_BUDGET, "instructions": fingerprint(READER)}
    log.begin({**run.manifest(), "asked": len(asked), "reader": told}, OF_ANSWERS, fresh=fresh)
    done = {name for name, line in log.latest().items() if not line.error}
    waiting = [question for question in asked if question.id not in done]
    keep(log, "answered", _answers(run, reader, waiting), total=len(waiting))
    return log


def judge_answers(run: Run, reader: str, judge: LanguageModel, *, fresh: bool = False) -> Log[Judged]:
    """Have the judge look at every answer that it has not judged yet, failed ones included; give the log.

    Raises:
        BadRequest: there are no answers yet, or the log that is there is of another run.
        LanguageModelError: there is no key, or one question after another failed; what was judged is kept.
    """
    log, answered = judgements_of(run, reader, judge.model), answers_of(run, reader)
    answers = {line.question_id: line for line in answered.read()}
    inherited = {
        name: each for name, each in answered.read_manifest().items() if name not in ("done", "failed", "costs")
    }
    told = {"model": judge.model, "instructions": fingerprint(*RULES.values())}
    log.begin({**inherited, "judge": told}, OF_JUDGEMENTS, fresh=fresh)
    settled, said = _current(log.latest(), answers), {name: line.hypothesis for name, line in answers.items()}
    waiting = [each for each in _judgeable(run) if each.id not in settled and said.get(each.id) is not None]
    if waiting:
        # What it costs goes to the ledger of the palaces, which may have been dropped since they answered.
        Administration(run.settings).upgrade()
    keep(log, "judged", _judgements(run, judge, waiting, answers), total=len(waiting))
    return log


def summarise(run: Run, reader: str, judge: str) -> Figures:
    """Put together what the run was, what answers and judgements cost, and the score of what is judged.

    Raises:
        BadRequest: there are no answers or no judgements yet.
    """
    answered, judged = answers_of(run, reader), judgements_of(run, reader, judge)
    judgements = {line.question_id: line for line in judged.read()}
    lines = _current(judgements, {line.question_id: line for line in answered.read()})
    manifest = judged.read_manifest()
    costs = {"reader": answered.read_manifest()["costs"], "judge": manifest.pop("costs")}
    return {"manifest": manifest, "costs": costs, "score": score(list(lines.values()), asked=len(_judgeable(run)))}


def require_answered(run: Run, reader: str) -> None:
    """Do nothing when every question has its answer; else raise ``LanguageModelError``."""
    require_all(answers_of(run, reader).latest(), "an answer")


def require_judged(run: Run, reader: str, judge: str) -> None:
    """Do nothing when every answer has its judgement; else raise ``LanguageModelError``."""
    require_all(judgements_of(run, reader, judge).latest(), "a judgement")


def _judgeable(run: Run) -> list[Question]:
    return [question for question in run.dataset.questions if question.can_be_judged]


def _current(judged: Mapping[str, Judged], answers: Mapping[str, Answered]) -> dict[str, Judged]:
    """Keep the judgements of the answers as they are now."""
    return {
        name: line
        for name, line in judged.items()
        if not line.error and name in answers and line.hypothesis == answers[name].hypothesis
    }


def _answers(run: Run, reader: LanguageModel, questions: Sequence[Question]) -> Iterator[Answered]:
    for haystack, asked in run.by_haystack(questions):
        with open_haystack(run, haystack) as (opened, palace):
            places = Places.of(palace, haystack)
            for question in asked:
                started = time.perf_counter()
                recollection = recall(palace, question, DELIVERED, run.variant.strategy)
                spent = round((time.perf_counter() - started) * 1000, 3)
                block = palace.context_block(recollection, token_budget=TOKEN_BUDGET)
                turns = {str(hit.drawer.pointer): places.turn(hit.drawer) for hit in recollection.hits}
                # What no longer fitted the budget was not given.
                given = {pointer: turn for pointer, turn in turns.items() if f"{pointer} |" in block}
                prompt = reader_prompt(question, block)
                said, calls, error = attempt(opened, partial(reader.ask, prompt))
                asked_at = question.asked_at.isoformat() if question.asked_at else None
                yield Answered(question.id, question.type, question.text, asked_at, said, given, spent, calls, error)


def _judgements(
    run: Run, judge: LanguageModel, questions: Sequence[Question], answers: Mapping[str, Answered]
) -> Iterator[Judged]:
    for haystack, asked in run.by_haystack(questions):
        with open_haystack(run, haystack) as (opened, _palace):
            for question in asked:
                words = answers[question.id].hypothesis or ""
                prompt = judge_prompt(question, words)
                verdict, calls, error = attempt(opened, partial(ask_for, Verdict, judge, prompt))
                is_right = verdict.label == "yes" if verdict else None
                yield Judged(question.id, question.type, question.judging.value, words, is_right, calls, error)
