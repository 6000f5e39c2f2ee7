"""Words are found in the language they are written in, without spaces, and in parts."""

from __future__ import annotations

import uuid
from collections import Counter
from pathlib import Path

import pytest

from palace import Palace, Palaces, Strategy
from tests.held import drawers, findings

WORDS_ALONE = Strategy.of({"arms": ["keyword"]})
GERMAN = "Meine Wohnung in Köln hat einen kleinen Balkon."


def say(palace: Palace, *said: str, role: str = "user") -> None:
    for text in said:
        palace.file([{"role": role, "content": text, "timestamp": "2026-03-01T10:00:00Z"}], id=text[:60])


def found(palace: Palace, query: str) -> list[str]:
    return [hit.drawer.content for hit in palace.recall(query, strategy=WORDS_ALONE, floor="none", tools=True).hits]


def test_another_form_of_a_word_is_found(palace: Palace) -> None:
    asked = {
        "Wohnungen": GERMAN,
        "Strassenbahnen": "Ich fahre jeden Morgen mit der Straßenbahn zur Arbeit.",
        "cheval": "Les chevaux de mon oncle sont dans la prairie.",
        "брат": "Я вчера говорил с братьями о новой даче.",
        "公寓在哪里": "我上个月在朝阳区租了一间公寓。",
        "いつ寿司を食べた?": "昨日は友達と寿司を食べました。",
        "ข้าวผัด": "ฉันชอบกินข้าวผัดที่ร้านใกล้บ้าน",
        "부산으로": "저는 작년에 부산으로 이사했어요.",
    }
    say(palace, *asked.values(), "My neighbour has painted the fence.", "The ferry leaves at nine from the pier.")
    assert {query: found(palace, query)[:1] for query in asked} == {query: [said] for query, said in asked.items()}


def test_a_palace_of_two_languages_answers_in_both(palace: Palace) -> None:
    english = "We are painting the boats before the summer."
    say(palace, english, GERMAN, "Der Zug nach Hamburg fährt um neun Uhr ab.")
    assert found(palace, "Wohnungen") == [GERMAN]
    assert found(palace, "painted boat") == [english]
    assert [hit.words for hit in palace.recall("Wohnungen", strategy=WORDS_ALONE, floor="none").hits] == [
        (("wohnung",),)
    ]


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


@pytest.mark.nightly
def test_a_name_is_found_whole_and_by_its_parts(palace: Palace) -> None:
    parts = {
        "It stopped with asyncio.QueueFull in the night.": ("QueueFull", "queue full", "asyncio", "asyncio.QueueFull"),
        "See PROJ-4412 for parse_config_file and what it does.": ("4412", "parse config"),
        "The entry is in src/app/main.py since last week.": ("main.py", "src app"),
        "Call getUserName first.": ("getUserName", "user name"),
        "Write to anna@example.org about db-prod-3.internal today.": ("example.org", "db-prod-3"),
        "It runs on node.js since March.": ("node",),
    }
    for role in ("user", "tool"):
        say(palace, *parts, role=role)
        wrong = [(query, said) for said in parts for query in parts[said] if found(palace, query)[:1] != [said]]
        assert wrong == [], role
        palace.forget_everything()


@pytest.mark.nightly
def test_counts_are_those_of_what_is_there_whatever_happens(palace: Palace, palaces: Palaces, tmp_path: Path) -> None:
    say(palace, GERMAN, "Les chevaux de mon oncle sont dans la prairie.", "我上个月在朝阳区租了一间公寓。")
    say(palace, "See PROJ-4412 in src/app/main.py.", "The boats are in the harbour.")
    assert counted(palace) == {"de": 1, "en": 2, "fr": 1, "zh": 1}
    palace.transfer.export(tmp_path / "palace.jsonl")
    palace.forget(str(palace.recall("Wohnungen", strategy=WORDS_ALONE, floor="none").hits[0].drawer.pointer))
    assert counted(palace) == {"en": 2, "fr": 1, "zh": 1}
    palace.rebuild()
    assert counted(palace) == {"en": 2, "fr": 1, "zh": 1}
    other = palaces.palace(f"user-{uuid.uuid4()}")
    other.transfer.load(tmp_path / "palace.jsonl")
    assert counted(other) == {"de": 1, "en": 2, "fr": 1, "zh": 1}
    assert found(other, "Wohnungen") == [GERMAN]


def counted(palace: Palace) -> dict[str, int]:
    """Count drawers by language, where what is counted is what there is."""
    assert "counts" not in findings(palace)
    return dict(sorted(Counter(drawer.language or "en" for drawer in drawers(palace)).items()))
