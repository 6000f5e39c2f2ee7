"""What a prompt of a coding agent wants: to know what was settled, to know something, or to have work done. Pure.

Most prompts ask for work on what lies in front of the agent: a file, an error, a log. Whatever is found for them is
near by its words alone, so only what is most likely to answer is put beside them. Whoever asks what was decided, tried
or told is given what recall finds. In English, German and French.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from palace.records import Hit
from palace.turns.gate.needs.references import points_back
from palace.turns.reading.window import look_at


class Stance(Enum):
    """What a prompt wants, with the least confidence of the best hit that is put beside it."""

    ASKS_BACK = 0.0
    """To know what was said, decided or tried here."""
    ASKS = 0.45
    """To know something, which may or may not be of this project."""
    WORKS = 0.8
    """To have something done."""


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


def stance_of(prompt: str) -> Stance:
    """Tell what a prompt wants.

    >>> stance_of("why did we drop redis?"), stance_of("rename the helper in lib.py")
    (<Stance.ASKS_BACK: 0.0>, <Stance.WORKS: 0.8>)
    """
    looked = look_at(prompt)
    is_own = len(prompt) <= LONGEST_OWN and prompt.count("\n") < PASTED_LINES
    if not is_own:
        return Stance.WORKS
    if _AS_SETTLED.search(looked.own):
        return Stance.ASKS_BACK
    asks = "?" in looked.own or any(_ASKING.match(sentence) for sentence in looked.sentences)
    if not asks:
        return Stance.WORKS
    is_back = _TOGETHER.search(looked.own) or _ASKED_BACK.search(looked.own) or points_back(looked.own)
    return Stance.ASKS_BACK if is_back else Stance.ASKS


def likely(hits: Sequence[Hit], stance: Stance) -> bool:
    """Tell whether hits are likely enough to answer what wants this.

    Where nothing was measured for a model, a question is answered, and work is not disturbed.
    """
    known = [hit.confidence for hit in hits if hit.confidence is not None]
    if not known:
        return bool(hits) and stance is not Stance.WORKS
    return max(known) >= stance.value
