"""Below the closing words of a letter stands who signs it, and nobody else."""

from __future__ import annotations

import pytest

from palace.records import Role
from palace.records.graph import EntityType, Said
from palace.text.entities import bundled_tagger, read_names
from palace.text.entities.lists.closings import signature_of

PLAN = "Hi Tom,\n\nJonas will be on call.\n\n"
SIGNED = [
    ("Best regards\nKatrin Vogel\nHead of Operations\nNordwind Operations", {"Tom", "Jonas", "Katrin Vogel"}),
    ("-- \nKatrin Vogel\nNordwind Operations\nHafenstraße 12, 20457 Hamburg", {"Tom", "Jonas", "Katrin Vogel"}),
    ("Kind regards,\nKatrin Vogel\nNordwind Support", {"Tom", "Jonas", "Katrin Vogel"}),
    ("Thanks,\nLena\n\nLena Hoff\nGlobex Benelux\nAssistant: Paul Berg", {"Tom", "Jonas", "Lena", "Lena Hoff"}),
    ("Viele Grüße\nKatrin Vogel\nGeschäftsführer: Dr. Olaf Brandt", {"Tom", "Jonas", "Katrin Vogel"}),
    ("Love,\nAnna\nPriya", {"Tom", "Jonas", "Anna", "Priya"}),
]


@pytest.mark.parametrize(("signed", "people"), SIGNED)
def test_only_who_signs_is_a_person(signed: str, people: set[str]) -> None:
    (names,) = read_names([Said(PLAN + signed, Role.USER, None, None, "en")], bundled_tagger())
    assert {each.text for each in names if each.type is EntityType.PERSON} == people


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Thanks\nAnna said that she will bring the cake tomorrow, and Tom the rest.",
        "Attendees\n---\nAnna Weber\nNordwind Operations",
        "Best regards\nKatrin\n\nPS: Jonas is on call.",
        "",
    ],
)
def test_where_more_is_said_there_is_no_signature(text: str) -> None:
    assert signature_of(text) is None
