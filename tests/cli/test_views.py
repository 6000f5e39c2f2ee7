"""What people see of each record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from rich.cells import cell_len
from rich.console import RenderableType

from palace.records import (
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
from palace_cli.commands.ls import room_view, wings_view
from palace_cli.commands.mine import summary_view
from palace_cli.commands.show import shown_text
from palace_cli.render.hits.view import recollection_view
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


def _hit(drawer: Drawer, passage: Span | None = None, **more: Any) -> Hit:
    arms = (ArmScore("semantic", 0.712, 1), ArmScore("keyword", 8.31, 2))
    return Hit(drawer, 0.934, passage or Span(0, len(drawer.content)), arms, **{"words": (("wire",),), **more})


def _shown(drawer: Drawer, *, width: int = 100, verbose: bool = False, **hit: Any) -> RenderableType:
    return recollection_view(Recollection("wire", (_hit(drawer, **hit),)), width=width, now=NOW, verbose=verbose)


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
    lines = printed(summary_view(replace(MINED, passed_over=over, passages_pending=7)))
    assert "passed over  3 pictures, 2 web pages, 1 hidden file" in lines
    assert "passages     1,210 embedded with sentences, 7 pending (palace embeddings backfill)" in lines
    assert printed(summary_view(MINED)) == [
        "drawers   1,200 new, 3 unchanged, 1 excluded",
        "read      2 conversations in 1 file",
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
