"""Measure a palace: `python -m bench.scale VERB --help`."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from itertools import islice
from pathlib import Path

from bench.scale import corpus, grow, measure, peer, report
from bench.scale.million.run import million
from bench.scale.million.size import Size
from bench.scale.profile import profile
from bench.scale.semantic import semantic
from palace.administration import Administration
from palace.embedding.registry import embedder_for
from palace.settings import BUNDLED_MODEL, Settings

Measurement = Callable[[argparse.Namespace, Settings], report.Result]


def main(arguments: list[str] | None = None) -> None:
    """Run one measurement, write its result and print it."""
    options = _parser().parse_args(arguments)
    if options.verb == "table":
        print(report.table(options.out))
        return
    with _home(options) as settings:
        result = options.measure(options, settings)
    name = "-".join(str(part) for part in (options.verb, getattr(options, "user", ""), result.get("drawers")) if part)
    source = getattr(options, "source", None)
    report.write_run(options.out, name, result, source=source.name if source else "made up, or the palace's own")
    print(json.dumps(result, indent=2))


def _mining(options: argparse.Namespace, settings: Settings) -> report.Result:
    return measure.mining(settings, _export(options, settings))


def _memory(options: argparse.Namespace, settings: Settings) -> report.Result:
    return measure.memory(settings, options.source if options.whole else _export(options, settings))


def _profile(options: argparse.Namespace, settings: Settings) -> report.Result:
    export = _export(options, settings)
    contents = [message["content"] for messages in corpus.read_export(export) for message in messages]
    queries = corpus.read_queries(options.queries) if options.queries else corpus.sentences(contents)
    return profile(settings, export, queries[: options.count])


def _recall(options: argparse.Namespace, settings: Settings) -> report.Result:
    asked = {"sentences": measure.own_sentences(settings, count=options.count)}
    if options.queries:
        asked["questions"] = corpus.read_queries(options.queries)[: options.count]
    return measure.recall(settings, asked)


def _semantic(options: argparse.Namespace, settings: Settings) -> report.Result:
    queries = corpus.read_queries(options.queries) if options.queries else []
    return semantic(settings, queries[: options.count] or measure.own_sentences(settings, count=options.count))


def _cold(options: argparse.Namespace, settings: Settings) -> report.Result:
    return measure.cold(settings, measure.own_sentences(settings, count=1)[0], runs=options.runs)


def _grow(options: argparse.Namespace, settings: Settings) -> report.Result:
    growth = grow.Growth(dict(options.users), options.source, options.origins, options.step, options.rebuild)
    return grow.grow(settings, growth, model=embedder_for(BUNDLED_MODEL, settings))


def _million(options: argparse.Namespace, settings: Settings) -> report.Result:
    asked = {field.name: getattr(options, field.name) for field in fields(Size)}
    return million(settings, Size(**asked), model=embedder_for(BUNDLED_MODEL, settings))


def _users(options: argparse.Namespace, settings: Settings) -> report.Result:
    return measure.users(settings, count=options.count, embedder=embedder_for(BUNDLED_MODEL, settings))


def _peer(options: argparse.Namespace, settings: Settings) -> report.Result:  # noqa: ARG001
    chats = list(islice(corpus.conversations(options.source), options.chats))
    return peer.beside_peer(chats, peer.Peer(options.peer_command, options.peer_home), runs=options.runs)


def _export(options: argparse.Namespace, settings: Settings) -> Path:
    """Write the texts of a measurement, where that was not done before."""
    export = settings.home / f"export-{options.drawers}.jsonl"
    if not export.exists():
        corpus.write_export(export, corpus.conversations(options.source), drawers=options.drawers)
    return export


@contextmanager
def _home(options: argparse.Namespace) -> Iterator[Settings]:
    """Give the palace to measure in: the one asked for, else one that is gone afterwards."""
    home = options.home or Path(tempfile.mkdtemp(prefix="palace-bench-"))
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o711)
    settings = Settings(home=home, user=getattr(options, "user", "bench"))
    if settings.database_url is not None:
        sys.exit("bench.scale measures an embedded server of its own: unset PALACE_DATABASE_URL")
    try:
        yield settings
    finally:
        Administration(settings).stop()
        if options.home is None:
            shutil.rmtree(home, ignore_errors=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    def add(name: str, measurement: Measurement | None, help: str, *parents: argparse.ArgumentParser) -> _Verb:
        verb = verbs.add_parser(name, help=help, description=help, parents=[_everywhere(), *parents])
        verb.set_defaults(measure=measurement)
        return verb

    add("mining", _mining, "mine texts, against the embedder alone", _texts())
    memory = add("memory", _memory, "mine in a process of its own: its peak memory", _texts())
    memory.add_argument("--whole", action="store_true", help="mine the source file itself")
    add("recall", _recall, "recall from a filled palace: total and steps", _user(), _queries())
    cold = add("cold", _cold, "start the program afresh on a filled palace", _user())
    cold.add_argument("--runs", type=int, default=7, help="starts of each kind")
    add("profile", _profile, "see where the time of a mine and of recalls goes", _texts(), _queries())
    add("semantic", _semantic, "HNSW against the exact scan in a filled palace", _user(), _queries())
    _add_grow(add("grow", _grow, "fill a palace to a large size with vectors made in no time", _source()))
    _add_million(add("million", _million, "fill a palace of many users to a million drawers and measure it", _source()))
    many = add("users", _users, "open the palaces of many users in one process", _user())
    many.add_argument("--count", type=int, default=1000, help="how many users")
    _add_peer(add("peer", _peer, "mine beside another program", _source()))
    add("table", None, "print every result in --out as Markdown")
    return parser


_Verb = argparse.ArgumentParser


def _add_grow(verb: _Verb) -> None:
    verb.add_argument("--users", type=_user_and_drawers, nargs="+", default=[("large", 100_000), ("small", 1_000)],
                      metavar="NAME=DRAWERS", help="whom to fill how far (large=100000 small=1000)")  # fmt: skip
    verb.add_argument("--origins", type=int, default=4000, help="passages to embed, once; all vectors come from these")
    verb.add_argument("--step", type=int, default=10_000, help="drawers to mine and time together")
    verb.add_argument("--rebuild", action="store_true", help="build the HNSW index once more at full size")


def _add_million(verb: _Verb) -> None:
    size = Size()
    verb.add_argument("--users", type=int, default=size.users, help="how many, five at least (%(default)s)")
    verb.add_argument("--largest", type=int, default=size.largest, help="drawers of the large user (%(default)s)")
    verb.add_argument("--total", type=int, default=size.total, help="drawers of all users (%(default)s)")
    verb.add_argument("--sample", type=int, default=size.sample, help="drawers to mine and time together (%(default)s)")
    verb.add_argument("--origins", type=int, default=size.origins, help="passages to embed, once (%(default)s)")
    verb.add_argument("--step", type=int, default=size.step, help="drawers to mine together, untimed (%(default)s)")
    verb.add_argument("--queries", type=int, default=size.queries, help="queries to each user asked (%(default)s)")


def _add_peer(verb: _Verb) -> None:
    verb.add_argument("--chats", type=int, default=100, help="conversations of the source")
    verb.add_argument("--runs", type=int, default=3, help="mines by each program, by turns")
    verb.add_argument("--peer-command", default=peer.COMMAND_OF_PEER, help="how to call it (%(default)s)")
    verb.add_argument("--peer-home", type=Path, help="its HOME, with its models")


def _everywhere() -> argparse.ArgumentParser:
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument("--home", type=Path, help="a palace to keep: filled by one verb, then used by others")
    parent.add_argument("--out", type=Path, default=Path("bench/runs"), help="folder of the results")
    return parent


def _user() -> argparse.ArgumentParser:
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument("--user", default="bench", help="whose palace in --home")
    return parent


def _source() -> argparse.ArgumentParser:
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument("--source", type=Path, help="conversations to take texts from; made-up ones without it")
    return parent


def _texts() -> argparse.ArgumentParser:
    parent = argparse.ArgumentParser(add_help=False, parents=[_user(), _source()])
    parent.add_argument("--drawers", type=int, default=1000, help="turns to take from the source")
    return parent


def _queries() -> argparse.ArgumentParser:
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument("--queries", type=Path, help="questions, one a line")
    parent.add_argument("--count", type=int, default=100, help="how many queries of each kind")
    return parent


def _user_and_drawers(given: str) -> tuple[str, int]:
    name, _, drawers = given.rpartition("=")
    return name, int(drawers)


if __name__ == "__main__":
    main()
