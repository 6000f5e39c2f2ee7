"""What a German verb's object cannot be, though its preposition and its capital would do. Pure."""

from __future__ import annotations

import re

from palace.text.claims.drafts import Use
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.german.clause import German

_MOVED = ("ziehen", "umziehen")
_HAVING = re.compile(r"habe?|hast|hat|haben|habt|hatten?")
_HOUSE = re.compile(
    r".*(?:schule|institut|universität|uni|klinik|klinikum|gymnasium|akademie|theater|oper|museum|lehrstuhl|fakultät"
    r"|zentrum|gericht|krankenhaus|spital|fh|tu|amt|flughafen|hof|haus|college|kolleg|bühne|seminar)"
)
"""Nouns of what somebody works at: "am Institut", while "am Parser" is what they work on."""


def is_unlikely(clause: German, use: Use, each: Complement) -> bool:
    """Tell whether an object is none of a use: nobody lives where they moved a server to, or works at a parser."""
    if use.predicate == "lives_in" and clause.verb in _MOVED:
        return any(_HAVING.fullmatch(text) for text in clause.texts)
    is_named = each.phrase.name is not None
    return (
        use.predicate == "works_at" and each.before == "an" and not is_named and not _HOUSE.fullmatch(each.phrase.head)
    )
