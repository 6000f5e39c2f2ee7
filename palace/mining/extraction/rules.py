"""Reading a conversation by rules, and by the bundled tagger where it is there, for names and for what is claimed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo

from palace.cancellation import go_on
from palace.records import Role
from palace.records.graph import Claim, Reading, Said
from palace.text import parsed
from palace.text.claims.called import (
    read_called,
    typed_by_claims,
    typed_by_nouns,
    types_of_claims,
    types_of_nouns,
    with_titles,
)
from palace.text.claims.clauses import HIDDEN
from palace.text.claims.reading import read_claims
from palace.text.entities import bundled_tagger, read_names
from palace.text.entities.tagging import Tag, Tagger, can_parse
from palace.text.own import begins_a_game, is_written, speech_of

BY_PARSE = os.environ.get("PALACE_CLAIMS") == "parse"
"""Whether claims are read from the parse of sentences, for measuring; no setting."""
GAME = timedelta(hours=3)
"""How long somebody may say nothing in a game that goes on; one of which nobody knows when is never over."""
_TO_THE_END = re.compile(rf"[ {HIDDEN}]++(?=\n|\Z)")
"""What is left out up to the end of a line: what stands before it ends there."""


@dataclass(frozen=True, slots=True)
class _Endable:
    """A tagger that can be ended between two messages: a long conversation keeps it for minutes."""

    tagger: Tagger

    def tag(self, texts: Sequence[str]) -> Iterator[tuple[Tag, ...]]:
        """Give the names of each text."""
        for tags in self.tagger.tag(texts):
            go_on()
            yield tags


def read_by_rules(said: Sequence[Said], person: tuple[str, ...], zone: tzinfo) -> list[Reading]:
    """Read a conversation for the names and claims in each of its messages."""
    tagger = None if BY_PARSE else bundled_tagger()
    found = read_names(said, _Endable(tagger) if tagger else None, person)
    titled = [with_titles(each.content, spans) for each, spans in zip(said, found, strict=True)]
    heard = heard_of(said)
    called = read_called(heard, titled)
    types = types_of_nouns(called)
    names = [typed_by_nouns(spans, types) for spans in titled]
    claims = (parsed.read_claims if BY_PARSE and can_parse() else read_claims)(heard, names, zone)
    borne = types_of_claims(claims)
    names = [typed_by_claims(spans, borne) for spans in names]
    return [
        Reading(spans, (*told, *(each for each in naming if _is_new(each, told))))
        for spans, told, naming in zip(names, claims, called, strict=True)
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
