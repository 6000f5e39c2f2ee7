"""Whether a message speaks of the person themselves, in English, German or French, well spelt or not. Pure."""

from __future__ import annotations

from palace.patterns import late

_ENGLISH = (
    r"i'(?:m|ve?|ll|d)|ive|my|me|mine|myself|myslef|we|we'(?:re|ve|ll|d)|weve|us|our|ours"
    r"|ourselves|ym|mi|oru|imma|lemme"
    r"|id (?=(?:like|love|rather|prefer|say|want|have|be|need|never|go)\b)"
    r"|ill (?=(?:be|have|take|go|need|do|get|try|see|never|probably|just|send|pay|call)\b)"
    r"|were (?=(?:going|gonna|having|planning|getting|leaving|moving)\b)"
)
_I = r"(?<!for )(?<!int )(?<!let )(?<!war )i(?!(?:\.e\b|\+\+|--|\s?[=<>*+\[\]/]|\s+in range))"
_GERMAN = (
    r"ich|ihc|cih|mich|mir|mein\w{0,2}|mien\w{0,2}|meim|wir|uns|unser\w{0,2}|unsr\w{1,2}|ick"
    r"|(?:hab|bin|kann|muss|soll|will|war|hatte?|darf|werd)ich"
)
_FRENCH = (
    r"je|j'\w+|j(?:ai|aime|avais|aurais|orai|etais|suis|vais|veux|peux|dois|te|voudrais)|j (?:ai|avais|suis)|chui"
    r"|moi|m'\w+"
    r"|mon|ma|mes|mien\w{0,3}|nous|notres?|nos"
    r"|(?:a-t|va-t|avait|peut|doit|est)-on|(?:qu|lorsqu|puisqu)'on"
)
_PERSON = late(rf"(?<![\w'])(?:{_ENGLISH}|{_I}|{_GERMAN}|{_FRENCH})(?![\w])")
_ON = late(r"(?<![\w'])on (?:a|avait|est|etait|va|doit|y|se|en|s'est|n'a|fait|allait|devait|avais|as|reprend)(?!\w)")
_FRENCH_AROUND = late(
    r"\b(?:c'|qu'|d'|l'|est-ce|que|qui|quoi|quand|combien|comment|ou|le|la|les|des|du|une|avec|pour|deja|quel\w*"
    r"|paye)\b"
)
_IM = late(r"(?<![\w'])im(?!\w)")
_GERMAN_AROUND = late(
    r"\b(?:der|das|dem|den|ist|sind|und|wie|wo|wann|wer|welche\w?|ein|eine\w?|mit|von|fur|auf|nicht|gibt|es|warum"
    r"|hat|haben"
    r"|schreib\w*|erklar\w*|jahr|januar|februar|marz|mai|juni|juli|august|oktober|dezember|winter|sommer|herbst"
    r"|fruhling)\b"
)
_TELL = r"(?:tell|give|show|teach|help|write|make|draw|generate|create|list|explain to|describe to|find|get|sing|read)"
_SAY = r"(?:sag|gib|zeig|erklar|erzahl|nenn|hilf|schreib|mach|erstell|ubersetz|beschreib|rechne)e?"
_DIS = r"(?:dis|donne|montre|explique|raconte|aide|ecris|fais|cite|apprends|traduis|decris|calcule)"
_TO_WHOM = late(
    rf"\b{_TELL} (?:me|us)\b|\blet me know\b|\blike i'?m (?:five|5|a child|a beginner)\b|\blike im (?:five|5)\b"
    r"|\b(?:teach|explain|describe|show) (?:it )?to (?:me|us)\b"
    rf"|\b{_SAY} (?:mir|uns)\b|\b(?:kannst|konntest|wurdest) du (?:mir|uns)\b|\bkonnen sie (?:mir|uns)\b"
    rf"|\b{_DIS}z?[- ](?:moi|nous)\b"
    r"|\b(?:peux|pourrais|peut|pourriez)[- ](?:tu|vous) (?:me |nous |m')|\b(?:tu peux|vous pouvez"
    r"|tu pourrais) (?:me |nous |m')"
)
"""A request says with it only to whom an answer goes, which is nothing about the person."""


def is_of_person(text: str) -> bool:
    """Tell whether a folded text has a pronoun of the first person, or a slip of one.

    Who a request is made for ("tell me", "sag mir", "dis-moi") does not count. "im" is English where nothing around it
    is German.
    """
    text = _TO_WHOM.sub(" ", text)
    if _PERSON.search(text) or (_ON.search(text) and _FRENCH_AROUND.search(text)):
        return True
    return bool(_IM.search(text)) and not _GERMAN_AROUND.search(text)
