"""A speaker who said little, in a palace full of another who uses the same words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palace import Palace

LITTLE = [
    "The lantern festival by the harbour was cancelled for the storm that came in from the west overnight.",
    "Somebody at the harbour said that the lantern festival moves to the park this year, or so they hope.",
    "A lantern of the festival fell into the harbour and a child in a red coat cried about it for an hour.",
]


@pytest.fixture
def crowded(palace: Palace, tmp_path: Path) -> Palace:
    """Three drawers of Rosa's among 2,000 of Melanie's that say the same words, each in less room; no vectors."""
    talk = [{"role": "user", "name": "Melanie", "content": f"Lantern festival, harbour: {n}."} for n in range(2000)]
    for place, content in enumerate(LITTLE):
        talk.insert(500 * (place + 1), {"role": "user", "name": "Rosa", "content": content})
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(talk), encoding="utf-8")
    palace._opened.embedders.first().fail_on = lambda _: True  # type: ignore[attr-defined]
    palace.mine(path)
    return palace


def test_the_keywords_find_what_a_rare_speaker_said_among_much_of_another(crowded: Palace) -> None:
    for query in ("lantern festival harbour", "lantern"):
        hits = crowded.recall(query, speaker="rosa").hits
        assert {hit.drawer.content for hit in hits} == set(LITTLE), query
