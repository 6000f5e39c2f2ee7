"""What recall shows of what it finds: the sentence that answers, what surrounds it, words as they are written."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from palace import Hit, Palace, Palaces
from palace.models import Span
from palace.recall.excerpt import ELLIPSIS, shown_lines, shown_span, word_pattern
from palace.recall.hits import best_sentence

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


SENTENCES = [f"On day {number} we passed buoy {number * 7} in fog." for number in range(40)]
LOG = " ".join(SENTENCES)
WORDS = st.lists(st.text("abcdefgh.\n電 ", min_size=1, max_size=9), min_size=1, max_size=60).map(" ".join)


@st.composite
def focused(draw: st.DrawFn) -> tuple[str, Span]:
    content = draw(WORDS)
    start = draw(st.integers(0, len(content)))
    return content, Span(start, draw(st.integers(start, len(content))))


def shown(content: str, focus: Span, limit: int) -> Span:
    return shown_span(content, Span(0, len(content)), focus, lambda text: len(text) / limit, reach=limit)


def text_of(sentence: str, limit: int) -> str:
    start = LOG.index(sentence)
    return LOG[slice(*shown(LOG, Span(start, start + len(sentence)), limit))]


@given(focused(), st.integers(1, 120))
def test_what_is_shown_keeps_to_its_limit(case: tuple[str, Span], limit: int) -> None:
    start, end = shown(*case, limit)
    assert 0 <= start <= end <= len(case[0])
    assert end - start <= limit


@given(focused(), st.integers(1, 120))
def test_a_sentence_that_fits_is_shown_whole_and_one_that_does_not_from_its_beginning(
    case: tuple[str, Span], limit: int
) -> None:
    _, focus = case
    start, end = shown(*case, limit)
    if focus.end - focus.start <= limit:
        assert start <= focus.start
        assert end >= focus.end
    else:
        assert start == focus.start
        assert end > start


def test_sentences_around_stay_whole_and_both_sides_share_the_room() -> None:
    assert text_of(SENTENCES[20], 200) == " ".join(SENTENCES[18:23])


def test_of_an_endless_word_as_much_is_shown_as_there_is_room_for() -> None:
    assert shown("x" * 9000, Span(4000, 5000), 100) == (4000, 4100)


def test_a_text_of_megabytes_takes_no_longer_than_a_short_one() -> None:
    counted: list[int] = []

    def cost(text: str) -> float:
        counted.append(len(text))
        return len(text) / 300

    content = "word " * 1_000_000
    shown_span(content, Span(0, len(content)), Span(2_500_000, 2_500_009), cost, reach=300)
    assert sum(counted) < 100_000


def test_lines_keep_the_indentation_that_they_do_not_share() -> None:
    content = "start\n    def volts():\n\treturn 25.2\n\n        # end"
    assert shown_lines(content, Span(content.index("def"), len(content))) == [
        f"{ELLIPSIS} def volts():",
        "return 25.2",
        "    # end",
    ]


def test_words_are_found_where_they_stand_whole() -> None:
    texts = {
        "Charge the charger, recharger.": ["charger"],
        "CHARGER_PORT=charger-12": ["CHARGER", "charger", "12"],
        "12-AWG and 12 V": ["12-AWG", "12"],
        "die Größe, die GRÖSSE": ["Größe"],
        "המטען שלי": ["המטען"],
    }
    pattern = word_pattern(["charger", "12-awg", "12", "größe", "המטען"])
    assert pattern is not None
    assert {text: pattern.findall(text) for text in texts} == texts


SAID = "The charger hums. Its voltage is 25.2, as it should be. Derek has a charger too."
FIRST, SECOND, THIRD = Span(0, 17), Span(18, 55), Span(56, 80)
ALL = Span(0, len(SAID))
WEIGHTS = {"charger": 1.0, "voltag": 2.0}
OF_THE_QUERY = {"charger": ("charger",), "voltag": ("voltage",)}


def chosen(near: Mapping[Span, float], words: Mapping[str, tuple[str, ...]], content: str = SAID) -> str | None:
    span = best_sentence(content, Span(0, len(content)), near, words, WEIGHTS, share=0.5)
    return None if span is None else content[slice(*span)]


def test_the_words_decide_between_sentences_that_are_about_as_near() -> None:
    assert chosen({FIRST: 0.5, SECOND: 0.45, THIRD: 0.52}, OF_THE_QUERY) == SAID[slice(*SECOND)]


def test_where_neither_tells_them_apart_none_is_chosen() -> None:
    assert chosen({ALL: 0.7}, {}) is None
    assert chosen({}, {}) is None


@given(st.text("ab .\n", max_size=120), st.lists(st.sampled_from(["a", "b", "ab"]), max_size=3))
def test_what_is_chosen_lies_within_the_passage_and_is_seen(content: str, words: list[str]) -> None:
    passage = Span(len(content) // 4, len(content))
    span = best_sentence(content, passage, {}, {word: (word,) for word in words}, dict.fromkeys(words, 1.0), share=0.5)
    if span is not None:
        assert passage.start <= span.start < span.end <= passage.end
        assert any(word in content[slice(*span)] for word in words)
