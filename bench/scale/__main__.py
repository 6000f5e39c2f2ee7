"""Measure a palace: `python -m bench.scale VERB --help`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any

from bench.harness import Figures, home_settings
from bench.scale import corpus, grow, measure, peer, report
from bench.scale.million import Size, million
from bench.scale.profile import profile
from bench.scale.semantic import semantic
from palace.ai.embedders.registry import embedder_for
from palace.config.settings import BUNDLED_MODEL, Settings


def main(arguments: list[str] | None = None) -> None:
    """Run one measurement, write its result and print it."""
    options = _parser().parse_args(arguments)
    if options.verb == "table":
        print(report.table(options.out))
        return
    if Settings().database_url is not None:
        sys.exit("bench.scale measures an embedded server of its own: unset PALACE_DATABASE_URL")
    with home_settings(options.home, user=getattr(options, "user", "bench")) as settings:
        result = options.measure(options, settings)
    name = "-".join(str(part) for part in (options.verb, getattr(options, "user", ""), result.get("drawers")) if part)
    source = getattr(options, "source", None)
    report.write_run(options.out, name, result, source=source.name if source else "made up, or the palace's own")
    print(json.dumps(result, indent=2))


def _mining(options: argparse.Namespace, settings: Settings) -> Figures:
    return measure.mining(settings, _export(options, settings))


def _memory(options: argparse.Namespace, settings: Settings) -> Figures:
    return measure.memory(settings, options.source if options.whole else _export(options, settings))


def _profile(options: argparse.Namespace, settings: Settings) -> Figures:
    export = _export(options, settings)
    contents = [message["content"] for messages in corpus.read_export(export) for message in messages]
    return profile(settings, export, (_questions(options) or corpus.sentences(contents))[: options.count])


def _recall(options: argparse.Namespace, settings: Settings) -> Figures:
    asked = {"sentences": measure.own_sentences(settings, count=options.count), "questions": _questions(options)}
    return measure.recall(settings, {name: queries for name, queries in asked.items() if queries})


def _semantic(options: argparse.Namespace, settings: Settings) -> Figures:
    return semantic(settings, _questions(options) or measure.own_sentences(settings, count=options.count))


def _cold(options: argparse.Namespace, settings: Settings) -> Figures:
    return measure.cold(settings, measure.own_sentences(settings, count=1)[0], runs=options.runs)


def _grow(options: argparse.Namespace, settings: Settings) -> Figures:
    growth = grow.Growth(dict(options.users), options.source, options.origins, options.step, options.rebuild)
    return grow.grow(settings, growth, model=embedder_for(BUNDLED_MODEL, settings))


def _million(options: argparse.Namespace, settings: Settings) -> Figures:
    asked = {field.name: getattr(options, field.name) for field in fields(Size)}
    return million(settings, Size(**asked), model=embedder_for(BUNDLED_MODEL, settings))


def _users(options: argparse.Namespace, settings: Settings) -> Figures:
    return measure.users(settings, count=options.count, embedder=embedder_for(BUNDLED_MODEL, settings))


def _peer(options: argparse.Namespace, _settings: Settings) -> Figures:
    chats = list(islice(corpus.conversations(options.source), options.chats))
    return peer.beside_peer(chats, peer.Peer(options.peer_command, options.peer_home), runs=options.runs)


def _questions(options: argparse.Namespace) -> list[str]:
    return corpus.read_queries(options.queries)[: options.count] if options.queries else []


def _export(options: argparse.Namespace, settings: Settings) -> Path:
    """Write the texts of a measurement, where that was not done before."""
    export = settings.home_folder / f"export-{options.drawers}.jsonl"
    if not export.exists():
        corpus.write_export(export, corpus.conversations(options.source), drawers=options.drawers)
    return export


Measurement = Callable[[argparse.Namespace, Settings], Figures]
VERBS: dict[str, tuple[Measurement | None, str, tuple[str, ...]]] = {
    "mining": (_mining, "mine texts, against the embedder alone", ("user", "source", "drawers")),
    "memory": (_memory, "mine in a process of its own: its peak memory", ("user", "source", "drawers", "whole")),
    "recall": (_recall, "recall from a filled palace: total and steps", ("user", "queries", "count")),
    "cold": (_cold, "start the program afresh on a filled palace", ("user", "runs")),
    "profile": (
        _profile,
        "see where the time of a mine and of recalls goes",
        ("user", "source", "drawers", "queries", "count"),
    ),
    "semantic": (_semantic, "HNSW against the exact scan in a filled palace", ("user", "queries", "count")),
    "grow": (
        _grow,
        "fill a palace to a large size with vectors made in no time",
        ("source", "users", "origins", "step", "rebuild"),
    ),
    "million": (_million, "fill a palace of many users to a million drawers and measure it", ("source",)),
    "users": (_users, "open the palaces of many users in one process", ("user", "count")),
    "peer": (_peer, "mine beside another program", ("source", "chats", "runs", "peer-command", "peer-home")),
    "table": (None, "print every result in --out as Markdown", ()),
}
"""What each verb does, and which options it takes."""
OPTIONS: dict[str, dict[str, Any]] = {
    "user": {"default": "bench", "help": "whose palace in --home"},
    "source": {"type": Path, "help": "conversations to take texts from; made-up ones without it"},
    "drawers": {"type": int, "default": 1000, "help": "turns to take from the source"},
    "whole": {"action": "store_true", "help": "mine the source file itself"},
    "queries": {"type": Path, "help": "questions, one a line"},
    "count": {"type": int, "default": 100, "help": "how many queries of each kind, or users"},
    "runs": {"type": int, "default": 7, "help": "starts of each kind, or mines by each program, by turns"},
    "users": {
        "type": lambda given: (given.rpartition("=")[0], int(given.rpartition("=")[2])),
        "nargs": "+",
        "default": [("large", 100_000), ("small", 1_000)],
        "metavar": "NAME=DRAWERS",
        "help": "whom to fill how far (large=100000 small=1000)",
    },
    "origins": {"type": int, "default": 4000, "help": "passages to embed, once; all vectors come from these"},
    "step": {"type": int, "default": 10_000, "help": "drawers to mine and time together"},
    "rebuild": {"action": "store_true", "help": "build the HNSW index once more at full size"},
    "chats": {"type": int, "default": 100, "help": "conversations of the source"},
    "peer-command": {"default": peer.COMMAND_OF_PEER, "help": "how to call it (%(default)s)"},
    "peer-home": {"type": Path, "help": "its HOME, with its models"},
}
OF_SIZE = {
    "users": "how many, five at least",
    "largest": "drawers of the large user",
    "total": "drawers of all users",
    "sample": "drawers to mine and time together",
    "origins": "passages to embed, once",
    "step": "drawers to mine together, untimed",
    "queries": "queries to each user asked",
}
USUAL: dict[str, dict[str, int]] = {"users": {"count": 1000}, "peer": {"runs": 3}}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, (work, about, options) in VERBS.items():
        verb = verbs.add_parser(name, help=about, description=about)
        verb.add_argument("--home", type=Path, help="a palace to keep: filled by one verb, then used by others")
        verb.add_argument("--out", type=Path, default=Path("bench/runs"), help="folder of the results")
        for option in options:
            verb.add_argument(f"--{option}", **OPTIONS[option])
        if name == "million":
            for option, help in OF_SIZE.items():
                usual = getattr(Size(), option)
                verb.add_argument(f"--{option}", type=int, default=usual, help=f"{help} (%(default)s)")
        verb.set_defaults(measure=work, **USUAL.get(name, {}))
    return parser


if __name__ == "__main__":
    main()
