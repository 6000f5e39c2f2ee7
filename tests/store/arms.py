"""What the arms of recall stand on, as the tests of this folder call it."""

from __future__ import annotations

from palace.db.candidates.compare import compare_drawers
from palace.db.candidates.keyword import keyword_candidates, limited
from palace.db.candidates.semantic import Scan, choose_scan, semantic_candidates
from palace.db.candidates.words import QueryWords, Word, all_of, query_terms, weigh_words
from palace.db.vectors import build_index, drop_indexes, index_name

__all__ = [
    "QueryWords",
    "Scan",
    "Word",
    "all_of",
    "build_index",
    "choose_scan",
    "compare_drawers",
    "drop_indexes",
    "index_name",
    "keyword_candidates",
    "limited",
    "query_terms",
    "semantic_candidates",
    "weigh_words",
]
