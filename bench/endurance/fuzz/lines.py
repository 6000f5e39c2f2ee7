"""Command lines at random, of every command and option that there is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bench.endurance.fuzz.values import TEXTS, draw_value, pool_of

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


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option, or an argument where it has no names."""

    names: tuple[str, ...]
    metavar: str
    is_flag: bool
    is_required: bool
    is_many: bool


@dataclass(frozen=True, slots=True)
class Grammar:
    """One command and what it takes."""

    path: tuple[str, ...]
    parameters: tuple[Parameter, ...]


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
    value = draw_value(chance, pool_of(name, parameter.metavar, paths), paths)
    if not name:
        return [value]
    return [f"{name}={value}"] if chance.random() < 0.2 else [name, value]


def _confused(chance: random.Random, words: list[str], grammars: Sequence[Grammar], paths: Sequence[str]) -> list[str]:
    other = chance.choice(grammars)
    foreign = [name for parameter in other.parameters for name in parameter.names] or ["--help"]
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(words))
        match chance.randrange(6):
            case 0:
                words.insert(place, chance.choice(foreign))
            case 1:
                words.insert(place, draw_value(chance, TEXTS, paths))
            case 2 if words:
                words.pop(chance.randrange(len(words)))
            case 3:
                words.insert(place, chance.choice(("--json", "--help", "-h", "--", "-y", "--version", "--no-json")))
            case 4:
                words += words[place:]
            case _:
                chance.shuffle(words)
    return words
