"""The prompts of the sets, as their files have them, and how a block is compared with what they say of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

SETS = Path(__file__).parent

Half = Literal["develop", "apart"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a person typed, in which project, and why it stands in the set."""

    id: str
    project: str
    folder: str
    prompt: str
    half: Half
    why: str


@dataclass(frozen=True, slots=True)
class NoMemory(Prompt):
    """A prompt that wants no block."""

    kind: str


@dataclass(frozen=True, slots=True)
class OtherClient(Prompt):
    """A prompt whose answer lies in another client's project alone."""

    kind: str
    """``only``: nothing of the sort is in the project asked in; ``same``: it has its own, which may turn up."""
    knows: str
    needle: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Needed(Prompt):
    """A prompt that does want a block."""

    answers: tuple[tuple[str, ...], ...]
    """A block is right that has all words of any of these."""


@dataclass(frozen=True, slots=True)
class Sibling(Needed):
    """A prompt whose answer lies in another project of the same client: one to bring up only where it is listed."""

    knows: str


@dataclass(frozen=True, slots=True)
class Short(Needed):
    """A prompt of few words, as they are typed in passing."""

    kind: str
    """``near``, ``error`` and ``rule`` want a block; ``nowhere`` and ``work`` have no answers, and want none."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said in passing or for good, and whether it is an instruction that stands."""

    id: str
    text: str
    language: Literal["de", "en"]
    stands: bool
    half: Half
    kind: Literal["said", "near"]
    """``near``: it looks like an instruction, was written with the rules in sight, and is none."""


def read_instructions(half: Half | None = None) -> tuple[Said, ...]:
    """Read what was said, instructions for good and others."""
    return tuple(Said(**line) for line in _lines("instructions", half))


def read_no_memory(half: Half | None = None) -> tuple[NoMemory, ...]:
    """Read the prompts that need no memory, of one half or of both."""
    return tuple(NoMemory(**line) for line in _lines("no_memory", half))


def read_other_client(half: Half | None = None) -> tuple[OtherClient, ...]:
    """Read the prompts that another client's project would answer."""
    return tuple(OtherClient(**line | {"needle": tuple(line["needle"])}) for line in _lines("other_client", half))


def read_needed(half: Half | None = None) -> tuple[Needed, ...]:
    """Read the prompts that need memory."""
    return tuple(Needed(**line | {"answers": tuple(map(tuple, line["answers"]))}) for line in _lines("needed", half))


def read_sibling(half: Half | None = None) -> tuple[Sibling, ...]:
    """Read the prompts that another project of the same client would answer."""
    return tuple(Sibling(**line | {"answers": tuple(map(tuple, line["answers"]))}) for line in _lines("sibling", half))


def read_short(half: Half | None = None) -> tuple[Short, ...]:
    """Read the prompts of few words; there are none in the half kept apart."""
    return tuple(Short(**line | {"answers": tuple(map(tuple, line["answers"]))}) for line in _lines("short", half))


def has(text: str, words: str) -> bool:
    """Tell whether words stand in a text as such, whatever their case and wherever its lines break."""
    return re.search(rf"(?<![^\W_]){re.escape(_plain(words))}(?![^\W_])", _plain(text)) is not None


def is_right(block: str, asked: Needed) -> bool:
    """Tell whether a block has an answer."""
    return any(all(has(block, words) for words in answer) for answer in asked.answers)


def leaks(block: str, asked: OtherClient) -> tuple[str, ...]:
    """Give what a block has of the other client's, inside of other words too."""
    return tuple(words for words in asked.needle if _plain(words) in _plain(block))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _lines(name: str, half: Half | None) -> Iterator[dict[str, Any]]:
    for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        if half in (None, value["half"]):
            yield value
