"""What the functions are called with that the turn loop stands on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from palace.store.injections import KeptBlock
from tests.isolation.victim import VICTIM


def turn_loot(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give what finds, keeps and drops blocks, and looks names up."""
    key = VICTIM.grave.encode()
    kept = KeptBlock("b", (values["drawer_id"],))
    return {
        "graph.naming.list_known": {"folded": ["vault", "planted"]},
        "injections.find_blocks": {"keys": [key]},
        "injections.keep_block": {"key": key, "kept": kept, "lasting": timedelta(days=1)},
        "injections.drop_block": {"key": key},
    }
