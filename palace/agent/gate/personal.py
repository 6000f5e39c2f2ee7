"""Check whether a sentence without a pronoun may still be about a person's life, in English, German or French. Pure.

A general question has no first names, no "the boat", no "tomorrow", and does not ask for advice. The lists err on the
side of recall: an entry too many costs an unneeded search, a missing one costs a memory.
"""

from __future__ import annotations

import re

from palace.agent.gate.signals import is_of_all
from palace.agent.gate.window import LANGUAGES, fold
from palace.nlp.names.lexicon import folded, given_names, is_ordinary, places
from palace.nlp.rules import late, rules

_NAMES = rules("gate", "names")
_ENGLISH, _GERMAN, _FRENCH = LANGUAGES
_THE = late(r"(?<![\w'])the (?=([\w'-]+)(?: ([\w'-]+))?(?: ([\w'-]+))?)")
_TITLE = late(r"\b[Tt]he ([A-Z]\w+ [A-Z]\w+)")
_DER = late(
    r"(?<![\w'])(?:der|die|das|den|dem|im|am|zum|zur|vom|beim|ins) (?!(?:ein|sich|man|ist|sind|er|es|sie|ich"
    r"|beste)\w{0,2}\b)((?:\w+(?:e|en|er|es|ste|sten) )?)([\w-]+)(?: ([\w-]+))?"
)
_LE = late(r"(?<![\w'])(?:(?:le|la) |l')(?!plus\b|moins\b)([\w-]+)(?: ([\w'-]+))?")
_FRENCH_TITLE = late(r"\b(?:[Ll]e |[Ll]a |[Dd]u |[Aa]u |[Ll]')(?:\w+ )?([A-Z\u00c0-\u00dd]\w+)")
_GENITIVE = late(r"(?:von|des|der|zwischen|de|du|d'\w+|entre)")
_WORD = late(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def may_be_personal(own: str, raw: str, *, is_technical: bool = False) -> bool:
    """Check whether folded sentences may be about a person's life; ``raw`` is the message as it was written."""
    for language in (_GERMAN, _FRENCH):
        own = language["by_place"].sub(" ", own)
        if is_technical:
            own = language["shown_code"].sub(" ", own)
    # A sentence about who invented something asks about the general thing: "the telephone".
    is_common = any(language.finds("invented", own) for language in LANGUAGES)
    return (
        any(language.finds("near", own) for language in LANGUAGES)
        or (not is_common and any(language.finds("own_things", own) for language in (_GERMAN, _FRENCH)))
        or any(language.finds("advice", own) for language in LANGUAGES)
        or (not is_common and speaks_of_the_known(own, raw, is_technical=is_technical))
        or names_somebody(own, raw)
    )


def names_somebody(own: str, raw: str) -> bool:
    """Check whether a text has a first name: capitalised, or a well-known one in lower case."""
    capitals = {folded(word.removesuffix("'s")) for word in _WORD.findall(raw) if word[:1].isupper()}
    return any(
        form in _NAMES.words("well_known") or (_is_first_name(form) and not capitals.isdisjoint((name, form)))
        for name in (word.removesuffix("'s") for word in _WORD.findall(own))
        if name not in _NAMES.words("no_first_names")
        for form in (name, name.removesuffix("s"))
    )


def speaks_of_the_known(own: str, raw: str, *, is_technical: bool = False) -> bool:
    """Check whether folded sentences mention a thing that the listener must know already, like "the boat".

    Things that everybody knows do not count: the sky, the French revolution, "the capital of Peru".
    """
    for title in _TITLE.findall(raw):
        own = own.replace(f"the {fold(title)}", " ")
    for title in _FRENCH_TITLE.findall(raw):
        own = own.replace(fold(title), "monde")
    if any(not _is_common(found, is_technical=is_technical) for found in _THE.finditer(own)):
        return True
    if is_technical:
        return False
    return any(not _is_common_in_german(*found.groups()) for found in _DER.finditer(own)) or any(
        not _is_common_in_french(*found.groups()) for found in _LE.finditer(own)
    )


def _is_common(found: re.Match[str], *, is_technical: bool) -> bool:
    words = [word.removesuffix("'s") for word in found.groups() if word]
    known = _ENGLISH.words("world")
    if is_technical:
        known = known | _ENGLISH.words("technical")
    return not known.isdisjoint(words[:2]) or "of" in words[1:] or words[0] in places()


def _is_common_in_german(described: str, noun: str, behind: str | None) -> bool:
    described = described.strip()
    if described.endswith(("ste", "sten")) or _is_of_nobody(noun) or (described and _is_of_nobody(described)):
        return True
    return noun in places() or bool(behind and _GENITIVE.fullmatch(behind))


def _is_common_in_french(noun: str, behind: str | None) -> bool:
    if _is_of_nobody(noun) or noun in places():
        return True
    return bool(behind and (_is_of_nobody(behind) or _GENITIVE.match(behind)))


def _is_of_nobody(noun: str) -> bool:
    return is_of_all(noun) or any(language.finds("abstract", noun) for language in (_GERMAN, _FRENCH))


def _is_first_name(form: str) -> bool:
    names = given_names()
    return len(form) > 2 and form in names and form not in _NAMES.words("no_first_names") and not is_ordinary(form)
