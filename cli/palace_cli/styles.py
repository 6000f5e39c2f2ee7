"""The styles of everything that is shown, by what they mean: the one place where a colour is named.

They are those of the terminal's own palette, so that they can be read on a light ground and on a dark one; none of them
says what the words beside it do not say too, and ``NO_COLOR`` takes the colours out (https://no-color.org).
"""

from __future__ import annotations

HEADING = "bold"
"""What the lines below it are about."""
ASIDE = "dim"
"""What is there to be looked up: names of values, times, reasons."""
POINTER = "cyan"
"""What can be given to another command as it stands."""
CITED = "bold cyan"
"""The pointer that a hit is cited by."""
COMMAND = "bold"
"""What can be typed next."""
FOUND = "bold underline"
"""A word that was asked for."""
GOOD = "green"
WARNING = "yellow"
"""What works, and wants looking at."""
PROBLEM = "bold red"
"""What does not work."""
AHEAD = "italic"
"""What does not hold yet."""
PLAIN = ""

MEANINGS = {
    "bold": "headings, commands to type next, and what an answer is about",
    "dim": "what is there to be looked up: names of values, times, reasons",
    "cyan": "a pointer, which other commands take as it stands",
    "bold underline": "a word that was asked for",
    "green": "it works",
    "yellow": "it works, and wants looking at",
    "bold red": "it does not work",
    "italic": "it does not hold yet",
}
"""What each says, for the reference."""
