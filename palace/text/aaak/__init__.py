"""AAAK: a drawer's pointer with its tags, as people and models write them."""

from __future__ import annotations

from palace.text.aaak.days import day_told
from palace.text.aaak.wishes import Asked, Wish, read_wishes
from palace.text.aaak.written import in_order, most_telling, parse_citation, write_tags

__all__ = [
    "Asked",
    "Wish",
    "day_told",
    "in_order",
    "most_telling",
    "parse_citation",
    "read_wishes",
    "write_tags",
]
