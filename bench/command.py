"""The command line that every benchmark of questions has: `python -m bench.NAME VERB --help`."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.answering import answers
from bench.answering.models import require_product
from bench.answering.score import summary_text as answers_text
from bench.download import download
from bench.harness import Figures
from bench.retrieval import product, show
from bench.retrieval.dataset import Benchmark, first_questions, pooled, shuffled_dates
from bench.retrieval.log import Entry, Log
from bench.retrieval.relevance import WEIGHTS, calibrate, curve, measure
from bench.retrieval.run import Run, ingest, load_variant, retrieve, schema_name
from bench.retrieval.score import compare, differing, score
from palace import Administration, BadRequest, Embedder, PalaceError, load_settings
from palace.ai.embedders.registry import embedder_for
from palace.ai.remote_llm import RemoteLanguageModel
from palace.testing import HashingEmbedder

Options = argparse.Namespace
SMOKE_HAYSTACKS = 10
READER, JUDGE = "openai/gpt-4o-mini", "openai/gpt-4o"
MOST_SHOWN = 10
"""Questions that are named where two runs differ."""
PATIENCE_SECONDS = 120
"""For one reply of reader or judge."""


def main(benchmark: Benchmark, arguments: list[str] | None = None) -> int:
    """Run one verb; results go to standard output, progress and complaints to standard error; 1 after an error."""
    options = _parser(benchmark).parse_args(arguments)
    try:
        options.work(benchmark, options)
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


def _download(benchmark: Benchmark, options: Options) -> None:
    for name, address in benchmark.downloads.items():
        if not options.files or name in options.files:
            print(download(address, options.out / "data" / name))


def _ingest(benchmark: Benchmark, options: Options) -> None:
    with opened_run(benchmark, options, drops=False) as run:
        print(json.dumps(ingest(run), indent=2))


def _retrieve(benchmark: Benchmark, options: Options) -> None:
    with opened_run(benchmark, options, drops=False) as run:
        print(retrieve(run, fresh=options.fresh))


def _drop(benchmark: Benchmark, options: Options) -> None:
    with opened_run(benchmark, options, drops=True) as run:
        print(f"dropped {run.settings.database_schema}")


def _score_retrieval(benchmark: Benchmark, options: Options) -> None:
    _print_score(_described(benchmark, options).log, options)


def _floor(benchmark: Benchmark, options: Options) -> None:
    with opened_run(benchmark, options, drops=False) as run:
        require_product(run)
        found = curve(measure(run), run.embedder.model)
    _print_measured(run, options, "floor", {"curve": found})


def _calibrate(benchmark: Benchmark, options: Options) -> None:
    with opened_run(benchmark, options, drops=False) as run:
        require_product(run)
        found = calibrate(measure(run, weights=WEIGHTS), run.embedder.model)
    _print_measured(run, options, "calibration", {"calibration": found})


def _print_measured(run: Run, options: Options, folder: str, found: Figures) -> None:
    _save(options, f"{folder}/{run.name}", {"manifest": run.manifest(), **found})
    (figures,) = found.values()
    print(json.dumps(figures, indent=None if options.json else 2))


def _qa(benchmark: Benchmark, options: Options) -> None:
    with opened_run(benchmark, options, drops=False) as run:
        require_product(run)
        _mine_and_ask(run, fresh=options.fresh)
        print(answers.answer(run, _model(options.reader), fresh=options.fresh).path)
        answers.require_answered(run, options.reader)


def _score_qa(benchmark: Benchmark, options: Options) -> None:
    with opened_run(benchmark, options, drops=False) as run:
        _judge(run, options)


def _judge(run: Run, options: Options) -> None:
    log = answers.judge_answers(run, options.reader, _model(options.judge), fresh=options.fresh)
    summary = answers.summarise(run, options.reader, options.judge)
    # In a folder of its own: summaries of retrieval are read by the folder.
    _save(options, f"answers/{log.path.stem}", summary)
    print(answers_text(summary))
    if options.json:
        print(json.dumps(summary))
    answers.require_judged(run, options.reader, options.judge)


def _full(benchmark: Benchmark, options: Options) -> None:
    if options.data is None:
        name = benchmark.usual_download
        options.data = download(benchmark.downloads[name], options.out / "data" / name)
    with opened_run(benchmark, options, drops=not options.keep) as run:
        if options.qa:
            require_product(run)
        _print_score(_mine_and_ask(run, fresh=options.fresh), options)
        if _is_to_answer(run, options):
            answers.answer(run, _model(options.reader), fresh=options.fresh)
            _judge(run, options)
            answers.require_answered(run, options.reader)


def _is_to_answer(run: Run, options: Options) -> bool:
    """Tell whether the last two steps are asked for, or may be taken since the keys are there."""
    if options.qa is not None or not run.variant.is_product:
        return bool(options.qa)
    keys = {f"{model.partition('/')[0].upper()}_API_KEY" for model in (options.reader, options.judge)}
    if missing := [key for key in sorted(keys) if not os.environ.get(key)]:
        print(f"answers are not measured: no {', '.join(missing)} is set", file=sys.stderr)
    return not missing


def _model(name: str) -> RemoteLanguageModel:
    return RemoteLanguageModel(name, timeout=PATIENCE_SECONDS)


def _smoke(benchmark: Benchmark, options: Options) -> None:
    """Run everything once on a small made-up file, with vectors that cost nothing."""
    options.data = options.out / "smoke.json"
    options.out.mkdir(parents=True, exist_ok=True)
    options.data.write_text(json.dumps(benchmark.made_up(SMOKE_HAYSTACKS)), encoding="utf-8")
    with opened_run(benchmark, options, drops=not options.keep, embedder=HashingEmbedder()) as run:
        log = _mine_and_ask(run, fresh=True)
    _print_score(log, options)


def _mine_and_ask(run: Run, *, fresh: bool) -> Log[Entry]:
    mined = ingest(run) if run.variant.is_product else None
    retrieve(run, fresh=fresh)
    if mined and mined["drawers"]:
        run.log.write_manifest({**run.log.read_manifest(), "mined": mined})
    return run.log


def _compare(_benchmark: Benchmark, options: Options) -> None:
    before, after = _two_logs(options)
    compared = compare(before.read(), after.read())
    print(json.dumps(compared) if options.json else show.comparison_text((before.path.stem, after.path.stem), compared))


def _same(_benchmark: Benchmark, options: Options) -> None:
    before, after = _two_logs(options)
    entries = before.read()
    different = differing(entries, after.read())
    if different:
        shown = ", ".join(different[:MOST_SHOWN]) + (", …" if len(different) > MOST_SHOWN else "")
        raise BadRequest(f"{len(different):,} of {len(entries):,} questions were answered differently: {shown}")
    print(f"the same for each of {len(entries):,} questions")


def _two_logs(options: Options) -> tuple[Log[Entry], Log[Entry]]:
    before, after = (Log(path, Entry) for path in options.logs)
    for name in ("dataset", "haystack"):
        if before.read_manifest().get(name) != after.read_manifest().get(name):
            raise BadRequest(f"the two runs are of another {name}: they cannot be compared")
    return before, after


def _table(_benchmark: Benchmark, options: Options) -> None:
    print(show.tables(read_summaries(options.folder)))


def read_summaries(folder: Path) -> list[show.Summary]:
    """Read every summary of a folder, in order of name."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def _print_score(log: Log[Entry], options: Options) -> None:
    summary = {"manifest": log.read_manifest(), "score": score(log.read())}
    _save(options, log.path.stem, summary)
    print(show.summary_text(summary))
    if options.json:
        print(json.dumps(summary))


def _save(options: Options, name: str, summary: Figures) -> None:
    if options.save:
        path = options.save / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(summary) + "\n", encoding="utf-8")


def _described(benchmark: Benchmark, options: Options, embedder: Embedder | None = None) -> Run:
    """Put together what is asked for; touches no palace."""
    variant = load_variant(options.variant)
    if options.data is None:
        raise BadRequest("--data names the file of questions; `download` fetches the official ones")
    dataset = benchmark.read(options.data)
    if options.haystack == "pooled":
        dataset = pooled(dataset)
    if variant.shuffle_dates:
        dataset = shuffled_dates(dataset, benchmark.date_field)
    for line in dataset.problems.lines():
        print(line, file=sys.stderr)
    dataset = first_questions(dataset, options.limit)
    home = (options.home or options.out / "home").absolute()
    schema = schema_name(benchmark.name, options.haystack, dataset.sha256, shuffled=variant.shuffle_dates)
    settings = load_settings(home=home, database_schema=schema)
    model = embedder or embedder_for(settings.embedding_model, settings)
    return Run(benchmark, dataset, options.haystack, variant, settings, model, options.out, options.limit)


@contextmanager
def opened_run(
    benchmark: Benchmark, options: Options, *, drops: bool, embedder: Embedder | None = None
) -> Iterator[Run]:
    """Give the run in a palace of its own; ``drops``: nothing of the palace is left afterwards."""
    run = _described(benchmark, options, embedder)
    home = run.settings.home_folder
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o711)
    try:
        yield run
        if drops and run.variant.is_product:
            product.drop_schema(run.settings)
    finally:
        if run.settings.database_url is None:
            Administration(run.settings).stop()
    # After an error it stays, for the next attempt to go on with.
    if drops and options.home is None:
        shutil.rmtree(home, ignore_errors=True)


VERBS: dict[str, tuple[Callable[[Benchmark, Options], None], str]] = {
    "download": (_download, "fetch the official files, going on with what is there"),
    "ingest": (_ingest, "mine the haystacks into palaces of their own"),
    "retrieve": (_retrieve, "ask every question and log the rankings"),
    "score-retrieval": (_score_retrieval, "score the log"),
    "floor": (_floor, "say how relevant the palaces find what they have, with the evidence and without it"),
    "calibrate": (_calibrate, "find the floors and the weight of similarity for the model that embeds"),
    "smoke": (_smoke, "do everything once with a small made-up file and made-up vectors"),
    "drop": (_drop, "drop the palaces that ingest made"),
    "qa": (_qa, "have a reader model answer every question from what the product recalls"),
    "score-qa": (_score_qa, "have a judge model decide which answers are right, and score them"),
    "full": (_full, "fetch, mine, ask, score, with keys answer and judge as well, and drop the palaces"),
    "compare": (_compare, "compare two runs on the same questions, paired"),
    "same": (_same, "say whether two runs answered each question the same, scores and all"),
    "table": (_table, "print the summaries of a folder as Markdown tables"),
}


def _parser(benchmark: Benchmark) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m bench.{benchmark.name}", description=benchmark.about)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, (work, about) in VERBS.items():
        verb = verbs.add_parser(name, help=about, description=about)
        verb.set_defaults(work=work)
        folder = Path("bench/runs/retrieval")
        verb.add_argument("--out", type=Path, default=folder, help="folder of all that is written")
        if name == "download":
            verb.add_argument("files", nargs="*", help="which of them; all when none is named")
        elif name == "table":
            verb.add_argument("--folder", type=Path, default=Path("bench/baselines"), help="where they are")
        elif name in ("compare", "same"):
            verb.add_argument("logs", type=Path, nargs=2, metavar="LOG", help="logs of two runs, the earlier first")
            verb.add_argument("--json", action="store_true", help="print one JSON object")
        else:
            _add_run_options(verb)
        if name in ("qa", "score-qa", "full"):
            verb.add_argument("--reader", default=READER, metavar="MODEL", help=f"answers ({READER})")
            verb.add_argument("--judge", default=JUDGE, metavar="MODEL", help=f"decides which are right ({JUDGE})")
        if name == "full":
            whether = argparse.BooleanOptionalAction
            verb.add_argument("--qa", action=whether, help="answer and judge, or not, whatever the keys")
    return parser


def _add_run_options(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--data", type=Path, help="the file of questions")
    verb.add_argument("--haystack", choices=("official", "pooled"), default="official",
                      help="each question's own, or all sessions of the file as one")  # fmt: skip
    verb.add_argument("--variant", default="product", help="how to rank: a file of bench/variants")
    verb.add_argument("--limit", type=int, help="only the first so many questions")
    verb.add_argument("--home", type=Path, help="home of the palace to measure in (OUT/home)")
    verb.add_argument("--keep", action="store_true", help="leave the palaces there")
    verb.add_argument("--fresh", action="store_true", help="begin a log anew instead of going on with it")
    verb.add_argument("--json", action="store_true", help="print the score as one JSON object, on the last line")
    verb.add_argument("--save", type=Path, metavar="FOLDER", help="write manifest and score there as well")
