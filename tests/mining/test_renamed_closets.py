"""What an older version of the topics step named is named anew, and nothing else of a palace is touched."""

from __future__ import annotations

import sqlalchemy as sa

from bench.endurance.canonical import canonical_form, difference
from palace import Palace
from tests.text.named_talks import TALKS

OLDER = (
    "UPDATE closet SET slug = 'quarter-strength', name = 'Quarter strength' WHERE user_id = :user_id",
    "UPDATE index_step SET version = 1 WHERE user_id = :user_id AND step = 'topics'",
)


def filed(palace: Palace) -> int:
    palace.file([{"role": "user", "content": text} for text in TALKS[0].texts], id="garden", wing="Garden")
    with palace._opened.session() as session:
        found = session.connection.execute(sa.text("SELECT id FROM conversation"))
        return int(found.scalar_one())


def made_older(palace: Palace) -> None:
    with palace._opened.session() as session:
        for statement in OLDER:
            session.connection.execute(sa.text(statement), {"user_id": palace._opened.database.user_id})


def closets(palace: Palace) -> list[str]:
    return [closet.name for closet in palace.tree.closets(palace.tree.room("W-001/R-01"))]


def test_a_palace_of_an_older_version_is_renamed_by_the_next_backfill(palace: Palace) -> None:
    filed(palace)
    before = canonical_form(palace)
    made_older(palace)
    assert closets(palace) == ["Quarter strength"]
    assert {step.name: step.pending for step in palace.status().steps}["topics"] == 1
    palace.embeddings.backfill()
    assert "Quarter strength" not in closets(palace)
    assert difference(before, canonical_form(palace)) == []


def test_names_do_not_depend_on_what_else_the_palace_holds(palace: Palace) -> None:
    filed(palace)
    first = closets(palace)
    for talk in TALKS[1:4]:
        palace.file([{"role": "user", "content": text} for text in talk.texts], id=talk.title)
    palace.rebuild()
    assert closets(palace) == first
