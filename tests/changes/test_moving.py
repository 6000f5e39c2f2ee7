"""Moving, merging and renaming; every pointer that ever was still resolves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from palace import BadRequest, NotFound, Palace, Wing
from tests.changes.views import BATTERY, HOTEL, Write, everything_said
from tests.held import contents


def test_a_moved_room_is_found_by_its_old_and_its_new_pointer_and_grows_where_it_is(
    furnished: Palace, write: Write
) -> None:
    before = contents(furnished)
    moved = furnished.tree.move("W-002/R-01", "Efoil")
    assert [tuple(room) for room in moved.rooms] == [("W-002/R-01", "W-001/R-02")]
    after = contents(furnished)
    assert after[HOTEL[0]] == "§ W-001/R-02/D-001"
    for text in (*BATTERY, *HOTEL):
        assert furnished.show(before[text]).drawer.content == furnished.show(after[text]).drawer.content == text
    assert furnished.tree.room("W-002/R-01") == furnished.tree.room("W-001/R-02")
    assert furnished.recall("hotel in Lisbon", wing="Efoil").hits[0].drawer.content == HOTEL[0]
    furnished.tree.move("W-001/R-02", "W-002")
    assert contents(furnished) == before
    assert furnished.show("§ W-001/R-02/D-001").drawer.content == HOTEL[0]
    furnished.tree.move("W-002/R-01", "Efoil")
    furnished.mine(write("hotel", (*HOTEL, "The bill was wrong.")), wing="Travel")
    assert contents(furnished)["The bill was wrong."] == "§ W-001/R-02/D-003"


def test_a_merged_wing_goes_on_under_both_names_and_numbers(furnished: Palace, write: Write) -> None:
    before = contents(furnished)
    merged = furnished.tree.move("Travel", "W-001")
    assert (merged.merged, merged.wing.room_count, merged.wing.drawer_count) == (True, 2, 6)
    assert [wing.name for wing in furnished.tree.wings()] == ["Efoil"]
    assert furnished.tree.wing("Travel") == furnished.tree.wing("W-002") == furnished.tree.wing("Efoil")
    for text, pointer in before.items():
        assert furnished.show(pointer).drawer.content == text
    furnished.mine(write("porto", ("A trip to Porto.",)), wing="Travel")
    assert contents(furnished)["A trip to Porto."].startswith("§ W-001/")


def test_a_renamed_wing_answers_to_both_names(furnished: Palace, folder: Path, write: Write) -> None:
    renamed = furnished.tree.rename("Efoil", "Hydrofoil, second build")
    assert isinstance(renamed, Wing)
    assert (renamed.name, renamed.slug) == ("Hydrofoil, second build", "hydrofoil-second-build")
    assert furnished.tree.wing("Efoil") == furnished.tree.wing("hydrofoil second build")
    furnished.mine(write("more", ("More about the foil.",)), wing="Efoil")
    assert contents(furnished)["More about the foil."].startswith("§ W-001/")
    assert furnished.tree.rename("W-001", "Efoil").name == "Efoil"
    assert furnished.tree.wing("Hydrofoil, second build").number == 1


def test_what_cannot_be_moved_or_renamed_is_told_and_nothing_changes(furnished: Palace) -> None:
    tree = furnished.tree
    refused: list[tuple[Callable[..., object], str, str, str]] = [
        (tree.move, "W-001/R-01", "Efoil", "stands in 'Efoil' already"),
        (tree.move, "Efoil", "W-001", "merged into itself"),
        (tree.move, "W-001/R-01/D-001", "Travel", "stands in its room"),
        (tree.move, "W-001/R-07", "Travel", "no room"),
        (tree.move, "Nowhere", "Travel", "no wing 'Nowhere'"),
        (tree.move, "Efoil", "W-077", "no wing 'W-077'"),
        (tree.rename, "Efoil", "Travel", "another wing goes by 'Travel'"),
        (tree.rename, "Efoil", "  ", "empty"),
        (tree.rename, "Efoil", " W-002 ", "looks like a pointer"),
        (tree.rename, "Efoil", "§ W-001/R-02/C-003", "looks like a pointer"),
        (tree.rename, "W-001/R-01/D-001", "x", "has no name"),
        (tree.rename, "Nowhere", "x", "no wing 'Nowhere'"),
    ]
    before = everything_said(furnished)
    for verb, what, to, told in refused:
        with pytest.raises(BadRequest, match=told):
            verb(what, to)
    assert everything_said(furnished) == before


def test_no_wing_is_made_with_the_name_of_a_pointer(furnished: Palace, write: Write) -> None:
    before = furnished.tree.wings()
    for name in ("W-009/R-01", "§ W-009/R-01/D-001", "w9/r1/c1"):
        with pytest.raises(BadRequest, match="looks like a pointer"):
            furnished.mine(write("more", ["Once more."]), wing=name)
        with pytest.raises(BadRequest, match="looks like a pointer"):
            furnished.note("Once more.", wing=name)
        with pytest.raises(BadRequest, match="looks like a pointer"):
            furnished.tree.move("W-001/R-01", name, create=True)
    assert furnished.tree.wings() == before


def test_a_wing_that_is_named_by_a_number_is_the_one_of_that_number(furnished: Palace, write: Write) -> None:
    assert furnished.note("Once more.", wing="W-002").wing_name == "Travel"
    with pytest.raises(NotFound):
        furnished.note("Once more.", wing="W-009")
    with pytest.raises(NotFound):
        furnished.mine(write("more", ["Once more."]), wing="W-009")
    with pytest.raises(NotFound):
        furnished.tree.move("W-001/R-01", "W-009", create=True)
    assert len(furnished.tree.wings()) == 2
