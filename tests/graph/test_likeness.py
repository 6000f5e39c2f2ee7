"""Pairs that may be one: why, where each is named, and what is not proposed again."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

import pytest

from palace import BadRequest, Palace
from palace.embedding.minilm.embedder import BundledEmbedder
from palace.embedding.protocol import EmbeddedTexts
from palace.errors import EmbeddingError
from palace.graph.likeness.candidate import Candidate
from palace.graph.likeness.meaning import MOST, comparable
from palace.graph.names.forms import Sort
from palace.records.graph import DecisionVerb, EntityType, Likeness
from palace.settings import Settings
from tests.graph.mined import tell

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


def test_what_is_likely_two_is_not_proposed(meaningful: Palace) -> None:
    tell(meaningful, "one", ("iPhone 14", ITEM), ("BMW", FIRM), ("City Library", FIRM), ("City Museum", FIRM))
    tell(meaningful, "two", ("iPhone 15", ITEM), ("Audi", FIRM), ("Leeds", PLACE))
    tell(meaningful, "three", ("Bradford", PLACE))
    assert proposed(meaningful) == {}


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


def test_what_was_declined_is_not_joined_later(palace: Palace) -> None:
    tell(palace, "one", ("Rossi Festival", FIRM))
    tell(palace, "two", ("Rossi", FIRM))
    palace.entities.split("Rossi", other="Rossi Festival")
    tell(palace, "three", ("Rossi", FIRM), ("Rossi Festival", FIRM))
    assert {each.name for each in palace.entities.list()} == {"Rossi", "Rossi Festival"}


def test_a_name_that_was_joined_is_parted_from_its_other(palace: Palace) -> None:
    tell(palace, "one", "Derek Hughes", "Derek")
    assert [each.name for each in palace.entities.list()] == ["Derek Hughes"]
    palace.entities.split("Derek Hughes", other="Derek")
    assert {each.name for each in palace.entities.list()} == {"Derek Hughes", "Derek"}


@pytest.mark.parametrize("more", [{"to": "Bob"}, {"wing": "Life"}])
def test_two_are_kept_apart_everywhere_or_not(palace: Palace, more: dict[str, str]) -> None:
    tell(palace, "one", "Anna", "Berta")
    with pytest.raises(BadRequest, match="kept apart everywhere"):
        palace.entities.split("Anna", other="Berta", **more)


def test_a_model_that_does_not_answer_leaves_what_is_spelled_alike(meaningful: Palace) -> None:
    tell(meaningful, "one", ("Deutsche Bahn", FIRM), ("Kubernetes", ITEM))
    tell(meaningful, "two", ("German Rail", FIRM), ("Kubernets", ITEM))
    assert len(proposed(meaningful)) == 2
    Silent.is_silent = True
    try:
        assert proposed(meaningful) == {("Kubernets", "Kubernetes"): Likeness.SPELLING}
    finally:
        Silent.is_silent = False


def test_so_many_names_are_compared_and_no_person() -> None:
    many = [Candidate(number, Sort.THING, f"{chr(97 + number % 26)}{number} club", 1) for number in range(MOST + 9)]
    assert len(comparable(many)) == MOST
    assert comparable([Candidate(1, Sort.PERSON, "anna", 5), Candidate(2, Sort.THING, "iphone 14", 5)]) == []
