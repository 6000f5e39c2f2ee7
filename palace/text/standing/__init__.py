"""What holds from then on: what a person asks an assistant always or never to do, and always or never does.

Told from a text by rules of our own for English and German; and what of a task such a statement is about.
"""

from __future__ import annotations

from palace.text.own import own_words
from palace.text.standing.aspects import Aspect, aspects_of_statement, aspects_of_task
from palace.text.standing.instructions import (
    gives_instruction,
    is_against,
    is_standing,
    revokes,
    says_so,
    telling_words_of,
    topic_of,
)

__all__ = [
    "Aspect",
    "aspects_of_statement",
    "aspects_of_task",
    "gives_instruction",
    "is_against",
    "is_standing",
    "own_words",
    "revokes",
    "says_so",
    "telling_words_of",
    "topic_of",
]
