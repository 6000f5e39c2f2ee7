"""Which prompts are worth a look at memory at all, by their shape alone. Pure, and quick to import."""

from __future__ import annotations

SHORTEST = 15
"""Characters; what is shorter asks for nothing that was said in another session."""
_COMMANDS = ("/", "!", "#")
"""How begins what no person says to the model: commands of the program and of the shell."""
_WRITTEN = "<"
"""How begins what programs wrote."""


def why_not(prompt: str) -> str:
    """Say what keeps a prompt from being looked at; "" where it may be about something that was said before.

    >>> why_not("!ls"), why_not("yarn add dayjs"), why_not("why did we drop Redis?")
    ('it is a command: it begins with !', 'it has less than 15 characters (14)', '')
    """
    said = prompt.strip()
    if said.startswith(_COMMANDS):
        return f"it is a command: it begins with {said[0]}"
    if said.startswith(_WRITTEN):
        return f"a program wrote it: it begins with {_WRITTEN}"
    return "" if len(said) >= SHORTEST else f"it has less than {SHORTEST} characters ({len(said)})"
