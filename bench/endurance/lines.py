"""Command lines at random, of every command and option that there is, with values as they should be and should not."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

from bench.endurance.caller import Grammar, Parameter

LONG = 100_000
"""Characters of a long text; the system takes 131,072 bytes as one argument of a program."""
RARELY = {
    ("db", "stop"): 0.1,
    ("db", "start"): 0.2,
    ("db", "backup"): 0.3,
    ("doctor",): 0.5,
    ("embeddings", "switch"): 0.5,
    ("mcp",): 0.2,
    ("worker",): 0.2,
}
"""Commands that take long, or make the next one take long, and how often each comes against the others."""

_VALUES: dict[str, list[str]] = json.loads(Path(__file__).with_name("values.json").read_text(encoding="utf-8"))
_LONG_TEXTS = ("é" * 300, "x" * LONG, "word " * (LONG // 5), "\U0001f469\u200d\U0001f467" * 500, "e" + "\u0301" * 2000)
TEXTS = (*_VALUES["texts"], *_LONG_TEXTS)
NUMBERS = (*_VALUES["numbers"], "9" * 5000)
PLACES = (*_VALUES["places"], "W-" + "9" * 5000)
PATTERNS = (*_VALUES["patterns"], "(" * 5000, "(" * 5000 + ")" * 5000, "(?:" * 150)
WINGS = (*PLACES[:6], *TEXTS[:12])
BY_OPTION = {
    "--user": _VALUES["users"],
    "--encoding": (*_VALUES["encodings"], "x" * LONG),
    "--name": (*_VALUES["file_names"], "x" * 300),
    "--wing": WINGS,
}
BY_METAVAR: dict[str, Sequence[str]] = {
    **dict.fromkeys(("N", "RUN"), NUMBERS),
    **dict.fromkeys(("POINTER", "PLACE", "WHAT"), PLACES),
    "WHEN": _VALUES["moments"],
    "WING": WINGS,
    "PATTERN": PATTERNS,
    "MODEL": _VALUES["models"],
    "day-first|month-first": _VALUES["orders"],
    "user|assistant|system|tool": _VALUES["roles"],
    "human|block": _VALUES["formats"],
}
"""Values by what the help calls them."""


def draw_line(chance: random.Random, grammars: Sequence[Grammar], paths: Sequence[str]) -> tuple[str, ...]:
    """Draw a command line: three in four as the command wants it but for the values, the others without any sense."""
    weights = [RARELY.get(grammar.path, 1.0) for grammar in grammars]
    grammar = chance.choices(grammars, weights)[0]
    words = [*grammar.path, *_given(chance, grammar, paths)]
    if chance.random() < 0.25:
        words = _confused(chance, words, grammars, paths)
    return tuple(words)


def _given(chance: random.Random, grammar: Grammar, paths: Sequence[str]) -> list[str]:
    groups = []
    for parameter in grammar.parameters:
        wanted = 0.98 if parameter.is_required else 0.6 if not parameter.names else 0.25
        while chance.random() < wanted:
            groups.append(_written(chance, parameter, paths))
            wanted = 0.4 if parameter.is_many else 0.03
    # Arguments keep their order: move WHAT WING is not move WING WHAT.
    if chance.random() < 0.3:
        chance.shuffle(groups)
    return [word for group in groups for word in group]


def _written(chance: random.Random, parameter: Parameter, paths: Sequence[str]) -> list[str]:
    name = chance.choice(parameter.names) if parameter.names else ""
    if parameter.is_flag:
        return [name]
    pool = paths if parameter.metavar in ("FILE", "SOURCE...") else BY_METAVAR.get(parameter.metavar, TEXTS)
    value = _value(chance, BY_OPTION.get(name, pool), paths)
    if not name:
        return [value]
    return [f"{name}={value}"] if chance.random() < 0.2 else [name, value]


def _confused(chance: random.Random, words: list[str], grammars: Sequence[Grammar], paths: Sequence[str]) -> list[str]:
    other = chance.choice(grammars)
    foreign = [name for parameter in other.parameters for name in parameter.names] or ["--help"]
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(words))
        match chance.randrange(6):
            case 0:
                words.insert(at, chance.choice(foreign))
            case 1:
                words.insert(at, _value(chance, TEXTS, paths))
            case 2 if words:
                words.pop(chance.randrange(len(words)))
            case 3:
                words.insert(at, chance.choice(("--json", "--help", "-h", "--", "-y", "--version", "--no-json")))
            case 4:
                words += words[at:]
            case _:
                chance.shuffle(words)
    return words


def _value(chance: random.Random, pool: Sequence[str], paths: Sequence[str]) -> str:
    """Draw a value, mostly of the pool; else of any other, or made up, but no path of the system."""
    throw = chance.random()
    if throw < 0.65:
        return chance.choice(pool)
    if throw < 0.8:
        return chance.choice(TEXTS)
    if throw < 0.9:
        return chance.choice(chance.choice((*BY_METAVAR.values(), *BY_OPTION.values(), paths)))
    blocks = ((1, 0x7F), (0x80, 0x7FF), (0x2000, 0x20FF), (0x800, 0xD7FF), (0xDC80, 0xDCFF), (0x10000, 0x10FFFF))
    return "".join(chr(chance.randint(*chance.choice(blocks))) for _ in range(chance.randrange(40))).lstrip("/~")
