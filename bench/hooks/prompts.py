"""The prompts and sentences of the sets, as their files have them, and how a block is compared with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

SETS = Path(__file__).parent / "sets"
PROMPTS = ("no_memory", "other_client", "needed", "short", "sibling")
"""The files of prompts; ``sets/README.md`` says what each holds."""

Half = Literal["develop", "apart"]
HALVES: tuple[Half, ...] = ("develop", "apart")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a person typed, in which project, and why it stands in the set."""

    set: str
    id: str
    project: str
    folder: str
    prompt: str
    half: Half
    why: str
    kind: str = ""
    knows: str = ""
    """Another project that has the answer."""
    needle: tuple[str, ...] = ()
    """Words of another client's, none of which may turn up."""
    answers: tuple[tuple[str, ...], ...] = ()
    """A block is right that has all words of any of these."""


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


def read_prompts(name: str, half: Half | None = None) -> list[Prompt]:
    """Read one file of prompts, of one half or of both."""
    lists = ({key: tuple(line.get(key, ())) for key in ("needle", "answers")} for line in _lines(name, half))
    return [
        Prompt(name, **line | {"needle": each["needle"], "answers": tuple(map(tuple, each["answers"]))})
        for line, each in zip(_lines(name, half), lists, strict=True)
    ]


def read_instructions(half: Half | None = None) -> list[Said]:
    """Read what was said, instructions for good and others."""
    return [Said(**line) for line in _lines("instructions", half)]


def has(text: str, words: str) -> bool:
    """Tell whether words stand in a text as such, whatever their case and wherever its lines break."""
    return re.search(rf"(?<![^\W_]){re.escape(_plain(words))}(?![^\W_])", _plain(text)) is not None


def is_right(block: str, asked: Prompt) -> bool:
    """Tell whether a block has an answer."""
    return any(all(has(block, words) for words in answer) for answer in asked.answers)


def leaks(block: str, asked: Prompt) -> tuple[str, ...]:
    """Give what a block has of the other client's, inside of other words too."""
    return tuple(words for words in asked.needle if _plain(words) in _plain(block))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _lines(name: str, half: Half | None) -> Iterator[dict[str, Any]]:
    for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        if half in (None, value["half"]):
            yield value
