"""What recall shows of what it finds: the sentence that answers, and the query's words as they are written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.codec.values import to_json
from palace.records import Hit, Recollection
from palace.store.candidates.words import QueryWords, Word, weigh_words

FOG = [f"On day {number} we passed buoy {number * 7} in thick fog and light wind." for number in range(30)]
KETTLE = "The kettles were humming below the galley stove."


def mine(palace: Palace, folder: Path, *said: str, role: str = "user") -> None:
    path = folder / f"{role}.json"
    path.write_text(json.dumps([{"role": role, "content": content} for content in said]), encoding="utf-8")
    palace.mine(path)


def sentence_of(hit: Hit) -> str:
    assert hit.sentence is not None
    return hit.drawer.content[slice(*hit.sentence)]


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize("place", [0, 11, 29])
def test_the_sentence_that_answers_is_in_the_hit_and_in_the_block(
    palace: Palace, tmp_path: Path, role: str, place: int
) -> None:
    mine(palace, tmp_path, " ".join([*FOG[:place], KETTLE, *FOG[place:]]), role=role)
    found = palace.recall("humming kettle stove")
    assert sentence_of(found.hits[0]) == KETTLE
    assert found.hits[0].passage.start <= found.hits[0].sentence.start  # type: ignore[union-attr]
    block = palace.context_block(found)
    assert KETTLE in block
    assert len(block) < 1400


def test_the_nearest_sentence_is_found_without_words(palace: Palace, tmp_path: Path) -> None:
    stop_words = "What it was, it was not over there then."
    mine(palace, tmp_path, " ".join([*FOG[:9], stop_words, *FOG[9:]]))
    hit = palace.recall("what it was, it was not over there then").hits[0]
    assert hit.words == ()
    assert sentence_of(hit) == stop_words


def test_a_line_of_code_is_shown_among_its_own(palace: Palace, tmp_path: Path) -> None:
    code = "\n".join(f"def step_{number}(port):\n    return port * {number}" for number in range(80))
    code = code.replace("return port * 61", "return kettle(port)")
    mine(palace, tmp_path, f"Here:\n\n```python\n{code}\n```", role="assistant")
    found = palace.recall("kettle port")
    assert sentence_of(found.hits[0]) == "return kettle(port)"
    assert "\n  def step_61(port):\n      return kettle(port)\n" in palace.context_block(found)


@pytest.mark.parametrize(
    ("query", "content", "words"),
    [
        ("charging kettle", "We charged the KETTLES; a kettle charges, its Charger not.", {("charged", "charges")}),
        ("12-AWG wires", "A 12-awg wire, a rewired one and 12 volts.", {("awg",), ("wire",), ("12",)}),
        (
            "Ladegerät Größe",
            "Das Ladegerät hat die GRÖSSE XL, die Größe stimmt.",
            {("ladegerät",), ("grösse", "größe")},
        ),
        ("充電器 kettle", "充電器 kettle の電圧は二十五。", {("充電器",), ("kettle",)}),
        ("המטען kettle", "המטען שלי, kettle.", {("המטען",), ("kettle",)}),
        ("read_voltage kettle", "kettle: read_voltage(port)", {("read",), ("voltage",), ("kettle",)}),
        ("kettle dying", "It dies, dying like a kettle.", {("dies", "dying")}),
        ("what it was", "It was a kettle.", set()),
    ],
)
def test_words_are_those_that_postgres_matches_as_they_are_written(
    palace: Palace, tmp_path: Path, query: str, content: str, words: set[tuple[str, ...]]
) -> None:
    mine(palace, tmp_path, content, "Something else about boats in the harbour.")
    hits = [hit for hit in palace.recall(query).hits if hit.drawer.content == content]
    assert all(words <= set(hit.words) for hit in hits)
    assert hits or not words


def test_every_word_that_is_given_is_one_that_the_passage_is_found_by(palace: Palace, tmp_path: Path) -> None:
    content = "It's Derek's e-mail: derek@example.org, http://example.org/kettle?x=1, 1.5 V, -3, O'Neill's \\ 'kettle'."
    query = "derek e-mail derek@example.org example.org/kettle 1.5 -3 o'neill kettle"
    mine(palace, tmp_path, content)
    (hit,) = palace.recall(query).hits
    holds = sa.text("SELECT 1 FROM passage WHERE user_id = :user_id AND tsv @@ CAST(:word AS tsquery)")
    with palace._opened.session() as session:
        words = weigh_words(session, query).words
        matched = {word.lexemes for word in words if session.execute(holds, {"word": word.query}).first()}
    assert len(hit.words) == len(matched)
    assert matched


def test_the_rarest_word_comes_first(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, "A kettle in the harbour.", *(f"The harbour, number {n}." for n in range(9)))
    assert palace.recall("harbour kettle").hits[0].words == (("kettle",), ("harbour",))


def test_what_to_show_takes_no_statement_more_for_more_hits(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, *(f"{KETTLE} Number {n} of them stood on the old iron stove." for n in range(12)))

    def statements(top_k: int) -> Sequence[str]:
        sent: list[str] = []

        def note(_c: object, _u: object, text: str, *_: Any) -> None:
            sent.append(text)

        engine = palace._opened.database.shared._engine
        assert engine is not None
        sa.event.listen(engine, "before_cursor_execute", note)
        try:
            assert len(palace.recall("kettle stove", top_k=top_k).hits) == top_k
        finally:
            sa.event.remove(engine, "before_cursor_execute", note)
        return sent

    statements(1)
    assert len(statements(8)) == len(statements(1))


def test_programs_get_the_sentence_and_the_words(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, f"{FOG[0]} {KETTLE}")
    found: Recollection = palace.recall("kettle")
    (hit,) = json.loads(to_json(found))["hits"]
    assert hit["sentence"] == {"start": len(FOG[0]) + 1, "end": len(FOG[0]) + 1 + len(KETTLE)}
    assert hit["words"] == [["kettles"]]


@pytest.mark.parametrize(
    ("query", "lexemes"),
    [
        ("'kettle'", ("kettle",)),
        ("'o''neill'", ("o'neill",)),
        ("'a\\\\b'", ("a\\b",)),
        ("'boil' | 'boiler'", ("boil", "boiler")),
        ("'a' <-> 'b'", ()),
        ("'a' & 'b'", ()),
    ],
)
def test_a_word_knows_its_lexemes_and_a_quotation_has_none(query: str, lexemes: tuple[str, ...]) -> None:
    word = Word(query, 1, 2.0)
    assert word.lexemes == lexemes
    assert QueryWords((word,), ()).lexemes == dict.fromkeys(lexemes[:1], 2.0)
    assert QueryWords((word,), ()).forms == dict.fromkeys(lexemes, lexemes[0] if lexemes else "")
