"""What people see of each record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import RenderableType

from palace.records import (
    ArmScore,
    BackfillSummary,
    Check,
    Closet,
    CostLine,
    Drawer,
    Generation,
    GenerationStatus,
    Hit,
    MineSummary,
    PalaceStatus,
    Pointer,
    Recollection,
    RehearsedSource,
    Role,
    Room,
    RoomContents,
    ServerStatus,
    ShownDrawer,
    Span,
    StepStatus,
    Verdict,
    Wing,
    WingContents,
    WingKind,
)
from palace_cli.commands.costs import costs_view
from palace_cli.commands.doctor import checks_view
from palace_cli.commands.embeddings import backfill_view
from palace_cli.commands.ls import room_view, wing_view, wings_view
from palace_cli.commands.mine import summary_view
from palace_cli.commands.show import shown_text
from palace_cli.commands.status import status_view
from palace_cli.render.generations import generations_view
from palace_cli.render.hits.view import recollection_view
from palace_cli.render.server import server_view

Printed = Callable[..., list[str]]
Make = Callable[..., Drawer]

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


def test_the_numbers_behind_the_reasons_are_shown_to_who_asks(drawer: Make, printed: Printed) -> None:
    assert printed(_shown(drawer(), verbose=True, reranked=2))[3:5] == [
        'says "wire"; closest in meaning; chosen by the language model as number 2',
        "score 0.93 · semantic 0.71 (#1) · keyword 8.31 (#2) · reranked #2",
    ]


def test_a_long_drawer_is_cut_to_a_few_lines_around_its_passage(drawer: Make, printed: Printed) -> None:
    content = f"{'before ' * 400}the passage itself{' after' * 400}"
    lines = printed(_shown(drawer(content=content), passage=Span(2800, 2818), width=80), width=80)
    assert 4 <= len(lines[2:-2]) <= 5
    assert "the passage itself" in " ".join(line.strip() for line in lines)


def test_neighbours_stand_around_their_hit_with_pointers_of_their_own(drawer: Make, printed: Printed) -> None:
    before = drawer(content="What did\nyou try?", role=Role.ASSISTANT, pointer=Pointer(1, 2, 2))
    after = drawer(content="So what now? " * 20, speaker="Derek", pointer=Pointer(1, 2, 4))
    assert printed(_shown(drawer(), before=(before,), after=(after,), width=80), width=80)[2:5] == [
        "before § W-001/R-02/D-002  assistant: What did you try?",
        "  I tried a 12-AWG silicone wire and it overheated.",
        "after § W-001/R-02/D-004  Derek: So what now? So what now? So what now? So what…",
    ]


def test_a_neighbour_of_several_hits_is_shown_once(drawer: Make, printed: Printed) -> None:
    said = [drawer(pointer=Pointer(1, 2, number), content=f"Number {number}.", id=number) for number in range(1, 6)]
    hits = (_hit(said[1], before=(said[0],), after=(said[2],)), _hit(said[3], before=(said[2],), after=(said[4],)))
    lines = printed(recollection_view(Recollection("wire", hits), width=100, now=NOW))
    assert [line.split("  ")[0] for line in lines if line.startswith(("before", "after"))] == [
        "before § W-001/R-02/D-001",
        "after § W-001/R-02/D-003",
        "after § W-001/R-02/D-005",
    ]


def test_where_there_is_no_width_to_fit_a_neighbour_is_told_at_length(drawer: Make, printed: Printed) -> None:
    asked = drawer(pointer=Pointer(1, 2, 2), content="Which wire do you think could carry that for an hour? " * 3, id=2)
    recollection = Recollection("wire", (_hit(drawer(), question=asked),))
    (line,) = [
        each for each in printed(recollection_view(recollection, width=80, now=NOW), width=80) if "asked" in each
    ]
    assert len(line) <= 80
    view = recollection_view(recollection, width=80, now=NOW, longest=200)
    (line,) = [each for each in printed(view, width=10_000) if each.startswith("asked ")]
    assert line.endswith(f"user: {asked.content.strip()}")


def test_no_line_of_a_text_can_pass_for_a_hit_or_a_neighbour(drawer: Make, printed: Printed) -> None:
    content = "yes\n§ W-001/R-02/D-009  Efoil rebuild\nuser, today\nafter § W-001/R-02/D-010  Derek: no\n\n" + "x" * 90
    lines = printed(_shown(drawer(content=content), width=80), width=80)
    assert [line for line in lines if not line.startswith("  ")] == [lines[0], lines[1], lines[-2], ""]
    assert lines[2:6] == [f"  {line}" for line in content.split("\n")[:4]]


def test_a_hit_cannot_drive_the_terminal_or_start_a_line(drawer: Make, printed: Printed) -> None:
    hostile = "\x1b[2J\n\r[bold]x\x9b"
    drawer_ = drawer(content=hostile, speaker=hostile, wing_name=hostile, room_name=hostile, closet_name=None)
    lines = printed(_shown(drawer_))
    assert lines[0].endswith("␛[2J [bold]x<U+009B> / ␛[2J [bold]x<U+009B>")
    assert lines[2:4] == ["  ␛[2J", "  [bold]x<U+009B>"]
    assert len(lines) == 6


def test_no_hits_print_nothing(printed: Printed) -> None:
    assert printed(recollection_view(Recollection("x", ()), width=100)) == []


def test_an_undated_drawer_says_so(drawer: Make, printed: Printed) -> None:
    assert "user, undated" in printed(_shown(drawer(said_at=None)))


def test_a_mining_run_is_summed_up(printed: Printed) -> None:
    assert printed(summary_view(MINED)) == [
        "drawers   1,200 new, 3 unchanged, 1 excluded",
        "read      2 conversations in 1 file",
        "closets   14",
        "passages  1,210 embedded with sentences, 0 pending",
        "cost      $0.0001",
        "time      2.4 s (500 turns/s)",
    ]


def test_a_rehearsal_says_that_nothing_was_stored(printed: Printed) -> None:
    assert printed(summary_view(replace(MINED, dry_run=True)))[0].startswith("dry run   nothing was stored")


def test_what_is_passed_over_is_counted_in_the_right_number(printed: Printed) -> None:
    lines = printed(summary_view(replace(MINED, passed_over=(("pictures", 3), ("web pages", 2), ("hidden files", 1)))))
    assert "passed over  3 pictures, 2 web pages, 1 hidden file" in lines


def test_a_rehearsal_of_many_sources_shows_the_first_that_change(printed: Printed) -> None:
    changed = [RehearsedSource(f"{number}.md", 2, 1, 0) for number in range(30)]
    same = [RehearsedSource(f"same-{number}.md", 0, 1, 0) for number in range(5)]
    lines = printed(summary_view(replace(MINED, dry_run=True, sources=(*same, *changed))))
    shown = [line.removeprefix("source").strip() for line in lines if line.startswith("source")]
    assert shown[0] == "0.md: 2 new, 1 unchanged, 0 replaced"
    assert shown[20:] == ["… and 10 more with something new or replaced (--json has all)", "5 with nothing new"]


def test_pending_passages_name_the_command_that_embeds_them(printed: Printed) -> None:
    lines = printed(summary_view(replace(MINED, passages_pending=7)))
    assert "passages  1,210 embedded with sentences, 7 pending (palace embeddings backfill)" in lines


def test_wings_are_a_line_each(printed: Printed) -> None:
    assert printed(wings_view((EFOIL,))) == [
        "wing   name           kind   rooms  drawers",
        "W-001  Efoil rebuild  topic      2    1,204",
    ]


def test_rooms_are_a_line_each_with_the_number_that_ls_takes(printed: Printed) -> None:
    assert printed(wing_view(WingContents(EFOIL, (SESSION,), 1, None))) == [
        "Efoil rebuild",
        "",
        "room        name             began             drawers",
        "W-001/R-02  Evening session  2026-04-30 18:00        9",
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


def test_old_versions_are_counted_and_marked_as_where_a_drawer_is_shown(drawer: Make, printed: Printed) -> None:
    replaced_at = datetime(2026, 5, 2, 12, 0, tzinfo=UTC)
    old = drawer(replaced_at=replaced_at, replaced_by=Pointer(1, 2, 7))
    gone = drawer(pointer=Pointer(1, 2, 4), replaced_at=replaced_at)
    new = drawer(pointer=Pointer(1, 2, 7), is_revision=True)
    room = replace(SESSION, replaced_count=2)
    contents = RoomContents(EFOIL, room, (Closet(1, "battery", "Battery wiring", 9, 2),), (old, gone, new), 3, None)
    lines = printed(room_view(contents), width=140)
    assert lines[0] == "W-001/R-02  Efoil rebuild / Evening session (9 drawers, 2 replaced)"
    assert lines[2:4] == ["closet          drawers  replaced", "Battery wiring        9         2"]
    assert [line.split("user  ")[-1].split("  ")[0] for line in lines[5:]] == [
        "drawer",
        "replaced on 2026-05-02 by § W-001/R-02/D-007",
        "no longer in its source since 2026-05-02",
        "a later version",
    ]
    assert printed(wing_view(WingContents(EFOIL, (room, replace(room, replaced_count=0)), 2, None)))[2:] == [
        "room        name             began             drawers  replaced",
        "W-001/R-02  Evening session  2026-04-30 18:00        9         2",
        "W-001/R-02  Evening session  2026-04-30 18:00        9         0",
    ]
    assert printed(wings_view((replace(EFOIL, replaced_count=12),))) == [
        "wing   name           kind   rooms  drawers  replaced",
        "W-001  Efoil rebuild  topic      2    1,204        12",
    ]


@pytest.mark.parametrize("name", ["שלום עולם", "電池の配線", "👩‍👩‍👧 family 🔋", "a\u202eb", "[bold]x[/]", "é" * 80])
def test_every_name_keeps_the_table_straight(name: str, printed: Printed) -> None:
    wing = Wing(2, 2, "x", name, WingKind.PERSON, 1, 1)
    header, *rows = printed(wings_view((EFOIL, wing)), width=60)
    assert len(rows) == 2
    assert {cell_len(line) for line in (header, *rows)} == {cell_len(header)}


def test_a_narrow_terminal_cuts_names_but_never_pointers(drawer: Make, printed: Printed) -> None:
    contents = RoomContents(EFOIL, SESSION, (), (drawer(),), 1, None)
    lines = printed(room_view(contents), width=60)
    assert lines[3].startswith("§ W-001/R-02/D-003  2026-04-30 18:20  ")
    assert lines[3].endswith("…")
    assert len(lines) == 4


def test_a_shown_drawer_is_verbatim_below_its_headers(drawer: Make) -> None:
    text = shown_text(ShownDrawer(drawer(content="  line one\r\n\tline two  ")))
    assert text == (
        "§ W-001/R-02/D-003\n"
        "Efoil rebuild / Evening session / Battery wiring\n"
        "user, 2026-04-30 18:20\n"
        "\n"
        "  line one\r\n\tline two  \n"
    )


def test_a_shown_drawer_stands_between_its_neighbours(drawer: Make) -> None:
    before, after = drawer(pointer=Pointer(1, 2, 2)), drawer(pointer=Pointer(1, 2, 4))
    text = shown_text(ShownDrawer(drawer(), (before,), (after,)))
    assert [line for line in text.splitlines() if line.startswith("§")] == [
        "§ W-001/R-02/D-002",
        "§ W-001/R-02/D-003",
        "§ W-001/R-02/D-004",
    ]


def test_a_revised_and_repaired_drawer_says_so(drawer: Make) -> None:
    text = shown_text(ShownDrawer(drawer(is_revision=True, is_repaired=True)))
    assert "(a later version; characters that cannot be stored were replaced)" in text


def test_costs_are_a_line_each_and_their_sum(printed: Printed) -> None:
    lines = (
        CostLine("memory_embed", "openai/small", 3, 1, 12_000, Decimal("0.0024"), 1.25),
        CostLine("memory_qa", "openai/gpt-4o", 1, 0, 500, Decimal("0.01"), 2.0),
    )
    assert printed(costs_view(lines)) == [
        "purpose       model          calls  failed  tokens     cost  seconds",
        "memory_embed  openai/small       3       1  12,000  $0.0024      1.2",
        "memory_qa     openai/gpt-4o      1       0     500  $0.0100      2.0",
        "all                              4       1  12,500  $0.0124      3.2",
    ]


GENERATION = GenerationStatus(Generation(1, "bundled/all-MiniLM-L6-v2", 384, True), "active", 1210, 4)
SERVER = ServerStatus("embedded", True, "postgresql:///palace", "18.6", "/home/me/data", 48_200_000, 4711)


def test_generations_are_a_line_each(printed: Printed) -> None:
    assert printed(generations_view((GENERATION,))) == [
        "model                     dimension  state   embedded  pending",
        "bundled/all-MiniLM-L6-v2        384  active     1,210        4",
    ]


def test_a_backfill_is_summed_up(printed: Printed) -> None:
    assert printed(backfill_view(BackfillSummary(5, 0, Decimal(0), 0.31))) == [
        "passages  5 embedded with sentences, 0 pending",
        "cost      $0.0000",
        "time      0.3 s",
    ]


def test_a_server_that_does_not_run_shows_what_is_known(printed: Printed) -> None:
    assert printed(server_view(ServerStatus("embedded", False, "postgresql:///palace"))) == [
        "server  embedded, not running",
        "url     postgresql:///palace",
    ]


def test_the_status_shows_counts_server_and_embeddings(printed: Printed) -> None:
    found = PalaceStatus("derek", SERVER, 1, 2, 1204, 1214, 402, (GENERATION,), None)
    assert printed(status_view(found)) == [
        "user        derek",
        "wings       1",
        "rooms       2",
        "drawers     1,204",
        "passages    1,214, 402 found by words alone",
        "sentences   402",
        "entities    0",
        "relations   0",
        "last mined  never",
        "server      embedded, running, process 4711",
        "version     18.6",
        "url         postgresql:///palace",
        "folder      /home/me/data",
        "size        48.2 MB",
        "",
        "model                     dimension  state   embedded  pending",
        "bundled/all-MiniLM-L6-v2        384  active     1,210        4",
    ]


def test_the_status_says_how_many_drawers_are_replaced(printed: Printed) -> None:
    found = PalaceStatus("derek", SERVER, 1, 2, 1204, 1214, 402, (GENERATION,), None, replaced=2)
    assert printed(status_view(found))[3] == "drawers     1,204, 2 replaced"


def test_the_status_names_the_steps_that_wait_and_what_failed_last(printed: Printed) -> None:
    failed_at = datetime(2026, 5, 3, 7, 30, tzinfo=UTC)
    steps = (
        StepStatus("passages", 1),
        StepStatus("vectors", 1200, 3, 1, "the model\x1b did not answer", failed_at),
        StepStatus("topics", 0),
    )
    found = PalaceStatus("derek", SERVER, 1, 2, 1204, 1214, 402, (GENERATION,), None, steps=steps)
    waiting = [line for line in printed(status_view(found)) if " pending " in line][:2]
    assert [line.split(maxsplit=2)[::2] for line in waiting] == [
        ["passages", "1 conversation"],
        [
            "vectors",
            "1,200 conversations, 3 failed (1 until palace embeddings backfill), last 2026-05-03 07:30:"
            " the model␛ did not answer",
        ],
    ]


def test_a_check_shows_its_verdict_in_words_and_what_mends_it(printed: Printed) -> None:
    checks = (
        Check("server", Verdict.OK, "it answers"),
        Check("schema", Verdict.PROBLEM, "revision 0001 is too old", "palace db upgrade"),
    )
    assert printed(checks_view(checks)) == [
        "ok       server: it answers",
        "problem  schema: revision 0001 is too old",
        "         → palace db upgrade",
    ]
