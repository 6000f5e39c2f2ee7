"""`python -m bench.queue`: 1,000 jobs of 50 conversations, three workers, one of them killed every five seconds."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from bench.queue.feeding import Plan, run
from palace.errors import PalaceError

FAULTS = (*("missing", "out_of_order", "at_once", "failed_jobs", "left_waiting", "steps_pending", "duplicate_drawers"),)
"""What has to be zero."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0 where everything was done, once and in order."""
    options = _parser().parse_args(arguments)
    plan = Plan(
        jobs=options.jobs,
        conversations=options.conversations,
        workers=options.workers,
        kill_seconds=options.kill_every,
        most_kills=options.most_kills,
        seed=options.seed,
    )
    try:
        found = run(plan)
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=1) if options.json else "\n".join(f"{name}: {told}" for name, told in found.items()))
    return int(any(found[name] for name in FAULTS))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.queue", description=__doc__)
    usual = Plan()
    parser.add_argument("--jobs", type=int, default=usual.jobs, metavar="N", help="jobs, of all conversations")
    parser.add_argument("--conversations", type=int, default=usual.conversations, metavar="N")
    parser.add_argument("--workers", type=int, default=usual.workers, metavar="N")
    parser.add_argument("--kill-every", type=float, default=usual.kill_seconds, metavar="SECONDS")
    parser.add_argument("--most-kills", type=int, default=usual.most_kills, metavar="N", help="kills altogether")
    parser.add_argument("--seed", type=int, default=usual.seed, metavar="N", help="which worker is killed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
