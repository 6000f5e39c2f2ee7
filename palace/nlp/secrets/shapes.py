"""Keys and tokens that are known by their shape: those of providers, and tokens that say what they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from palace.nlp.rules import rules
from palace.nlp.secrets.findings import Finding, Page, occurrences
from palace.nlp.secrets.values import entropy, is_placeholder

_ESCAPED = re.compile(r"(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4}|\x1b\[[0-9;]*m)$")
_RULES = rules("secrets", "inside")
_LEAST_ENTROPY = 2.5
_SHORTEST = 16
"""Letters without a space among them that the shortest shape has."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a provider's secrets look like from their fixed beginning on."""

    rule: str
    kind: str
    beginning: str
    rest: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Inside:
    """A shape that is known by something in its midst; it is looked for in a window around that."""

    rule: str
    kind: str
    sign: str
    before: int
    after: int
    whole: re.Pattern[str]


@cache
def _inside() -> tuple[Inside, ...]:
    return tuple(
        Inside(
            **{name: each[name] for name in ("rule", "kind", "sign", "before", "after")},
            whole=re.compile(each["pattern"]),
        )
        for each in _RULES.table("inside")
    )


@cache
def shapes() -> tuple[Shape, ...]:
    """Read the shapes of ``palace/data/secrets/shapes.txt``, a beginning each."""
    lines = files("palace").joinpath("data", "secrets", "shapes.txt").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        if line and not line.startswith("#"):
            rule, kind, beginnings, rest = line.split(" ", 3)
            compiled = re.compile(rest, re.ASCII)
            found += [Shape(rule, kind.replace("_", " "), each, compiled) for each in beginnings.split("|")]
    return tuple(found)


@cache
def known_rules() -> frozenset[str]:
    """Return the names of all rules."""
    return _RULES.words("by_place") | {shape.rule for shape in shapes()} | {inside.rule for inside in _inside()}


def find_shapes(page: Page) -> Iterator[Finding]:
    """Find what is known by its shape."""
    text = page.text
    dense = " ".join(word for word in text.split() if len(word) >= _SHORTEST)
    if not dense:
        return
    for shape in shapes():
        if shape.beginning in dense:
            yield from _of_shape(text, shape)
    for inside in _inside():
        if inside.sign in dense:
            yield from _around(text, inside)


def _of_shape(text: str, shape: Shape) -> Iterator[Finding]:
    done = 0
    for place in occurrences(text, shape.beginning):
        if place < done or not _begins(text, place):
            continue
        after = place + len(shape.beginning)
        rest = shape.rest.match(text, after)
        if rest and rest.end() > after and _is_secret(rest.group()):
            done = rest.end()
            # What ends with a sign of its own says where the secret stands and is no part of it.
            start = after if shape.beginning[-1] in "/=" and len(shape.beginning) > 4 else place
            yield Finding(start, done, shape.kind, shape.rule)


def _around(text: str, inside: Inside) -> Iterator[Finding]:
    for place in occurrences(text, inside.sign):
        window = max(0, place - inside.before - 1)
        end = place + len(inside.sign) + inside.after
        if (found := inside.whole.search(text, window, end)) and _is_secret(found.group()):
            yield Finding(found.start(), found.end(), inside.kind, inside.rule)


def _begins(text: str, place: int) -> bool:
    before = text[place - 1] if place else " "
    if not (before.isascii() and (before.isalnum() or before == "_")):
        return True
    return before == "_" or _ESCAPED.search(text, max(0, place - 8), place) is not None


def _is_secret(rest: str) -> bool:
    return entropy(rest) >= _LEAST_ENTROPY and not is_placeholder(rest)
