"""`python -m bench.turn latency|facts --home HOME`: what a turn takes, and what another conversation knows."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.metrics import percentiles
from bench.scale.measure import own_sentences
from bench.turn.facts import facts
from palace import Palace
from palace.errors import PalaceError
from palace.settings import Settings, load_settings
from palace.turns import TurnOptions

WARM_UP = 20
PATIENT = TurnOptions(timeout=60)
"""What is measured is not cut off."""
MEASURED = "What was measured"
"""A wing of its own: what a run asked is no part of the palace that the next one measures."""
Figures = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; the figures go to standard output, what went wrong to standard error."""
    options = _parser().parse_args(arguments)
    try:
        found: Figures = options.work(options)
    except PalaceError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=1) if options.json else "\n".join(f"{name}: {found[name]}" for name in found))
    return 0


def latency(options: argparse.Namespace) -> Figures:
    """Take turns with questions about what is in the palace, and measure what they add to a request."""
    # Another sentence for each request: none is answered from what was found before.
    own = own_sentences(_settings(options), count=options.count + WARM_UP)
    questions = [f"What did I say about {text}?" for text in own]
    with Palace.open(_settings(options)) as palace:
        history = [{"role": "user", "content": "Hello, I am back."}, {"role": "assistant", "content": "Welcome."}]
        turns, spent, finishing, recalling = [], [], [], []
        # What is forgotten is not filed again: another run talks in another session.
        session, measured = f"bench {uuid4()}", replace(PATIENT, wing=MEASURED)
        for question in questions:
            started = time.perf_counter()
            palace.recall(question)
            recalling.append((time.perf_counter() - started) * 1000)
            started = time.perf_counter()
            turn = palace.turn(question, history=history, session=session, options=measured)
            between = time.perf_counter()
            turn.finish("I see.")
            turns.append(turn)
            spent.append((between - started) * 1000)
            finishing.append((time.perf_counter() - between) * 1000)
            time.sleep(options.pause)
        palace.turns.end()
        palace.forget(MEASURED, now=True)
        steps = sorted({step for turn in turns for step in turn.timings})
        return {
            "drawers": palace.status().drawers,
            "turns": options.count,
            "with_a_block": sum(bool(turn.block) for turn in turns[WARM_UP:]),
            "turn_ms": _times(spent[WARM_UP:]),
            "recall_alone_ms": _times(recalling[WARM_UP:]),
            "finish_ms": _times(finishing[WARM_UP:]),
            "median_ms_by_step": {
                step: _times([turn.timings.get(step, 0.0) for turn in turns[WARM_UP:]])["p50"] for step in steps
            },
        }


def told(options: argparse.Namespace) -> Figures:
    """Tell facts in conversations of one process, and ask for them in conversations of another."""
    settings = _settings(options)
    with Palace.open(settings) as palace:
        before = palace.status().drawers
        for number, fact in enumerate(facts()):
            palace.turn(fact.told, session=f"told-{number}", options=PATIENT).finish("Good to know.")
        palace.turns.end()
        filed = palace.status().drawers - before
    command = [sys.executable, "-m", "bench.turn", "asked", "--json", "--user", options.user]
    asked = subprocess.run([*command, "--home", str(options.home)], capture_output=True, text=True, check=True)
    return {"drawers_filed": filed, **json.loads(asked.stdout)}


def asked(options: argparse.Namespace) -> Figures:
    """Ask for facts that were told, in a conversation each."""
    missed = []
    with Palace.open(_settings(options)) as palace:
        every = list(facts())
        for number, fact in enumerate(every):
            turn = palace.turn(fact.question, session=f"asked-{number}", options=PATIENT)
            if fact.answer not in turn.block:
                missed.append(fact.question)
    return {"facts": len(every), "in_the_block": len(every) - len(missed), "missed": missed}


def _times(milliseconds: Sequence[float]) -> Figures:
    return {name: round(value, 1) for name, value in percentiles(milliseconds).items()}


def _settings(options: argparse.Namespace) -> Settings:
    return load_settings(home=options.home, user=options.user)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.turn", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    for name, work in (("latency", latency), ("facts", told), ("asked", asked)):
        verb = verbs.add_parser(name, help=(work.__doc__ or "").splitlines()[0])
        verb.add_argument("--home", type=Path, required=True, help="a palace to keep")
        verb.add_argument("--user", default="bench", help="whose palace in it")
        verb.add_argument("--count", type=int, default=200, help="turns to measure")
        verb.add_argument("--pause", type=float, default=0.3, help="seconds that a reply takes")
        verb.add_argument("--json", action="store_true", help="print one JSON object")
        verb.set_defaults(work=work)
    return parser


if __name__ == "__main__":
    sys.exit(main())
