"""`python -m bench.graph --set FOLDER`: file a labelled set, and hold what was made of it against the labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.graph import kinds
from bench.graph.measure import measure, without_model
from bench.graph.real import score as score_real
from bench.graph.report import figures, missed_lines
from bench.graph.sets import read_kinds, read_set, sha256_of
from bench.harness import figure_lines, opened_palaces
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
    print(json.dumps(found, indent=1) if options.json else "\n".join(figure_lines(found)))
    return 0


def _score(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    labelled = read_set(_set(options), options.sessions)
    with opened_palaces() as palaces:
        found = measure(palaces, labelled, extracts=options.extraction != "off")
    return {"extraction": options.extraction, **figures(found)}, list(missed_lines(found))


def _kinds(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    asked = read_kinds(_set(options))
    with opened_palaces() as palaces:
        found, answers = kinds.measure_kinds(palaces, asked, options.without)
    return {"kinds": found}, kinds.missed_lines(asked, answers)


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
    "real": _real,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.graph", description=__doc__)
    parser.add_argument("verb", nargs="?", choices=tuple(VERBS), default="score",
                        help="score a set, or what is claimed in real chats, or ask by kinds")  # fmt: skip
    parser.add_argument("--set", type=Path, help="folder of a labelled set")
    parser.add_argument("--sessions", type=Path, help="gzipped sessions that a set refers to, or real chats")
    parser.add_argument("--drawn", type=int, default=720, help="how many real chats are read")
    parser.add_argument("--extraction", choices=("off", "rules", "local"), default="local",
                        help="read nothing, read as where spaCy is not installed, or as it is installed")  # fmt: skip
    parser.add_argument("--without", action="append", default=[], metavar="NAME",
                        help="of kinds: compare with recall without this arm or signal")  # fmt: skip
    parser.add_argument("--missed", action="store_true", help="name what was missed, made up or is wrong")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
