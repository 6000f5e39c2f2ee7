"""Who is spoken of in English: subjects and pronouns, and people and animals told by what they are to somebody."""

from __future__ import annotations

from collections.abc import Sequence

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Message, Party, draft
from palace.text.claims.kinds import gender_of, kin, words
from palace.text.claims.people import Telling, names_behind, tell_named
from palace.text.claims.phrases import POSSESSIVES, Phrase, phrase_at
from palace.text.claims.tokens import Token, listed
from palace.text.stopwords import STOP_WORDS

_PRONOUNS = {
    "they": "p", "she": "fna", "he": "mna", "it": "ta", "her": "fna", "his": "mna", "its": "ta", "which": "t",
    "that": "t",
}  # fmt: skip
_KIN_MODIFIERS = listed(
    """
older younger elder eldest oldest youngest little big baby best good close old dear twin middle lovely beloved
one two three four five new amazing wonderful late half oldest only first second other beautiful sweet
adorable awesome great fellow dearest long-time longtime childhood school work
"""
)
_WISHED = listed("work company dream next future potential ideal old previous first other last whole entire")
_ROOMS = listed("house home flat apartment garden kit collection set table chair desk bed lamp rug coat dress suit")
_BARE = listed("mum mom mam mama dad papa grandma grandpa granny gran nan nana granddad grandad")
"""Those whom people call so without "my"."""
_PLURAL_KIN = listed("parents grandparents in-laws")
_FORMER = listed("ex ex- former previous")
_LONGEST_NAME = 3


def subject_of(tokens: Sequence[Token], message: Message, sentence: int) -> Party | None:
    """Resolve the subject of a clause; None of one that is nobody's in particular, or not sure."""
    if not tokens:
        return None
    first, last = tokens[0], tokens[-1]
    if last.text in ("i", "we") or first.text in ("i", "we", "me"):
        return Party(message.speaker, "s", message.turn, sentence)
    if len(tokens) == 1 and first.text in _PRONOUNS:
        genders = _PRONOUNS[first.text]
        meant = message.spoken.meant(genders, message.turn, sentence, is_near=first.text in ("which", "that"))
        return Party(meant, message.spoken.gender(meant) or genders[0], message.turn, sentence) if meant else None
    if first.text in ("this", "there", "you", "what", "one", "who", "your", "that", "these", "those"):
        return None
    return _noun_subject(tokens, message, sentence)


def subjects_of(tokens: Sequence[Token], message: Message, sentence: int) -> list[Party]:
    """Resolve a subject of one or several, "Anna and Tom", "my wife and I": the speaker first, then in order."""
    joints = [place for place, token in enumerate(tokens) if token.text in ("and", "&", "n")]
    if len(joints) != 1:
        party = subject_of(tokens, message, sentence)
        return [party] if party else []
    parts = tokens[: joints[0]], tokens[joints[0] + 1 :]
    found = [party for part in parts for party in (subject_of(part, message, sentence),) if party]
    whole = subject_of(tokens, message, sentence) if len(found) < 2 else None
    return sorted([whole] if whole else found, key=lambda party: party.gender != "s")


def _noun_subject(tokens: Sequence[Token], message: Message, sentence: int) -> Party | None:
    phrase = phrase_at(tokens, 0, message.content, message.names)
    if phrase is None or phrase.next < len(tokens):
        return None
    if phrase.name is not None and phrase.name.start <= phrase.tokens[0].start:
        return _named(phrase.name.text, phrase.name.type, message, sentence)
    noun = _noun_place(tokens)
    named = next(names_behind(tokens, noun, message), None) if noun is not None else None
    if noun is not None and named is not None:
        return Party(named, gender_of(tokens[noun].text) or "a", message.turn, sentence)
    if phrase.owner in ("the", "teh"):
        is_person = gender_of(phrase.head) in ("f", "m")
        return None if is_person else Party(phrase.text, "t", message.turn, sentence)
    return _owned_subject(tokens, phrase, message, sentence)


def _owned_subject(tokens: Sequence[Token], phrase: Phrase, message: Message, sentence: int) -> Party | None:
    """Read "my sister", "Anna's brother", "my boat", "Anna"."""
    if len(tokens) == 1 and tokens[0].text in _BARE:
        noun = tokens[0].text
        return Party(message.of_owner(message.speaker, noun), gender_of(noun) or "n", message.turn, sentence)
    owner, rest = _owner(tokens, message, sentence)
    if owner is not None and rest:
        gender = gender_of(rest[-1].text)
        if gender is not None:
            return Party(message.of_owner(owner, rest[-1].text), gender, message.turn, sentence)
        return Party(phrase.text, "t", message.turn, sentence) if owner == message.speaker else None
    is_name = tokens[0].is_upper and tokens[0].text not in STOP_WORDS and not phrase.owner
    return _named(phrase.text, None, message, sentence) if is_name and len(tokens) <= _LONGEST_NAME else None


def _named(text: str, kind: EntityType | None, message: Message, sentence: int) -> Party:
    gender = message.spoken.gender(text) or ("n" if kind in (None, EntityType.PERSON) else "t")
    return Party(text, gender, message.turn, sentence)


def _noun_place(tokens: Sequence[Token]) -> int | None:
    nouns = (at for at, token in enumerate(tokens) if gender_of(token.text) or token.text in words("animals"))
    return next(nouns, None)


def _owner(tokens: Sequence[Token], message: Message, sentence: int) -> tuple[str | None, Sequence[Token]]:
    """Say whose somebody is, by a possessive or a name's: the owner and the words that follow."""
    first = tokens[0]
    if first.text in ("my", "our"):
        return message.speaker, tokens[1:]
    if first.text in ("his", "her"):
        genders = _PRONOUNS[first.text]
        if any(token.text in kin() for token in tokens[1:4]):
            genders = genders.replace("a", "")
        return message.spoken.meant(genders, message.turn, sentence), tokens[1:]
    for place, token in enumerate(tokens[:_LONGEST_NAME]):
        name = message.names.at(tokens[0].start)
        if name is not None and token.text.endswith("s") and token.end == name.end + 1:
            return name.text, tokens[place + 1 :]
        is_named = tokens[0].is_upper or name is not None
        if token.text.endswith("'s") and is_named and len(token.text) > 2:
            return message.content[first.start : token.end].replace("’", "'").removesuffix("'s"), tokens[place + 1 :]
    return None, tokens


def note_people(tokens: Sequence[Token], telling: Telling) -> None:
    """Let pronouns mean the people that a clause names or calls by their kin, whatever is said of them."""
    message = telling.message
    if not tokens:
        return
    for name in message.names.within(tokens[0].start, tokens[-1].end):
        if name.type is EntityType.PERSON and message.spoken.gender(name.text) is None:
            message.spoken.note(Party(name.text, "n", message.turn, telling.sentence))
    for place, token in enumerate(tokens):
        noun = token.text.removesuffix("'s")
        is_mine = place > 0 and tokens[place - 1].text in ("my", "our")
        if is_mine and noun in _PLURAL_KIN:
            message.spoken.note(Party(f"my {noun}", "p", message.turn, telling.sentence))
        if next(names_behind(tokens, place, message), None) is not None:
            continue
        if (noun in _BARE and (place == 0 or is_mine)) or (is_mine and gender_of(noun)):
            named = message.of_owner(message.speaker, noun)
            message.spoken.note(Party(named, gender_of(noun) or "n", message.turn, telling.sentence))


def tell_people(tokens: Sequence[Token], telling: Telling, *, theirs: bool = False) -> None:
    """Claim of people and animals that are named by what they are to somebody: "my sister Anna", "our dog Biscuit".

    Those of whom a pronoun means ("his brother Chidi") are told only with ``theirs``, once it is known whom it means.
    """
    for place, token in enumerate(tokens):
        if (token.text in ("his", "her")) is not theirs:
            continue
        if place and tokens[place - 1].text == "not":
            continue
        is_owner = token.text in POSSESSIVES and token.text not in ("your", "their", "its")
        if not is_owner and not (token.text.endswith("'s") and token.is_upper and len(token.text) > 2):
            continue
        first = place
        if not is_owner:
            while first and tokens[first - 1].is_upper and tokens[first - 1].is_word and place - first < 2:
                first -= 1
            if first == 0:
                first = place if token.text.removesuffix("'s") not in STOP_WORDS else -1
        if first >= 0:
            owner, _rest = _owner(tokens[first : place + (4 if theirs else 1)], telling.message, telling.sentence)
            if owner is not None:
                _tell(tokens, place + 1, owner, telling)


def tell_belongings(tokens: Sequence[Token], telling: Telling) -> None:
    """Claim that the speaker owns what they call theirs by more than its noun: "my mountain bike"."""
    message = telling.message
    for place, token in enumerate(tokens):
        if token.text not in ("my", "our") or (place and tokens[place - 1].text in ("not", "like", "of")):
            continue
        phrase = phrase_at(tokens, place, message.content, message.names)
        if phrase is None or not 1 < len(phrase.tokens) <= 4:
            continue
        if phrase.head not in words("owned") - _ROOMS:
            _tell_product(phrase, telling)
            continue
        if phrase.is_value or any(_is_no_own(each) for each in phrase.tokens[:-1]):
            continue
        message.spoken.note(Party(phrase.text, "t", message.turn, telling.sentence))
        message.claim(draft(message.speaker, "owns", phrase.text, Action.HOLDS, Times(), telling.span))


def _tell_product(phrase: Phrase, telling: Telling) -> None:
    """Claim that the speaker owns what they name with a figure: "my old Pixel 7"."""
    message, last, before = telling.message, phrase.tokens[-1], phrase.tokens[-2]
    is_model = any(letter.isdigit() for letter in last.text) and last.text[:1] not in "€£$"
    is_typed = phrase.name is None or phrase.name.type is EntityType.ITEM
    if is_model and is_typed and before.is_upper and not any(_is_no_own(each) for each in phrase.tokens[:-1]):
        message.claim(draft(message.speaker, "owns", phrase.text, Action.HOLDS, Times(), telling.span))


def _is_no_own(token: Token) -> bool:
    return token.text.endswith(("'s", "ing", "ed")) or token.text in _FORMER or token.text in _WISHED


def _tell(tokens: Sequence[Token], place: int, owner: str, telling: Telling) -> None:
    while place < len(tokens) and tokens[place].text in _KIN_MODIFIERS:
        place += 1
    if place < len(tokens) and not tokens[place].is_upper:
        tell_named(tokens, place, owner, telling)
