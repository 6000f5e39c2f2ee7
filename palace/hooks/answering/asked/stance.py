"""What a prompt of a coding agent wants: to know what was settled, to know something, or to have work done. Pure.

Most prompts ask for work on what lies in front of the agent: a file, a log, a test. Whatever is found for them is
near by its words alone, so only what is most likely to answer is put beside them (``bearing``). In English, German and
French.
"""

from __future__ import annotations

import re
from enum import StrEnum

from palace.turns.gate.needs.references import points_back
from palace.turns.reading.window import look_at


class Stance(StrEnum):
    """What a prompt wants."""

    ASKS_BACK = "asks_back"
    """To know what was said, decided or tried here."""
    ASKS = "asks"
    """To know something, which may or may not be of this project."""
    ERROR = "error"
    """To have an error understood or mended, which may have been met here before."""
    WORKS = "works"
    """To have something done."""
    SHOWS = "shows"
    """To have something done with what it shows: a log, a traceback, a long text."""


PASTED_LINES = 4
"""Lines beyond which a prompt shows something, and asks about that."""
LONGEST_OWN = 600
"""Characters of a prompt that a person wrote by themselves."""

_ASKING = re.compile(
    r"(?:(?:and|und|et|so|also|ok(?:ay)?|wait|hey|hi|hallo|salut|sorry|aber|but|mais)[ ,]+)*"
    r"(?:(?:in|on|at|to|for|with|by|from|after|until|since|bis|auf|in|an|mit|von|seit|nach|bei|zu|fur|aus|a|de|avec|pour"
    r"|depuis|dans) )?"
    r"(?:what(?:'?s)?|which|who(?:m|se|'?s)?|when|where|why|how|is|are|was|were|do|does|did|has|have|had|may|must|should"
    r"|was|welche[rsmn]?|wer|wen|wem|wessen|wann|wo|woher|wohin|wofur|womit|woran|worauf|wozu|warum|wieso|weshalb|wie"
    r"|wieviele?|ist|sind|waren?|hat|haben|hatten?|gibt|gab|durfen|darf|sollen|mussen"
    r"|qu(?:e|el(?:le)?s?|i|oi|and)|ou|pourquoi|comment|combien|est-ce|avons|avions|a-t|y a-t-il)\b"
)
_TOGETHER = re.compile(
    r"(?<![\w'])(?:we|we'(?:re|ve|ll|d)|us|our|ours|wir|uns|unser\w{0,2}|nous|notre|nos|avait-on|a-t-on|on (?:a|avait))"
    r"(?![\w'])"
)
_SETTLED = (
    r"(?:had|have|has|was|were|got|been|we|i|they|he|she|it|as) (?:\w+ ){0,2}?(?:decided|agreed|settled|discussed"
    r"|concluded|promised)|did (?:we|i|you|they|he|she|it|\w+) (?:\w+ ){0,3}?(?:say|tell|decide|agree|settle|try|use"
    r"|choose|pick|drop|want|end up|go|call|put|move|change|write|mean|set|throw|do)"
    r"|(?:had|made|gave|told|said|wanted|asked|promised|mentioned|explained) (?:a|an|the|me|us|that|it|to|no)\b"
    r"|ended up with|tried (?:that|this|it|the)|forgot|remember|remind me|again\W*(?:$|\?)|decision|agreement"
    r"|what (?:was|were) (?:the|our|my|wrong|it)|as (?:agreed|decided|discussed|before|usual)|like last time"
    r"|(?:wie|was|wann|warum|wo|wer|welche\w?) (?:\w+ ){0,4}?(?:war|waren|hatte|hatten|wurde|wurden|haben wir"
    r"|hab ich|habe ich)\b"
    r"|vereinbart|beschlossen|entschieden|festgelegt|abgemacht|ausgemacht|besprochen|geeinigt|abgestimmt|verworfen"
    r"|gesagt|gemeint|zugesagt|erwahnt|vergessen|erinner\w*|no(?:ch ?)?mal\b|damals|seinerzeit|bisher|bislang"
    r"|schon einmal|entscheidung|absprache|abmachung"
    r"|decide\w?|convenu|dit|discute\w?|deja|rappel\w*|souvien\w*|oublie\w?|l'accord|la derniere fois|etait"
)
_ASKED_BACK = re.compile(rf"(?<![\w'])(?:{_SETTLED})(?!\w)")
_AS_SETTLED = re.compile(
    r"(?<![\w'])(?:as (?:we|you|i|he|she|they) (?:\w+ )?(?:agreed|decided|discussed|said|settled|did)"
    r"|(?:what|where|how) we (?:\w+ )?(?:agreed|decided|discussed|said|settled|left|did|do|always|usually)"
    r"|as (?:agreed|decided|discussed|usual|always|planned)|like (?:last time|we (?:did|do|always|said)|the other)"
    r"|(?:our|the) (?:usual|agreed) \w+|our (?:\w+ )?(?:convention|rule|policy|naming|decision|agreement|standard)s?"
    r"|remember (?:what|how|why|that|when|the)|so,? wie (?:wir|bei|im|letztes|besprochen|vereinbart)"
    r"|wie (?:besprochen|vereinbart|abgemacht|gehabt|immer|ublich|beim letzten mal|letztes mal|wir)"
    r"|unsere[rnms]? (?:\w+ )?(?:regel|konvention|vereinbarung|absprache|entscheidung|linie)\w*"
    r"|comme (?:convenu|d'habitude|la derniere fois|decide|prevu|on))(?!\w)"
)
_ERROR = re.compile(
    r"(?<![\w-])(?:errors?|exception|panic|fehler(?:meldung)?|erreur)(?![\w-])"
    r"|\b\w+(?:Error|Exception)\b|\bERR_\w+|\b\w+_ERR(?:OR)?\b"
    r"|\bpanicked at\b|\bsegmentation fault\b|\bsegfault\b|\b(?:already|bereits) (?:allocated|in use|belegt)\b"
    r"|\bTS\d{4}\b|\bpermission denied\b|\bconnection refused\b|\bundefined (?:reference|symbol)\b|\bnot found\W*$"
    r"|\bE(?:CONN[A-Z]+|ADDR[A-Z]+|NOENT|ACCES|PERM|EXIST|PIPE|INVAL|BUSY|NOSPC|TIMEDOUT|RESOLVE)\b"
)
"""What calls something an error, or is the name of one."""


def stance_of(prompt: str) -> Stance:
    """Tell what a prompt wants.

    >>> stance_of("why did we drop redis?").value, stance_of("rename the helper in lib.py").value
    ('asks_back', 'works')
    >>> stance_of("explain what this error means: token used before issued").value
    'error'
    """
    looked = look_at(prompt)
    is_own = len(prompt) <= LONGEST_OWN and prompt.count("\n") < PASTED_LINES
    if not is_own:
        return Stance.SHOWS
    if _AS_SETTLED.search(looked.own):
        return Stance.ASKS_BACK
    asks = "?" in looked.own or any(_ASKING.match(sentence) for sentence in looked.sentences)
    if not asks:
        return Stance.ERROR if _ERROR.search(prompt) else Stance.WORKS
    is_back = _TOGETHER.search(looked.own) or _ASKED_BACK.search(looked.own) or points_back(looked.own)
    return Stance.ASKS_BACK if is_back else Stance.ASKS
