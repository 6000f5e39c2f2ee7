"""Words are found in the language they are written in, without spaces, and in parts."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Drawer, Palace, Strategy
from palace.settings import Settings
from palace.store.candidates.words import weigh_words
from palace.store.counts import count_languages, get_counts, get_languages
from palace.tables.stemmers import STEMMED, configuration_of
from palace.testing import HashingEmbedder

WORDS_ALONE = Strategy.of({"arms": ["keyword"]})
GERMAN = "Meine Wohnung in Köln hat einen kleinen Balkon."
TRUE_COUNTS = sa.text(
    "SELECT word.lexeme, count(*) FROM passage CROSS JOIN LATERAL unnest(tsv) AS word WHERE kind <> 'tool' GROUP BY 1"
)


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        yield opened


def say(palace: Palace, *said: str, role: str = "user") -> None:
    for text in said:
        palace.file([{"role": role, "content": text, "timestamp": "2026-03-01T10:00:00Z"}], id=text[:60])


def found(palace: Palace, query: str) -> list[str]:
    return [hit.drawer.content for hit in palace.recall(query, strategy=WORDS_ALONE, floor="none", tools=True).hits]


def lexemes(palace: Palace, query: str) -> list[tuple[str, ...]]:
    with palace._opened.session() as session:
        return [word.lexemes for word in weigh_words(session, query).words]


@pytest.mark.parametrize(
    ("said", "query"),
    [
        (GERMAN, "Wohnungen"),
        ("Ich fahre jeden Morgen mit der Straßenbahn zur Arbeit.", "Strassenbahnen"),
        ("Les chevaux de mon oncle sont dans la prairie.", "cheval"),
        ("Mi hermano trabaja en una panadería del pueblo.", "panaderías"),
        ("Il mio gatto dorme sempre sulla finestra della cucina.", "finestre"),
        ("Я вчера говорил с братьями о новой даче.", "брат"),
        ("Mijn boeken staan achter in de schuur van de buren.", "boek"),
        ("我上个月在朝阳区租了一间公寓。", "公寓在哪里"),
        ("昨日は友達と寿司を食べました。", "いつ寿司を食べた?"),
        ("ฉันชอบกินข้าวผัดที่ร้านใกล้บ้าน", "ข้าวผัด"),
        ("저는 작년에 부산으로 이사했어요.", "부산으로"),
    ],
)
def test_another_form_of_a_word_is_found(palace: Palace, said: str, query: str) -> None:
    say(palace, said, "My neighbour has painted the fence of the garden.", "The ferry leaves at nine from the pier.")
    assert found(palace, query)[:1] == [said]


def test_stop_words_of_the_querys_language_do_not_outrank_what_it_asks_for(palace: Palace) -> None:
    wanted = "Frau Albers aus dem dritten Stock vermietet die Garage."
    say(palace, wanted, *(f"Das ist meine Nummer {n}, und das ist meine Tür, wo meine Katze ist." for n in range(5)))
    assert found(palace, "Wo ist meine Garage?")[:1] == [wanted]
    assert lexemes(palace, "Wo ist meine Garage?") == [("garag",)]
    # In an English question "die" is what it asks about.
    assert ("die",) in lexemes(palace, "When did the old cat die?")


def test_a_palace_of_two_languages_answers_in_both(palace: Palace) -> None:
    english = "We are painting the boats before the summer."
    say(palace, english, GERMAN, "Der Zug nach Hamburg fährt um neun Uhr ab.")
    assert found(palace, "Wohnungen") == [GERMAN]
    assert found(palace, "painted boat") == [english]
    # One word, whatever the languages make of it.
    assert lexemes(palace, "Wohnungen") == [("wohnung", "wohnungen")]
    assert [hit.words for hit in palace.recall("Wohnungen", strategy=WORDS_ALONE, floor="none").hits] == [
        (("wohnung",),)
    ]


def test_english_alone_is_stemmed_as_english_alone(palace: Palace) -> None:
    say(palace, "The kettles are boiling over in the kitchen.")
    assert set(lexemes(palace, "boiled Wohnungen die kettles")) == {("boil",), ("kettl",), ("die",), ("wohnungen",)}


def test_what_tells_no_language_is_in_that_of_its_conversation_or_of_the_palace(palace: Palace) -> None:
    talk = [{"role": "user", "content": GERMAN}, {"role": "assistant", "content": "Schön."}]
    palace.file(talk, id="talk")
    say(palace, "Zahnarzt Dienstag")
    assert {drawer.content: drawer.language for drawer in drawers(palace)} == {
        GERMAN: "de",
        "Schön.": "de",
        "Zahnarzt Dienstag": "de",
    }
    assert found(palace, "Zahnärzte") == ["Zahnarzt Dienstag"]


def drawers(palace: Palace) -> list[Drawer]:
    there = [
        each for wing in palace.tree.wings() for room in palace.tree.rooms(wing) for each in palace.tree.drawers(room)
    ]
    return sorted(there, key=lambda drawer: drawer.pointer)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("QueueFull", 0),
        ("queue full", 0),
        ("asyncio", 0),
        ("asyncio.QueueFull", 0),
        ("4412", 1),
        ("PROJ-4412", 1),
        ("parse config", 1),
        ("main.py", 2),
        ("src app", 2),
        ("getUserName", 3),
        ("user name", 3),
        ("example.org", 4),
        ("db-prod-3", 4),
        ("node", 5),
    ],
)
@pytest.mark.parametrize("role", ["user", "tool"])
def test_a_name_is_found_whole_and_by_its_parts(palace: Palace, query: str, place: int, role: str) -> None:
    said = (
        "It stopped with asyncio.QueueFull in the night.",
        "See PROJ-4412 for parse_config_file and what it does.",
        "The entry is in src/app/main.py since last week.",
        "Call getUserName first.",
        "Write to anna@example.org about db-prod-3.internal today.",
        "It runs on node.js since March.",
    )
    say(palace, *said, role=role)
    assert found(palace, query)[:1] == [said[place]]


def test_counts_are_those_of_what_is_there_whatever_happens(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    say(palace, GERMAN, "Les chevaux de mon oncle sont dans la prairie.", "我上个月在朝阳区租了一间公寓。")
    say(palace, "See PROJ-4412 in src/app/main.py.", "The boats are in the harbour.")
    assert counted(palace) == {"de": 1, "en": 2, "fr": 1, "zh": 1}
    palace.transfer.export(tmp_path / "palace.jsonl")
    palace.forget(str(palace.recall("Wohnungen", strategy=WORDS_ALONE, floor="none").hits[0].drawer.pointer))
    assert counted(palace) == {"en": 2, "fr": 1, "zh": 1}
    palace.rebuild()
    assert counted(palace) == {"en": 2, "fr": 1, "zh": 1}
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as other:
        other.transfer.load(tmp_path / "palace.jsonl")
        assert counted(other) == {"de": 1, "en": 2, "fr": 1, "zh": 1}
        assert found(other, "Wohnungen") == [GERMAN]


def counted(palace: Palace) -> dict[str, int]:
    """Count drawers by language, where what is counted is what there is."""
    with palace._opened.session() as session:
        there = {name: n for name, n in get_counts(session).items() if name.startswith("language:")}
        assert there == count_languages(session)
        return get_languages(session)


def test_a_palace_from_before_gets_its_words_by_the_passages_step(palace: Palace, settings: Settings) -> None:
    say(palace, GERMAN, "我上个月在朝阳区租了一间公寓。", "See PROJ-4412 for the rest.")
    before = [(drawer.pointer, drawer.content) for drawer in drawers(palace)]
    with palace._opened.session() as session:
        for statement in (
            "DELETE FROM count_delta WHERE counted ~ '^language:'",
            "UPDATE drawer SET language = NULL",
            "UPDATE passage SET tsv = setweight(to_tsvector('english', content), 'A')"
            " || setweight(to_tsvector('palace_plain', content), 'B') FROM drawer WHERE drawer.id = drawer_id",
            "UPDATE index_step SET version = 2 WHERE step = 'passages'",
        ):
            session.connection.execute(sa.text(statement))
        session.connection.execute(sa.text("DELETE FROM term_count"))
    assert found(palace, "Wohnungen") == []
    palace.embeddings.backfill()
    assert found(palace, "Wohnungen") == [GERMAN]
    assert [found(palace, query)[0][:3] for query in ("公寓", "4412")] == ["我上个", "See"]
    assert [(drawer.pointer, drawer.content) for drawer in drawers(palace)] == before
    assert [drawer.language for drawer in drawers(palace)] == ["de", "zh", "en"]
    palace.rebuild()
    with palace._opened.session() as session:
        there: dict[str, int] = dict(session.connection.execute(TRUE_COUNTS).all())
        known: dict[str, int] = dict(
            session.connection.execute(sa.text("SELECT lexeme, passage_count FROM term_count")).all()
        )
    assert known == there


def test_the_function_stems_as_passages_are_stemmed(palace: Palace) -> None:
    with palace._opened.session() as session:
        body = session.connection.execute(
            sa.text("SELECT prosrc FROM pg_proc WHERE proname = 'stemmers_of'")
        ).scalar_one()
        there = set(session.connection.execute(sa.text("SELECT cfgname FROM pg_ts_config")).scalars())
    assert all(f"('{code}', '{name}_stem')" in body for code, name in STEMMED.items() if code != "en")
    assert set(STEMMED.values()) <= there
    assert [configuration_of(each) for each in (None, "ja", "de", "pl")] == [
        "pg_catalog.english",
        "pg_catalog.english",
        "pg_catalog.german",
        "pg_catalog.simple",
    ]
