"""What a coding agent's prompt asks for, which decides how relevant memories must be. Pure.

Most prompts ask for work on something the agent sees: a file, a log, a test. Hits for them are often similar only in
their words, so only those with a high confidence are injected (``relevance``). The rules are data, in English, German
and French (``palace/data/gate``).
"""

from __future__ import annotations

from enum import StrEnum

from palace.agent.gate.signals import points_back
from palace.agent.gate.window import LANGUAGES, REQUESTS, prepare


class PromptKind(StrEnum):
    """What a prompt asks for."""

    ASKS_BACK = "asks_back"
    """What was said, decided or tried here."""
    ASKS = "asks"
    """Other information, which may or may not be about this project."""
    ERROR = "error"
    """To have an error explained or fixed, which may have occurred here before."""
    WORKS = "works"
    """To have work done."""
    SHOWS = "shows"
    """To have work done on a text that it contains: a log, a traceback, a long text."""


PASTED_LINES = 4
"""Line breaks from which on a prompt counts as containing a pasted text."""
LONGEST_OWN = 600
"""Characters of a prompt that a person typed, at most."""


def kind_of_prompt(prompt: str) -> PromptKind:
    """Return what a prompt asks for.

    >>> kind_of_prompt("why did we drop redis?").value, kind_of_prompt("rename the helper in lib.py").value
    ('asks_back', 'works')
    >>> kind_of_prompt("explain what this error means: token used before issued").value
    'error'
    """
    if len(prompt) > LONGEST_OWN or prompt.count("\n") >= PASTED_LINES:
        return PromptKind.SHOWS
    message = prepare(prompt)
    if _finds("as_settled", message.own):
        return PromptKind.ASKS_BACK
    if "?" not in message.own and not any(_finds("asks_something", sentence) for sentence in message.sentences):
        return PromptKind.ERROR if REQUESTS.finds("error", prompt) else PromptKind.WORKS
    is_back = _finds("together", message.own) or _finds("settled", message.own) or points_back(message.own)
    return PromptKind.ASKS_BACK if is_back else PromptKind.ASKS


def _finds(name: str, text: str) -> bool:
    return any(language.finds(name, text) for language in LANGUAGES)
