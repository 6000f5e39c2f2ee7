"""Whether the words around a time tell what has been: "we met on", "haben … gekauft". Pure.

What only sets a time tells no past: "agreed: 8 November", "she said the 8th works", "is closed on", "wie vereinbart".
"""

from __future__ import annotations

import re

from palace.patterns import late

HERE = "\0"
"""Stands where the time does."""

_ON = rf"(?:on|in|im|am)(?: the| den| dem)? ?{HERE}"
_SETTING = (
    r"(?:agreed|settled|decided|fixed|confirmed|planned|scheduled|booked|reserved|arranged|proposed|suggested|offered"
    r"|asked|announced|approved|promised|targeted|expected|postponed|delayed|moved|shifted|pushed|extended|set|noted"
    r"|requested|preferred|picked|chose|chosen|wanted|told|said|mentioned|wrote|hoped|intended|invited|needed|required"
    r"|supposed|estimated|aimed|committed|accepted|limited|attached|thought)"
)
_TO_SET = r"(?:agree|settle|decide|fix|confirm|plan|schedule|book|reserve|arrange|propose|promise|set|say|pick|choose)"
_SAYING = (
    r"(?:said|told|mentioned|wrote|announced|confirmed|promised|agreed|decided|suggested|proposed|thought|hoped|noted"
    r"|asked|wanted|offered|planned|expected|intended|needed|required|supposed|aimed|committed|arranged|scheduled)"
)
_CLAUSE = (
    r"(?:that|to|we|i|he|she|they|it|you|there|i'm|we're|they're|it's|you're|i'll|we'll|(?<=said )the|(?<=said )our)"
)
_NO_PAST = late(
    rf"(?<!\w)(?:(?:is|are|am|be|being|gets?|stays?|remains?|(?:has|have) been|(?:it|that|there|here|what)'s|we're|i'm"
    r"|they're|you're)(?: (?:not|now|still|only|already|also|again|currently|all))? (?:\w+ed|set|shut|held|done|gone"
    r"|sent|built|made|paid|kept)\b"
    r"|(?:the|an?|our|my|your|as|if|unless|no|any) \w{3,}ed\b"
    rf"|{_SETTING}(?: (?:for|to|until|till|from|by|at|as|the|it|that|about)){{0,3}} ?(?={HERE})"
    rf"|{_SETTING}(?: [\w']+){{1,3}} (?:for|to|until|till|by|about)(?: the)? ?(?={HERE})"
    rf"|(?:agreed|settled|decided) (?:up)?on(?: the)? ?(?={HERE})"
    rf"|{_SAYING}(?: (?:me|us|him|her|them|everybody|everyone))? (?={_CLAUSE}\b)"
    rf"|did (?:\w+ ){{1,3}}?(?:{_TO_SET}(?=[^{HERE}]{{0,60}}\b(?:for|about|to|by|until|till|from)(?: the)? ?{HERE})"
    rf"|(?:agree|decide|settle) on(?: the)? ?(?={HERE}))"
    r"|left (?:until|till|to|before)\b"
    r"|wie (?:bereits )?(?:vereinbart|besprochen|abgemacht|ausgemacht|geplant|angekündigt|gewünscht)\b)"
)
_OPENS = late(
    rf"\A\W*(?:(?:as|just|now|ok|okay|so|also|and|great|perfect|yes)\W+)?{_SETTING}(?!\w)(?![^{HERE}]*\b{_ON})"
)
"""A sentence without a subject: "Confirmed for", "Agreed, then:"."""

_IRREGULAR = (
    "was|were|wasn't|weren't|had|did|didn't|went|came|got|bought|met|died|took|gave|made|saw|felt|began|wrote|left"
    "|sent|heard|found|spoke|ran|flew|drove|ate|won|lost|broke|fell|became|brought|held|kept|paid|sold|slept|stood"
    "|taught|thought|knew|wore|woke|built|chose|drew|forgot|grew|led|rose|sang|sat|shot|spent|stole|swam|threw|caught"
    "|fought|dealt|fed|fled|froze|hid|lent|rode|rang|sank|shook|stuck|tore|withdrew|ago|said|told|used|been|born|tried"
    "|loved|lived|hired|fired|filed|fixed|owed|added|ended"
)
_PAST = late(rf"(?<!\w)(?:{_IRREGULAR}|(?!indeed|hundred|exceed|proceed|succeed|kindred|linkedin)\w{{3,}}ed)(?!\w)")

_SET_IN_GERMAN = late(
    r"(?<!\w)(?:vereinbart|abgemacht|ausgemacht|geplant|eingeplant|gebucht|reserviert|vorgemerkt|bestätigt|angesetzt"
    r"|vorgesehen|festgelegt|beschlossen|geeinigt|verschoben|verlegt|vertagt|terminiert|bestellt|fixiert|angekündigt"
    r"|eingeladen|geschlossen|gesperrt|geöffnet|gültig|gesucht|gewünscht|befristet|verlängert)(?!\w)"
)
_WAS_SET_IN_GERMAN = late(r"(?<!\w)(?:habe|hab|hast|hat|haben|habt|hatten?|wurden?|waren?|bin)(?!\w)")
_PAST_IN_GERMAN = late(
    r"(?<!\w)(?:war|waren|wart|hatten?|wurden?|ging|gingen|kam|kamen|gab|fand|fanden|sah|sahen|damals"
    r"|(?:ab|an|auf|aus|ein|um|zu|vor|weg|mit|los|zurück|hin|her|teil|statt)?ge(?!gen\b|rne\b)\w{2,}(?:t|en)"
    r"|(?:habe|hab|hat|haben|bin|ist|sind)"
    r"(?= [^.!?]{0,80}\b(?:be|ver|er|ent|zer)(?!\w*(?:schaft|heit|keit)\b)\w{2,}(?:t|en)\b))(?!\w)"
)
_CLAUSE_ENDS = late(r"[,–—] ?(?:and|but|so|then|und|aber|also|dann)\s|\s(?:but|aber|sondern)\s")


def tells_past(before: str, after: str) -> bool:
    """Tell whether a time is one of what has been, by the folded words of its sentence before it and behind it.

    >>> tells_past("we met on ", "."), tells_past("agreed: ", ", 2 am.")
    (True, False)
    """
    sentence = " ".join(f"{_last(before)}{HERE}{_first(after)}".split(" "))
    plain = _NO_PAST.sub(" ", _OPENS.sub(" ", sentence))
    if _PAST.search(plain) is not None:
        return True
    if not _WAS_SET_IN_GERMAN.search(plain) or not re.search(_ON, plain):
        plain = _SET_IN_GERMAN.sub(" ", plain)
    return _PAST_IN_GERMAN.search(plain) is not None


def _last(before: str) -> str:
    return before[max((found.end() for found in _CLAUSE_ENDS.finditer(before)), default=0) :]


def _first(after: str) -> str:
    found = _CLAUSE_ENDS.search(after)
    return after[: found.start()] if found else after
