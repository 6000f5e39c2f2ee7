"""One run of reader and judge summed up from its two logs."""

from __future__ import annotations

from typing import Any

from bench.answering.answer import answers_of, judgeable
from bench.answering.judge import current, judgements_of
from bench.answering.score import score
from bench.retrieval.run import Run
from palace.errors import LanguageModelError


def summarise(run: Run, reader: str, judge: str) -> dict[str, Any]:
    """Put together what the run was, what answers and judgements cost, and the score of what is judged.

    Raises:
        BadRequest: there are no answers or no judgements yet.
    """
    answered, judged = answers_of(run, reader), judgements_of(run, reader, judge)
    lines = current(judged.require("score-qa"), answered.require("qa"))
    manifest = judged.files.read_manifest()
    costs = {"reader": answered.files.read_manifest()["costs"], "judge": manifest.pop("costs")}
    return {"manifest": manifest, "costs": costs, "score": score(list(lines.values()), asked=len(judgeable(run)))}


def require_answered(run: Run, reader: str) -> None:
    """Do nothing when every question has its answer.

    Raises:
        LanguageModelError: some have none yet.
    """
    errors = [line.error for line in answers_of(run, reader).latest().values() if line.error]
    if errors:
        raise _left("an answer", errors)


def require_judged(run: Run, reader: str, judge: str) -> None:
    """Do nothing when every answer has its judgement.

    Raises:
        LanguageModelError: some have none yet.
    """
    errors = [line.error for line in judgements_of(run, reader, judge).latest().values() if line.error]
    if errors:
        raise _left("a judgement", errors)


def _left(what: str, errors: list[str]) -> LanguageModelError:
    return LanguageModelError(
        f"{len(errors)} questions are without {what}; the same command tries them again. The last one: {errors[-1]}"
    )
