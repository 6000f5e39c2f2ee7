"""What is restored where its wing or room was made anew meanwhile is found by the pointers that it had, or says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from palace import MovedPlace, Palace, Settings
from palace.testing import HashingEmbedder


def file(palace: Palace, name: str, *said: str) -> None:
    """File a conversation into the wing T5."""
    palace.file([{"role": "user", "content": text} for text in said], id=name, wing="T5")


def said(palace: Palace, pointer: str) -> str:
    """Show what stands at a pointer."""
    return palace.show(pointer).drawer.content


def test_former_pointers_lead_into_the_wing_that_was_made_anew(
    palace: Palace, settings: Settings, tmp_path: Path
) -> None:
    palace.note("alpha pelican", wing="T5")
    palace.forget("T5")
    palace.note("beta heron", wing="T5")
    restored = palace.forgotten.restore("W-001")
    assert restored.pointers == ("§ W-002/R-02/D-001",)
    assert restored.moved == (MovedPlace("W-001/R-01", "W-002/R-02"),)
    assert restored.warnings == ()
    assert said(palace, "W-001/R-01/D-001") == said(palace, "W-002/R-02/D-001") == "alpha pelican"
    assert said(palace, "W-002/R-01/D-001") == "beta heron"
    palace.transfer.export(tmp_path / "palace.jsonl")
    with Palace.open(settings, user="has-taken-it-up", embedder=HashingEmbedder()) as other:
        other.transfer.load(tmp_path / "palace.jsonl")
        assert said(other, "W-001/R-01/D-001") == "alpha pelican"


def test_a_room_that_was_made_anew_has_others_under_the_old_numbers_which_is_told(palace: Palace) -> None:
    file(palace, "k", "alpha pelican")
    palace.forget("T5")
    file(palace, "k", "alpha pelican", "gamma egret")
    restored = palace.forgotten.restore("W-001")
    assert restored.moved == (MovedPlace("§ W-001/R-01/D-001", "§ W-002/R-01/D-002"),)
    (warning,) = restored.warnings
    assert warning.endswith("restored: § W-001/R-01/D-001 (it is § W-002/R-01/D-002)")


@pytest.mark.nightly
def test_no_number_is_given_out_again_by_a_wing_that_was_gone(palace: Palace) -> None:
    file(palace, "k", "alpha pelican")
    file(palace, "x", "beta heron")
    palace.forget("W-001/R-02")
    file(palace, "y", "gamma egret")
    palace.forget("T5")
    palace.forgotten.restore("W-001/R-02")
    file(palace, "z", "delta stork")
    assert palace.forgotten.restore("W-001/R-03").moved == ()
    assert said(palace, "W-001/R-03/D-001") == "gamma egret"
    assert said(palace, "W-001/R-04/D-001") == "delta stork"


@pytest.mark.nightly
def test_no_number_is_given_out_again_by_a_room_that_was_gone(palace: Palace) -> None:
    file(palace, "k", "alpha pelican", "beta heron")
    palace.forget("W-001/R-01/D-001")
    file(palace, "k", "alpha pelican", "beta heron", "gamma egret")
    palace.forget("T5")
    palace.forgotten.restore("W-001/R-01/D-001")
    file(palace, "k", "alpha pelican", "beta heron", "gamma egret", "delta stork")
    assert palace.forgotten.restore("W-001/R-01").moved == ()
    assert said(palace, "W-001/R-01/D-003") == "gamma egret"
    assert said(palace, "W-001/R-01/D-004") == "delta stork"
