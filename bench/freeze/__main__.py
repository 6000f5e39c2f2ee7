"""Write what the product does today as text that can be compared: `python -m bench.freeze FOLDER`, `compare A B`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.freeze.compare import MANIFEST, compare, read_freeze, report
from bench.freeze.context import Context
from bench.freeze.making import PARTS, PROCESSES, make
from bench.harness import manifest, revision
from palace.errors import BadRequest, PalaceError


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a freeze, or compare two; 1 where something differs or a part failed."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _compare(given[1:]) if given[:1] == ["compare"] else _make(given)
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1


def _compare(arguments: Sequence[str]) -> int:
    options = _comparing().parse_args(arguments)
    compared = compare(*(read_freeze(path, options.part) for path in options.freezes))
    print(report(compared))
    return 1 if compared.differs else 0


def _comparing() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.freeze compare", description="Say what differs.")
    parser.add_argument("freezes", nargs=2, type=Path, metavar="FREEZE", help="folders or .tar.xz files, earlier first")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="compare these parts alone")
    return parser


def _make(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    begin(options.folder / MANIFEST, {**manifest(options.data.name), "revision": revision(), "quick": options.quick})
    # What somebody set for themselves is no part of the product, and neither is where the machine stands.
    for name in [name for name in os.environ if name.startswith("PALACE_")]:
        del os.environ[name]
    os.environ["TZ"] = "UTC"
    time.tzset()
    cache = options.embeddings or options.folder.parent / "embeddings"
    context = Context(options.data, cache, options.corpus, options.quick)
    return make(context, options.folder, options.part or list(PARTS), options.processes)


def begin(file: Path, about: Mapping[str, Any]) -> None:
    """Write down what is frozen, or see that what is there already is of the same state.

    Raises:
        BadRequest: the folder holds a freeze of another state, or of one that is not committed.
    """
    if not file.exists():
        file.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        return
    there = json.loads(file.read_text(encoding="utf-8"))
    same = all(there.get(name) == value for name, value in about.items() if name not in ("measured_at", "load"))
    if not same or str(about["revision"]).endswith("-dirty"):
        raise BadRequest(f"{file.parent} holds a freeze of another state of code or data: choose another folder")


def _parser() -> argparse.ArgumentParser:
    says = "Write what the product does into FOLDER, a new one for each state; `compare A B` says how two differ."
    parser = argparse.ArgumentParser(prog="python -m bench.freeze", description=says)
    parser.add_argument("folder", type=Path, help="where the parts are written; what is there is not made again")
    parser.add_argument("--data", type=Path, required=True, help="folder with longmemeval and locomo")
    parser.add_argument("--quick", action="store_true", help="a fixed sample, within five minutes")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="make these parts alone")
    parser.add_argument("--embeddings", type=Path, help="where embeddings are kept (beside FOLDER)")
    parser.add_argument("--corpus", type=Path, default=Path("tests/readers/corpus"), help="folder of files to mine")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="parts that are made side by side")
    return parser


if __name__ == "__main__":
    sys.exit(main())
