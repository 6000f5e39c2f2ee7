"""Judging: whether each answer is right, by a judge model, with the instruction for the question's kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, field_validator

from bench.answering.answer import answers_of, judgeable
from bench.answering.asking import attempt, open_haystack
from bench.answering.log import Answered, Judged, LineLog
from bench.answering.prompts import RULES, fingerprint, judge_prompt
from bench.retrieval import product
from bench.retrieval.dataset import Question
from bench.retrieval.log import RunFiles
from bench.retrieval.run import Run, by_haystack
from palace.llm.protocol import LanguageModel
from palace.llm.typed import ask_for
from palace.opened import OpenPalace

IDENTITY = ("dataset", "haystack", "variant", "limit", "reader", "judge")
"""What must be the same for judgements to be gone on with; each is of one answer's words besides."""


class Verdict(BaseModel):
    """The reply that is asked for."""

    label: Literal["yes", "no"]

    @field_validator("label", mode="before")
    @classmethod
    def _in_lower_case(cls, label: Any) -> Any:
        return label.strip().lower() if isinstance(label, str) else label


def judgements_of(run: Run, reader: str, judge: str) -> LineLog[Judged]:
    """Give the log of a judge's judgements of the answers of one reader."""
    name = f"{answers_of(run, reader).files.log.stem}--{judge.replace('/', '-')}.jsonl"
    return LineLog(RunFiles(run.out / "judgements" / name), Judged)


def judge_answers(run: Run, reader: str, judge: LanguageModel, *, fresh: bool = False) -> LineLog[Judged]:
    """Have the judge look at every answer that it has not judged yet, failed ones included; give the log.

    Raises:
        BadRequest: there are no answers yet, or the log that is there is of another run.
        LanguageModelError: there is no key, or one question after another failed; what was judged is kept.
    """
    log, answered = judgements_of(run, reader, judge.model), answers_of(run, reader)
    answers = answered.require("qa")
    log.files.begin(_manifest(answered, judge), IDENTITY, fresh=fresh)
    settled = current(log.latest(), answers)
    waiting = [
        question for question in judgeable(run) if question.id not in settled and _words(answers, question) is not None
    ]
    if waiting:
        # What it costs goes to the ledger of the palaces, which may have been dropped since they answered.
        product.make_schema(run.settings)
    log.keep("judged", _judgements(run, judge, waiting, answers), total=len(waiting))
    return log


def current(judged: Mapping[str, Judged], answers: Mapping[str, Answered]) -> dict[str, Judged]:
    """Keep the judgements of the answers as they are now."""
    return {
        name: line
        for name, line in judged.items()
        if not line.error and name in answers and line.hypothesis == answers[name].hypothesis
    }


def _manifest(answered: LineLog[Answered], judge: LanguageModel) -> dict[str, Any]:
    told = {"model": judge.model, "instructions": fingerprint(*RULES.values())}
    inherited = {
        name: value for name, value in answered.files.read_manifest().items() if name not in ("done", "failed", "costs")
    }
    return {**inherited, "judge": told}


def _words(answers: Mapping[str, Answered], question: Question) -> str | None:
    return answers[question.id].hypothesis if question.id in answers else None


def _judgements(
    run: Run, judge: LanguageModel, questions: Sequence[Question], answers: Mapping[str, Answered]
) -> Iterator[Judged]:
    for haystack, asked in by_haystack(run, questions):
        with open_haystack(run, haystack) as (opened, _palace):
            for question in asked:
                yield _judgement(opened, judge, question, _words(answers, question) or "")


def _judgement(opened: OpenPalace, judge: LanguageModel, question: Question, words: str) -> Judged:
    replied = attempt(opened, lambda: ask_for(Verdict, judge, judge_prompt(question, words)))
    return Judged(
        question_id=question.id,
        question_type=question.type,
        judging=question.judging.value,
        hypothesis=words,
        is_right=replied.value.label == "yes" if replied.value else None,
        calls=replied.calls,
        error=replied.error,
    )
