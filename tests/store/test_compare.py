"""Comparing drawers with a query in every way, whichever arm proposed them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa

from palace import Palace, Settings
from palace.db.candidates.compare import Sought, compare_drawers
from palace.db.candidates.words import weigh_words
from palace.models import BARE_QUESTION, QUESTION_SIGNS, WISHES, Compared, Scope
from palace.testing import HashingEmbedder
from tests.held import rows

Windows = Sequence[tuple[datetime, datetime]]
SAID_AT = datetime(2026, 5, 20, 10, tzinfo=UTC)
SENTENCES = (
    "The regatta was louder than that of last summer.",
    "I prefer small harbours with a bakery.",
    "We left the bay before the thunderstorm came.",
)
TALK = " ".join(SENTENCES)


def mine(palace: Palace, folder: Path, *said: str, role: str = "user", **more: Any) -> None:
    """Mine one conversation in which somebody says things."""
    path = folder / f"{said[0][:20]}.json"
    turns = [{"role": role, "content": content, **more} for content in said]
    path.write_text(json.dumps({"id": said[0], "messages": turns}), encoding="utf-8")
    palace.mine(path)


def compare(
    palace: Palace, query: str, near: str | None = None, *, windows: Windows = (), tools: bool = False
) -> dict[str, Compared]:
    """Compare every drawer of a palace with a query, and with a text's vector; by content."""
    generation = palace._opened.find_generation()
    assert generation is not None
    vector = HashingEmbedder().embed_passages([near]).vectors[0].tolist() if near else None
    contents: dict[int, str] = dict(rows(palace, "SELECT id, content FROM drawer"))
    with palace._opened.session() as session:
        found = compare_drawers(
            session,
            [*contents, -1],
            Sought(weigh_words(session, query), (generation, vector) if vector else None, windows),
            Scope(tools=tools),
        )
    return {contents[each.passage.drawer_id]: each for each in found}


def cosine(one: str, other: str) -> float:
    first, second = HashingEmbedder().embed_passages([one, other]).vectors
    return float(np.dot(first, second))


def test_a_drawer_is_as_similar_as_its_nearest_sentence(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, TALK)
    mine(palace, tmp_path, TALK + " Indeed.", role="assistant")
    found = compare(palace, "thunderstorm", SENTENCES[2])
    assert found[TALK].similarity == pytest.approx(1.0, abs=1e-3)
    assert found[TALK + " Indeed."].similarity == pytest.approx(cosine(TALK + " Indeed.", SENTENCES[2]), abs=1e-3)


def test_the_passage_is_the_one_around_the_nearest_sentence(palace: Palace, tmp_path: Path) -> None:
    sentences = [f"Day {number} was as calm as the one before, and we saw no sail." for number in range(45)]
    sentences[38] = "The cook lost the silver whistle below the galley stove."
    sentences[3] = "A whistle was heard at night, a silver one, the cook swore."
    content = " ".join(sentences)
    mine(palace, tmp_path, content)
    spans = rows(palace, "SELECT char_start, char_end FROM passage WHERE kind <> 'sentence' ORDER BY ordinal")
    assert len(spans) > 2
    for near in (sentences[38], sentences[3]):
        start, end = spans[compare(palace, "whistle", near)[content].passage.ordinal]
        assert near in content[start:end]


def test_a_drawer_keeps_its_similarity_while_one_of_its_vectors_is_pending(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, TALK)
    before = compare(palace, "bakery", SENTENCES[1])[TALK]
    with palace._opened.session() as session:
        pending = "UPDATE passage_embedding SET embedding = NULL WHERE user_id = :user_id"
        session.execute(sa.text(f"{pending} AND ordinal = (SELECT max(ordinal) FROM passage_embedding"
                                " WHERE user_id = :user_id)"))  # fmt: skip
        assert session.execute(sa.text("SELECT count(embedding) FROM passage_embedding WHERE user_id = :user_id")).one()
    after = compare(palace, "bakery", SENTENCES[1])[TALK]
    assert after.similarity == before.similarity == pytest.approx(1, abs=1e-3)
    with palace._opened.session() as session:
        session.execute(sa.text(pending))
    assert compare(palace, "bakery", SENTENCES[1])[TALK].similarity is None


def test_a_phrase_is_words_beside_each_other_or_with_one_between(palace: Palace, tmp_path: Path) -> None:
    beside, between = "There the red boat sails.", "There the red wooden boat sails."
    apart, backwards = "There a red and very old boat sails.", "There our boat, all red, sails."
    mine(palace, tmp_path, beside, between, apart, backwards)
    found = compare(palace, "red boat")
    assert all(each.coverage == pytest.approx(1.0) for each in found.values())
    assert {content for content, each in found.items() if each.phrase > 0} == {beside, between}


def test_a_quotation_counts_whole(palace: Palace, tmp_path: Path) -> None:
    whole, scattered = "Then they cried: hoist the mainsail, lads!", "Then the mainsail was torn by the hoist, lads!"
    mine(palace, tmp_path, whole, scattered, "Rain.")
    found = compare(palace, 'who cried "hoist the mainsail"?')
    assert found[whole].coverage == pytest.approx(1.0)
    assert found[scattered].coverage < 0.5
    plain = compare(palace, "hoist the mainsail")
    assert plain[whole].coverage == plain[scattered].coverage == pytest.approx(1.0)


def test_coverage_is_the_share_of_the_rare_words_of_one_passage(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, "A copper kettle.", "A copper wire.", "Copper.", "Rain.")
    with palace._opened.session() as session:
        idf = {word.query: word.idf for word in weigh_words(session, "copper kettle").words}
    share = idf["'copper'"] / sum(idf.values())
    found = compare(palace, "copper kettle")
    assert {content: each.coverage for content, each in found.items()} == pytest.approx(
        {"A copper kettle.": 1.0, "A copper wire.": share, "Copper.": share, "Rain.": 0.0}
    )


def test_a_drawer_without_a_vector_is_compared_by_its_words(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    mine(palace, tmp_path, "Rain.")
    failing = HashingEmbedder(fail_on=lambda text: "kettle" in text)
    with Palace.open(settings, user=palace.user, embedder=failing) as other:
        mine(other, tmp_path, "A copper kettle.")
    found = compare(palace, "kettle", "Rain.")
    assert found["Rain."].similarity == pytest.approx(1.0, abs=1e-3)
    assert found["A copper kettle."].similarity is None
    assert found["A copper kettle."].keyword > 0


def test_a_drawer_speaks_of_a_time_whenever_it_was_said(palace: Palace, tmp_path: Path) -> None:
    content = "Yesterday the mast broke."
    mine(palace, tmp_path, content, "Rain.", timestamp=SAID_AT.isoformat())
    day_before = (datetime(2026, 5, 19, tzinfo=UTC), datetime(2026, 5, 20, tzinfo=UTC))
    long_ago = (datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC))

    def speakers(*windows: tuple[datetime, datetime]) -> list[str]:
        return [said for said, each in compare(palace, "mast", windows=windows).items() if each.speaks_of_it]

    assert speakers(long_ago, day_before) == [content]
    assert speakers(long_ago) == []
    assert speakers() == []


def test_a_drawer_tells_where_it_stands_who_said_it_and_when(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, "A kettle.", "A wire.", timestamp=SAID_AT.isoformat())
    mine(palace, tmp_path, "An oar.", role="assistant")
    kettle, wire, oar = (compare(palace, "kettle")[said] for said in ("A kettle.", "A wire.", "An oar."))
    assert (kettle.said_at, kettle.is_person, oar.is_person) == (SAID_AT, True, False)
    assert kettle.room_id == wire.room_id != oar.room_id
    assert (kettle.turn[0], kettle.turn[1] + 1) == wire.turn
    assert [(oar.said_at,)] == rows(palace, "SELECT filed_at FROM drawer WHERE content = 'An oar.'")


ASKS = (
    rf"(?i)^.{{0,60}}(?:[^.!。！\n]|[.!](?!\s))*[{QUESTION_SIGNS}]"
    rf"(?:[^[:alnum:]]*(?:{WISHES})\M[^.!?[:digit:]\n]*){{0,2}}[^[:alnum:]]*$"
)
PARTS = (
    "?",
    "? ",
    ";",
    "؟",
    ". ",
    ".",
    "!\n",
    "。",
    " I want",
    "we need ",
    "Ich will ",
    " it",
    "7",
    '"',
    "what is ",
    "x" * 30,
)


def test_texts_that_end_as_questions_are_those_that_one_pattern_finds(palace: Palace, tmp_path: Path) -> None:
    chance = random.Random(5)
    said = {"".join(chance.choices(PARTS, k=chance.randint(1, 12))).strip() for _ in range(400)}
    mine(palace, tmp_path, "Rain.", *sorted(said))
    either = "SELECT content FROM drawer WHERE content ~ :asks OR content ~ :bare"
    matched = {content for (content,) in rows(palace, either, asks=ASKS, bare=f"(?i){BARE_QUESTION}")}
    compared = compare(palace, "rain")
    assert len(compared) > len(matched) + 50 > 100
    assert {content for content, each in compared.items() if each.asked is not None} == matched
