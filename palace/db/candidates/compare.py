"""Compares drawers with a query by every measure that ranks them, whichever arm proposed them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from palace.db.candidates.words import QueryWords, Word, any_of
from palace.db.database import UserSession
from palace.db.rows import ids_text, vector_text
from palace.models import (
    BARE_QUESTION,
    FARTHEST_ANSWER,
    LONGEST_QUESTION,
    QUESTION_SIGNS,
    WISHES,
    Compared,
    Generation,
    PassageKey,
    Scope,
)

_NEAR = 0.75
"""Similarity from which a drawer may be the query itself: a question that differs by a word has 0.8 and more."""
_LEAD = 60
"""Most characters before a question that may be anything."""
_LONGEST_BARE = 170
"""Characters beyond which no text is a ``BARE_QUESTION``: a word, a space and at most 150 more."""
_AFTER = rf"(?i)^[^[:alnum:]]*(?:$|(?:{WISHES})\M)"
"""What is behind the last question mark of a text that ends as a question, or with a wish: the start of it."""
_ENDS = rf"(?i)[{QUESTION_SIGNS}](?:[^[:alnum:]]*(?:{WISHES})\M[^.!?[:digit:]\n]*){{0,2}}[^[:alnum:]]*$"
"""The end of a text that ends as a question, or with a wish. It only rules out most statements;
``palace.nlp.questions`` decides whether a text only asks."""
_BREAKS = r"[。！\n]|[.!]\s"
"""What must not occur between ``_LEAD`` characters and that end: at most one short sentence is before it."""


def compare_drawers(
    session: UserSession,
    drawer_ids: Sequence[int],
    words: QueryWords,
    near: tuple[Generation, Sequence[float]] | None,
    *,
    windows: Sequence[tuple[datetime, datetime]],
    scope: Scope,
) -> list[Compared]:
    """Compare drawers, and the turns that follow questions, with a query; unordered.

    Drawers that are deleted, another user's, or outside of the scope are left out, whatever an arm proposed. ``near``
    is a generation and a unit vector of its model, None to compare by words alone.
    """
    if not drawer_ids:
        return []
    parameters = {
        "signs": [f"%{sign}%" for sign in QUESTION_SIGNS],
        "other_signs": [f"%{sign}%" for sign in QUESTION_SIGNS if sign != "?"],
        "after": _AFTER,
        "bare": f"(?i){BARE_QUESTION}",
        "near": _NEAR,
        "ending": _ENDS,
        "breaks": _BREAKS,
        "drawers": ids_text(drawer_ids),
        "vector": vector_text(near[1]) if near else None,
        "words": _queries(words.words),
        "idfs": [word.idf for word in words.words],
        "pairs": _queries(words.pairs),
        "any_pair": any_of(words.pairs),
        "elsewhere": words.weights_elsewhere(words.words),
        "pair_idfs": [pair.idf for pair in words.pairs],
        "pairs_elsewhere": words.weights_elsewhere(words.pairs),
        "around": multirange(words.time.around),
        "windows": multirange(windows),
        "tools": scope.tools,
        **scope.filters,
    }
    literals = {"longest": LONGEST_QUESTION, "farthest": FARTHEST_ANSWER, "lead": _LEAD, "bare_longest": _LONGEST_BARE}
    found = session.run("compare_drawers", parameters, generation=near[0].id if near else 0, **literals)
    weight = words.weight or 1.0
    return [_compared(row, weight) for row in found.all()]


def _compared(row: Sequence[Any], weight: float) -> Compared:
    """Convert a row; ``weight`` is the total weight of the query's words.

    Columns are read by position: by name it takes twice as long, for hundreds of rows a query.
    """
    drawer_id, ordinal, room_id, conversation_id, position, is_person, said_at, is_dated, speaks_of_it, *compared = row
    speaks_from, is_replaced, replaced_by, similarity, keyword, phrase, held, asked, *rest = compared
    text, speaker, size = rest
    return Compared(
        passage=PassageKey(drawer_id, ordinal),
        room_id=room_id,
        turn=(conversation_id, position),
        is_person=is_person,
        said_at=said_at,
        speaks_of_it=speaks_of_it,
        similarity=similarity,
        keyword=keyword,
        phrase=phrase,
        coverage=held / weight,
        is_replaced=is_replaced,
        replaced_by=replaced_by,
        asked=asked,
        text=text,
        speaker=speaker,
        size=size,
        is_dated=is_dated,
        speaks_from=speaks_from,
    )


def _queries(words: Sequence[Word]) -> list[str]:
    return [word.query for word in words]


def multirange(windows: Sequence[tuple[datetime, datetime]]) -> str | None:
    ranges = ",".join(f'["{start.isoformat()}","{end.isoformat()}")' for start, end in windows)
    return f"{{{ranges}}}" if ranges else None
