"""Rewrite English queries about the user into the first person: "Where does the user work?" → "Where do I work?"."""

from __future__ import annotations

import re

from palace.nlp.questions.names import PERSON, cased
from palace.nlp.rules import rules

_RULES = rules("asked", "english")

_P = PERSON
_THEY_MARK = "\ue002"
"""Replaces "they" for the user: verbs beside it have no "-s" to remove."""


POSSESSIVE = r"['’]s|(?<=s)['’](?=\s)"
"""Pattern of the ending of a possessive name."""


def mark_users(text: str) -> str:
    """Replace "the user" by ``PERSON``."""
    return _RULES["user"].sub(_mark_user, text)


def _mark_user(found: re.Match[str]) -> str:
    before, after = found.string[: found.start()] + (found["bare"] or ""), found.string[found.end() :]
    following = None if found["of"] else _RULES["next"].match(after)
    if following and not following["other"] and not (_RULES["does"].search(before) and _RULES["done"].match(after)):
        return found[0]
    # "user favourite tea": keywords without grammar.
    opens = found["bare"] is not None and not _RULES["opening_word"].search(before)
    is_possessive = found["of"] or (opens and following and not _RULES["verbs"].fullmatch(following["other"]))
    return f"{found['bare'] or ''}{_P}{chr(39) + 's' if is_possessive else ''}"


def mark_pronouns(text: str, *, is_mentioned: bool) -> str:
    """Mark "they" where it can only mean the user; "she" and "he" too if the query mentions the user."""
    if _RULES["business"].search(text) and not is_mentioned:
        return text
    text = _RULES["they"].sub(lambda found: _marked(found, is_mentioned=is_mentioned), text)
    return _RULES["she_he"].sub(lambda found: _marked(found, is_mentioned=True), text) if is_mentioned else text


def _marked(found: re.Match[str], *, is_mentioned: bool) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    is_open = not is_mentioned and _RULES["named"].search(found.string)
    if is_open or _is_of_others(before, is_mentioned=is_mentioned):
        return found[0]
    word = found[1].lower()
    if word == "they":
        return f"{_THEY_MARK}{_RULES.table('long')[found[2][1:].lower()]}" if found[2] else _THEY_MARK
    if word == "her" and _RULES["before_word"].match(after):
        return f"{_P}'s"
    return cased(_RULES.table("other_cases").get(word, _P), found[0])


def _is_of_others(before: str, *, is_mentioned: bool) -> bool:
    """Check whether a pronoun may refer to other people or things mentioned before it."""
    without = _RULES["asked_for"].sub(lambda found: found[0] if _RULES["people"].search(found[0][5:]) else " ", before)
    if _RULES["people"].search(without) or _RULES["named"].search(without):
        return True
    return not is_mentioned and bool(_RULES["plural"].search(without))


def spoken(text: str) -> str:
    """Replace ``PERSON`` by "I", "me", "my" or "mine", and put the verbs beside it into the first person."""
    text = _RULES["the_of"].sub(_of_mine, text)
    text = _RULES["has_been"].sub(f"{_P} have ", text)
    text = _RULES["possessed"].sub(_possessive, text)
    text = _RULES["contracted"].sub(rf"\1 is {_P}", text)
    text = _they_spoken(text)
    text = _RULES["verb_first"].sub(_inverted, text)
    text = _RULES["verb_behind"].sub(_followed, text)
    text = _RULES["aux_first"].sub(r"\1I", text)
    text = _RULES["clause_first"].sub(r"\1I", text)
    return text.replace(_P, "me")


def _they_spoken(text: str) -> str:
    text = _RULES["are_first"].sub(_inverted, text)
    text = _RULES["are_behind"].sub(_followed, text)
    return text.replace(_THEY_MARK, "I")


def _of_mine(found: re.Match[str]) -> str:
    return f"{cased('my', found[1])} {found[2]}"


def _possessive(found: re.Match[str]) -> str:
    stands_alone = _RULES["ends"].match(found.string[found.end() :])
    word = "mine" if stands_alone else "my"
    return f"{found[1] or ''}{word.capitalize() if found[1] is not None else word}"


def _inverted(found: re.Match[str]) -> str:
    verb = found[1].replace("’", "'").lower()
    spoken = _RULES.table("verbs_before").get(verb)
    return f"{cased(spoken, found[1])}{found[2]}I" if spoken else found[0]


def _followed(found: re.Match[str]) -> str:
    """Write "I" before the verb of ``PERSON``, in the first person."""
    before, verb = found.string[: found.start()], found[2].replace("’", "'")
    if _RULES["aux_before"].search(before):
        return f"I{found[1]}{found[2]}"
    if spoken := _RULES.table("verbs_behind").get(verb):
        return f"I{found[1]}{spoken}"
    is_past = verb.endswith("ed") and not _RULES.finds("preposition_before", before)
    if is_past or _RULES["modal"].fullmatch(found[2]):
        return f"I{found[1]}{found[2]}"
    if verb.endswith("s") and not verb.endswith(("ss", "us", "is")) and verb not in _RULES.words("no_verbs"):
        return f"I{found[1]}{_plain(verb)}"
    return found[0]


def _plain(verb: str) -> str:
    """Remove the ending of the third person from a verb."""
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "tches", "aches", "oaches", "xes", "zzes")) and verb != "aches":
        return verb[:-2]
    return verb[:-1]
