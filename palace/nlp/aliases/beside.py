"""Nouns beside a name that say whose or what it is: "my sister Rose", "Rose, my sister", "my sister is Rose". Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palace.models.claims import SELF, EntityType, NamedSpan
from palace.nlp.aliases.nouns import RULES, kind_of, may_name
from palace.nlp.aliases.parts import Parts
from palace.nlp.claims.kinds import gender_of
from palace.nlp.rules import late

_OWN = late(r"my|our|(?:mein|unser)(?:e|en|em|er|es)?|min|mini|minere|mis|mim|mym|üsi|üse|üsere")
_LONGEST = 4
"""Most words between a noun and its owner or article."""
_FAR = 14
"""Most parts between a noun and the pronoun that refers to it."""
_PERSONAL = ("he", "she", "er")
_DASHES = (",", "(", "-", "–", "—")


class Naming(NamedTuple):
    """A noun or name of a message, with the name that it goes by."""

    place: int
    """Index of the name among the parts of the message."""
    noun: str
    """The noun with its owner ("Tom's boat"), or another name."""
    name: str


class _Noun(NamedTuple):
    """A noun of a sentence with its owner or article and the words between."""

    owner: str
    """"my", "the", "a", an owner's name, or "" for none."""
    before: tuple[str, ...]
    """Words between the owner and the noun, in order."""
    noun: str
    is_german: bool

    @property
    def is_own(self) -> bool:
        return self.owner == "my"

    @property
    def is_whose(self) -> bool:
        """Check whether the noun has an owner."""
        return self.owner not in ("", "the", "a")

    @property
    def is_person(self) -> bool:
        return kind_of(self.noun) is EntityType.PERSON


class _Link(NamedTuple):
    """How a noun is connected with the name behind it."""

    end: int
    """Index of the part behind the noun."""
    kind: str
    """"called", "is", "comma", "colon", or "" for none."""
    article: str
    """Article of the name: "the", "a", or "" for none."""
    is_titled: bool


def names_of_nouns(parts: Parts, speaker: str) -> Iterator[Naming]:
    """List the names of the nouns in a message of ``speaker``, wherever the two stand beside each other."""
    for place in range(len(parts)):
        name = parts[place].name
        if name is None or name.type is EntityType.TIME:
            continue
        for noun in (_before(parts, place, name), _behind(parts, place, name)):
            if noun is not None:
                yield from (Naming(place, each, name.text) for each in _written(noun, speaker))


def _before(parts: Parts, place: int, name: NamedSpan) -> _Noun | None:
    """Find the noun before a name that goes by this name."""
    link = _link(parts, place)
    noun = _noun_before(parts, link.end)
    if noun is None or (parts[place].owns and link.kind in ("is", "comma", "colon")):
        return None
    is_told = link.kind == "called" or bool(link.article) or (noun.is_own and link.kind in ("", "is"))
    if not may_name(noun.noun, name.type, is_told=is_told) or (noun.is_person and noun.owner == "a"):
        return None
    is_whole, opens = parts.closes(place + 1), not noun.owner and _begins(parts, link.end, noun)
    fits = {
        "is": (noun.is_whose or opens) and _is_said(parts, place, link),
        "comma": is_whole and (noun.is_whose or (not noun.is_person and bool(noun.owner or link.article))),
        "colon": is_whole and opens,
        "called": not _is_subject(parts, place, noun),
        "": not _is_subject(parts, place, noun) and _is_apposed(noun, link),
    }
    return noun if fits[link.kind] else None


def _is_subject(parts: Parts, place: int, noun: _Noun) -> bool:
    """Check whether a name is the subject of a clause ("on my machine Firefox crashes"), so that it names no noun."""
    owner, before = place - 2 - len(noun.before), parts[place - 3 - len(noun.before)]
    opens = before.is_any("leading") and not parts[owner - 2].is_word and parts[owner - 2].name is None
    behind = parts[place + 1]
    is_going_on = parts[place - 1].is_word and behind.is_word and not behind.is_any("going_on")
    return opens and not noun.is_german and is_going_on


def _is_said(parts: Parts, place: int, link: _Link) -> bool:
    """Check whether a sentence states that the noun is the name itself, and not something that belongs to the name."""
    closing = parts[place + 1]
    is_whole = not closing.is_word or closing.is_any("following") or link.article == "a"
    return is_whole and not parts.is_supposed(place)


def _begins(parts: Parts, end: int, noun: _Noun) -> bool:
    """Check whether a bare noun begins the sentence: "landlady is", "Bank:"."""
    before = parts[end - 2]
    return not noun.before and before.name is None and not before.is_word and end >= 1


def _is_apposed(noun: _Noun, link: _Link) -> bool:
    """Check whether a noun may stand directly before its name: "my sister Rose"."""
    if link.article:
        return not noun.is_person and link.article == "the" and (noun.is_whose or noun.owner == "the")
    if noun.is_person:
        return noun.is_whose or (noun.owner == "the" and (noun.is_german or link.is_titled))
    return noun.owner not in ("a", "")


def _link(parts: Parts, place: int) -> _Link:
    """Read how a name is connected with the noun before it."""
    first = place
    while _is_title(parts, place - 1) or (parts[place - 1].text == "." and parts[place - 2].is_any("titles")):
        place -= 1
    is_titled, article = place < first, ""
    if parts[place - 1].is_any("definite", "indefinite"):
        place -= 1
        article = "the" if parts[place].is_any("definite") else "a"
    if parts[place - 1].is_any("now") and parts[place - 2].is_any("is", "called"):
        place -= 1
    end, kind = _joint(parts, place)
    return _Link(end, kind, article, is_titled)


def _is_title(parts: Parts, place: int) -> bool:
    """Check whether the part at an index is a title; "the doctor" and "my professor" are nouns."""
    before = parts[place - 1]
    is_noun = before.is_any("definite", "indefinite") or _OWN.fullmatch(before.text) is not None
    return parts[place].is_any("titles") and not is_noun


def _joint(parts: Parts, place: int) -> tuple[int, str]:
    """Return the index where the noun before a name ends, and the kind of connection between the two."""
    last, before = parts[place - 1], parts[place - 2]
    end, kind = place, ""
    if last.is_any("calls") and before.is_any("calling"):
        end, kind = _noun_spoken_of(parts, place - 2, ""), "called"
    elif last.is_any("called"):
        end, kind = place - (2 if before.text == "," else 1), "called"
        end -= parts[end - 1].is_any("is")
    elif parts.texts(place - 4, place) == "by the name of":
        end, kind = place - 4, "called"
    elif last.is_any("is") and before.text in ("he", "she", "it", "er", "es"):
        end, kind = _noun_spoken_of(parts, place - 2, before.text), "is"
    elif last.is_any("is") and before.text in ("name", "names"):
        end, kind = place - (3 if parts[place - 3].text == "'s" else 2), "called"
    elif last.is_any("is"):
        end, kind = place - 1, "is"
    elif last.text in (*_DASHES, ":"):
        end, kind = place - 1, "colon" if last.text == ":" else "comma"
    return end, kind


def _noun_spoken_of(parts: Parts, place: int, pronoun: str) -> int:
    """Return the index behind the last fitting noun before an index; 0 for none, or where a person stands between."""
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
    """Read the noun that ends before an index, with the words before it back to its owner or article."""
    noun = parts[end - 1].text
    if not parts[end - 1].is_word or kind_of(noun) is None:
        return None
    place = end - 2
    while place >= 0 and end - 2 - place < _LONGEST and _may_stand_before(parts, place):
        place -= 1
    return _noun(parts, place, [parts[at].text for at in range(place + 1, end - 1)], noun)


def _noun(parts: Parts, place: int, words: Sequence[str], noun: str) -> _Noun | None:
    """Build a noun from its words and the owner or article at an index; None if it is former or another's."""
    first = parts[place]
    if any(RULES["former"].fullmatch(word) for word in words) or first.text == "'s":
        return None
    is_german = RULES["own_german"].fullmatch(first.text) is not None
    is_german |= first.is_any("definite", "indefinite") and first.text not in ("the", "a", "an")
    owner = ""
    if first.name is not None and first.owns and first.name.type is EntityType.PERSON:
        owner = first.name.text
    elif _OWN.fullmatch(first.text) and (len(first.text) > 3 or first.text in ("my", "our") or gender_of(noun)):
        owner = "my"
    elif first.is_any("definite", "indefinite"):
        owner = "the" if first.is_any("definite") else "a"
    elif first.is_any("others"):
        return None
    return _Noun(owner, tuple(words), noun, is_german)


def _may_stand_before(parts: Parts, place: int) -> bool:
    part = parts[place]
    return part.is_word and not _OWN.fullmatch(part.text) and not part.is_any("definite", "indefinite", "small")


def _behind(parts: Parts, place: int, name: NamedSpan) -> _Noun | None:
    """Find the noun behind a name that goes by this name."""
    at, link = _link_behind(parts, place)
    noun, end = _noun_at(parts, at)
    if noun is None or not may_name(noun.noun, name.type, is_told=link != ""):
        return None
    closing, is_whole = parts[end], parts.closes(end)
    if link == "is":
        goes_on = closing.is_word and not closing.is_any("following")
        fits = noun.is_own and not parts.is_supposed(place) and not goes_on and closing.name is None
    elif noun.is_own:
        is_alike = name.type is kind_of(noun.noun) and not parts[place - 1].is_any("is")
        fits = is_whole if link else is_alike and (is_whole or closing.is_any("goes_on"))
    else:
        fits = noun.owner == "the" and not noun.is_person and (link == "(" or (link == "" and is_whole))
    return noun if fits else None


def _link_behind(parts: Parts, place: int) -> tuple[int, str]:
    """Return the index where a noun for a name may begin behind it, and the connection: "is", "(", "comma" or ""."""
    at = place + 1
    if parts[place].owns:
        return at, "is"
    if parts[at].is_any("is") and not parts[at].is_any("called"):
        return at + 1, "is"
    link = ""
    if parts[at].text in _DASHES:
        at, link = at + 1, "(" if parts[at].text == "(" else "comma"
    return (at + 2, "is") if parts[at].is_any("pronouns") and parts[at + 1].is_any("is") else (at, link)


def _noun_at(parts: Parts, place: int) -> tuple[_Noun | None, int]:
    """Read the noun whose owner or article stands at an index, and return it with the index where it ends."""
    end = place + 1
    if not (_OWN.fullmatch(parts[place].text) or parts[place].is_any("definite")):
        return None, place
    while end - place <= _LONGEST + 1 and _may_stand_before(parts, end):
        end += 1
    words = [parts[at].text for at in range(place + 1, end)]
    is_noun = bool(words) and kind_of(words[-1]) is not None
    return (_noun(parts, place, words[:-1], words[-1]) if is_noun else None), end


def _written(noun: _Noun, speaker: str) -> Iterator[str]:
    """Write a noun with its owner, once with the words before it and once without."""
    words = [each for each in noun.before if each not in RULES.words("praise")]
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
