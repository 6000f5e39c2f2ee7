"""What cosine similarity means with the bundled model, measured on pairs of statements."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np

from palace import Settings
from palace.ai.embedders.registry import embedder_for
from palace.config.settings import BUNDLED_MODEL
from palace.recall.floor import UNKNOWN, calibration_of


def test_the_bundled_models_limits_part_paraphrases_from_related_and_other_statements(settings: Settings) -> None:
    pairs = [line.split("\t") for line in Path(__file__).with_name("likeness.tsv").read_text("utf-8").splitlines()]
    embedder, limits = embedder_for(BUNDLED_MODEL, settings), calibration_of(BUNDLED_MODEL)
    left, right = (np.asarray(embedder.embed_passages([pair[at] for pair in pairs]).vectors) for at in (1, 2))
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    likeness = defaultdict(list)
    for (kind, *_), value in zip(pairs, (left * right).sum(axis=1) / lengths, strict=True):
        likeness[kind].append(value)
    assert sum(each > limits.same for each in likeness["same"]) >= 18
    assert max(likeness["related"]) <= limits.same
    assert min(likeness["same"]) >= limits.alike > max(likeness["other"])
    assert sum(each >= limits.alike for each in likeness["related"]) >= 12
    assert limits.related > max(likeness["other"])
    assert (UNKNOWN.same, UNKNOWN.alike) == (0.9, 0.7)
