"""What a person leaves open: what they mean to do, boxes to tick, what says that it is done, and times ahead.

English and German, made to be right where they speak rather than to find every intention.
"""

from __future__ import annotations

from palace.text.open_ends.direction import asked_about, directed, looks_ahead, may_point_ahead, meant
from palace.text.open_ends.todos import (
    Closing,
    Intent,
    closes,
    closing_of,
    intent_of,
    is_ticked,
    is_unticked,
    says_done,
)

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
    "says_done",
]
