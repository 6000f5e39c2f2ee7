"""What a person leaves open: what they mean to do, boxes to tick, and what says that it is done. Pure.

Rules of our own for English and German, made to be right where they speak rather than to find every intention.
"""

from __future__ import annotations

from palace.text.open_ends.ahead import looks_ahead
from palace.text.open_ends.boxes import is_ticked, is_unticked
from palace.text.open_ends.closing import Closing, closes, closing_of, says_done
from palace.text.open_ends.intentions import Intent, intent_of
from palace.text.open_ends.pointing import asked_about, directed, may_point_ahead, meant, points_ahead

__all__ = [
    "Closing",
    "Intent",
    "asked_about",
    "closes",
    "closing_of",
    "directed",
    "intent_of",
    "is_ticked",
    "is_unticked",
    "looks_ahead",
    "may_point_ahead",
    "meant",
    "points_ahead",
    "says_done",
]
