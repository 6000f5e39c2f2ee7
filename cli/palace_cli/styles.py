"""The styles of all output, named by their meaning; the only module that names colours.

They use the terminal's own palette, so that they are readable on light and dark backgrounds. No style carries meaning
that the text lacks, and ``NO_COLOR`` removes the colours (https://no-color.org).
"""

from __future__ import annotations

HEADING = "bold"
"""The heading of the lines below it."""
ASIDE = "dim"
"""Secondary information: names of values, times, reasons."""
POINTER = "cyan"
"""A pointer that other commands accept as an argument."""
CITED = "bold cyan"
"""The pointer by which a hit is cited."""
COMMAND = "bold"
"""A command to type next."""
FOUND = "bold underline"
"""A word of the query."""
GOOD = "green"
WARNING = "yellow"
"""Works, but needs attention."""
PROBLEM = "bold red"
"""Does not work."""
AHEAD = "italic"
"""Not yet true."""
PLAIN = ""

MEANINGS = {
    "bold": "headings, commands to type next, and what an answer is about",
    "dim": "what one looks up when needed: names of values, times, reasons",
    "cyan": "a pointer, which other commands take as it stands",
    "bold underline": "a word that was asked for",
    "green": "it works",
    "yellow": "it works, and wants looking at",
    "bold red": "it does not work",
    "italic": "it does not hold yet",
}
"""The meaning of each style, for the reference."""
