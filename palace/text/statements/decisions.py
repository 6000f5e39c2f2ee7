"""Whether a text says that something was decided: "We agreed on REST", "Beschluss: …". English and German. Pure."""

from __future__ import annotations

import re

from palace.patterns import late

_SENTENCE = late(r"[^.!?؟？。！\n]+[.!?؟？。！]*")

_DONE = r"(?:decided|agreed|settled|resolved to|concluded|opted|chosen|voted)"
_WE = r"(?:we|i|they|you|he|she|everyone|everybody|the (?:team|board|group|family|others))"
_GETAN = (
    r"(?:beschlossen|entschieden|vereinbart|festgelegt|festgehalten|abgemacht|ausgemacht|abgesprochen|geeinigt"
    r"|verabredet|verständigt|abgestimmt|genehmigt)"
)

_DECIDED = (
    rf"\b{_WE}(?:'ve| have| had| all| both| just| now| finally| then){{0,3}} (?:{_DONE}|chose|approved)\b",
    r"\b(?:was|were|been|is|are|it's) (?:\w+ ){0,2}?(?:decided|agreed|settled)\b",
    r"^\W*(?:final |new |our |the )?(?:decisions?|decided|agreed|settled|resolution|resolved|agreement|conclusion)\W*"
    r"(?:[:–—-]|\b(?:is|for|on|to|that|against|not|it|we|the|with|in|at|upon|yesterday|today|this|last)\b)",
    r"^\W*(?:\w+ )?(?:outcome|result|call|vote)(?: of [\w ]{1,30})?:",
    r"\b(?:decision (?:is )?made|made up (?:my|our) minds?|made (?:a|the|our|my) (?:\w+ )?(?:decision|choice))\b",
    r"\bthe (?:decision|plan|agreement) (?:is|was) (?:to|that)\b",
    r"\b(?:we|i)(?:'ll| will|'re| are|'m| am) (?:now )?"
    r"(?:go(?:ing)? (?:with|for|ahead)|stick(?:ing)? (?:with|to)|settl(?:e|ing) (?:on|for)|dropping|switching to"
    r"|moving to)\b",
    r"\b(?:let's (?:go|stick) with|let's (?:stick to|settle on)|(?:we|i) went (?:with|for)|from now on)\b",
    rf"\b{_GETAN}\b|\b(?:einigten|entschieden|verständigten) (?:wir )?uns\b|\bwir beschlossen\b",
    r"^\W*(?:beschluss|beschlüsse|entscheidung|entscheidungen|vereinbarung|abmachung|ergebnis(?: de[rs] \w+)?)\W*:",
    r"\b(?:wir|ich) (?:nehmen|nehme|bleiben|bleibe) (?:jetzt |nun |also )?(?:bei|doch)\b",
    r"\b(?:es bleibt bei|beschlossene sache|ab (?:jetzt|sofort|heute))\b",
)
_LEFT_OPEN = (
    r"\b(?:not|never|nothing|neither|nor|yet to|still|must|should|shall|can|cannot|could|need to|needs to|have to|to be"
    r"|before|until|till|once|if|whether|when|unless|as soon as|nobody)\b(?:[ ,](?!but\b)[\w']+){0,4}?"
    rf" (?:decide|agree|settle|choose|{_DONE})\b",
    rf"n't\b(?: \w+){{0,3}}? {_DONE}\b",
    r"\b(?:nicht|nie|niemand|nichts|kein\w*|muss|müssen|soll|sollen|sollte|sollten|ob|falls|wenn|bevor|bis|sobald)\b"
    rf"(?: \w+){{0,6}}? (?:{_GETAN}|entscheiden|beschließen|festlegen|einigen)\b",
)
"""What was left open, or waits for something."""
_SAYS, _OPEN = (late("|".join(rules), re.IGNORECASE) for rules in (_DECIDED, _LEFT_OPEN))


def says_decision(text: str) -> bool:
    """Tell whether any sentence of a text says that something was decided, and not that it was left open.

    >>> says_decision("We decided to drop GraphQL."), says_decision("We have not decided on GraphQL yet.")
    (True, False)
    """
    return any(_says(each[0].strip().replace("’", "'")) for each in _SENTENCE.finditer(text))


def _says(sentence: str) -> bool:
    if sentence.endswith(("?", "？", "؟")):
        return False
    return _SAYS.search(sentence) is not None and _OPEN.search(sentence) is None
