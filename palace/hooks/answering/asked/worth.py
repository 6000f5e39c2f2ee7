"""Which prompts are worth a look at memory at all, by their shape alone. Pure."""

from __future__ import annotations

SHORTEST = 15
"""Characters; what is shorter asks for nothing that was said in another session."""
_NOT_SAID = ("/", "!", "#", "<")
"""How begins what no person says to the model: commands of the program and of the shell, and what programs wrote."""


def is_worth_asking(prompt: str) -> bool:
    """Tell whether a prompt may be about something that was said before.

    >>> is_worth_asking("/compact keep the plan"), is_worth_asking("why did we drop Redis?")
    (False, True)
    """
    said = prompt.strip()
    return len(said) >= SHORTEST and not said.startswith(_NOT_SAID)
