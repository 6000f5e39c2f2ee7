"""Read the aliases of a whole conversation as ``called`` claims. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from palace.models.claims import SELF, Action, Claim, NamedSpan, Said
from palace.models.source import Role
from palace.nlp.aliases.beside import names_of_nouns
from palace.nlp.aliases.nouns import RULES
from palace.nlp.aliases.others import Tails, other_names, own_names
from palace.nlp.aliases.parts import Parts
from palace.nlp.claims.message import Names
from palace.nlp.time.vocabulary import fold

MOST = 30
"""Most aliases read from one message."""


def read_called(turns: Sequence[Said], names: Sequence[Sequence[NamedSpan]]) -> list[tuple[Claim, ...]]:
    """Read which noun or name goes by which name: one tuple of ``called`` claims for each turn.

    The subject is a noun with its owner ("my sister", "Tom's boat", "the band") or a name, the object a name of the
    conversation. Only users' turns are read. Takes time linear in the length of the turns. Raises ValueError when the
    numbers of turns and of lists of names differ.
    """
    tails = Tails(spans for said, spans in zip(turns, names, strict=True) if said.role is Role.USER)
    return [
        tuple(islice(_read(said, spans, tails), MOST)) if said.role is Role.USER else ()
        for said, spans in zip(turns, names, strict=True)
    ]


def _read(said: Said, spans: Sequence[NamedSpan], tails: Tails) -> Iterator[Claim]:
    if not (spans or tails.may_stand_in(said.content)) or RULES["not_own"].search(fold(said.content[:2000])):
        return
    owner = SELF if said.is_self or not said.speaker else said.speaker
    parts = Parts(said.content, Names(spans), said.language)
    known: set[tuple[str, str]] = set()
    found = chain(own_names(parts, owner), names_of_nouns(parts, owner), other_names(parts), tails.names(parts))
    for place, noun, name in found:
        if (noun, name) not in known:
            known.add((noun, name))
            span = parts.sentences[parts[place].sentence].span
            yield Claim(noun, "called", name, Action.HOLDS, span.start, span.end)
