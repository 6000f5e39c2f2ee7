"""Pairs that may be one: why, where each is named, and what is not proposed again."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

import pytest

from palace import EmbeddedTexts, Palace
from palace.embedding.minilm.embedder import BundledEmbedder
from palace.errors import EmbeddingError
from palace.settings import Settings
from tests.graph.mined import DecisionVerb, EntityType, Likeness, tell

FIRM, ITEM, PLACE = EntityType.ORGANISATION, EntityType.ITEM, EntityType.PLACE


class Silent(BundledEmbedder):
    """The bundled model, which answers as long as it is not told to fall silent."""

    is_silent = False

    def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
        if self.is_silent:
            raise EmbeddingError("the model does not answer")
        return super().embed_passages(texts)


@pytest.fixture
def meaningful(settings: Settings) -> Iterator[Palace]:
    """A palace embedded by the bundled model."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=Silent()) as opened:
        yield opened


def proposed(palace: Palace) -> dict[tuple[str, str], Likeness]:
    return {(each.one.name, each.other.name): each.likeness for each in palace.entities.suggest()}


def test_names_that_mean_one_thing_are_proposed(meaningful: Palace) -> None:
    tell(meaningful, "one", ("Deutsche Bahn", FIRM), ("VW Golf", ITEM), ("Copper Kettle", FIRM), "Hanna Berg")
    tell(meaningful, "two", ("German Rail", FIRM), ("Volkswagen Golf", ITEM), ("Mountain Rescue", FIRM), "Johanna")
    assert proposed(meaningful) == {
        ("German Rail", "Deutsche Bahn"): Likeness.MEANING,
        ("VW Golf", "Volkswagen Golf"): Likeness.MEANING,
    }
    assert len(meaningful.entities.list()) == 8


def test_a_pair_says_where_each_is_named(palace: Palace) -> None:
    first = tell(palace, "one", ("Brightwater", FIRM))
    tell(palace, "two", ("Brightwater Energy", FIRM))
    latest = tell(palace, "three", ("Brightwater Energy", FIRM), ("Lisbon", PLACE))
    (pair,) = palace.entities.suggest()
    assert pair.likeness is Likeness.SHORT
    assert pair.one_said is not None
    assert pair.other_said is not None
    assert (str(pair.one_said.pointer), pair.one_said.text) == (f"§ {first}/D-001", "one: Brightwater")
    assert (str(pair.other_said.pointer), pair.other_said.text) == (
        f"§ {latest}/D-001",
        "three: Brightwater Energy Lisbon",
    )


def test_what_was_declined_is_not_proposed_again(palace: Palace) -> None:
    tell(palace, "one", ("Brightwater", FIRM))
    tell(palace, "two", ("Brightwater Energy", FIRM))
    declined = palace.entities.split("brightwater", other="Brightwater Energy")
    assert declined.decision.verb is DecisionVerb.SPLIT
    assert {each.name for each in declined.entities} == {"Brightwater", "Brightwater Energy"}
    assert proposed(palace) == {}
    tell(palace, "three", ("Brightwater Energy", FIRM), ("Brightwater", FIRM))
    assert proposed(palace) == {}
    palace.entities.undo(declined.decision.id)
    assert proposed(palace) == {("Brightwater", "Brightwater Energy"): Likeness.SHORT}


def test_a_model_that_does_not_answer_leaves_what_is_spelled_alike(meaningful: Palace) -> None:
    tell(meaningful, "one", ("Deutsche Bahn", FIRM), ("Kubernetes", ITEM))
    tell(meaningful, "two", ("German Rail", FIRM), ("Kubernets", ITEM))
    assert len(proposed(meaningful)) == 2
    Silent.is_silent = True
    try:
        assert proposed(meaningful) == {("Kubernets", "Kubernetes"): Likeness.SPELLING}
    finally:
        Silent.is_silent = False
