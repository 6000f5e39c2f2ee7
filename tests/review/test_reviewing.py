"""What is looked through, and that what was seen stays seen."""

from __future__ import annotations

from typing import Any

import pytest

from palace import BadRequest, Palace, ReviewCounts, ReviewKey, Settings
from palace.testing import HashingEmbedder

KEY = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


def moved(palace: Palace) -> None:
    """Have a fact change."""
    said = (("01", "I live in Ghent."), ("06", "I moved to Bruges. I live in Bruges now."))
    turns = [{"role": "user", "content": text, "timestamp": f"2025-{month}-03T10:00:00Z"} for month, text in said]
    palace.file(turns, id="moving", wing="Home")


def test_an_empty_palace_has_nothing_to_look_through(palace: Palace) -> None:
    assert palace.review.counts() == ReviewCounts()
    assert [palace.review.filed(), palace.review.redacted(), palace.review.changed()] == [(), (), ()]


def test_what_was_seen_stays_seen_in_another_program_and_an_undone_run_is_gone(
    palace: Palace, settings: Settings
) -> None:
    palace.note("The spare battery is with Derek.", wing="Boat")
    (run,) = palace.review.filed()
    for keys in ([ReviewKey(run.id), ReviewKey(run.id)], [ReviewKey(run.id)], []):
        palace.review.seen("filed", keys)
    with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as other:
        assert other.review.filed() == ()
        assert other.review.counts().filed == 0
        other.review.unseen("filed", [ReviewKey(run.id)])
    assert palace.review.filed() == (run,)
    palace.runs.undo(run.id)
    assert palace.review.filed() == ()


def test_drawers_with_secrets_taken_out_are_listed_the_latest_first(palace: Palace) -> None:
    first = palace.note(f"The token is {KEY}", wing="Boat")
    palace.note("Nothing to hide.", wing="Boat")
    last = palace.note(f"Another token is {KEY[:-1]}x", wing="Boat")
    found = palace.review.redacted()
    assert [each.id for each in found] == [last.id, first.id]
    assert found[0].redacted
    assert KEY not in found[0].content
    palace.review.seen("redacted", [ReviewKey(last.id)])
    assert [each.id for each in palace.review.redacted()] == [first.id]
    assert palace.review.counts().redacted == 1
    palace.forget(str(first.pointer))
    assert palace.review.redacted() == ()


def test_a_changed_fact_names_both_drawers_and_what_changed(palace: Palace) -> None:
    moved(palace)
    (fact,) = palace.review.changed()
    assert fact.before.content == "I live in Ghent."
    assert "Bruges" in fact.after.content
    assert "lives_in" in fact.predicates
    palace.review.seen("changed", [fact.key])
    assert palace.review.changed() == ()
    palace.rebuild()
    assert palace.review.changed() == ()


def test_what_is_no_key_is_refused(palace: Palace) -> None:
    wrong: list[tuple[str, list[Any]]] = [
        ("nothing", []),
        ("filed", [ReviewKey(-1)]),
        ("filed", [(1, 2**63)]),
        ("filed", [("x",)]),
    ]
    for kind, keys in wrong:
        with pytest.raises(BadRequest):
            palace.review.seen(kind, keys)


def test_what_a_run_filed_is_listed_in_order(palace: Palace) -> None:
    moved(palace)
    (run,) = palace.review.filed()
    assert [drawer.position for drawer in palace.review.drawers(run.id)] == [0, 1]
    assert len(palace.review.drawers(run.id, limit=1)) == 1
    assert palace.review.drawers(run.id + 1_000_000) == palace.review.drawers(0) == ()
