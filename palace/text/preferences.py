"""Whether a text says what the person likes, owns, does or avoids, and whether a query asks for advice.

Whoever asks for advice is best answered with what they chose before. Rules of our own, English, made to be right
where they speak rather than to find every preference.
"""

from __future__ import annotations

import re
from functools import cache

from palace.patterns import late

_ADVERBS = (
    r"(?: (?:really|also|usually|generally|particularly|especially|absolutely|just|do|still|already|actually|personally"
    r"|truly|quite|only|even|mostly|always|never|often|typically|normally|simply|definitely|honestly|mainly|both"
    r"|currently|now|sometimes|rarely|regularly|very much|kind of|sort of|much|strongly|completely|totally)){0,3}"
)
_ASKING = ("can", "could", "do", "did", "should", "would", "will", "shall", "may", "might", "must", "how", "if")
"""Before "I": it makes a question of it, or what is not so yet."""

_I = r"\b(?:i|we)\b" + "".join(rf"(?<!\b{word} {subject})" for word in _ASKING for subject in ("i", "we"))
_AM = rf"(?:'m| am|'re| are|(?:'ve| have)(?: always)? been){_ADVERBS}(?: not)?(?: an?)?"
_REPLY = r"(?! (?:your|this|these|those|that|it|how you|the (?:idea|sound|suggestion|way)|to (?:know|hear|see|ask))\b)"
"""After "like": what was just said to the person, or a wish."""

_POINTING = r"(?! (?:your|this|these|those|that|it)\b)"
_PAST = (
    r"thought|knew|said|heard|had|got|did|saw|was|were|wondered|felt|wanted|met|expected|learned|been|found|asked|told"
    r"|came|went|made|took|realized|realised|understood|imagined|tried|know|remember|forget"
)
"""After "never": what happened, not a habit; and what is said of one's memory."""

_NO_POSSESSION = (
    r"(?!(?:\w+ ){0,2}(?:questions?|problems?|issues?|ideas?|doubts?|feelings?|look|meetings?|appointments?|interview"
    r"|exam|test|deadline|chance|choice|request|concerns?|time|lot|bit|few|couple|minute|moment|call|plans?|trip|flight"
    r"|headache|cold|fever|point|reason|suspicion|hunch|file|list|error|bug|task|assignment|situation|date)\b)"
)

_LIKES = (
    rf"{_ADVERBS} (?:like|love|enjoy|appreciate){_REPLY}\b",
    rf"{_ADVERBS} (?:prefer|favou?r|adore|hate|dislike|loathe|detest|despise|can't stand|cannot stand|can't bear)\b",
    r"(?:'d| would)(?: much| really)? (?:rather|prefer)\b",
    rf"{_AM} (?:(?:big|huge|massive|avid|real|great|die-hard|lifelong|loyal) )*(?:fans?|lover|collector) of\b",
    rf"{_AM} (?:avid|keen|passionate|lifelong|devoted) \w+",
    rf"{_AM} (?:(?:so|pretty|big|more|less|not) )*(?:into|fond of|keen on|partial to|obsessed with|addicted to|tired of"
    rf"|sick of|passionate about|used to)\b{_POINTING}",
    rf"{_AM} \w+ person\b",
    rf"{_AM} interested in (?!(?:knowing|learning|hearing|finding|seeing|getting|trying|your|this|that)\b)\w+",
)
_HABITS = (
    rf"{_ADVERBS} (?:avoid|collect|swear by|stick (?:to|with)|rely on|opt for|tend to|lean towards?|subscribe to)\b",
    rf"{_ADVERBS} (?:use|wear|drive|ride|play|drink|eat|grow|listen to|shop at)\b{_POINTING}",
    rf"{_ADVERBS} (?:don't|do not|won't|no longer) (?:\w+ly )?(?:eat|drink|like|enjoy|care for|use|wear|watch|own|buy"
    rf"|smoke|drive|cook|want to use)\b{_REPLY}",
    rf" (?:almost |nearly )?(?:always|usually|typically|normally|rarely|never) (?!(?:{_PAST})\b)\w+",
    r"(?:'ve| have) been (?:\w+ly )?(?:using|enjoying|loving|playing|practi[cs]ing|collecting|listening to)\b",
)
_POSSESSIONS = (
    rf"{_ADVERBS} own\b",
    rf"(?: have|(?:'ve| have) got|'ve) (?:an?|two|three|four|five|several|some|many|my own) {_NO_POSSESSION}\w+",
    r"(?:'ve| have)? (?:(?:just|recently|finally) )?(?:bought|purchased|got myself|invested in) (?:an?|my|some|the)\b",
)
_BARS = (
    rf"{_ADVERBS} (?:can't|cannot) (?:eat|drink|tolerate|digest|do without|live without)\b",
    rf"{_AM} (?:allergic|intolerant|(?:lactose|gluten)[- ]intolerant|diabetic|celiac|coeliac|left-handed"
    r"|(?:strict )?(?:vegetarian|vegan|pescatarian))\b",
)
_SAID_OF_ONESELF = (*_LIKES, *_HABITS, *_POSSESSIONS, *_BARS)
"""What follows "I"."""

_SAID_OF_THINGS = (
    r"\b(?:my|our)(?: \w+)? (?:all-time |absolute |personal )?(?:favou?rites?|go-tos?|usual|preferred|preferences?"
    r"|pet peeve|guilty pleasure)\b",
    r"\bfavou?rites? of (?:mine|ours)\b",
    r"\b(?:works?|worked) (?:best|better|well|great) for me\b|\b(?:suits?|relaxes|calms) me\b",
    r"\b(?:not|isn't|aren't) (?:really )?(?:my (?:thing|style|cup of tea)|for me)\b",
    r"\b(?:have|has|with|my) (?:an? |my )?(?:\w+ )?(?:allergy|allergies|intolerance)\b",
)

_ADVICE = r"(?:\w+ ){0,2}(?:recommendations?|suggestions?|tips|ideas|advice|pointers|inspiration|thoughts)"
_REQUESTS = (
    r"\b(?:recommend|suggest|advise)\b",
    rf"\b(?:any|some|need|want|give me|share|offer|seeking|looking for|a few|appreciate|love|get|your) {_ADVICE}\b",
    r"\b(?:tips|ideas|advice|suggestions|recommendations) (?:for|on|about|to|regarding)\b",
    r"\bshould (?:i|we)\b",
    r"\b(?:i|we) should (?:\w+ ){0,3}(?:next|instead|first|try|get|buy|choose|pick)\b",
    r"\bhelp (?:me|us) (?:\w+ )?(?:choose|decide|pick|plan|find|select|come up|figure out|with ideas|think of)\b",
    r"\bwhat (?:would|do) you (?:think|choose|pick|do|say)\b",
    r"\b(?:what|which|where)(?:'s| is| are| would be| could be| might be) (?:an?|some|the best) .{0,60}\b"
    r"(?:for|to|with) (?:me|my|us|our|try|go|eat|visit|watch|read|do|make|cook|buy|get)\b",
    r"\b(?:not sure|no idea|don't know|can't decide|wondering|deciding|undecided|figuring out) (?:on )?"
    r"(?:what|which|where|whether|how) (?:\w+ )?(?:to|i should|we should)\b",
    r"\bwhat (?:can|could|might) (?:i|we) (?:\w+ )?(?:do|make|cook|serve|get|buy|try|wear|watch|read|bring|bake|use)\b",
    r"\b(?:might|would) (?:i|we) (?:like|enjoy|love)\b",
    r"\bis it worth\b|\bworth (?:trying|buying|visiting|watching|reading)\b",
)
_SOMEBODY = r"you|i|we|he|she|they|it|my|our|his|her|their|the|your|any(?:one|body)|some(?:one|body)|(?-i:[A-Z])\w+"
_RECOLLECTS = (
    rf"(?<!\bi )(?<!\bwe )\bdid (?:{_SOMEBODY})\b",
    r"\b(?:remind me|can you recall|(?:do|can) (?:you|i) remember|i remember|last time)\b",
    r"\b(?:you|he|she|they|who|we|i|had|has|you've|you'd) (?:had |have |just |previously |also |already )?"
    r"(?:recommended|suggested|advised|gave|made|mentioned|told|shared|provided|listed|discussed|talked about)\b",
    r"\b(?:what|which|who|where|when|how many|how much) (?:\w+ ){0,3}(?:was|were)\b",
    r"\b(?:previous|earlier|last|past) (?:chat|conversation|discussion|session)\b",
)
_CLAUSES = late(r"(?<=[.?!;])\s+|\n+")


def states_preference(text: str) -> bool:
    """Whether it says what the person prefers, likes, dislikes, owns, uses, always or never does, or cannot have."""
    return _statements().search(_plain(text).lower()) is not None


def asks_advice(query: str) -> bool:
    """Whether a query asks what to do or to choose; not where it asks what was advised before."""
    requests, recollects = _any_of(*_REQUESTS), _any_of(*_RECOLLECTS)
    clauses = _CLAUSES.split(_plain(query))
    return any(requests.search(clause) and not recollects.search(clause) for clause in clauses)


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")


@cache
def _statements() -> re.Pattern[str]:
    return re.compile(f"{_I}(?:{'|'.join(_SAID_OF_ONESELF)})|{'|'.join(_SAID_OF_THINGS)}")


@cache
def _any_of(*rules: str) -> re.Pattern[str]:
    return re.compile("|".join(rules), re.IGNORECASE)
