"""Whether a sentence asks for something now, or only leans on what was said before it."""

from __future__ import annotations

import re

from palace.patterns import late

_REQUEST = late(
    r"^\W*(?:(?:ok|okay|hi|hey|hello|thanks|thank you|great|now|so|and|then|also|well|danke|gut|super|jetzt)\W+){0,2}"
    r"(?:(?:can|could|would|will) you\b|please\b(?! (?:always|never|remember))|bitte\b(?! (?:immer|nie))"
    r"|(?:kannst|könntest|würdest) du\b|i (?:want|need|would like|'d like) you to\b|i'd like you to\b|let's\b|lets\b"
    r"|(?:write|explain|show|give|tell|list|make|create|generate|summari[sz]e|translate|fix|add|change|help|find"
    r"|describe|compare|suggest|recommend|provide|rewrite|convert|check|continue|go on|try|run|implement|update|use"
    r"|remove|refactor|analy[sz]e|proofread|improve|calculate|draft|look)\b(?! of\b)"
    r"|(?:schreib|erklär|zeig|gib|sag|nenn|mach|erstell|übersetz|hilf|vergleich|fass|prüf|such|schlag)e?\b)",
    re.IGNORECASE,
)
_LEANS_BACK = late(
    r"^\W*(?:(?:but|and|so|because|or|also|then|aber|und|weil|also|denn|oder) )?(?:it|that|this|these|those|they|he|she"
    r"|which|such|es|das|dies|diese[rsn]?|er|sie|deshalb|daher)(?:'s|'re|'ll)?\b",
    re.IGNORECASE,
)


def is_request(sentence: str) -> bool:
    """Tell whether a sentence asks whoever listens to do something now: "Explain …", "Can you …"."""
    return _REQUEST.match(sentence.replace("’", "'")) is not None


def leans_back(sentence: str) -> bool:
    """Tell whether a sentence begins with what stands for something said before it: "That is why …"."""
    return _LEANS_BACK.match(sentence.replace("’", "'")) is not None
