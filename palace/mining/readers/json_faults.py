"""What is wrong with JSON, in our own words: where it breaks, what is wanted there, and what stands there instead."""

from __future__ import annotations

import json
import re

from palace.mining.readers.files.containers import printable
from palace.mining.readers.files.encoding import Position

CUT_OFF = "the JSON is cut off here"
_BLANK = " \t\r\n"
_NEAR_THE_END = 1 << 18
_PART_OF_TOKEN = re.compile(r"u[0-9a-fA-F]{0,4}|-|\.|[eE][+-]?|")
_FOUND = re.compile(r"""[^\s,:"'\[\]{}]{1,20}|\S""")
_WANTED = (
    ("Expecting value", "a value is wanted here"),
    ("Expecting property name", "a key in double quotes is wanted here"),
    ("Expecting ':'", "a colon is wanted here"),
    ("Expecting ','", "a comma or a closing bracket is wanted here"),
    ("Illegal trailing comma", "something is wanted behind this comma"),
    ("Invalid control character", "a line break or tab inside a text is wanted as \\n or \\t"),
    ("Invalid", "a backslash is wanted as \\\\"),
    ("Extra data", "a new line is wanted before what follows here"),
)
"""What is wanted where the decoder (json.decoder, whose words these begin with) cannot go on."""
TOO_DEEP = "the JSON is nested too deeply to be read"
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")


def fault_of(problem: ValueError) -> str:
    """Say what is wrong where a decoder of JSON cannot go on; the rest of a sentence."""
    if not isinstance(problem, json.JSONDecodeError):
        return "the JSON holds a number too long to be read"
    if is_at_end(problem):
        return CUT_OFF
    wanted = next((wanted for told, wanted in _WANTED if problem.msg.startswith(told)), "this is no JSON")
    return f"the JSON is not valid: {wanted}{instead_of(problem.doc, problem.pos)}"


def instead_of(text: str, position: int) -> str:
    """Show what stands where something else is wanted; nothing where that cannot be seen."""
    found = _FOUND.match(text, position)
    return f", not {printable(found[0])}" if found and found[0].isprintable() else ""


def is_at_end(problem: json.JSONDecodeError) -> bool:
    """Tell whether more text could mend it: what is left is nothing, or the beginning of a token."""
    left = problem.doc[problem.pos :].rstrip(_BLANK) if len(problem.doc) - problem.pos < _NEAR_THE_END else "…"
    return (
        problem.msg.startswith("Unterminated string")
        or _PART_OF_TOKEN.fullmatch(left) is not None
        or any(literal.startswith(left) for literal in _LITERALS)
    )


def after_blanks(text: str, position: int) -> int:
    """Give the place behind the white space of JSON at a place."""
    while position < len(text) and text[position] in _BLANK:
        position += 1
    return position


def place_of(problem: ValueError) -> str:
    """Say where in a whole file a decoder of JSON cannot go on; "" where that is not known."""
    return str(Position.behind(problem.doc[: problem.pos])) if isinstance(problem, json.JSONDecodeError) else ""
