"""What a prompt of a coding agent wants, and whether it is worth a look at memory at all. Pure.

Most prompts ask for work on what lies in front of the agent: a file, a log, a test. Whatever is found for them is
near by its words alone, so only what is most likely to answer is put beside them (``bearing``). The rules are data,
English, German and French (``palace/data/gate``).
"""

from __future__ import annotations

from enum import StrEnum

from palace.agent.gate.signals import points_back
from palace.agent.gate.window import LANGUAGES, REQUESTS, look_at


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


def stance_of(prompt: str) -> Stance:
    """Return what a prompt wants.

    >>> stance_of("why did we drop redis?").value, stance_of("rename the helper in lib.py").value
    ('asks_back', 'works')
    >>> stance_of("explain what this error means: token used before issued").value
    'error'
    """
    if len(prompt) > LONGEST_OWN or prompt.count("\n") >= PASTED_LINES:
        return Stance.SHOWS
    looked = look_at(prompt)
    if _finds("as_settled", looked.own):
        return Stance.ASKS_BACK
    if "?" not in looked.own and not any(_finds("asks_something", sentence) for sentence in looked.sentences):
        return Stance.ERROR if REQUESTS.finds("error", prompt) else Stance.WORKS
    is_back = _finds("together", looked.own) or _finds("settled", looked.own) or points_back(looked.own)
    return Stance.ASKS_BACK if is_back else Stance.ASKS


def _finds(name: str, text: str) -> bool:
    return any(language.finds(name, text) for language in LANGUAGES)
