"""Rewrite German queries about the user into the first person: "Wo arbeitet die Nutzerin?" → "Wo arbeite ich?"."""

from __future__ import annotations

import re

from palace.nlp.questions.names import PERSON, cased
from palace.nlp.rules import rules

_RULES = rules("asked", "german")

_P = PERSON


POSSESSIVE = r"s(?=\s+[^\W\d_])|['’](?=\s)"
"""Pattern of the ending of a possessive name."""


def mark_users(text: str) -> str:
    """Replace "der Nutzer" and "die Nutzerin" by ``PERSON``, and their other cases by "mir", "mich" and "mein"."""
    text = _RULES["thing_of_user"].sub(_owned, text)
    text = _RULES["noun_of_user"].sub(_of_me, text)
    text = _RULES["to_user"].sub(_dative, text)
    text = _RULES["user_as_object"].sub("mich", text)
    text = _RULES["for_user"].sub(r"\1 mich", text)
    text = _RULES["user_as_subject"].sub(_subject, text)
    return text


def _owned(found: re.Match[str]) -> str:
    """Write "mein Hund" for "der Hund der Nutzerin"."""
    article, adjective = found["article"].lower(), found["adjective"] or ""
    before = found.string[: found.start()]
    mine = _RULES.table("contracted").get(article) or _RULES.table("mine")[article]
    if article == "der" and not _RULES["genitive_before"].search(before):
        mine = "mein"
    if mine == "mein":
        adjective = _RULES["ending_e"].sub("es" if article == "das" else "er", adjective)
    return cased(f"{mine} {adjective}{found['noun']}", found[0])


def _of_me(found: re.Match[str]) -> str:
    # At the beginning of a query a verb is capitalised like a noun: "Gehört der Nutzerin ein Boot?"
    is_verb = found.start() == 0 and _RULES["singular"].fullmatch(found[1].lower())
    return f"{found[1]} {'mir' if is_verb else 'von mir'}"


def _dative(found: re.Match[str]) -> str:
    return cased("mir", found[0])


def _subject(found: re.Match[str]) -> str:
    # A genitive plural, not the user: "die Anzahl der Nutzer".
    is_genitive = "ieser" not in found[0] and _RULES["noun_before"].search(found.string[: found.start()])
    if is_genitive and found[0].startswith("der"):
        opens = _RULES["only_noun"].fullmatch(found.string[: found.start()])
        return _P if opens else found[0]
    return _P


def mark_pronouns(text: str, *, is_mentioned: bool) -> str:
    """Rewrite pronouns that can only mean the user, those in the nominative as ``PERSON``."""
    return _RULES["pronoun"].sub(lambda found: _marked(found, is_mentioned=is_mentioned), text)


def _marked(found: re.Match[str], *, is_mentioned: bool) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    if _is_of_others(before, genitive=found[0] in {"ihrer", "ihres", "seiner", "seines"}, is_mentioned=is_mentioned):
        return found[0]
    if found["owned"]:
        return _RULES["owner"].sub("mein", found[0])
    if found["ihn"] or _RULES["accusative_before"].search(before):
        return found[0] if found[0] == "er" else "mich"
    if found["ihm"]:
        is_open = found[0] == "ihr" and not is_mentioned and _RULES["verb_before"].search(before)
        return found[0] if is_open and not _RULES["for_one"].search(before) else "mir"
    return _P if _is_subject(before, after, is_mentioned=is_mentioned) else found[0]


def _is_subject(before: str, after: str, *, is_mentioned: bool) -> bool:
    """Check whether "sie" or "er" is a singular subject: a singular verb stands before it or ends the clause."""
    if is_mentioned and _RULES["clause_before"].search(before):
        return False
    return bool(_RULES["verb_of_one_before"].search(before) or _RULES["verb_of_one_last"].match(after))


def _is_of_others(before: str, *, genitive: bool, is_mentioned: bool) -> bool:
    """Check whether a pronoun may refer to another person or thing mentioned before it."""
    without = _RULES["asked_for"].sub(lambda found: found[0] if _RULES["people"].search(found[0]) else " ", before)
    if genitive:
        without = _RULES["genitive_noun"].sub(" ", without)
    if is_mentioned:
        return bool(_RULES["people"].search(without))
    return bool(_RULES["noun_within"].search(without))


def spoken(text: str) -> str:
    """Replace ``PERSON`` by the first person, and put the verbs beside it into the first person."""
    text = _RULES["possessed"].sub(_possessive, text)
    text = _RULES["thing_of_me"].sub(_owned, text)
    text = _RULES["to_me"].sub(r"\1mir", text)
    text = _RULES["for_me"].sub(r"\1mich", text)
    text = _RULES["verb_first"].sub(_inverted, text)
    if _P in text:
        text = _RULES["verb_behind"].sub(_followed, text)
    text = _RULES["sentence_first"].sub(r"\1Ich", text).replace(_P, "ich")
    return _RULES["reflexive"].sub(r"\1mich", text)


def _possessive(found: re.Match[str]) -> str:
    noun, before = found[1], found.string[: found.start()]
    is_feminine = bool(noun) and bool(_RULES["feminine"].search(noun))
    if _RULES["dative_before"].search(before):
        word = "meiner" if is_feminine else "meinem"
    else:
        word = "meine" if is_feminine else "mein"
    if not before.strip():
        word = word.capitalize()
    return f"{word} {noun}" if noun else word


def _inverted(found: re.Match[str]) -> str:
    """Write "ich" behind its verb, in the first person; unchanged where the word before is no verb."""
    spoken = _first(found[1])
    if spoken is None:
        return found[0]
    return f"{spoken} ich mich" if "sich" in found[2] else f"{spoken}{found[2]}ich"


def _followed(found: re.Match[str]) -> str:
    """Write "ich" before its verb, in the first person: the next word, or the last one of a subordinate clause."""
    spoken = None if found[2].startswith("ge") else _first(found[2])
    if spoken is not None:
        return f"ich{found[1]}{spoken}{found['rest']}"
    last = _RULES["last_word"].search(found["rest"])
    ending = _first(last[1]) if last else None
    if last is None or ending is None:
        return found[0]
    return f"ich{found[1]}{found[2]}{found['rest'][: last.start()]}{ending}{last[2]}"


def _first(verb: str) -> str | None:
    """Return the first person of a verb in the third; a past form stays as it is. None for a word that is no verb."""
    plain = verb.lower()
    if irregular := _RULES.table("irregular").get(plain):
        return cased(irregular, verb)
    if plain in _RULES.words("same") or plain.endswith(("te", "ging", "kam", "ließ", "lag", "sah", "fand")):
        return verb
    if plain in _RULES.words("no_verbs") or not plain.endswith("t") or len(plain) < 3:
        return None
    stem = verb[:-2] if plain.endswith(("tet", "det", "chnet", "ffnet", "gnet", "tmet")) else verb[:-1]
    return f"{stem}e"
