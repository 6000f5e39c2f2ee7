"""`python -m bench.turn latency|facts --home HOME`: what a turn takes, and what another conversation knows."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from uuid import uuid4

from bench.harness import Figures, milliseconds, print_figures, times
from bench.scale.measure import own_sentences
from palace import Palace, Settings, load_settings
from palace.turns import TurnOptions

WARM_UP = 20
PATIENT = TurnOptions(timeout=60)
"""What is measured is not cut off."""
MEASURED = "What was measured"
"""A wing of its own: what a run asked is no part of the palace that the next one measures."""

THINGS = """
sailing boat | is called | What is my sailing boat called?
dentist | is | Who is my dentist?
landlord | is | What is the name of my landlord?
tabby cat | is named | Do you remember the name of my cat?
piano teacher | is | Who teaches me the piano?
tax adviser | is | Who does my taxes again?
village of birth | is | In which village was I born?
first school | was | Which school did I go to first?
favourite café | is | What is my favourite café?
mountain hut | is called | What is my hut in the mountains called?
running club | is called | Which running club am I in?
wifi network | is called | What is my wifi network called?
bakery round the corner | is called | How is the bakery round my corner called?
allergy doctor | is | Who is my doctor for the allergy?
old bicycle | was a | What bicycle did I have before?
book club | meets at | Where does my book club meet?
sourdough starter | is called | What did I name my sourdough starter?
choir | is called | Which choir do I sing in?
godchild | is | Who is my godchild?
vegetable plot | lies in | Where is my vegetable plot?
"""
OWNERS = ("My", "My brother's", "My sister's", "My mother's", "My colleague's")
SYLLABLES = "bra quen zor fel mar tiv lun ska dro wey pim kol ras neb jut vin hax gor lip tem".split()  # noqa: SIM905
AROUND = (
    "Thanks for yesterday. {fact} Anyway, could you help me plan the weekend?",
    "{fact} What would you cook for six people?",
    "I had a long day. {fact} I just wanted to mention it.",
    "Before I forget it: {fact}",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with its question."""

    told: str
    """The message that says it in passing."""
    question: str
    answer: str
    """What the block must hold."""


def facts(count: int = 100, *, seed: int = 7) -> Iterator[Fact]:
    """Make facts, the same each time; each answer is a name that nothing else has."""
    chance = random.Random(seed)
    things = [line.split(" | ") for line in THINGS.strip().splitlines()]
    made = [(owner, *thing) for owner in OWNERS for thing in things][:count]
    for number, (owner, thing, verb, asked) in enumerate(made):
        answer = "".join(chance.sample(SYLLABLES, 3)).capitalize()
        told = AROUND[number % len(AROUND)].format(fact=f"{owner} {thing} {verb} {answer}.")
        yield Fact(told, asked if owner == "My" else f"What did I say of m{owner[1:]} {thing}?", answer)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; the figures go to standard output, what went wrong to standard error."""
    options = _parser().parse_args(arguments)
    return print_figures(lambda: options.work(options), as_json=options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.turn", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    for name, work in (("latency", _latency), ("facts", _facts), ("asked", _asked)):
        verb = verbs.add_parser(name, help=work.__doc__)
        verb.add_argument("--home", type=Path, required=True, help="a palace to keep")
        verb.add_argument("--user", default="bench", help="whose palace in it")
        verb.add_argument("--count", type=int, default=200, help="turns to measure")
        verb.add_argument("--pause", type=float, default=0.3, help="seconds that a reply takes")
        verb.add_argument("--json", action="store_true", help="print one JSON object")
        verb.set_defaults(work=work)
    return parser


def _latency(options: argparse.Namespace) -> Figures:
    """Take turns with questions about what is in the palace, and measure what they add to a request."""
    # Another sentence for each request: none is answered from what was found before.
    own = own_sentences(_settings(options), count=options.count + WARM_UP)
    with Palace.open(_settings(options)) as palace:
        history = [{"role": "user", "content": "Hello, I am back."}, {"role": "assistant", "content": "Welcome."}]
        turns, spent, finishing, recalling = [], [], [], []
        # What is forgotten is not filed again: another run talks in another session.
        session, measured = f"bench {uuid4()}", replace(PATIENT, wing=MEASURED)
        for question in (f"What did I say about {text}?" for text in own):
            recalling.append(milliseconds(partial(palace.recall, question)))
            started = time.perf_counter()
            turn = palace.turn(question, history=history, session=session, options=measured)
            spent.append((time.perf_counter() - started) * 1000)
            finishing.append(milliseconds(partial(turn.finish, "I see.")))
            turns.append(turn)
            time.sleep(options.pause)
        palace.turns.end()
        palace.forget(MEASURED, now=True)
        steps = sorted({step for turn in turns for step in turn.timings})
        return {
            "drawers": palace.status().drawers,
            "turns": options.count,
            "with_a_block": sum(bool(turn.block) for turn in turns[WARM_UP:]),
            "turn_ms": times(spent[WARM_UP:]),
            "recall_alone_ms": times(recalling[WARM_UP:]),
            "finish_ms": times(finishing[WARM_UP:]),
            "median_ms_by_step": {
                step: times([turn.timings.get(step, 0.0) for turn in turns[WARM_UP:]])["p50"] for step in steps
            },
        }


def _facts(options: argparse.Namespace) -> Figures:
    """Say facts in conversations of one process, and ask for them in conversations of another."""
    with Palace.open(_settings(options)) as palace:
        before = palace.status().drawers
        for number, fact in enumerate(facts()):
            palace.turn(fact.told, session=f"told-{number}", options=PATIENT).finish("Good to know.")
        palace.turns.end()
        filed = palace.status().drawers - before
    command = [sys.executable, "-m", "bench.turn", "asked", "--json", "--user", options.user]
    asked = subprocess.run([*command, "--home", str(options.home)], capture_output=True, text=True, check=True)
    return {"drawers_filed": filed, **json.loads(asked.stdout)}


def _asked(options: argparse.Namespace) -> Figures:
    """Ask for the facts, in a conversation each."""
    missed = []
    with Palace.open(_settings(options)) as palace:
        every = list(facts())
        for number, fact in enumerate(every):
            turn = palace.turn(fact.question, session=f"asked-{number}", options=PATIENT)
            if fact.answer not in turn.block:
                missed.append(fact.question)
    return {"facts": len(every), "in_the_block": len(every) - len(missed), "missed": missed}


def _settings(options: argparse.Namespace) -> Settings:
    return load_settings(home=options.home, user=options.user)


if __name__ == "__main__":
    sys.exit(main())
