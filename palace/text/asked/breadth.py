"""How much a query asks for: one thing, or all of a kind, counted, listed, in order or summed up. Pure.

Rules of our own for English and German, made to be right where they speak rather than to find every broad question:
"How many sugars does she take?" asks for one thing, "How many letters did I write?" for every letter.
"""

from __future__ import annotations

import re
from enum import Enum

from palace.patterns import late


class Breadth(Enum):
    """How much a query asks for."""

    NONE = "none"
    """One thing."""
    COUNT = "count"
    LIST = "list"
    ORDER = "order"
    SUMMARY = "summary"

    @property
    def is_broad(self) -> bool:
        """Whether what answers may lie in many drawers."""
        return self is not Breadth.NONE


_SO_FAR = r"(?:altogether|all together|in total|in all|so far|overall|all in all|to date|up to now|until now|and all)"
_DONE = r"(?:have|has|had|did|'ve|went|came)"
_END = r"(?=\s*(?:[?!.,;:]|$|\band\b|\bor\b))"

_ORDER = (
    r"\bin (?:what|which) (?:order|sequence)\b",
    r"\b(?:what|which)(?:'s| is| was) the (?:order|sequence)\b",
    r"\bthe (?:order|sequence) (?:in|of)\b",
    r"\bchronolog\w+|\btimelines?\b|\b(?:from|by) (?:earliest|oldest|first) to (?:latest|newest|last)\b",
    r"\b(?:put|sort|arrange|place)\b.*\bin(?:to)? (?:the |their )?(?:right |correct )?order\b|\bin the order\b",
    r"\bwhat (?:came|happened|was) (?:first|when|next|earlier|after(?:wards)?)\b",
    # Atomic: from the first such word on is enough to look.
    rf"\b(?:which|who|what)\b(?>.*?\b(?:did|was|were|came|come|broke|happened|began|started|went|arrived|joined|visited"
    rf"|saw)\b)"
    rf".*\b(?:first|earlier|earliest|later|sooner|last)\b{_END}",
    r"\b(?:stages|milestones|phases|steps)\b.*\b(?:from|happened|order|of|in)\b|\bfrom (?:the )?(?:first"
    r"|very beginning)\b.*\bto\b",
    r"\breihenfolge\b|\bchronologisch\w*|\bzeitlich geordnet\b|\bzeitstrahl\b|\bder reihe nach\b|\bnacheinander\b",
    r"\bwas (?:kam|war|geschah|passierte) (?:zuerst|wann|danach|als nächstes|früher)\b|\b(?:welche\w*|wer"
    r"|was)\b.*\b(?:zuerst|als erste[srn]?)\b",
)
_COUNT = (
    rf"\bhow (?:many|often)\b.*\b{_DONE}\b|\bhow (?:many|often)\b.*\b{_SO_FAR}\b",
    rf"\bhow much\b.*\b{_SO_FAR}\b|\bhow much\b.*\b(?:have|has|did) .*\b(?:spen[dt]|paid|put|cost|earned?|lost"
    rf"|lose|saved?)\b",
    rf"\b(?:what|which) (?:has|have|did|was)\b(?>.*?\b(?:cost|paid|spent)\b).*\b{_SO_FAR}\b"
    rf"|\bnumber of (?:times|\w+s)\b|\bcount (?:all|the|my|our)\b",
    r"\bwie(?: ?viele| oft| häufig)\b.*\b(?:habe?n?|hat|hatten?|waren?|war|bin|sind|wurden?|ist|gab|ging(?:en)?"
    r"|kam(?:en)?)\b",
    r"\b(?:wie ?viel|was)\b.*\b(?:insgesamt|bisher|alles in allem|zusammen)\b.*\b(?:gekostet|ausgegeben|bezahlt"
    r"|gezahlt|verdient)\b",
    r"\banzahl (?:der|meiner|aller|unserer)\b|\bwie oft\b.*\binsgesamt\b",
)
_SUMMARY = (
    r"\bsummari[sz]e\b|\bsum(?:ming)? (?:it |this |that )?up\b|\b(?:summary|overview|recap|account|history"
    r"|story) of (?!a\b|an\b)",
    r"\brecap\b|\b(?:bring|get) me up to (?:date|speed)\b|\bcatch me up\b|\bthe (?:whole|full|entire) story\b",
    r"\bwhat (?:do|did) (?:we|i|you) (?:all )?(?:know|have|learn|think|say|write) (?:about|of|on) (?:all|the|my|our)\b",
    r"\beverything (?:about|on|around)\b|\ball (?:you|we|i) know (?:about|of)\b|\bwhat do (?:we|you|i) know about\b",
    r"\bhow (?:has|have|had)\b.*\b(?:gone|been|got(?:ten)? on|changed|developed|turned out|evolved|progressed|fared"
    r"|come along)\b",
    r"\bhow did\b.*\b(?:go|turn out|develop|evolve|work out|unfold|come about|get to (?:his|her|their|my|our|the))\b",
    r"\bhow (?:was|were) (?:my|our|the) (?:\w+ ){0,2}(?:year|month|week|months|weeks|years|half-year|season|summer"
    r"|winter|spring|autumn"
    r"|fall|trip|journey|holidays?|time)\b",
    r"\bwhat (?:has|have)\b.*\bbeen (?:like|up to|through|happening)\b|\bwhat (?:all )?(?:has )?happened (?:with|to"
    r"|around|during|in)\b",
    r"\bfass\w*\b.*\bzusammen\b|\bzusammenfass\w+|\büberblick\b|\brückblick\b|\bauf den neuesten stand\b"
    r"|\bdie (?:ganze )?geschichte\b",
    r"\b(?:was|alles, was) (?:wissen wir|weißt du|weiß ich|ich)(?: alles)? (?:über|weiß)\b|\balles (?:über|zu[mr]?)\b",
    r"\bwie (?:ist|sind|hat|haben)\b.*\b(?:gelaufen|verlaufen|entwickelt|ergangen|geworden)\b|\bwie (?:lief|verlief"
    r"|liefen)\b",
)
_NOUNS = r"(?:[\w'-]+ (?:and |or |of (?:my|our|the) )?){0,4}?[\w'-]+(?<![su'i])s"
_LIST = (
    r"^(?:please |can you |could you )*(?:list|enumerate)\b|\bname (?:all|every|each|the)\b|\b(?:a|the|full"
    r"|complete) list of\b",
    r"\ball (?:of )?(?:the|my|our|his|her|their|those|these)?\s?[\w'-]+(?: [\w'-]+)*? (?:that |which )?(?:i|we|she|he"
    r"|they)(?:'ve|'d)? ?(?:have|had|\w+ed)?\b",
    rf"\beverything (?:that |which )?(?:i|we|was|were|has|had|s?he|they)\b|\b(?:every"
    rf"|each) (?:[\w'-]+ ){{1,3}}(?:that )?(?:i|we)(?:'ve)? {_DONE}?",
    rf"\bwhich (?:of (?:my|our|his|her|their|the|those|these) )?{_NOUNS}\b.*\b(?:have|has|did|were|'ve)\b(?! you\b)",
    rf"\bwhat {_NOUNS} (?:came|have|has|did|were|'ve|turned|went)\b(?! you\b)|\bwhat (?:has"
    rf"|have) (?:\w+ ){{1,3}}(?:learn(?:ed"
    rf"|t)|done|made|bought|tried|broken)\b",
    rf"\bwhom? (?:all )?(?:have|has|did) (?:we|i)\b.*\b(?:hired|met|invited|visited|asked|seen|helped|booked|lent)\b"
    rf"|\b{_SO_FAR}{_END}",
    r"\b(?:liste|zähle?|nenne?)\b.*\b(?:auf|alle[ns]?|sämtliche\w*)\b|\bliste (?:aller|der|meiner)\b|\b(?:wer|was|wen"
    r"|wo|wohin) \w+.*\balles\b",
    r"\ban? ?welche[nmr]? [\w-]+(?:en|er|e|s|te|nen)\b.*\b(?:habe?n?|hat|sind|bin|waren?|wurden?)\b"
    r"|\balle[nr]? (?:meine[nr]?|unsere[nr]?|[\w-]+,? (?:die|von denen))\b",
    r"\bwelche (?:[\w-]+(?:en|er|eln|ern|s) (?:habe|bin|hatte|haben|sind)|[\w-]+ (?:haben|sind|waren|wurden"
    r"|hatten) (?!unsere\b|meine\b|wir\b))\b"
    r"|\bwelche \w+ haben wir\b.*\w+t\b|\balles,? was\b.*\b(?:habe?n?|hat|bin|wurde)\b",
)
_RULES = ((Breadth.ORDER, _ORDER), (Breadth.COUNT, _COUNT), (Breadth.SUMMARY, _SUMMARY), (Breadth.LIST, _LIST))
_COMPILED = tuple((breadth, late("|".join(rules), re.IGNORECASE)) for breadth, rules in _RULES)


def breadth_of(query: str) -> Breadth:
    """Tell how much a query asks for.

    >>> breadth_of("In what order did I visit the three towns?")
    <Breadth.ORDER: 'order'>
    >>> breadth_of("What is the name of my dentist?")
    <Breadth.NONE: 'none'>
    """
    plain = query.replace("\u2019", "'")
    return next((breadth for breadth, pattern in _COMPILED if pattern.search(plain)), Breadth.NONE)
