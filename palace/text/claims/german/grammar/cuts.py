"""Where a German sentence parts into clauses, and of what kind each is. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from palace.text.claims.german.grammar.small import (
    AUXILIARIES,
    BOLD,
    COORDINATES,
    DETERMINERS,
    MODALS,
    NOMINATIVES,
    NOT,
    PREPOSITIONS,
    RELATIVES,
    SUBORDINATES,
    TURNS,
)
from palace.text.claims.german.grammar.verbs import Form, Mood, forms
from palace.text.claims.tokens import Token

_HARD = frozenset([";", ":", "(", ")", "–", "—", "-", "…", "/", "*", "•"])
_NEVER = frozenset(
    [
        "mal",
        "halt",
        "reis",
        "land",
        "plan",
        "fall",
        "red",
        "film",
        "test",
        "rat",
        "art",
        "weg",
        "end",
        "dien",
        "mein",
        "dein",
        "sein",
        "seine",
        "meine",
        "deine",
    ]
)


_APART = frozenset(["anstatt", "davor", "vorher", "zuvor", "früher"])
"""Words that begin what is not said of the clause before: "…, davor Citalopram"."""


class Kind(StrEnum):
    """How a clause stands in its sentence."""

    MAIN = "main"
    SUBORDINATE = "subordinate"
    RELATIVE = "relative"
    BARE = "bare"
    """Without a finite verb: "und mir ein Fahrrad gekauft"."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A clause of a sentence."""

    tokens: tuple[Token, ...]
    """Without what joins it to the clause before."""
    kind: Kind
    lead: str = ""
    """The conjunction or pronoun that it begins with; empty of a main clause without one."""
    before: tuple[Token, ...] = ()
    """What a relative clause stands behind."""
    is_behind: bool = False
    """Whether a subordinate clause stands in its first place: "Weil ich umziehe, brauche ich …"."""


def finite_places(tokens: Sequence[Token]) -> list[int]:
    """List the places of the finite verbs among some words, as far as their places tell."""
    sure = [place for place in range(len(tokens)) if _is_finite(tokens, place)]
    strong = [place for place in sure if not _is_weak(tokens, place)]
    sure = [place for place in sure if place in strong or not strong or place < strong[0]]
    aided = [place for place in sure if _form(tokens[place]).verb in AUXILIARIES | MODALS]
    if not aided:
        return sure
    return [place for place in sure if place in aided or not _may_follow(tokens[place])]


def _is_weak(tokens: Sequence[Token], place: int) -> bool:
    """Whether it is an infinitive or a participle unless "wir" or "sie" is beside it: "verschrieben", "leben"."""
    finite = [form for form in forms()[tokens[place].text] if form.is_finite]
    beside = {tokens[at].text for at in (place - 1, place + 1) if 0 <= at < len(tokens)}
    return (
        all(form.person == "p" for form in finite) and not beside & {"wir", "sie", "die"} and _may_follow(tokens[place])
    )


def _form(token: Token) -> Form:
    return next(form for form in forms()[token.text] if form.is_finite)


def _may_follow(token: Token) -> bool:
    """Whether it may as well be the participle or infinitive that an auxiliary has."""
    return any(form.mood in (Mood.PARTICIPLE, Mood.INFINITIVE) for form in forms()[token.text])


def _is_finite(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    finite = [form for form in forms().get(token.text, ()) if form.is_finite]
    if (
        not finite
        or token.text in _NEVER
        or _is_participle(tokens, place, finite)
        or (token.is_upper and place and not tokens[place - 1].is_mark)
    ):
        return False
    before = tokens[place - 1].text if place else ""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if before == "zu":
        return False
    is_sure = any(form.person in ("3", "2", "13") or form.verb in AUXILIARIES | MODALS for form in finite)
    if not is_sure and (before in DETERMINERS | PREPOSITIONS) and after not in ("ich", "wir"):
        return False
    is_stem = not is_sure and all(form.person == "1" for form in finite) and not token.text.endswith("e")
    return not is_stem or "ich" in (before, after) or not place


def _is_participle(tokens: Sequence[Token], place: int, finite: Sequence[Form]) -> bool:
    """Whether what may be a participle is one at the end of a piece: "und mir Candesartan verschrieben"."""
    may_be = any(form.mood is Mood.PARTICIPLE for form in forms()[tokens[place].text])
    is_end = all(token.is_mark for token in tokens[place + 1 :])
    is_past = all(form.mood is Mood.PAST and form.person == "p" for form in finite)
    return may_be and is_end and is_past and not {"wir", "sie", "die"} & {token.text for token in tokens[:place]}


def cut(tokens: Sequence[Token]) -> list[Cut]:
    """Part a sentence into its clauses, in order; what has no verb goes with the clause it stands beside."""
    pieces = [part for piece in _pieces(tokens) for part in _run_on(piece)]
    cuts: list[Cut] = []
    waiting: tuple[Token, ...] = ()
    for piece in pieces:
        made = _made(piece, tokens)
        if waiting and piece[0].text in _HARD:
            waiting = ()
        if made is None:
            if _is_dropped(piece):
                continue
            if _is_bare(piece) and not (cuts and cuts[-1].kind is Kind.MAIN and not _leads(piece)):
                cuts.append(Cut((*waiting, *_without_lead(piece)), Kind.BARE))
                waiting = ()
            elif cuts and (put := _put_right(cuts[-1], piece)) is not None:
                cuts[len(cuts) - (not _is_over(cuts[-1])) :] = [put]
            elif cuts and not waiting and piece[0].text not in _HARD and cuts[-1].kind in (Kind.MAIN, Kind.BARE):
                cuts[-1] = replace(cuts[-1], tokens=(*cuts[-1].tokens, *piece))
            else:
                waiting = (*waiting, *piece)
            continue
        if made.kind is Kind.MAIN:
            joined = (*waiting, *piece) if waiting else made.tokens
            made = replace(made, tokens=joined, is_behind=_is_behind(cuts, waiting))
            waiting = ()
        cuts.append(made)
    return cuts


def _put_right(before: Cut, piece: Sequence[Token]) -> Cut | None:
    """Put in what is so for what is not: "beträgt nicht 2.740, sondern 2.470"."""
    words = [token.text for token in before.tokens]
    if "sondern" not in [token.text for token in piece[:2]] or "nicht" not in words:
        return None
    place = words.index("nicht")
    return replace(before, tokens=(*before.tokens[:place], *_without_lead(piece)))


def _is_over(before: Cut) -> bool:
    """Whether what is not so was so before: "wohne nicht mehr in Ulm, sondern in Bonn"."""
    words = [token.text for token in before.tokens]
    return words[words.index("nicht") + 1 : words.index("nicht") + 2] == ["mehr"]


def _is_behind(cuts: Sequence[Cut], waiting: Sequence[Token]) -> bool:
    return not waiting and bool(cuts) and cuts[-1].kind is Kind.SUBORDINATE


def _leads(piece: Sequence[Token]) -> bool:
    return piece[0].text in COORDINATES or piece[0].is_mark


def _without_lead(piece: Sequence[Token]) -> tuple[Token, ...]:
    place = 0
    while place < len(piece) - 1 and (piece[place].is_mark or piece[place].text in COORDINATES):
        place += 1
    return tuple(piece[place:])


def _is_dropped(piece: Sequence[Token]) -> bool:
    """Whether a piece without a verb says what is not so, or only what one is about to do: "…, umzuziehen"."""
    kept = [token for token in _without_lead(piece) if not token.is_mark]
    if not kept:
        return False
    if kept[0].text in NOT or kept[0].text in _APART or any(token.text == "arbeitstag" for token in kept):
        return True
    last = kept[-1]
    infinitive = any(form.mood is Mood.INFINITIVE for form in forms().get(last.text, ()))
    is_inside = infinitive and not any(form.is_finite for form in forms()[last.text])
    return (infinitive and len(kept) > 1 and kept[-2].text == "zu") or (is_inside and "zu" in last.text[2:-3])


def _is_bare(piece: Sequence[Token]) -> bool:
    """Whether a piece has a participle as its last word."""
    words = [token for token in piece if not token.is_mark]
    return len(words) > 1 and any(
        form.mood is Mood.PARTICIPLE for word in words[-1:] for form in forms().get(word.text, ()) if not word.is_upper
    )


def _made(piece: Sequence[Token], tokens: Sequence[Token]) -> Cut | None:
    kept = _without_lead(piece)
    if not kept:
        return None
    lead, inner = kept[0].text, kept[1:]
    places = finite_places(kept)
    if not places:
        return None
    is_last = places[-1] >= len(kept) - 1 - _behind_verb(kept, places[-1])
    is_where = lead == "wo" and piece[0].text == ","
    if (
        lead in SUBORDINATES
        and not is_where
        and inner
        and (lead in BOLD or (is_last and 0 not in places and places[0] > 1))
    ):
        return Cut(tuple(inner), Kind.SUBORDINATE, lead)
    opened = 1 if lead in PREPOSITIONS and len(kept) > 2 and kept[1].text in RELATIVES else 0
    after_comma = piece[0].text == ","
    if after_comma and kept[opened].text in RELATIVES and is_last and places[0] > opened + 1:
        before = tuple(token for token in tokens if token.end <= piece[0].start)
        text = "" if opened else kept[0].text
        return Cut(tuple(kept[1:] if not opened else kept[2:]), Kind.RELATIVE, text or "prep", before[-8:])
    joint = piece[0].text if piece[0].text in COORDINATES else ""
    return Cut(tuple(kept), Kind.MAIN, joint)


def _behind_verb(tokens: Sequence[Token], place: int) -> int:
    """Count the marks behind the last verb."""
    return sum(token.is_mark for token in tokens[place + 1 :])


def _pieces(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    piece: list[Token] = []
    for place, token in enumerate(tokens):
        is_mark = token.text in _HARD or token.text == ","
        is_marked = place > 0 and tokens[place - 1].is_mark
        begins = (token.text in COORDINATES and (is_marked or token.text not in TURNS)) or (
            token.text in BOLD and place
        )
        if (is_mark or begins) and piece and not all(each.is_mark or each.text in COORDINATES for each in piece):
            yield piece
            piece = []
        piece.append(token)
    if piece:
        yield piece


def _run_on(piece: list[Token]) -> Iterator[list[Token]]:
    """Part what goes on without a mark: "ich wohne in Köln meine Frau heißt Sabine"."""
    places = finite_places(piece)
    first = 0
    for verb in places[1:]:
        start = _subject_start(piece, verb, first)
        earlier = [each for each in places if first <= each < start]
        if start > first and earlier and start - 1 not in earlier:
            yield piece[first:start]
            first = start
    yield piece[first:]


def _subject_start(piece: Sequence[Token], verb: int, first: int) -> int:
    """Find where a subject that stands right before a verb begins; the place of the verb where none does."""
    if verb > first and piece[verb - 1].text in NOMINATIVES:
        return verb - 1
    for start in range(max(first + 1, verb - 3), verb):
        if piece[start].text in ("mein", "meine", "unser", "unsere") and start + 1 < verb:
            return start
    return first
