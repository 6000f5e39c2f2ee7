"""What recall shows of what it finds: the sentence that answers, and the query's words as they are written."""

from __future__ import annotations

import uuid

from palace import Hit, Palace, Palaces

FOG = [f"On day {number} we passed buoy {number * 7} in thick fog and light wind." for number in range(30)]
KETTLE = "The kettles were humming below the galley stove."


def say(palace: Palace, *said: str, role: str = "user") -> None:
    palace.file([{"role": role, "content": content} for content in said], id="talk")


def sentence_of(hit: Hit) -> str:
    assert hit.sentence is not None
    return hit.drawer.content[slice(*hit.sentence)]


def test_the_sentence_that_answers_is_in_the_hit_and_in_the_block(palaces: Palaces) -> None:
    for role, place in (("user", 0), ("user", 29), ("assistant", 11)):
        palace = palaces.palace(f"user-{uuid.uuid4()}")
        say(palace, " ".join([*FOG[:place], KETTLE, *FOG[place:]]), role=role)
        found = palace.recall("humming kettle stove")
        assert sentence_of(found.hits[0]) == KETTLE
        assert found.hits[0].passage.start <= found.hits[0].sentence.start  # type: ignore[union-attr]
        block = palace.context_block(found)
        assert KETTLE in block
        assert len(block) < 1400


def test_the_nearest_sentence_is_found_without_words(palace: Palace) -> None:
    stop_words = "What it was, it was not over there then."
    say(palace, " ".join([*FOG[:9], stop_words, *FOG[9:]]))
    hit = palace.recall("what it was, it was not over there then").hits[0]
    assert hit.words == ()
    assert sentence_of(hit) == stop_words


def test_words_are_those_that_postgres_matches_as_they_are_written(palace: Palace) -> None:
    told: list[tuple[str, str, set[tuple[str, ...]]]] = [
        ("charging kettle", "We charged the KETTLES; a kettle charges, its Charger not.", {("charged", "charges")}),
        ("12-AWG wires", "A 12-awg wire, a rewired one and 12 volts.", {("awg",), ("wire",), ("12",)}),
        ("Ladegerät Größe", "Das Ladegerät der GRÖSSE XL, die Größe.", {("ladegerät",), ("grösse", "größe")}),
        ("充電器 kettle", "充電器 kettle の電圧は二十五。", {("充電器",), ("kettle",)}),
        ("המטען kettle", "המטען שלי, kettle.", {("המטען",), ("kettle",)}),
        ("read_voltage kettle", "kettle: read_voltage(port)", {("read",), ("voltage",), ("kettle",)}),
        ("kettle dying", "It dies, dying like a kettle.", {("dies", "dying")}),
    ]
    say(palace, *(content for _, content, _ in told), "Something else about boats in the harbour.")
    for query, content, words in told:
        hits = [hit for hit in palace.recall(query, top_k=20, floor="none").hits if hit.drawer.content == content]
        assert hits, query
        assert all(words <= set(hit.words) for hit in hits), query
