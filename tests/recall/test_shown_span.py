"""A long drawer is cut down to its best sentence and what surrounds it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palace.models import Span
from palace.recall.excerpt import ELLIPSIS, shown_lines, shown_span, word_pattern

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
