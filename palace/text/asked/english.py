"""English: "Where does the user work?" becomes "Where do I work?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from palace.patterns import late
from palace.text.asked.names import PERSON, mark_names

_P = PERSON
_THEY_MARK = "\ue002"
"""Stands for "they", beside which verbs have no ending to change."""
_FLAGS = re.IGNORECASE

_TELLING = r"\b(?:tell|give|show|remind|let|help|get|send|find) me\b"
"""Said to the one who looks, who need not be the person."""
_FIRST = late(r"\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|we['’](?:re|ve|d|ll)|us|our|ours)\b", _FLAGS)

_COMPOUND = (
    r"(?:interfaces?|stor(?:y|ies)|tables?|manuals?|guides?|names?|ids?|accounts?|groups?|agents?|experience|inputs?|data"
    r"|databases?|bases?|stud(?:y|ies)|research|test(?:s|ing|er)?|roles?|rights?|profiles?|settings?|sessions?"
    r"|permissions?|feedback|journeys?|personas?|flows?|registration|logins?|fields?|models?|keys?|lists?|counts?|space"
    r"|modes?|modules?|class(?:es)?|objects?|types?|errors?|management|conference|documentation|docs|agreements?|portal"
    r"|dashboards?|schema|rows?|columns?|records?|pages?|menus?|acceptance|requirements?|director(?:y|ies)|folders?"
    r"|friendl\w*|defined|facing|generated|stories|acquisition|growth|engagement|retention|interviews?|pool|service"
    r"|authentication|api|forum|community|preferences? (?:page|screen|dialog|table))"
)
_OPENS = r"(?:^|[.?!;:,]\s+)"
_AUX = (
    r"(?:is|are|am|was|were|has|have|had|does|do|did|can|could|will|would|should|must|may|might"
    r"|(?:is|are|was|were|has|have|had|does|do|did|could|would|should)n['’]t|can['’]t|won['’]t)"
)
_WH = r"(?:what|which|who|whom|where|when|why|how|whether|if|that|because|since|while|until|after|before|than|as)"
_USER = late(
    rf"(?:\b(?:the|this)\s+(?:current\s+)?user|(?P<bare>{_OPENS}|\b(?:{_AUX}|{_WH}|of|for|about|with|to|by|from)\s+)user)"
    rf"(?P<of>['’]s)?(?![\w@/*_-]|['’]|\.\w|\()",
    _FLAGS,
)
_NEXT = late(rf"\s+(?:{_COMPOUND}\b|(?P<other>[\w'’-]+))", _FLAGS)
_DOES = late(r"\b(?:does|do|did|can|could|will|would|should|must|may|might|didn['’]t|doesn['’]t)\s+$", _FLAGS)
_DONE = late(r"\s+(?:study|research|test|list|type|record|experience|group|count|service)\b", _FLAGS)
"""Words of the compounds that are verbs as well: "What did the user study?"."""
_VERBS = late(
    r"(?:(?:like|work|live|want|prefer|eat|drink|own|drive|play|speak|hate|dislike|love|need|use|enjoy|know|take|keep"
    r"|say|think|mention|go|wear|read|watch|sleep|collect|avoid|believe|owe|ride|cook|sing)(?:e?s)?|is|was|has|had|did"
    r"|does|can|could|will|would|should|must|may|might|said|told|went|bought|got|\w+ed)",
    _FLAGS,
)
_OPENING_WRITTEN = """
what which who whom whose where when why how is are was were has have had does do did can could will would should must
may might in on at of for with from to by about since until if whether that and or but does doesn't isn't describe
list tell name give find show explain remember recall summarise summarize
"""
_OPENING = frozenset(_OPENING_WRITTEN.split())
"""What a query may open with before a name."""

_PEOPLE = late(
    r"\b(?:daughters?|sons?|child(?:ren)?|kids?|boys?|girls?|bab(?:y|ies)|twins|sisters?|brothers?|siblings?|parents?"
    r"|mothers?|fathers?|mum|mom|dad|wife|husband|spouse|partner|aunts?|uncles?|cousins?|nieces?|nephews?|grand\w+"
    r"|friends?|neighbou?rs?|colleagues?|co-?workers?|boss(?:es)?|managers?|team|famil(?:y|ies)|people|guests?|guys"
    r"|crew|band|committee|members?|students?|pupils?|teachers?|doctors?|dentist|lodgers?|tenants?|landlord|customers?"
    r"|clients?|compan(?:y|ies)|staff|everyone|everybody|someone|somebody|anyone|anybody|who|m[ae]n|wom[ae]n|users"
    r"|\w+(?:[eo]rs|ists|ians|[ao]nts))\b",
    _FLAGS,
)
_PLURAL = late(
    r"\b(?:the|these|those|all|some|any|many|both|two|three|my|person['’]s)(?:\s+\w+)?\s+\w+(?<![sui])s\b", _FLAGS
)
_ASKED_FOR = late(
    rf"\b(?:what|which|whose|how\s+many|how\s+much)(?:\s+[\w'’-]+){{0,4}}?\s+(?={_AUX}\b)|\bwho\b|\bwhose\b", _FLAGS
)
_THEY = late(r"\b(they|them|their|theirs|themselves|themself)\b(['’](?:re|ve|d|ll))?", _FLAGS)
_SHE_HE = late(r"\b(he|him|his|himself|she|her|hers|herself)\b(?!['’])", _FLAGS)
_LONG = {"re": " are", "ve": " have", "d": " had", "ll": " will"}
_OTHER_CASES = {
    "their": f"{_P}'s", "his": f"{_P}'s", "theirs": "mine", "hers": "mine", "them": "me", "him": "me", "her": "me",
    "themselves": "myself", "themself": "myself", "himself": "myself", "herself": "myself",
}  # fmt: skip
_BUSINESS = late(r"\b(?:they|them)\s+(?:open|close|shut|deliver|ship|sell|charge|stock|cost|expire|mean|say)\b", _FLAGS)
"""What shops and things do: no person is meant by "they"."""

_NAMED = late(
    r"(?<=[^\s.?!])\s+(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|(?:January|February|March|April|May|June|July"
    r"|August|September|October|November|December|Christmas|Easter)\b)[^\W\d_a-zß-ÿ]\w"
)
"""A word with a capital that does not begin a sentence."""

_ADVERB = (
    r"(?:always|usually|often|never|still|really|now|currently|also|sometimes|actually|just|only|normally|regularly"
    r"|ever|already|once|previously|recently)"
)
_TURNED = {
    "is": "am", "are": "am", "has": "have", "does": "do", "were": "was",
    "isn't": "aren't", "doesn't": "don't", "hasn't": "haven't", "weren't": "wasn't",
}  # fmt: skip
_UNTURNED = {"is": "am", "are": "am", "has": "have", "does": "do", "were": "was", "goes": "go",
             "isn't": "am not", "doesn't": "don't", "hasn't": "haven't", "weren't": "wasn't"}  # fmt: skip
_NO_VERBS_WRITTEN = """
as this his its yes perhaps always sometimes besides towards afterwards nowadays days times
"""
_NO_VERBS = frozenset(_NO_VERBS_WRITTEN.split())
_MODAL = r"(?:was|had|did|can|could|will|would|should|must|may|might|wasn['’]t|didn['’]t|can['’]t|won['’]t)"
_PREPOSITION = r"(?:of|to|for|with|by|at|from|about|between|on|in|near|like|without|behind|around|past|than|against)"


def rewrite(text: str, names: Sequence[str]) -> str:
    """Put what is said of the person into the first person; the same text where it is about nobody, or says "I"."""
    if _FIRST.search(re.sub(_TELLING, "", text, flags=_FLAGS)):
        return text
    marked = mark_names(_USER.sub(_mark_user, text), names, _OPENING, r"['’]s|(?<=s)['’](?=\s)")
    marked = _mark_pronouns(marked)
    return text if marked == text else _spoken(marked)


def _mark_user(found: re.Match[str]) -> str:
    before, after = found.string[: found.start()] + (found["bare"] or ""), found.string[found.end() :]
    following = None if found["of"] else _NEXT.match(after)
    if following and not following["other"] and not (_DOES.search(before) and _DONE.match(after)):
        return found[0]
    # "user favourite tea": words without grammar.
    opens = found["bare"] is not None and not re.search(r"[a-z]\s+$", before, _FLAGS)
    is_possessive = found["of"] or (opens and following and not _VERBS.fullmatch(following["other"]))
    return f"{found['bare'] or ''}{_P}{chr(39) + 's' if is_possessive else ''}"


def _mark_pronouns(text: str) -> str:
    """Mark "they", and beside a mention "she" and "he", where nobody else can be meant."""
    is_mentioned = _P in text
    if _BUSINESS.search(text) and not is_mentioned:
        return text
    text = _THEY.sub(lambda found: _marked(found, is_mentioned=is_mentioned), text)
    return _SHE_HE.sub(lambda found: _marked(found, is_mentioned=True), text) if is_mentioned else text


def _marked(found: re.Match[str], *, is_mentioned: bool) -> str:
    before, after = found.string[: found.start()], found.string[found.end() :]
    is_open = not is_mentioned and _NAMED.search(found.string)
    if is_open or _is_of_others(before, is_mentioned=is_mentioned):
        return found[0]
    word = found[1].lower()
    if word == "they":
        return f"{_THEY_MARK}{_LONG[found[2][1:].lower()]}" if found[2] else _THEY_MARK
    if word == "her" and re.match(r"\s+[a-z]", after):
        return f"{_P}'s"
    return _cased(_OTHER_CASES.get(word, _P), found[0])


def _is_of_others(before: str, *, is_mentioned: bool) -> bool:
    """Whether somebody, or several things, stand before a pronoun that may be meant by it."""
    without = _ASKED_FOR.sub(lambda found: found[0] if _PEOPLE.search(found[0][5:]) else " ", before)
    if _PEOPLE.search(without) or _NAMED.search(without):
        return True
    return not is_mentioned and bool(_PLURAL.search(without))


def _spoken(text: str) -> str:
    """Write the first person where ``PERSON`` stands, and the verbs beside it as it wants them."""
    text = re.sub(rf"\b(the)\s+((?:[\w-]+\s+){{1,2}}?[\w-]+)\s+of\s+{_P}(?!['’])", _of_mine, text, flags=_FLAGS)
    text = re.sub(rf"{_P}'s\s+(?=(?:been|got)\b)", f"{_P} have ", text)
    text = re.sub(rf"(^|[.?!]\s+)?{_P}'s(?=(\s+own)?\s*(?:[.?!,;]|$))?", _possessive, text)
    text = re.sub(rf"\b(what|where|who|how|when)['’]s\s+{_P}", rf"\1 is {_P}", text, flags=_FLAGS)
    text = _they_spoken(text)
    alone = rf"{_P}(?!\s+(?:and|or)\b)"
    text = re.sub(rf"\b([\w'’]+)(\s+(?:{_ADVERB}\s+)?){alone}", _inverted, text)
    text = re.sub(rf"{alone}(\s+(?:{_ADVERB}\s+)*)([a-z]+(?:n['’]t)?)\b", _followed, text)
    text = re.sub(rf"\b({_AUX}\s+(?:{_ADVERB}\s+)?){_P}", r"\1I", text, flags=_FLAGS)
    text = re.sub(rf"(^|[.?!,;]\s+|\b{_WH}\s+){_P}(?!\s*(?:[.?!,;]|$))", r"\1I", text, flags=_FLAGS)
    return text.replace(_P, "me")


def _they_spoken(text: str) -> str:
    are = "are|were|aren['’]t|weren['’]t"
    text = re.sub(rf"\b({are})(\s+(?:{_ADVERB}\s+)?){_THEY_MARK}", _inverted, text, flags=_FLAGS)
    text = re.sub(rf"{_THEY_MARK}(\s+(?:{_ADVERB}\s+)*)({are})\b", _followed, text)
    return text.replace(_THEY_MARK, "I")


def _of_mine(found: re.Match[str]) -> str:
    return f"{_cased('my', found[1])} {found[2]}"


def _possessive(found: re.Match[str]) -> str:
    stands_alone = re.match(r"\s*(?:[.?!,;]|$)", found.string[found.end() :])
    word = "mine" if stands_alone else "my"
    return f"{found[1] or ''}{word.capitalize() if found[1] is not None else word}"


def _inverted(found: re.Match[str]) -> str:
    verb = found[1].replace("’", "'").lower()
    if verb not in _TURNED:
        return found[0]
    return f"{_cased(_TURNED[verb], found[1])}{found[2]}I"


def _followed(found: re.Match[str]) -> str:
    """Write "I" before a verb that is the person's, in its form."""
    before, verb = found.string[: found.start()], found[2].replace("’", "'")
    if re.search(rf"\b{_AUX}\s+$", before, _FLAGS):
        return f"I{found[1]}{found[2]}"
    if verb in _UNTURNED:
        return f"I{found[1]}{_UNTURNED[verb]}"
    if re.fullmatch(_MODAL, found[2]) or (verb.endswith("ed") and not re.search(rf"\b{_PREPOSITION}\s+$", before)):
        return f"I{found[1]}{found[2]}"
    if verb.endswith("s") and not verb.endswith(("ss", "us", "is")) and verb not in _NO_VERBS:
        return f"I{found[1]}{_plain(verb)}"
    return found[0]


def _plain(verb: str) -> str:
    """Take the ending of the third person off."""
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "tches", "aches", "oaches", "xes", "zzes")) and verb != "aches":
        return verb[:-2]
    return verb[:-1]


def _cased(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
