"""Compares drawers with a query by every measure that ranks them, whichever arm proposed them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from palace.db.candidates.named import NamedPlace
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
    PlaceKind,
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


class Sought(NamedTuple):
    """What drawers are compared with."""

    words: QueryWords
    near: tuple[Generation, Sequence[float]] | None = None
    """A generation and a unit vector of its model; None to compare by words alone."""
    windows: Sequence[tuple[datetime, datetime]] = ()
    nouns: Collection[Word] = ()
    """Nouns of a kind that the query asks for."""
    places: Sequence[NamedPlace] = ()
    """Places whose names hold words of the query."""


def compare_drawers(session: UserSession, drawer_ids: Sequence[int], sought: Sought, scope: Scope) -> list[Compared]:
    """Compare drawers, and the turns that follow questions, with a query; unordered.

    Drawers that are deleted, another user's, or outside of the scope are left out, whatever an arm proposed.
    """
    if not drawer_ids:
        return []
    words, near, windows, nouns, places = sought
    weight = words.weight or 1.0
    around = [(place, word) for place in places for word in place.words]
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
        "weight": weight,
        "idfs": ids_text(word.idf for word in words.words),
        "pairs": _queries(words.pairs),
        "any_pair": any_of(words.pairs),
        "elsewhere": ids_text(words.weights_elsewhere(words.words)),
        "pair_idfs": ids_text(pair.idf for pair in words.pairs),
        "pairs_elsewhere": ids_text(words.weights_elsewhere(words.pairs)),
        "around": multirange(words.time.around),
        "windows": multirange(windows),
        "nouns": any_of(nouns),
        "kinds": [place.kind.value for place, _ in around],
        "places": ids_text(place.id for place, _ in around),
        "terms": [words.words[word].query for _, word in around],
        "tools": scope.tools,
        **scope.filters,
    }
    literals = {"longest": LONGEST_QUESTION, "farthest": FARTHEST_ANSWER, "lead": _LEAD, "bare_longest": _LONGEST_BARE}
    found = session.run("compare_drawers", parameters, generation=near[0].id if near else 0, **literals)
    compared = []
    for drawer_id, ordinal, room_id, conversation_id, position, *features, named in found.all():
        drawer = Compared(PassageKey(drawer_id, ordinal), room_id, (conversation_id, position), *features)
        if named:
            held = [around[number - 1] for number in named]
            drawer.named = sum(words.words[word].idf for word in sorted({word for _, word in held})) / weight
            drawer.named_by = tuple(sorted({place.kind for place, _ in held}, key=list(PlaceKind).index))
        compared.append(drawer)
    return compared


def _queries(words: Sequence[Word]) -> list[str]:
    return [word.query for word in words]


def multirange(windows: Sequence[tuple[datetime, datetime]]) -> str | None:
    ranges = ",".join(f'["{start.isoformat()}","{end.isoformat()}")' for start, end in windows)
    return f"{{{ranges}}}" if ranges else None
