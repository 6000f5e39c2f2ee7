"""Nouns beside a name that say whose or what it is: "my sister Rose", "Rose, my sister", "my sister is Rose". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palace.models.claims import SELF, EntityType, NamedSpan
from palace.nlp.aliases.nouns import is_former, kind_of, may_name
from palace.nlp.aliases.parts import Parts
from palace.nlp.aliases.tokens import listed
from palace.nlp.claims.kinds import gender_of
from palace.nlp.rules import Rules

_WORDS = Rules("claims", "called.toml")
_LONGEST = 4
"""Words of a noun with what stands before it."""
_OWN = re.compile(r"my|our|(?:mein|unser)(?:e|en|em|er|es)?|min|mini|minere|mis|mim|mym|üsi|üse|üsere")
_OWN_GERMAN = re.compile(r"(?:mein|unser)(?:e|en|em|er|es)?|mini?|minere|mis|mim|mym|üs\w+")
_DEFINITE = listed("the der die das den dem de di")
_INDEFINITE = listed("a an ein eine einen einem einer en es")
_TITLES = listed("dr dr. mr mr. mrs mrs. ms ms. miss prof prof. professor doctor herr herrn frau doktor")
_IS = listed("is 's ist isch heißt heisst")
_CALLED = listed("called named namens genannt heißt heisst")
_PRONOUNS = {"he", "she", "it", "er", "es"}
_PERSONAL = {"he", "she", "er"}
_CALLING = listed("i we she he they you ich wir er sie")
_FAR = 14
"""Parts between a noun and the pronoun for it."""
_NOW = listed("now jetzt nun actually just")
_SHE = listed("she he it sie er es who that")
_STOP = re.compile(r"[,.;:!?()…\n–—-]|")
_GOING_ON = listed("n so but since who from in at to")
_FOLLOWING = listed("we who whose from since in at on for is was and but der die das aus seit in bei")


class Naming(NamedTuple):
    """What goes by which name."""

    place: int
    """Of the name, among the parts of the message."""
    noun: str
    """With its owner, or a name."""
    name: str


class _Noun(NamedTuple):
    """A noun as it stands in a sentence."""

    owner: str
    """What stands before it: "my", "the", "a", an owner's name, or nothing."""
    before: tuple[str, ...]
    """Words between that and the noun, in order."""
    noun: str
    is_own: bool
    is_german: bool


class _Link(NamedTuple):
    """How a noun is joined with the name behind it."""

    end: int
    """The place behind the noun."""
    kind: str
    """"called", "is", "comma", "colon", or nothing."""
    article: str
    """Of the name: "the", "a", or nothing."""
    is_titled: bool


def names_of_nouns(parts: Parts, speaker: str) -> Iterator[Naming]:
    """List what the nouns of a message, which ``speaker`` says, are called in it."""
    for place in range(len(parts)):
        name = parts[place].name
        if name is None or name.type is EntityType.TIME:
            continue
        for noun in (_before(parts, place, name), _behind(parts, place, name)):
            if noun is not None:
                yield from (Naming(place, each, name.text) for each in _written(noun, speaker))


def _before(parts: Parts, place: int, name: NamedSpan) -> _Noun | None:
    """Find the noun in front of a name that goes by it."""
    link = _link(parts, place)
    noun = _noun_before(parts, link.end)
    if noun is None or (parts[place].owns and link.kind in ("is", "comma", "colon")):
        return None
    is_told = link.kind == "called" or bool(link.article) or (noun.is_own and link.kind in ("", "is"))
    if not may_name(noun.noun, name.type, is_told=is_told):
        return None
    is_person = kind_of(noun.noun) is EntityType.PERSON
    is_whose = noun.is_own or noun.owner not in ("", "the", "a")
    if link.kind == "is":
        fits = _is_said(parts, place, link) and (is_whose or (not noun.owner and _begins(parts, link.end, noun)))
    elif link.kind == "comma":
        fits = closes(parts, place + 1) and (is_whose or (not is_person and bool(noun.owner or link.article)))
    elif link.kind == "colon":
        fits = noun.owner == "" and closes(parts, place + 1) and _begins(parts, link.end, noun)
    elif _is_subject(parts, place, noun):
        return None
    else:
        fits = link.kind == "called" or _is_apposed(noun, link, is_whose=is_whose, is_person=is_person)
    return noun if fits and not (is_person and noun.owner == "a") else None


def _is_subject(parts: Parts, place: int, noun: _Noun) -> bool:
    """Tell whether a name begins what is said behind "on my machine": it is not what the noun is called."""
    owner = place - 2 - len(noun.before)
    opens = (
        parts[owner - 1].text in _WORDS.words("leading")
        and not parts[owner - 2].is_word
        and parts[owner - 2].name is None
    )
    behind = parts[place + 1]
    return (
        opens
        and not noun.is_german
        and parts[place - 1].is_word
        and behind.is_word
        and behind.text not in _WORDS.words("going_on")
    )


def _is_said(parts: Parts, place: int, link: _Link) -> bool:
    """Tell whether it is said that the noun is who has the name, and of nothing else of theirs."""
    closing = parts[place + 1]
    return not parts.is_supposed(place) and (not closing.is_word or closing.text in _FOLLOWING or link.article == "a")


def _begins(parts: Parts, end: int, noun: _Noun) -> bool:
    """Tell whether a noun alone begins what is said: "landlady is", "Bank:"."""
    before = parts[end - 2]
    return not noun.before and before.name is None and not before.is_word and end >= 1


def _is_apposed(noun: _Noun, link: _Link, *, is_whose: bool, is_person: bool) -> bool:
    """Tell whether a noun may stand right before its name."""
    if link.article:
        return not is_person and link.article == "the" and (is_whose or noun.owner == "the")
    if is_person:
        return is_whose or (noun.owner == "the" and (noun.is_german or link.is_titled))
    return noun.owner not in ("a", "")


def _link(parts: Parts, place: int) -> _Link:
    """Say what joins a name with the noun in front of it."""
    first = place
    while _is_title(parts, place - 1) or (parts[place - 1].text == "." and parts[place - 2].text in _TITLES):
        place -= 1
    is_titled, article = place < first, ""
    if parts[place - 1].text in _DEFINITE | _INDEFINITE:
        place -= 1
        article = "the" if parts[place].text in _DEFINITE else "a"
    if parts[place - 1].text in _NOW and parts[place - 2].text in _IS | _CALLED:
        place -= 1
    end, kind = _joint(parts, place)
    return _Link(end, kind, article, is_titled)


def _is_title(parts: Parts, place: int) -> bool:
    """Tell whether a title stands at a place; "the doctor" and "my professor" are nouns."""
    before = parts[place - 1].text
    is_noun = before in _DEFINITE | _INDEFINITE or _OWN.fullmatch(before) is not None
    return parts[place].text in _TITLES and not is_noun


def _joint(parts: Parts, place: int) -> tuple[int, str]:
    last, before = parts[place - 1].text, parts[place - 2].text
    if last in ("calls", "call", "nennt", "nennen") and before in _CALLING:
        return _noun_spoken_of(parts, place - 2, ""), "called"
    if last in _CALLED:
        place -= 1
        place -= parts[place - 1].text == ","
        return place - (parts[place - 1].text in _IS), "called"
    if [parts[place - at].text for at in (4, 3, 2, 1)] == ["by", "the", "name", "of"]:
        return place - 4, "called"
    if last in _IS:
        if before in _PRONOUNS:
            return _noun_spoken_of(parts, place - 2, before), "is"
        is_name = before in ("name", "names")
        return place - 1 - is_name, "called" if is_name else "is"
    kind = {",": "comma", "(": "comma", "-": "comma", "–": "comma", "—": "comma", ":": "colon"}.get(last, "")
    return place - bool(kind), kind


def _noun_spoken_of(parts: Parts, place: int, pronoun: str) -> int:
    """Give the place behind the last noun with its owner or article, before a place; nobody is named in between."""
    for end in range(place, max(0, place - _FAR), -1):
        part = parts[end - 1]
        if part.name is not None and part.name.type is EntityType.PERSON and pronoun:
            return 0
        kind = kind_of(part.text) if part.is_word else None
        noun = _noun_before(parts, end) if kind is not None else None
        if noun is not None and (noun.is_own or (noun.owner != "" and not pronoun)):
            is_fitting = kind is EntityType.PERSON if pronoun in _PERSONAL else kind is not EntityType.PERSON
            return end if is_fitting or not pronoun else 0
    return 0


def _noun_before(parts: Parts, end: int) -> _Noun | None:
    """Read the noun that ends at a place, back to what stands before it."""
    noun = parts[end - 1].text.removesuffix("'s")
    if not parts[end - 1].is_word or kind_of(noun) is None:
        return None
    words: list[str] = []
    place = end - 2
    while place >= 0 and len(words) < _LONGEST and _may_stand_before(parts, place):
        words.insert(0, parts[place].text)
        place -= 1
    return _noun(parts, place, words, noun)


def _noun(parts: Parts, place: int, words: Sequence[str], noun: str) -> _Noun | None:
    """Put a noun together with what stands at the place before its words."""
    first = parts[place]
    if is_former(words) or any(word.endswith("'s") for word in words):
        return None
    is_german = _OWN_GERMAN.fullmatch(first.text) is not None or first.text in _DEFINITE - {"the"}
    is_german = is_german or (first.text in _INDEFINITE - {"a", "an"})
    owner = ""
    if first.name is not None and first.owns and first.name.type is EntityType.PERSON:
        owner = first.name.text
    elif _is_own(parts, place, noun):
        owner = "my"
    elif first.text in _DEFINITE | _INDEFINITE:
        owner = "the" if first.text in _DEFINITE else "a"
    elif first.text in ("his", "her", "their", "your", "sein", "seine", "ihr", "ihre", "dein", "deine", "no", "any"):
        return None
    return _Noun(owner, tuple(words), noun, owner == "my", is_german)


def _is_own(parts: Parts, place: int, noun: str) -> bool:
    text = parts[place].text
    return _OWN.fullmatch(text) is not None and (len(text) > 3 or text in ("my", "our") or gender_of(noun) is not None)


def _may_stand_before(parts: Parts, place: int) -> bool:
    part = parts[place]
    if not part.is_word or _OWN.fullmatch(part.text) or part.text in _DEFINITE | _INDEFINITE:
        return False
    return part.text not in _WORDS.words("small")


def _behind(parts: Parts, place: int, name: NamedSpan) -> _Noun | None:
    """Find the noun behind a name that goes by it."""
    at, link = _link_behind(parts, place)
    noun, end = _noun_at(parts, at)
    if noun is None or not may_name(noun.noun, name.type, is_told=link != ""):
        return None
    is_person = kind_of(noun.noun) is EntityType.PERSON
    closing = parts[end]
    if link == "is":
        is_whole = not closing.is_word or closing.text in _FOLLOWING
        fits = noun.is_own and not parts.is_supposed(place) and is_whole and closing.name is None
    elif noun.is_own:
        fits = (closes(parts, end) or (not link and closing.text in _GOING_ON)) and (
            link != "" or (name.type is kind_of(noun.noun) and parts[place - 1].text not in _IS)
        )
    else:
        fits = noun.owner == "the" and not is_person and (link == "(" or (link == "" and closes(parts, end)))
    return noun if fits else None


def _link_behind(parts: Parts, place: int) -> tuple[int, str]:
    """Say where what follows a name may begin with a noun for it, and what joins the two."""
    at = place + 1
    if parts[place].owns:
        return at, "is"
    if parts[at].text in _IS - {"heißt", "heisst"}:
        return at + 1, "is"
    link = ""
    if parts[at].text in (",", "(", "-", "–", "—"):
        at, link = at + 1, "(" if parts[at].text == "(" else "comma"
    return (at + 2, "is") if parts[at].text in _SHE and parts[at + 1].text in _IS else (at, link)


def _noun_at(parts: Parts, place: int) -> tuple[_Noun | None, int]:
    """Read the noun that begins at a place with what stands before it, and say where it ends."""
    if not (_OWN.fullmatch(parts[place].text) or parts[place].text in _DEFINITE):
        return None, place
    words: list[str] = []
    end = place + 1
    while len(words) <= _LONGEST and _may_stand_before(parts, end):
        words.append(parts[end].text)
        end += 1
    if not words or kind_of(words[-1]) is None:
        return None, end
    return _noun(parts, place, words[:-1], words[-1]), end


def closes(parts: Parts, place: int) -> bool:
    """Tell whether what stands at a place ends what was said beside a name, so that no list goes on."""
    text = parts[place].text
    if text == "," and parts[place + 1].text in ("and", "und", "or", "oder"):
        return False
    return parts[place].name is None and (
        _STOP.fullmatch(text) is not None or text in ("who", "whose", "from", "which")
    )


def _written(noun: _Noun, speaker: str) -> Iterator[str]:
    """Write a noun with its owner: with all of what stands before it, and without."""
    words = [each for each in noun.before if each not in _WORDS.words("praise")]
    for some in dict.fromkeys((tuple(words), ())):
        said = " ".join((*some, noun.noun))
        if noun.owner not in ("my", "the", "a", ""):
            yield f"{noun.owner}'s {said}"
        elif noun.owner == "my" and speaker != SELF:
            yield f"{speaker}'s {said}"
        elif noun.owner != "my" or kind_of(noun.noun) is not EntityType.PERSON:
            yield _capital(said) if noun.is_german else said
        elif not noun.is_german:
            yield f"my {said}"
        elif not some:
            yield _in_german(noun.noun)


def _in_german(noun: str) -> str:
    gender = gender_of(noun)
    return f"{'meine' if gender == 'f' else 'mein'} {_capital(noun)}" if gender in ("f", "m") else _capital(noun)


def _capital(said: str) -> str:
    *words, noun = said.split()
    return " ".join((*words, noun[:1].upper() + noun[1:]))
