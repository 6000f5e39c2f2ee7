"""What the functions are called with that exports and imports stand on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from palace.files.lines import DrawerLine
from palace.records import (
    NewDrawer,
)
from palace.store.transfer.joining.places import Joined

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def transfer_loot(values: dict[str, Any], lines: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give what reads, files and joins the lines of an export."""
    theirs = {"": values["room_id"]}
    new = [drawer for _, drawer in lines["drawers"]]
    return {
        "transfer.beginning.find_standing": {"header": lines["header"]},
        "transfer.joining.places.join_wing": {"line": lines["wing"]},
        "transfer.joining.places.join_rooms": {
            "rooms": lines["rooms"],
            "wings": {lines["wing"].number: Joined(values["wing_id"], lines["wing"].number, None)},
        },
        "transfer.joining.known.find_homes": {"identities": [drawer.identity for drawer in new]},
        "transfer.joining.known.find_standing_drawers": {"identities": [drawer.identity for drawer in new]},
        "transfer.joining.notes.place_notes": {"line": lines["conversation"], "day": "2026-01-02"},
        "transfer.beginning.take_over": {"header": lines["header"]},
        "transfer.beginning.file_runs": {"runs": lines["runs"]},
        "transfer.filing.find_known": {"identities": [drawer.identity for drawer in new]},
        "transfer.filing.file_again": {
            "drawers": lines["drawers"],
            "rooms": theirs,
            "runs": values["run_ids"],
            "is_other": True,
        },
        "transfer.filing.bury_again": {"tombstones": lines["tombstones"], "runs": values["run_ids"]},
        "transfer.places.renew_wing": {"line": lines["wing"]},
        "transfer.places.find_same_wing": {"line": lines["wing"]},
        "transfer.places.is_made_of": {"line": lines["wing"]},
        "transfer.places.ensure_conversation": {"line": lines["conversation"]},
        "transfer.places.renew_rooms": {"rooms": lines["rooms"], "wings": {lines["wing"].number: lines["wing"]}},
        "transfer.events.file_events": {"lines": lines["events"], "runs": values["run_ids"]},
        "transfer.rows.iter_drawers": {"runs": values["places"]},
        "transfer.rows.iter_tombstones": {"runs": values["places"]},
        "transfer.filing.link_again": {"lines": _replaced(lines["drawers"]), "runs": values["run_ids"]},
    }


def _replaced(drawers: list[tuple[DrawerLine, NewDrawer]]) -> list[DrawerLine]:
    lines = [line for line, _ in drawers]
    cited = lines[-1].identity
    return [replace(line, replaced_at=BEGUN, replaced_by=cited, replaced_run=1, answers=cited) for line in lines]
