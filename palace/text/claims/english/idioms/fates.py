"""What became of a thing, what is paid, who is who: as people note it in English without a clause. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.records.graph import Action
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.objects import fits
from palace.text.claims.kinds import kin, roles, words
from palace.text.claims.people import name_at, tell_one
from palace.text.claims.phrases import Phrase, phrase_at
from palace.text.claims.tokens import Token

GONE = re.compile(
    r"(?<!\w)(?:stolen|nicked|pinched|totalled|totaled|scrapped|written off|wrecked|sold|given away|donated|dead)"
    r"(?=\s*(?:$|[.,!;:)]|again|last|on|yesterday|today|this|in|from|for|outside|at|now|and|sat|sun|mon|tue|wed|thu|fri))"
)
_BETWEEN = frozenset(
    ["is", "'s", "was", "has", "have", "had", "been", "got", "just", "now", "finally", "already", "are"]
)
RENT = re.compile(
    r"(?<!\w)(?:(?:we|i) (?:pay|paid)|paying|rent(?:'s| is| was|:)?) (?P<rent>[€£$]?\d[\d.,]{2,6})(?![\d%])"
    r"|(?P<monthly>[€£$]?\d[\d.,]{2,6}) ?(?:a month|per month|pcm|/month|p/m)(?!\w)"
)
_HOUSED = re.compile(r"(?<!\w)(?:rent|flat|landlord|landlady|apartment|flatmate|moved|lease|letting)(?!\w)")
_NO_RENT = re.compile(
    r"(?<!\w)(?:salary|earn|insurance|gym|membership|phone|subscription|car|loan|save|budget|mortgage)(?!\w)"
)
APART = re.compile(
    r"(?<!\w)(?:and|n|&) (?:me|i|myself) (?:are|r|is) (?:officially |finally |so )?"
    r"(?:done|over|finished|through|no more|history|not together)(?!\w)(?! (?:with|at|for))"
)
NEXT_DOOR = re.compile(r"(?<!\w)(?:next door|from (?:across the (?:road|street|hall)|upstairs|downstairs))(?!\w)")


def read_gone(said: Said, found: re.Match[str]) -> None:
    """Read "bike got stolen", "Urban Arrow stolen Sat night", "the Golf is sold": it is owned no longer."""
    end = said.place(said.sentence.span.start + found.start())
    while end and said.tokens[end - 1].text in _BETWEEN:
        end -= 1
    thing = _thing_before(said, end)
    if thing is None or any(token.text.endswith("'s") for token in thing.tokens):
        return
    is_dead = found[0] == "dead"
    is_animal = thing.head in words("animals") or said.message.spoken.gender(thing.text) == "a"
    is_owned = said.message.spoken.owned(thing.text) or fits(thing, "possession")
    is_ours = thing.owner in ("my", "our") or (thing.owner in ("the", "") and (is_owned or thing.is_named))
    span = said.window(end - 1, end - 1)
    if is_ours and (is_owned or not is_dead or is_animal) and fits(thing, "sold_thing") and said.is_said(span):
        said.claim(said.message.speaker, "owns", thing.text, Action.ENDS, said.times(span), span)


def _thing_before(said: Said, end: int) -> Phrase | None:
    """Read the noun phrase that ends at a place and begins its clause."""
    for first in range(max(0, end - 5), end):
        before = said.tokens[first - 1] if first else None
        is_start = (
            before is None or before.is_mark or before.text in ("and", "but", "so", "now", "then", "also", "the", "my")
        )
        phrase = phrase_at(said.tokens[:end], first, said.message.content, said.message.names) if is_start else None
        if phrase is not None and phrase.next == end:
            return phrase
    return None


def read_rent(said: Said, found: re.Match[str]) -> None:
    """Read "we pay 1150" of a flat that the message speaks of."""
    text = said.sentence.folded
    is_named = found[0].startswith("rent")
    if found["rent"] is not None and not is_named and _HOUSED.search(said.sentence.text) is None:
        return
    if (found["monthly"] and _HOUSED.search(text) is None) or _NO_RENT.search(said.sentence.text):
        return
    group = "rent" if found["rent"] else "monthly"
    start = said.sentence.span.start
    value = said.message.content[start + found.start(group) : start + found.end(group)].rstrip(".,")
    span = said.span
    if said.is_said(span) and any(letter.isdigit() for letter in value):
        said.claim(said.message.speaker, "has_rent", value, Action.HOLDS, None, span)


def read_apart(said: Said, found: re.Match[str]) -> None:
    """Read "Joost and me are done": they are no couple any longer."""
    place = said.place(said.sentence.span.start + found.start())
    named = _named_before(said, place)
    if named and said.is_said(said.span):
        claims = [claim for _, claim in said.message.spoken.claims if claim.object.casefold() == named.casefold()]
        bonds = [claim.predicate for claim in claims if claim.predicate in ("married_to", "partner_of")]
        span = said.window(place, place)
        predicate = bonds[-1] if bonds else "partner_of"
        said.claim(said.message.speaker, predicate, named, Action.ENDS, said.times(span), span)


def read_neighbour(said: Said, found: re.Match[str]) -> None:
    """Read "Jean next door"."""
    place = said.place(said.sentence.span.start + found.start())
    for first in range(max(0, place - 3), place):
        named = name_at(said.tokens, first, said.message)
        if named is not None and named[1] == place:
            said.claim(said.message.speaker, "has_neighbour", named[0], Action.HOLDS, None, said.span)
            return


def read_apposed(said: Said) -> None:
    """Read "Joost my boyfriend", "Pickle, my rabbit" and "the doctor Dr. Chisholm"."""
    tokens = said.tokens
    for place, token in enumerate(tokens[:-1]):
        noun = tokens[place + 1].text
        if token.text in ("my", "our") and place and (noun in kin() or noun in words("animals") or noun in roles()):
            after = tokens[place + 2].text if place + 2 < len(tokens) else "."
            named = _named_before(said, place - (tokens[place - 1].text in (",", "(")))
            if named and (
                not after[0].isalpha() or after in ("and", "for", "in", "on", "from", "at", "with", "who", "to")
            ):
                tell_one(said.telling, said.message.speaker, noun, named)
        elif token.text == "the" and noun in _TREATING:
            named_at = place + 2 + (_is_title(tokens, place + 2))
            found = name_at(tokens, named_at, said.message) if named_at > place + 2 else None
            if found is not None:
                said.claim(said.message.speaker, f"has_{noun}", found[0], Action.HOLDS, None, said.span)


_TREATING = frozenset(["doctor", "dentist", "vet", "gp", "landlord", "landlady"])


def _is_title(tokens: Sequence[Token], place: int) -> int:
    """Say how many tokens a title takes up at a place."""
    if place >= len(tokens) or tokens[place].text.rstrip(".") not in ("dr", "doctor", "mr", "mrs", "ms"):
        return 0
    return 2 if place + 1 < len(tokens) and tokens[place + 1].text == "." else 1


def _named_before(said: Said, end: int) -> str | None:
    for first in range(max(0, end - 2), end):
        named = name_at(said.tokens, first, said.message)
        is_free = first == 0 or said.tokens[first - 1].text not in (
            "and",
            "told",
            "asked",
            "gave",
            "showed",
            "sent",
            "&",
        )
        if named is not None and named[1] == end and is_free:
            return named[0]
    return None
