"""`python -m bench.graph --set FOLDER`: file a labelled set, and hold what was made of it against the labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.graph.asked import kinds
from bench.graph.asked.large import fill, time_as_of
from bench.graph.asked.latency import measure_latency
from bench.graph.filing import opened_palaces, without_model
from bench.graph.measure import measure
from bench.graph.real import score as score_real
from bench.graph.replay import MODEL, played
from bench.graph.report import figures, missed_lines, page
from bench.graph.sets import read_kinds, read_set, sha256_of
from palace.errors import BadRequest, PalaceError


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a set; the figures go to standard output, what was missed to standard error."""
    options = _parser().parse_args(arguments)
    if options.extraction == "rules":
        without_model()
    try:
        found, missed = VERBS[options.verb](options)
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    if options.missed:
        print("\n".join(missed), file=sys.stderr)
    if options.set:
        found = {"set": {"name": options.set.name, "sha256": sha256_of(options.set)}, **found}
    print(json.dumps(found, indent=1) if options.json else page(found))
    return 0


def _score(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    labelled = read_set(_set(options), options.sessions)
    if options.replay:
        # One window at a time: a reply is that to the prompt before it.
        with played(labelled), opened_palaces(extraction_model=MODEL, extraction_parallel=1) as palaces:
            found = measure(palaces, labelled)
        return {"extraction": "replay", **figures(found)}, list(missed_lines(found))
    with opened_palaces() as palaces:
        found = measure(palaces, labelled, extracts=options.extraction != "off")
    return {"extraction": options.extraction, **figures(found)}, list(missed_lines(found))


def _kinds(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    asked = read_kinds(_set(options))
    with opened_palaces() as palaces:
        found, answers = kinds.measure_kinds(palaces, asked, options.without)
    return {"kinds": found}, kinds.missed_lines(asked, answers)


def _as_of(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    with opened_palaces() as palaces:
        palace = palaces.palace("large")
        return {"as_of": time_as_of(palace, fill(palace, options.relations))}, []


def _latency(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    if options.sessions is None:
        raise BadRequest("--sessions names the conversations to file")
    with opened_palaces() as palaces:
        palace = palaces.palace("latency")
        return {"latency": measure_latency(palace, options.sessions, options.drawers, options.without)}, []


def _real(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    if options.sessions is None:
        raise BadRequest("--sessions names the real chats")
    found, missed = score_real(options.sessions, options.drawn)
    return {"real": found}, missed


def _set(options: argparse.Namespace) -> Path:
    if options.set is None:
        raise BadRequest("--set names the folder of a labelled set")
    return Path(options.set)


VERBS: Mapping[str, Callable[[argparse.Namespace], tuple[dict[str, Any], list[str]]]] = {
    "score": _score,
    "kinds": _kinds,
    "asof": _as_of,
    "latency": _latency,
    "real": _real,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.graph", description=__doc__)
    parser.add_argument("verb", nargs="?", choices=tuple(VERBS), default="score",
                        help="score a set or what is claimed in real chats, ask by kinds, or time recall")  # fmt: skip
    parser.add_argument("--set", type=Path, help="folder of a labelled set")
    parser.add_argument(
        "--sessions", type=Path, help="gzipped sessions that a set refers to, or that are filed to time"
    )
    parser.add_argument("--drawn", type=int, default=720, help="how many real chats are read")
    parser.add_argument("--relations", type=int, default=100_000, help="among which what held on a day is asked for")
    parser.add_argument("--drawers", type=int, default=10_900, help="of the palace that recall is timed in")
    parser.add_argument("--extraction", choices=("off", "rules", "local"), default="local",
                        help="read nothing, read as where spaCy is not installed, or as it is installed")  # fmt: skip
    parser.add_argument("--replay", action="store_true", help="read by a model whose replies are the labels")
    parser.add_argument("--without", action="append", default=[], metavar="NAME",
                        help="of kinds and latency: compare with recall without this arm or signal")  # fmt: skip
    parser.add_argument("--missed", action="store_true", help="name what was missed, made up or is wrong")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
