"""What people see of each record: as a view, cut to lines of a terminal, and why a drawer was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from rich.cells import cell_len
from rich.console import RenderableType

from palace.models import (
    ArmScore,
    Closet,
    Drawer,
    Hit,
    MineSummary,
    Pointer,
    Recollection,
    Room,
    RoomContents,
    ShownDrawer,
    Span,
    Wing,
    WingKind,
)
from palace_cli import clock
from palace_cli.commands.ls import room_view, shown_text, wings_view
from palace_cli.commands.mine import summary_view
from palace_cli.render.drawer import SHORT_LINES, excerpt, preview, said
from palace_cli.render.figures import ago
from palace_cli.render.hits import in_words, recollection_view
from tests.cli.conftest import Make

Printed = Callable[..., list[str]]

NOW = datetime(2026, 5, 3, 9, 0, tzinfo=UTC)
EFOIL = Wing(1, 1, "efoil-rebuild", "Efoil rebuild", WingKind.TOPIC, room_count=2, drawer_count=1204)
SESSION = Room(5, 1, 2, "Evening session", datetime(2026, 4, 30, 18, 0, tzinfo=UTC), drawer_count=9)
MINED = MineSummary(
    run_id=3,
    dry_run=False,
    files=1,
    conversations=2,
    drawers_new=1200,
    drawers_unchanged=3,
    drawers_excluded=1,
    drawers_forgotten=0,
    passages_embedded=1210,
    passages_pending=0,
    closets=14,
    cost_usd=Decimal("0.00012"),
    seconds=2.408,
)


def hit(drawer: Drawer, *arms: tuple[str, float, int], focus: str = "", **more: Any) -> Hit:
    start = drawer.content.index(focus)
    sentence = Span(start, start + len(focus)) if focus else None
    found = tuple(ArmScore(*arm) for arm in arms)
    return Hit(drawer, 0.5, Span(0, len(drawer.content)), found, sentence=sentence, **more)


def _shown(drawer: Drawer) -> RenderableType:
    found = hit(drawer, ("semantic", 0.712, 1), ("keyword", 8.31, 2), words=(("wire",),))
    return recollection_view(Recollection("wire", (found,)), width=100, now=NOW)


def test_a_hit_shows_pointer_place_speaker_text_and_why(drawer: Make, printed: Printed) -> None:
    assert printed(_shown(drawer())) == [
        "§ W-001/R-02/D-003  Efoil rebuild / Evening session / Battery wiring",
        "user, 2026-04-30 18:20, 3 days ago",
        "  I tried a 12-AWG silicone wire and it overheated.",
        'says "wire"; closest in meaning',
        "",
    ]


def test_a_hit_cannot_drive_the_terminal_or_start_a_line(drawer: Make, printed: Printed) -> None:
    hostile = "\x1b[2J\n\r[bold]x\x9b"
    drawer_ = drawer(content=hostile, speaker=hostile, wing_name=hostile, room_name=hostile, closet_name=None)
    lines = printed(_shown(drawer_))
    assert lines[0].endswith("␛[2J [bold]x<U+009B> / ␛[2J [bold]x<U+009B>")
    assert lines[2:4] == ["  ␛[2J", "  [bold]x<U+009B>"]
    assert len(lines) == 6


def test_a_mining_run_is_summed_up(printed: Printed) -> None:
    over = (("pictures", 3), ("web pages", 2), ("hidden files", 1))
    lines = printed(
        summary_view(replace(MINED, passed_over=over, passages_pending=7, wings=(("Boats (W-001)", 1200),)))
    )
    assert "filed in     Boats (W-001): 1,200" in lines
    assert "passed over  3 pictures, 2 web pages, 1 hidden file" in lines
    assert "passages     1,210 embedded with sentences, 7 pending (palace embeddings backfill)" in lines
    assert printed(summary_view(MINED)) == [
        "drawers   1,200 new, 3 unchanged, 1 excluded",
        "read      2 conversations in 1 source",
        "closets   14",
        "passages  1,210 embedded with sentences, 0 pending",
        "cost      $0.0001",
        "time      2.4 s (500 turns/s)",
    ]


def test_wings_are_a_line_each_and_every_name_keeps_the_table_straight(printed: Printed) -> None:
    for name in ("שלום עולם", "電池の配線", "👩‍👩‍👧 family 🔋", "a\u202eb", "[bold]x[/]", "é" * 80):
        header, *rows = printed(wings_view((EFOIL, Wing(2, 2, "x", name, WingKind.PERSON, 1, 1))), width=60)
        assert len(rows) == 2
        assert {cell_len(line) for line in (header, *rows)} == {cell_len(header)}, name
    assert printed(wings_view((EFOIL,))) == [
        "wing   name           kind   rooms  drawers",
        "W-001  Efoil rebuild  topic      2    1,204",
    ]


def test_a_room_shows_its_closets_and_its_drawers(drawer: Make, printed: Printed) -> None:
    contents = RoomContents(EFOIL, SESSION, (Closet(1, "battery", "Battery wiring", 9),), (drawer(),), 1, None)
    assert printed(room_view(contents)) == [
        "W-001/R-02  Efoil rebuild / Evening session",
        "",
        "closet          drawers",
        "Battery wiring        9",
        "",
        "drawer              when              who   begins",
        "§ W-001/R-02/D-003  2026-04-30 18:20  user  I tried a 12-AWG silicone wire and it overheated.",
    ]


def test_a_shown_drawer_is_verbatim_below_its_headers_between_its_neighbours(drawer: Make) -> None:
    before, after = drawer(pointer=Pointer(1, 2, 2)), drawer(pointer=Pointer(1, 2, 4))
    text = shown_text(ShownDrawer(drawer(is_revision=True, is_repaired=True), (before,), (after,)))
    assert [line[-3:] for line in text.splitlines() if line.startswith("§")] == ["002", "003", "004"]
    assert "(a later version; characters that cannot be stored were replaced)" in text
    text = shown_text(ShownDrawer(drawer(content="  line one\r\n\tline two  ")))
    assert text == (
        "§ W-001/R-02/D-003\n"
        "Efoil rebuild / Evening session / Battery wiring\n"
        "user, 2026-04-30 18:20\n"
        "\n"
        "  line one\r\n\tline two  \n"
    )


def test_the_sentence_that_answers_is_shown_however_far_behind_it_stands(drawer: Make) -> None:
    sentences = [f"On day {number} we passed a buoy." for number in range(60)]
    for width in (20, 78, 98):
        shown = excerpt(hit(drawer(content=" ".join(sentences)), focus=sentences[45]), width=width).plain
        assert sentences[45] in shown
        assert shown.startswith("… On day ")
        assert shown.endswith("buoy. …")
        assert len(shown) <= 4 * width + 4


def test_short_lines_and_wide_characters_fill_no_more_of_the_terminal_than_they_may(drawer: Make) -> None:
    content = "\n".join(f"step_{number}(port)" for number in range(80))
    lines = excerpt(hit(drawer(content=content), focus="step_40(port)"), width=78).plain.split("\n")
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


NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


def test_words_are_named_as_they_are_written_first_the_rarest_and_harmlessly(drawer: Make) -> None:
    found = hit(drawer(content="Charging needs chargers; a charger."), words=(("charger", "chargers"), ("needs",)))
    assert in_words(found) == 'says "chargers", "needs"'
    many = tuple((word,) for word in "abcdefg")
    assert in_words(hit(drawer(), words=many)) == 'says "a", "b", "c", "d", "e", …'
    assert in_words(hit(drawer(), words=(("a\x1b[2J\u202e",),))) == 'says "a␛[2J<U+202E>"'


def test_each_reason_has_its_words(drawer: Make) -> None:
    for arm, why in {
        ("keyword", 3.0, 1): "has your words outside this passage",
        ("semantic", 0.4, 1): "closest in meaning",
        ("semantic", 0.4, 4): "close in meaning",
        ("semantic", 0.4, 80): "not far in meaning",
        ("room", 0.7, 1): "its room is about it",
        ("time", 1.0, 1): "said then, as asked",
        ("time", 0.9, 1): "said near then",
    }.items():
        assert in_words(hit(drawer(), arm)) == why
    assert in_words(hit(drawer(), ("standing", 0.3, 1))).endswith("standing: you asked for this")
    assert in_words(hit(drawer(speaker="Ana"), ("standing", 0.3, 1))).endswith("standing: Ana asked for this")
    assert in_words(hit(drawer(), ("semantic", 0.4, 80), confidence=0.31)) == "not far in meaning"
    again = (drawer(pointer=Pointer(2, 1, 7)), drawer(pointer=Pointer(4, 12, 1)))
    assert in_words(hit(drawer(), ("mood", 0.3, 1), reranked=2, again=again)) == (
        "chosen by the language model as number 2; mood; said again in § W-002/R-01/D-007, § W-004/R-12/D-001"
    )


def test_a_date_is_told_from_today_in_the_persons_calendar(drawer: Make) -> None:
    for days, told in {
        **{0: "today", 1: "yesterday", -1: "tomorrow", 3: "3 days ago", 13: "13 days ago", 14: "2 weeks ago"},
        **{60: "8 weeks ago", 61: "2 months ago", 730: "23 months ago", 731: "2 years ago", -9: "in 9 days"},
        36500: "99 years ago",
    }.items():
        assert ago(NOON - timedelta(days=days), NOON) == told
    token = clock._ZONE.set(UTC)
    try:
        assert ago(NOON - timedelta(hours=12, minutes=1), NOON) == "yesterday"
        assert ago(NOON - timedelta(hours=12), NOON) == "today"
    finally:
        clock._ZONE.reset(token)
    assert said(drawer(), NOON) == "user, 2026-04-30 18:20, 2 weeks ago"
    assert said(drawer()) == "user, 2026-04-30 18:20"
    assert said(replace(drawer(), said_at=None), NOON) == "user, undated"
