"""Whether a query wants something done or worked out, rather than remembered: a task, advice, an explanation. Pure.

Then what the person asked for once and for all matters, although the query does not name it. Rules of our own for
English and German.
"""

from __future__ import annotations

import re

from palace.patterns import late
from palace.text.preferences import asks_advice

_LEADING = (
    r"^(?:(?:please|now|next|then|so|and|also|just|ok|okay|hey|hi|hello|thanks|right|well|good|great|quickly|kindly"
    r"|for me)\b[,.!:]? ?"
    r"|(?:can|could|would|will) you (?:please |kindly |just |quickly )*|i(?:'d)? (?:want|need|like"
    r"|would like) you to |help me (?:to )?"
    r"|let's |i(?:'d)? (?:want|need|like|would like) (?:an?|some) [\w' -]+, (?:could|can|would) you )*"
)
_DOING = (
    r"(?:writ|mak|plan|suggest|draft|compos|build|creat|design|prepar|arrang|organi[sz]|book|reserv|order|choos|pick"
    r"|recommend"
    r"|propos|generat|cod|implement|program|refactor|fix|debug|check|review|proofread|edit|correct|translat|rewrit"
    r"|rephras"
    r"|shorten|explain|describ|teach|pars|calculat|comput|convert|repl|answer|respond|send|ask|invit|schedul|cook"
    r"|format|turn|draw"
    r"|sketch|outlin|brainstorm|invent|think of|come up with|advis|decid|compar|estimat|optimi[sz]|test|sort out|put"
    r"|set up|work out"
    r"|figure out|look for|find (?:me|us)|give me (?:an?|some|ideas|tips|instructions)|show me how|tell me (?:how|why"
    r"|about)"
    r"|sort|summari[sz]|word|phras|render|plot|chart|pack|fill in|add|extend|migrat|deploy|configur|solv|simplify"
    r"|polish|extract)"
)
_TASKS = late(rf"{_LEADING}(?!(?:planned|ordered|tests|orders|plans|checks)\b){_DOING}(?:e|y|s)?\b", re.IGNORECASE)
_COULD_YOU = late(r", (?:could|can|would) you (?:please )?\w+(?: it| that| this| one| them)?\b", re.IGNORECASE)
_MODAL = late(
    r"\b(?:should|shall)\b|\b(?:could|can|might|may) (?:i|we|one)\b|\bhow (?:do|would|can|could|best) (?:i|we|you"
    r"|one)\b"
    r"|\bwould (?:be|an?|the|it|this|that|please|suit|work|fit|i|we)\b|\bdoes (?:that|this|it) (?:suit|work|fit"
    r"|make sense)\b"
    r"|\bwhat now\b|\bwhat next\b|\bis there (?:an?|any|some)\b|\bare there (?:any|some)\b|\b(?:^"
    r"|[.,;!] )any (?:\w+ ){1,3}?(?:for|to|near|in|tonight)\b"
    r"|\bneeds? to be\b|\bhow (?:hot|far|long|big|large|heavy|deep|high|thick|warm) (?:is it|does an?|should|do i"
    r"|do we)\b"
    r"|\bwhere (?:can|could|might|do|would) (?:i|we) (?:get|find|buy|eat|stay|sleep|go)\b|\bwhat (?:to|would you)\b",
    re.IGNORECASE,
)
_WORLD = late(
    r"^(?:[Ww]hy|[Hh]ow) (?:do|does|is|are|can) (?:an?|the )?(?!(?:my|our|i|we|you|he|she|they|his|her|it)\b)[a-z]"
)
"""What the world is like: it begins with a word that names nobody."""

_RECOLLECTS = late(
    r"\b(?:did|was|were|had|have (?:i|we|you)|has|remind me|remember|recall|last time|(?:i|we) (?:\w+ed|said|told"
    r"|went|bought|got|saw|wrote))\b",
    re.IGNORECASE,
)
_GERMAN = late(
    r"^(?:(?:bitte|und|jetzt|nun|ok|okay|dann|so|danke|hallo|kannst du|könntest du|würdest du"
    r"|hilf mir)\b[,.!:]? ?(?:mir |bitte |beim )*)*"
    r"(?:schreib|mach|erstell|plan|entwirf|entwerf|empfiehl|empfehl|schlag|stell|such|buch|bestell|reservier|erklär"
    r"|übersetz|prüf|korrigier"
    r"|gib|nenn|bau|programmier|berechn|rechn|formulier|bereit|organisier|koch|vereinbar|arrangier|zeichn|beschreib"
    r"|antwort|verfass"
    r"|fass|finde?|rat|wandle?|sortier|setz|leg|hilf|gestalt|überleg)(?:e|est|en)?\b"
    r"|\b(?:soll|sollen|sollte|sollten|könnten?|kann|können|dürfen|darf) (?:ich|wir|man|es)\b|\bwas (?:könnte|soll"
    r"|sollte|kann)\b"
    r"|\bwelche[nmrs]?\b.*\b(?:soll|sollen|sollte|sollten|könnten?|kann|können)\b|\bam besten\b|\bwas (?:meinst|rätst"
    r"|empfiehlst) du\b"
    r"|\b(?:kannst|könntest|würdest) du\b.*en\b[?.!]*$|\bhast du (?:\w+ )?(?:ideen?|tipps?|vorschläge?)\b"
    r"|\bwie (?:komme|kommen|mache|machen|bekomme|funktioniert)\b"
    r"|\bwarum (?:ist|sind|wird|werden) [a-zäöü]",
    re.IGNORECASE,
)
_RECOLLECTS_GERMAN = late(
    r"\b(?:habe?|haben|hat|hatten?|war|waren|wurden?|erinner\w*|weißt du noch|sagtest|gesagt|\w+test du)\b",
    re.IGNORECASE,
)


def wants_work(query: str) -> bool:
    """Tell whether a query gives a task, asks for advice, or for an explanation of how the world is.

    >>> wants_work("Write me a poem about the sea.")
    True
    >>> wants_work("When did I write the poem?")
    False
    """
    plain = query.replace("\u2019", "'").strip()
    if asks_advice(plain) or _TASKS.search(plain) or _COULD_YOU.search(plain) or _WORLD.search(plain):
        return True
    if _MODAL.search(plain) and not _RECOLLECTS.search(plain):
        return True
    return bool(_GERMAN.search(plain)) and not _RECOLLECTS_GERMAN.search(plain)
