"""Rankings of the questions to develop with: pooled, LoCoMo, and LongMemEval's own haystacks on a sample."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bench.freeze.context import STRATEGY, Context, Ground, Line
from bench.locomo import BENCHMARK as LOCOMO
from bench.longmemeval import BENCHMARK as LONGMEMEVAL
from bench.retrieval import product, score
from bench.retrieval.dataset import Benchmark, Dataset, Question, first_questions
from bench.retrieval.dataset import pooled as in_one_palace
from bench.retrieval.log import Entry, entry_of

DEPTH = 200
"""Drawers asked for to rank sessions, as the benchmarks do."""
DIGITS = 4
FIGURES = ("any@1", "any@5", "all@5", "all@10", "any@50", "share@10", "mrr")
SAMPLE = 10
"""Of the haystacks of its own, every tenth question's."""
QUICK_POOLED, QUICK_SAMPLE = 10, 100


def pooled(context: Context) -> Iterator[Line]:
    """Ask the pooled questions; the quick ones with the sessions of every tenth question alone."""
    with context.ground("pooled") as ground:
        dataset = every(_longmemeval(ground, context, "--pooled"), QUICK_POOLED if context.is_quick else 1)
        yield from asked(ground, LONGMEMEVAL, in_one_palace(dataset))


def derived(context: Context) -> Iterator[Line]:
    """Ask a sample of the questions of their own haystacks."""
    with context.ground("derived") as ground:
        step = QUICK_SAMPLE if context.is_quick else SAMPLE
        yield from asked(ground, LONGMEMEVAL, _longmemeval(ground, context, step=step))


def locomo(context: Context) -> Iterator[Line]:
    """Ask LoCoMo's questions; the quick ones of the first conversation alone."""
    with context.ground("locomo") as ground:
        file = ground.folder / "locomo.json"
        file.write_bytes(gzip.decompress((context.data / "locomo" / "locomo_dev.json.gz").read_bytes()))
        dataset = LOCOMO.read(file)
        if context.is_quick:
            first = dataset.questions[0].haystack
            dataset = _with(dataset, [each for each in dataset.questions if each.haystack == first])
        yield from asked(ground, LOCOMO, dataset)


def asked(ground: Ground, benchmark: Benchmark, dataset: Dataset) -> Iterator[Line]:
    """Mine each haystack into a palace of its own and ask its questions."""
    for haystack in dataset.haystacks.values():
        with ground.palace(haystack.id) as palace:
            product.mine(palace, haystack, benchmark.source(haystack), ground.folder)
            places = product.Places.of(palace, haystack)
            for question in dataset.questions:
                if question.haystack == haystack.id:
                    ranking = product.ask(palace, places, question, depth=DEPTH, strategy=STRATEGY)
                    yield line_of(entry_of(question, ranking, haystack))


def line_of(entry: Entry) -> Line:
    """Write one question: its ranking without any text, and its scores."""
    ranking = entry.ranking
    return {
        "id": entry.question_id,
        "turns": [[turn, round(value, DIGITS)] for turn, value in ranking.turns],
        "five": ranking.delivered,
        "warnings": ranking.warnings,
        "scores": _scores(entry),
    }


def _scores(entry: Entry) -> dict[str, float]:
    if entry.is_abstention:
        return {"silent": float(not entry.ranking.delivered)}
    by_session, in_five = score.values([entry], "sessions"), score.delivered_values([entry], "sessions")
    found = {name: by_session[name][0] for name in FIGURES}
    found |= {f"in five drawers, {name}": values[0] for name, values in in_five.items()}
    if entry.gold_turns:
        found["turns, share@10"] = score.values([entry], "turns")["share@10"][0]
    if (newest := score.latest_first([entry]))["count"]:
        found["newest first"] = float(newest["first"])
    return {name: round(value, DIGITS) for name, value in found.items()}


def every(dataset: Dataset, step: int) -> Dataset:
    """Keep every so many-th question with its haystack."""
    return _with(dataset, dataset.questions[::step])


def _with(dataset: Dataset, questions: Sequence[Question]) -> Dataset:
    return first_questions(replace(dataset, questions=tuple(questions)), None)


def _longmemeval(ground: Ground, context: Context, *options: str, step: int = 1) -> Dataset:
    """Write the layout of LongMemEval with the data's own program, of every so many-th question, and read it."""
    folder, out = context.data / "longmemeval", ground.folder / "questions.json"
    haystacks = ground.folder / "haystacks.jsonl.gz"
    lines = gzip.decompress((folder / "haystacks_dev.jsonl.gz").read_bytes()).splitlines(keepends=True)
    haystacks.write_bytes(gzip.compress(b"".join(lines[::step])))
    paths = (folder / "expand.py", folder / "sessions.jsonl.gz", haystacks, out)
    subprocess.run([sys.executable, *map(str, paths), *options], check=True, stdout=subprocess.DEVNULL)
    return LONGMEMEVAL.read(out)
