"""What the functions are called with that put drawers in the place of others."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from palace.records import NewDrawer
from palace.tables import Drawer


def scrub_loot(values: dict[str, Any], new: list[NewDrawer]) -> dict[str, dict[str, Any]]:
    """Give what puts drawers in the place of others, under other names."""
    names = {values["drawer"].room_name: "Planted"}
    here = select(Drawer.id).where(Drawer.id == values["drawer_id"])
    rooms = [values["room_id"]]
    return {
        "changes.removal.take_out": {"ids": [values["drawer_id"]], "rooms": rooms},
        "changes.removal.hold_places": {"chosen": here},
        "changes.scrubbing.replace_drawers": {"anew": {values["drawer_id"]: new[0]}},
        "changes.scrubbing.rename_places": {"names": names},
        "changes.scrubbing.rename_identity": {"identity": "planted"},
        "changes.scrubbing.rename_turns": {"names": {new[0].identity: b"planted"}},
        "changes.told.clean_texts": {"clean": str.upper, "slug_of": str.upper},
        "filing.conversations.mark_restored": {"names": [new[0].identity]},
    }
