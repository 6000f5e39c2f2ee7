"""Put a palace under strain: `python -m bench.endurance {fuzz,interrupts,kills,mixed} --help`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from bench.endurance.commands import Lines, fuzz_commands
from bench.endurance.interrupts import Interruptions, interrupt_commands, prepared_place
from bench.endurance.kills import endure_kills
from bench.endurance.mixed import endure_mixed
from bench.harness import home_settings
from bench.scale import corpus

Trial = Callable[[argparse.Namespace, Path], tuple[object, bool]]
"""Gives what came of it, and whether anything was lost, doubled or refused."""


def main(arguments: list[str] | None = None) -> int:
    """Run one trial and print what came of it; the exit code is 1 when anything was lost, doubled or refused."""
    options = _parser().parse_args(arguments)
    with home_settings(server_idle_minutes=0) as settings:
        report, bad = TRIALS[options.trial](options, settings.home_folder)
    print(json.dumps(report, indent=2, default=str))
    return 1 if bad else 0


def _kills(options: argparse.Namespace, home: Path) -> tuple[object, bool]:
    source = home / "conversations"
    source.mkdir()
    corpus.write_export(source / "export.jsonl", corpus.synthetic_conversations(), drawers=options.drawers)
    trials = {
        name: endure_kills(home, source, count=options.count, seed=options.seed, of_server=name == "server")
        for name in ("miner", "server")
    }
    bad = any(outcome.different or outcome.unclear for outcome in trials.values())
    return {name: asdict(outcome) for name, outcome in trials.items()}, bad


def _mixed(options: argparse.Namespace, home: Path) -> tuple[object, bool]:
    strain = endure_mixed(home, seconds=options.seconds, seed=options.seed)
    return asdict(strain), bool(strain.errors or strain.lost or strain.doubled or strain.unsound)


def _interrupts(options: argparse.Namespace, home: Path) -> tuple[object, bool]:
    with prepared_place(home, drawers=options.drawers) as place:
        found = interrupt_commands(place, count=options.count, seed=options.seed, tell=_tell)
    return {**asdict(found), "total": dict(found.total)}, bool(found.unclean)


def _fuzz(options: argparse.Namespace, home: Path) -> tuple[object, bool]:
    lines = fuzz_commands(home, count=options.lines, processes=options.processes, seed=options.seed, tell=_tell)
    return asdict(lines), bool(lines.findings)


def _tell(number: int, found: Lines | Interruptions) -> None:
    told = found.unclean if isinstance(found, Interruptions) else found.findings
    if isinstance(found, Interruptions) or (number + 1) % 100 == 0:
        print(number + 1, *told, sep="\n  ", file=sys.stderr, flush=True)


TRIALS: dict[str, Trial] = {"fuzz": _fuzz, "interrupts": _interrupts, "kills": _kills, "mixed": _mixed}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.endurance", description=__doc__)
    parser.add_argument("trial", choices=sorted(TRIALS))
    counted = "kills: how many of the miner, and of the server; interrupts: how many in all"
    parser.add_argument("--count", type=int, default=50, help=counted)
    parser.add_argument("--drawers", type=int, default=240, help="kills, interrupts: turns in what is mined")
    parser.add_argument("--lines", type=int, default=5000, help="fuzz: command lines run through the app")
    parser.add_argument("--processes", type=int, default=100, help="fuzz: command lines run as processes")
    parser.add_argument("--seconds", type=float, default=300, help="mixed: how long")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main())
