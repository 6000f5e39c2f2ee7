"""Whether a sentence speaks of what is ahead: an appointment, a deadline, what somebody will do. Pure."""

from __future__ import annotations

import re

from palace.text.open_ends.past import tells_past
from palace.text.times import Tense, asks_what_happened, tense_of
from palace.text.times.vocabulary import fold

_ENGAGEMENT = re.compile(
    r"\b(?:appointments?|meetings?|deadlines?|due|exams?|flights?|interviews?|reservations?|scheduled|birthday"
    r"|anniversary|wedding|funeral|concert|conference|ceremony|checkup|check-up|surgery|viewing|delivery|departs?|leaves"
    r"|arrives?|lands|starts|begins|opens|closes|ends|expires|is on|are on|takes place|moves? to|until|by"
    r"|meet|see|visit|fly|leave|arrive|expect|need to|have to|must)\b",
    re.IGNORECASE,
)


_UNTIL_GERMAN = re.compile(
    r"(?<!\w)bis (?:zum )?(?:de[mn] )?(?:\d|(?:mon|diens|donners|frei|sams|sonn)tag|sonnabend|mittwoch|wochenende)"
    r"(?! und)",
    re.IGNORECASE,
)


def looks_ahead(sentence: str) -> bool:
    """Tell whether the times in a sentence are meant ahead: it says so, or names an engagement and tells no past.

    >>> looks_ahead("The dentist appointment is on the 3rd of May.")
    True
    >>> looks_ahead("The meeting was on Friday.")
    False
    """
    if tense_of(sentence) is Tense.FUTURE:
        return True
    if _ENGAGEMENT.search(sentence) is not None:
        return not asks_what_happened(sentence)
    return _UNTIL_GERMAN.search(sentence) is not None and not tells_past(fold(sentence), "")
