"""A user's own words by how they are spelled, and which words nothing says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from palace.records import Scope
from palace.store.database import UserSession

_ALL = Scope()

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_UNSAID = sa.text(
    # Weighed word by word, whatever a word is stemmed to; what is not counted yet, or not at all, is looked for.
    "SELECT stems > 0 AND said = 0 FROM unnest(CAST(:words AS text[])) WITH ORDINALITY AS given (typed, n)"
    " CROSS JOIN LATERAL (SELECT count(*) AS stems, count(*) FILTER (WHERE df > 0 OR EXISTS ("
    " SELECT FROM keyword_candidates(:user_id, ARRAY[word], ARRAY[CAST(1 AS float8)], 1, 1, true, NULL, NULL, NULL,"
    " NULL, NULL, NULL)) OR EXISTS (SELECT FROM named_places(:user_id, ARRAY[word], 1000000))) AS said"
    " FROM weigh_words(:user_id, typed, '{}', '{}') WHERE NOT is_pair) AS weighed ORDER BY n"
)
_WRITTEN = sa.text(
    "SELECT word FROM unnest(CAST(:words AS text[]), CAST(:queries AS tsquery[])) AS given (word, query)"
    " WHERE EXISTS (SELECT FROM keyword_candidates(:user_id, ARRAY[query], ARRAY[CAST(1 AS float8)], 1, 1, false,"
    " CAST(:wings AS bigint[]), NULL, NULL, NULL, NULL, CAST(:readers AS text[])))"
)


@dataclass(frozen=True, slots=True)
class LongWord:
    """A word that others are like which begin with its letter and hold one of its pieces where it stands, or beside.

    They have as many letters, or one more or less.
    """

    pieces: tuple[str, str, str]
    """Together the word, in lower case; it begins with a letter from a to z, or nothing is like it."""

    @property
    def patterns(self) -> list[str]:
        """Patterns of LIKE of which one is met: the beginning, the end, or the middle at most one letter away."""
        first, middle, last = self.pieces
        return [f"{first}%", f"%{last}", *(f"{'_' * (len(first) + shift)}{middle}%" for shift in (-1, 0, 1))]


def words_like(session: UserSession, spelled: Collection[str], long: LongWord | None = None) -> Mapping[str, int]:
    """Give words of the user's that are spelled in one of some ways, or like a long word, with how many passages hold
    each.

    Stems are among them, as they are counted too.
    """
    word = "".join(long.pieces) if long else ""
    first = word[0] if word and word[0] in _LETTERS else None
    parameters = {
        "spelled": sorted(spelled),
        "letter": first,
        "next_letter": _LETTERS[_LETTERS.index(first) + 1] if first and first != _LETTERS[-1] else None,
        "fewest_letters": len(word) - 1,
        "most_letters": len(word) + 1,
        "patterns": long.patterns if long else [],
    }
    return {lexeme: int(passages) for lexeme, passages in session.run("words_like", parameters)}


def are_unsaid(session: UserSession, words: Sequence[str]) -> list[bool]:
    """Tell of each of some words whether no passage and no name of the user's holds it in any form.

    A stop word counts as said.
    """
    return list(session.execute(_UNSAID, {"words": list(words)}).scalars())


def words_written(session: UserSession, words: Sequence[str], scope: Scope = _ALL) -> list[str]:
    """Keep those of some words, in lower case and of letters alone, that the user's passages hold as they are.

    Of a scope its wings count alone, and what its readers did not read.

    A stem that nobody wrote by itself is none of them. In no order.
    """
    parameters = {"words": list(words), "queries": [f"'{word}':B" for word in words], **scope.places}
    return list(session.execute(_WRITTEN, parameters).scalars())
