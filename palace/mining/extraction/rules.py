"""Extracts names from a conversation by rules, and claims by parsing."""

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
"""Longest pause within a game; a game with undated turns never ends."""
_TO_THE_END = re.compile(rf"[ {HIDDEN}]++(?=\n|\Z)")
"""A run of left-out text up to the end of a line, where the text before it ends."""


def read_by_rules(said: Sequence[Said], person: tuple[str, ...], zone: tzinfo) -> list[Reading]:
    """Return the names and claims in each message of a conversation."""
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
    """Return the messages with all but the users' own statements masked: no quotations, no fiction, no role-play."""
    heard, played = [], None
    for each in said:
        own = each.content
        if each.role is Role.USER:
            goes_on = played is not None and (
                not played.said_at or not each.said_at or each.said_at - played.said_at < GAME
            )
            played = each if goes_on or begins_a_game(own) else None
            own = "" if played or is_written(own) else speech_of(own)
        if own == each.content and HIDDEN not in own:
            heard.append(each)
            continue
        marked = (kept if kept == was else HIDDEN for kept, was in zip(own, each.content, strict=False))
        heard.append(replace(each, content=_TO_THE_END.sub(lambda run: " " * len(run[0]), "".join(marked))))
    return heard


def _is_new(claim: Claim, told: Sequence[Claim]) -> bool:
    said = (claim.subject, claim.predicate, claim.object)
    return said not in ((each.subject, each.predicate, each.object) for each in told)
