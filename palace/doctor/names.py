"""What `palace doctor` says of single places: wings named like a pointer or cut off, drawers read otherwise now."""

from __future__ import annotations

from collections.abc import Iterator

from palace.db.activity import tell_lost
from palace.db.tree import list_wings
from palace.mining.homes import find_unrecalled_wings
from palace.models import Check, Verdict
from palace.nlp.pointers import find_wing_number, has_shape
from palace.opened import OpenPalace

MOST_LOST = 20
"""Drawers that are named."""


def check_names(opened: OpenPalace) -> Iterator[Check]:
    """Name the wings that earlier versions called like a pointer: whoever says that name gets another wing, or none.

    Then those of sessions that no folder here recalls.
    """
    for wing in opened.run(list_wings):
        if has_shape(wing.name) and find_wing_number(wing.name) != wing.number:
            finding = f"{wing.pointer} is called {wing.name!r}, which means a number and goes before every name"
            yield Check("names", Verdict.WARNING, finding, f"palace rename {wing.pointer} NAME")
    yield from opened.run(find_unrecalled_wings)


def check_lost(opened: OpenPalace) -> Iterator[Check]:
    """Name once the drawers of which this version no longer reads what no other says; what a person said stays."""
    lost = opened.run(tell_lost)
    if lost:
        more = f" and {len(lost) - MOST_LOST:,} more (palace activity)" if len(lost) > MOST_LOST else ""
        finding = f"no longer read as something that holds: {', '.join(lost[:MOST_LOST])}{more}; this is said once"
        yield Check("relations", Verdict.WARNING, finding, "palace relations add WHO WHAT WHOM, where it was right")
