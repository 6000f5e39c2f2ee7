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

from bench.harness import Figures, home_settings, manifest
from bench.scale import corpus, grow, measure, peer
from bench.scale.million import Size, million
from bench.scale.semantic import semantic
from palace.ai.embedders.registry import embedder_for
from palace.config.settings import BUNDLED_MODEL, Settings


def main(arguments: list[str] | None = None) -> None:
    """Run one measurement and print it."""
    options = _parser().parse_args(arguments)
    if Settings().database_url is not None:
        sys.exit("bench.scale measures an embedded server of its own: unset PALACE_DATABASE_URL")
    with home_settings(options.home, user=getattr(options, "user", "bench")) as settings:
        result = options.measure(options, settings)
    source = getattr(options, "source", None)
    measured = manifest(source.name if source else "made up, or the palace's own")
    print(json.dumps({"manifest": measured, "result": result}, indent=2))


def _semantic(options: argparse.Namespace, settings: Settings) -> Figures:
    return semantic(settings, measure.own_sentences(settings, count=options.count))


def _grow(options: argparse.Namespace, settings: Settings) -> Figures:
    growth = grow.Growth(dict(options.users), options.source, options.origins, options.step, options.rebuild)
    return grow.grow(settings, growth, model=embedder_for(BUNDLED_MODEL, settings))


def _million(options: argparse.Namespace, settings: Settings) -> Figures:
    asked = {field.name: getattr(options, field.name) for field in fields(Size)}
    return million(settings, Size(**asked), model=embedder_for(BUNDLED_MODEL, settings))


def _peer(options: argparse.Namespace, _settings: Settings) -> Figures:
    chats = list(islice(corpus.conversations(options.source), options.chats))
    return peer.beside_peer(chats, peer.Peer(options.peer_command, options.peer_home), runs=options.runs)


Measurement = Callable[[argparse.Namespace, Settings], Figures]
VERBS: dict[str, tuple[Measurement, str, tuple[str, ...]]] = {
    "semantic": (_semantic, "HNSW against the exact scan in a filled palace", ("user", "count")),
    "grow": (
        _grow,
        "fill a palace to a large size with vectors made in no time",
        ("source", "users", "origins", "step", "rebuild"),
    ),
    "million": (_million, "fill a palace of many users to a million drawers and measure it", ("source",)),
    "peer": (_peer, "mine beside another program", ("source", "chats", "runs", "peer-command", "peer-home")),
}
"""What each verb does, and which options it takes."""
OPTIONS: dict[str, dict[str, Any]] = {
    "user": {"default": "bench", "help": "whose palace in --home"},
    "source": {"type": Path, "help": "conversations to take texts from; made-up ones without it"},
    "count": {"type": int, "default": 100, "help": "how many queries"},
    "runs": {"type": int, "default": 3, "help": "mines by each program, by turns"},
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, (work, about, options) in VERBS.items():
        verb = verbs.add_parser(name, help=about, description=about)
        verb.add_argument("--home", type=Path, help="a palace to keep: filled by one verb, then used by others")
        for option in options:
            verb.add_argument(f"--{option}", **OPTIONS[option])
        if name == "million":
            for option, help in OF_SIZE.items():
                usual = getattr(Size(), option)
                verb.add_argument(f"--{option}", type=int, default=usual, help=f"{help} (%(default)s)")
        verb.set_defaults(measure=work)
    return parser


if __name__ == "__main__":
    main()
