"""Which prompts are worth a look at memory at all, by their shape alone. Pure."""

from __future__ import annotations

SHORTEST = 15
"""Characters; what is shorter asks for nothing that was said in another session."""
_COMMANDS = ("/", "!", "#")
"""How begins what no person says to the model: commands of the program and of the shell."""
_WRITTEN = "<"
"""How begins what programs wrote."""


def is_worth_asking(prompt: str) -> bool:
    """Tell whether a prompt may be about something that was said before.

    >>> is_worth_asking("/compact keep the plan"), is_worth_asking("why did we drop Redis?")
    (False, True)
    """
    return not why_not(prompt)


def why_not(prompt: str) -> str:
    """Say what keeps a prompt from being looked at; "" where nothing does.

    >>> why_not("!ls"), why_not("yarn add dayjs")
    ('it is a command: it begins with !', 'it has less than 15 characters (14)')
    """
    said = prompt.strip()
    if said.startswith(_COMMANDS):
        return f"it is a command: it begins with {said[0]}"
    if said.startswith(_WRITTEN):
        return f"a program wrote it: it begins with {_WRITTEN}"
    return "" if len(said) >= SHORTEST else f"it has less than {SHORTEST} characters ({len(said)})"
