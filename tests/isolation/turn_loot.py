"""What the functions are called with that the turn loop stands on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from palace.records import SourceKind
from palace.records.review import ReviewKey, ReviewKind
from palace.store.injections import KeptBlock
from palace.store.working.summaries import KeptSummary
from tests.isolation.victim import VICTIM


def turn_loot(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give what finds, keeps and drops blocks and summaries, and looks names up."""
    key = VICTIM.grave.encode()
    there = {"identity": "openai:summed", "agent": ""}
    summed = KeptSummary("s", 1, (), b"d", 0, 0, "m", (key,))
    marked = {"review": ReviewKind.REDACTED, "seen": [ReviewKey(values["drawer_id"])]}
    kept = KeptBlock("b", (values["drawer_id"],))
    return {
        "projects.held.set_sources": {"sources": [SourceKind.MAIL]},
        "graph.naming.list_known": {"folded": ["vault", "planted"]},
        "injections.find_blocks": {"keys": [key]},
        "injections.keep_block": {"key": key, "kept": kept, "lasting": timedelta(days=1)},
        "injections.drop_block": {"key": key},
        "settings.stored.own_settings": {"names": ["rerank_model"]},
        "reviewing.marks.mark_seen": marked | {"most": 1},
        "reviewing.marks.unmark_seen": marked,
        "working.summaries.find_summary": there,
        "working.summaries.claim_summary": there
        | {"covers": [key], "lasting": timedelta(days=1), "claimed": timedelta(days=1)},
        "working.summaries.settle_summary": there | {"revision": 1, "kept": summed},
        "working.summaries.release_summary": there | {"revision": 1},
        "working.summaries.drop_summary": there,
        "working.summaries.clean_summaries": {"clean": lambda text: f"{text}!"},
    }
