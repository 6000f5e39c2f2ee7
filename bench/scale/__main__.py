"""Measure a palace: `python -m bench.scale {mining,recall,cold,memory,table} --help`."""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.scale import corpus, measure, report
from palace.administration import Administration
from palace.settings import Settings


def main(arguments: list[str] | None = None) -> None:
    """Run one measurement, write its result and print it."""
    options = _parser().parse_args(arguments)
    if options.measurement == "table":
        print(report.table(options.out))
        return
    with _home(options) as settings:
        result = _measure(options, settings)
    name = f"{options.measurement}-{options.drawers}"
    report.write_run(options.out, name, result, source=str(options.source.name if options.source else "made up"))
    print(json.dumps(result, indent=2))


def _measure(options: argparse.Namespace, settings: Settings) -> report.Result:
    export = settings.home / f"export-{options.drawers}.jsonl"
    if not export.exists():
        corpus.write_export(export, options.source, drawers=options.drawers)
    if options.measurement == "mining":
        return measure.mining(settings, export)
    if options.measurement == "memory":
        return measure.memory(settings, options.source if options.whole else export)
    queries = corpus.read_queries(options.queries, export, count=options.count)
    if options.measurement == "cold":
        return measure.cold(settings, queries[0], runs=options.runs)
    return measure.recall(settings, queries)


@contextmanager
def _home(options: argparse.Namespace) -> Iterator[Settings]:
    """Give the palace to measure in: the one asked for, else one that is gone afterwards."""
    home = options.home or Path(tempfile.mkdtemp(prefix="palace-bench-"))
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o711)
    settings = Settings(home=home, user=options.user)
    try:
        yield settings
    finally:
        Administration(settings).stop()
        if options.home is None:
            shutil.rmtree(home, ignore_errors=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("measurement", choices=("mining", "recall", "cold", "memory", "table"))
    parser.add_argument("--source", type=Path, help="conversations to take texts from; made-up ones without it")
    parser.add_argument("--drawers", type=int, default=1000, help="turns to take from the source")
    parser.add_argument("--whole", action="store_true", help="memory: mine the source file itself")
    parser.add_argument("--queries", type=Path, help="queries, one a line; else sentences of the texts")
    parser.add_argument("--count", type=int, default=100, help="how many queries")
    parser.add_argument("--runs", type=int, default=7, help="cold: starts of each kind")
    parser.add_argument("--home", type=Path, help="a palace to keep: mined by `mining`, then used by `recall`, `cold`")
    parser.add_argument("--user", default="bench", help="whose palace in --home")
    parser.add_argument("--out", type=Path, default=Path("bench/runs"), help="folder of the results")
    return parser


if __name__ == "__main__":
    main()
