"""Remembered text on a terminal: its lines, what is marked in it, and how it is cut."""

from __future__ import annotations

from rich.cells import cell_len

from palace.records import Drawer, Hit, Span
from palace_cli.render.excerpt import SHORT_LINES, excerpt, preview
from tests.cli.conftest import Make


def hit(drawer: Drawer, focus: str = "", words: tuple[tuple[str, ...], ...] = ()) -> Hit:
    start = drawer.content.index(focus)
    sentence = Span(start, start + len(focus)) if focus else None
    return Hit(drawer, 1.0, Span(0, len(drawer.content)), (), sentence=sentence, words=words)


def test_the_sentence_that_answers_is_shown_however_far_behind_it_stands(drawer: Make) -> None:
    sentences = [f"On day {number} we passed a buoy." for number in range(60)]
    for width in (20, 78, 98):
        shown = excerpt(hit(drawer(content=" ".join(sentences)), sentences[45]), width=width).plain
        assert sentences[45] in shown
        assert shown.startswith("… On day ")
        assert shown.endswith("buoy. …")
        assert len(shown) <= 4 * width + 4


def test_short_lines_and_wide_characters_fill_no_more_of_the_terminal_than_they_may(drawer: Make) -> None:
    content = "\n".join(f"step_{number}(port)" for number in range(80))
    lines = excerpt(hit(drawer(content=content), "step_40(port)"), width=78).plain.split("\n")
    assert len(lines) == SHORT_LINES
    assert any("step_40(port)" in line for line in lines)
    shown = excerpt(hit(drawer(content="電圧は二十五ボルトです。" * 60)), width=78).plain
    assert cell_len(shown) <= 4 * 78 + 2


def test_the_querys_words_are_marked_whole_in_any_case_and_nothing_hides(drawer: Make) -> None:
    content = "Chargers hum. My charger recharges; der Ladegerät-Charger auch."
    shown = excerpt(hit(drawer(content=content), words=(("charger", "chargers"), ("auch",))), width=78)
    assert [shown.plain[span.start : span.end] for span in shown.spans] == ["Chargers", "charger", "Charger", "auch"]
    assert {str(span.style) for span in shown.spans} == {"bold underline"}
    assert excerpt(hit(drawer(content="a\x1b[2Jb\u202ec")), width=78).plain == "a␛[2Jb<U+202E>c"


def test_a_preview_is_one_line_cut_between_words_or_where_the_limit_is() -> None:
    assert preview("\nThe first line\nand the second", limit=20) == "The first line and…"
    assert preview("電池は十二ボルトです", limit=4) == "電池は十…"
