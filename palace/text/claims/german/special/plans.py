"""Journeys and moves that will not be after all, as German says it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from palace.records.graph import Action, Claim, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Message, draft
from palace.text.claims.german.clause import Place
from palace.text.claims.german.grammar.small import DETERMINERS
from palace.text.claims.german.grammar.verbs import Mood, forms
from palace.text.claims.german.lexicon.nouns import person_noun
from palace.text.claims.tokens import Token, listed

_JOURNEYS = re.compile(r"\w*(?:reise|trip|urlaub|flug|flüge|fahrt|ausflug|tour|kreuzfahrt|ferien)")
_MOVES = listed("umzug umziehen auszug einzug")
_DROPPED = listed(
    "storniert abgesagt gecancelt gecancelled cancelled canceled gestrichen abgeblasen geplatzt gestorben hinfällig"
    " passé erledigt ausgefallen verworfen"
)
_FALLEN = re.compile(r"(?<!\w)(?:fällt|fiel|faellt)(?!\w)[^.;]*?(?<!\w)(?:ins wasser|flach|aus|weg)(?!\w)")
_NOTHING = re.compile(r"(?<!\w)(?:wird|wurde|gibt|gab)(?!\w)(?: \w+){0,2} (?:nichts|nix)(?!\w)|(?<!\w)vom tisch(?!\w)")
_CANCELLING = ("stornieren", "canceln", "absagen", "abblasen")
_MOVING = ("ziehen", "umziehen", "hinziehen", "wegziehen", "auswandern", "umsiedeln")
_GOING = ("fliegen", "fahren", "reisen", "verreisen", "hinfahren", "hinfliegen")
_NO_TOWNS = listed("hause oben unten hinten vorn vorne drüben draußen nebenan links rechts")
_SPEAKING = ("ich", "wir")


def read_dropped(tokens: Sequence[Token], folded: str, where: Place) -> bool:
    """Read "die Reise nach Rom ist storniert", "der Umzug fällt ins Wasser", "aus Kiel wird nichts".

    ``folded`` is the text of the clause. Tells whether it says that something is dropped.
    """
    texts = {token.text for token in tokens}
    if not (texts & _DROPPED or _FALLEN.search(folded) or _NOTHING.search(folded) or _cancels(tokens)):
        return False
    if texts & {"nicht", "fast", "beinahe", "hoffentlich"} or (texts & {"sein", "seine", "ihr", "ihre"}):
        return False
    message = where.message
    if _is_others(tokens, message):
        return False
    places = _places(tokens, message)
    ahead = list(_ahead(message, places))
    is_journey = any(_JOURNEYS.fullmatch(text) for text in texts)
    is_move = bool(texts & _MOVES)
    if is_move or is_journey:
        wanted = "lives_in" if is_move else "planned"
        ahead = [claim for claim in ahead if claim.predicate == wanted]
    elif not places or not _is_topic(tokens, places[0], message):
        return False
    if ahead:
        _deny(ahead[-1], where)
    elif is_journey and places:
        message.claim(draft(message.speaker, "planned", f"{places[0]} trip", Action.DENIES, Times(), where.span))
    elif is_move and places:
        message.claim(draft(message.speaker, "lives_in", places[-1], Action.DENIES, Times(), where.span))
    return bool(ahead) or is_journey or is_move


def _is_others(tokens: Sequence[Token], message: Message) -> bool:
    """Whether it is somebody else who drops it."""
    if {token.text for token in tokens} & set(_SPEAKING):
        return False
    names = message.names.within(tokens[0].start, tokens[-1].end)
    is_named = any(name.type is EntityType.PERSON for name in names)
    return is_named or any(person_noun(token.text) is not None for token in tokens)


def _places(tokens: Sequence[Token], message: Message) -> list[str]:
    """List the places and events that are named, those of what is planned also where they have no capital."""
    names = message.names.within(tokens[0].start, tokens[-1].end)
    found = [name.text for name in names if name.type in (EntityType.PLACE, EntityType.EVENT)]
    texts = {token.text for token in tokens}
    planned = (claim.object.removesuffix(" trip") for claim in _ahead(message, ()))
    known = [place for place in planned if place.casefold() in texts and place not in found]
    return [*found, *known] or list(_towns(tokens, message))


def _towns(tokens: Sequence[Token], message: Message) -> Iterator[str]:
    """Give where a journey or a move is said to go, whether or not it has a capital: "umzug nach hamburg"."""
    for noun, before, token in zip(tokens, tokens[1:], tokens[2:], strict=False):
        is_ahead = noun.text in _MOVES or _JOURNEYS.fullmatch(noun.text) is not None
        if is_ahead and before.text == "nach" and token.is_word and token.text not in _NO_TOWNS | DETERMINERS:
            yield message.content[token.start : token.end]


def _is_topic(tokens: Sequence[Token], place: str, message: Message) -> bool:
    """Whether a clause begins with a place, or with where to: "Rom haben wir abgesagt", "aus Kiel wird nichts"."""
    start = next((token.start for token in tokens[:3] if token.is_word and token.text not in ("aus", "nach", "doch", "aber", "also", "nicht")), -1)  # noqa: E501  # fmt: skip
    return message.content[start : start + len(place)].casefold() == place.casefold()


def _cancels(tokens: Sequence[Token]) -> bool:
    texts = {token.text for token in tokens}
    is_apart = "ab" in texts and bool(texts & {"sage", "sag", "sagen", "sagten", "blasen", "bliesen"})
    return is_apart or any(
        form.verb in _CANCELLING and form.is_finite for token in tokens for form in forms().get(token.text, ())
    )


def read_not_going(tokens: Sequence[Token], where: Place) -> bool:
    """Read "wir ziehen doch nicht um" and "ich fahre nicht nach Rom" of what was planned; tell whether it is that."""
    texts = [token.text for token in tokens]
    verbs = {form.verb for text in texts for form in forms().get(text, ()) if form.mood is not Mood.SUPPOSED}
    is_move, is_journey = bool(verbs & set(_MOVING)), bool(verbs & set(_GOING))
    if not (is_move or is_journey) or "nicht" not in texts or not _is_own(texts):
        return False
    message = where.message
    places = _places(tokens, message)
    wanted = ["lives_in"] if is_move else ["planned"]
    ahead = [claim for claim in _ahead(message, places) if claim.predicate in wanted]
    if ahead:
        _deny(ahead[-1], where)
    elif places and "doch" in texts:
        obj, predicate = (places[-1], "lives_in") if is_move else (f"{places[-1]} trip", "planned")
        message.claim(draft(message.speaker, predicate, obj, Action.DENIES, Times(), where.span))
    return True


def _is_own(texts: Sequence[str]) -> bool:
    """Whether the speaker is who does it: told so, or nobody is told and the verb stands first."""
    if set(texts) & {"er", "sie", "man", "es"}:
        return False
    first = next((text for text in texts if text not in ("doch", "nun", "jetzt", "also", "ne", "nee", ",")), "")
    return bool(set(texts) & set(_SPEAKING)) or any(form.person in ("1", "p") for form in forms().get(first, ()))


def _ahead(message: Message, places: Sequence[str]) -> Iterator[Claim]:
    """Give what the speaker said is to come, of some places where such are named."""
    named = [each.casefold() for each in places]
    for _, claim in message.spoken.claims:
        is_plan = claim.predicate == "planned" or (
            claim.predicate == "lives_in" and claim.action is Action.BEGINS and _is_to_come(claim, message)
        )
        obj = claim.object.casefold()
        is_own = claim.action is not Action.DENIES and claim.subject == message.speaker
        if is_plan and is_own and (not named or any(each in obj for each in named)):
            yield claim


def _is_to_come(claim: Claim, message: Message) -> bool:
    return claim.valid_from is not None and message.now is not None and claim.valid_from.day > message.now.date()


def _deny(claim: Claim, where: Place) -> None:
    where.message.claim(draft(claim.subject, claim.predicate, claim.object, Action.DENIES, Times(), where.span))
