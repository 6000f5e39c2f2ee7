"""``python -m bench.browse``: opens, walks and weighs ``palace browse`` on a palace that is there."""

from __future__ import annotations

import argparse
import getpass
import json
from dataclasses import asdict
from pathlib import Path
from statistics import median

from bench.browse.opening import open_once
from bench.browse.walking import walk
from palace import Palace
from palace.settings import load_settings


def main() -> None:
    """Measure, and write what was seen."""
    given = _parser().parse_args()

    with Palace.open(load_settings(home=given.home), user=given.user, make_user=False) as palace:
        wing, drawers = palace.tree.wings(limit=1)[0].name, palace.status().drawers
    opened = [open_once(given.home, given.user, wing) for _ in range(given.rounds)]
    walked = walk(given.home, given.user, given.seconds, mines=given.mine, recalls=given.recall)
    result = {
        "drawers": drawers,
        "first_paint_s": round(median(each.first_paint for each in opened), 3),
        "usable_s": round(median(each.usable for each in opened), 3),
        "mines": given.mine,
        **{name: round(value, 1) for name, value in asdict(walked).items()},
    }
    if given.json:
        print(json.dumps(result, indent=2))
        return
    for name, value in result.items():
        print(f"{name:>14} {value}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.browse", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="PALACE_HOME of the palace; its server is started")
    parser.add_argument("--user", default=getpass.getuser())
    parser.add_argument("--rounds", type=int, default=5, help="how often it is opened")
    parser.add_argument("--seconds", type=float, default=30, help="how long it is walked")
    parser.add_argument("--mine", action="store_true", help="file talks beside it: WRITES to the palace")
    parser.add_argument("--recall", action="store_true", help="recall now and then, so that the embedder is in memory")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    main()
