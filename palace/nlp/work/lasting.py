"""Estimate whether what a person says to a coding agent holds for longer than the task at hand.

A linear model over words, pairs of words and runs of letters; ``python -m bench.work messages --fit`` writes its
weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise
from zlib import crc32

import numpy as np

from palace.nlp.rules import late

LASTS, CHOSEN, CORRECTED = 0.75, 0.35, 0.2
"""From these probabilities on, a message says something that lasts; one that answers an offer chooses; and one after
which something was undone says why."""
LONGEST_ESTIMATED = 600
"""Characters of a message that is read; a longer one is a document."""
FEATURES = 1 << 14
RUNS = (3, 4, 5)
"""Lengths of the runs of letters."""
LENGTHS, SENTENCES = (3, 6, 10, 16, 25, 40), (1, 2)
"""Numbers of words and of sentences; that a message has more is a feature each."""
_WORD = late(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[?!,;:.]")
_END, _CODE = late(r"[.!?](?:\s|$)"), late(r"`|\w\.\w")


class After(StrEnum):
    """What a person's message follows."""

    START = "start"
    """Nothing: it begins the session."""
    EDIT = "edit"
    """A file was changed since the person's last message."""
    ASKED = "asked"
    """A message of the agent in which it asks something."""
    SAID = "said"
    """Another message of the agent."""


def probability_of_lasting(text: str, after: After) -> float:
    """Return the probability that a person's message decides, limits or explains something that holds for good."""
    bias, weights = _model()
    found = features_of(text, after)
    return 1 / (1 + math.exp(-bias - float(weights[found].sum()) / math.sqrt(len(found))))


def weight_of_lasting(text: str) -> float:
    """Return how much a part of a message adds to what speaks for that it lasts: more for longer and weightier ones."""
    return float(_model()[1][features_of(text, After.SAID)].sum())


def features_of(text: str, after: After) -> list[int]:
    """Return the numbers of the features that a message has, each once, below ``FEATURES``."""
    return sorted({crc32(each.encode()) % FEATURES for each in _feature_names(text[:LONGEST_ESTIMATED], after)})


def _feature_names(text: str, after: After) -> Iterator[str]:
    signs = ["NUM" if each.isdigit() else each for each in _WORD.findall(text.lower())]
    words = [each for each in signs if each[0].isalpha()]
    yield from (f"w:{each}" for each in signs)
    yield from (f"b:{one} {other}" for one, other in pairwise(signs))
    for word in words:
        whole = f"<{word}>"
        yield from (f"c:{whole[at : at + run]}" for run in RUNS for at in range(len(whole) - run + 1))
    yield f"1:{words[0] if words else ''}"
    yield f"after:{after}"
    yield from (f"words>{least}" for least in LENGTHS if len(words) > least)
    yield from (f"sentences>{least}" for least in SENTENCES if len(_END.findall(text)) > least)
    if text.rstrip().endswith("?"):
        yield "question"
    if _CODE.search(text):
        yield "code"


@cache
def _model() -> tuple[float, np.ndarray]:
    with files("palace").joinpath("data", "work", "lasting.npy").open("rb") as opened:
        stored = np.load(opened).astype(np.float64)
    return stored[-1], stored[:-1]
