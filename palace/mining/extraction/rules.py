"""Reading a conversation for names by rules, and for what is claimed by its parse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta, tzinfo

from palace.models import Role
from palace.models.claims import Claim, Reading, Said
from palace.nlp.aliases import read_called, settled, typed_by_nouns, types_of_nouns, with_titles
from palace.nlp.claims.reader import read_claims
from palace.nlp.claims.sentence import HIDDEN
from palace.nlp.names.reading import read_names
from palace.nlp.own import begins_a_game, is_written, speech_of

GAME = timedelta(hours=3)
"""How long somebody may say nothing in a game that goes on; one of which nobody knows when is never over."""
_TO_THE_END = re.compile(rf"[ {HIDDEN}]++(?=\n|\Z)")
"""What is left out up to the end of a line: what stands before it ends there."""


def read_by_rules(said: Sequence[Said], person: tuple[str, ...], zone: tzinfo) -> list[Reading]:
    """Read a conversation for the names and claims in each of its messages."""
    found = read_names(said, person)
    titled = [with_titles(each.content, spans) for each, spans in zip(said, found, strict=True)]
    heard = heard_of(said)
    called = read_called(heard, titled)
    types = types_of_nouns(called)
    names = [typed_by_nouns(spans, types) for spans in titled]
    claims = read_claims(heard, names, zone)
    return [
        Reading(spans, (*told, *(each for each in naming if _is_new(each, told))))
        for spans, told, naming in zip(settled(names, called, claims), claims, called, strict=True)
    ]


def heard_of(said: Sequence[Said]) -> list[Said]:
    """Give what people say of themselves: nothing that is passed on or made up, nothing while a game goes on."""
    heard, played = [], None
    for each in said:
        own = each.content
        if each.role is Role.USER:
            goes_on = played is not None and (
                not played.said_at or not each.said_at or each.said_at - played.said_at < GAME
            )
            played = each if goes_on or begins_a_game(own) else None
            own = "" if played or is_written(own) else speech_of(own)
        marked = (kept if kept == was else HIDDEN for kept, was in zip(own, each.content, strict=False))
        heard.append(replace(each, content=_TO_THE_END.sub(lambda run: " " * len(run[0]), "".join(marked))))
    return heard


def _is_new(claim: Claim, told: Sequence[Claim]) -> bool:
    said = (claim.subject, claim.predicate, claim.object)
    return said not in ((each.subject, each.predicate, each.object) for each in told)
