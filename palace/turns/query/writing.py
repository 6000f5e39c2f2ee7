"""What recall is asked: the message as it is, or with the words of those before it where it says too little. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from palace.turns.gate.small_talk import is_small_talk
from palace.turns.query.terms import key_terms
from palace.turns.reading.follow_ups import leans_on_history, stands_for_another
from palace.turns.reading.history import History, said_by_person
from palace.turns.reading.window import PASSED_ON, look_at
from palace.turns.reading.wording import opened

LOOKED_BACK = 3
"""Messages of the person whose terms a vague message is given."""
MOST_TERMS = 12
"""Terms that it is given: more would speak louder than the message."""
LONGEST_PREPENDED = 300
"""Characters of each earlier message that stand in front of a vague one."""
SELF_CONTAINED_TERMS = 3
"""Terms of a message that says what it is about although a pronoun is in it."""

_SHORT_NAME = re.compile(r"\b[A-Z]{2}\b")
"""What is said by two capitals: "who is my GP"."""

PureStrategy = Literal["local", "prepend"]
"""``local`` gives a vague message the terms of those before it, ``prepend`` the messages themselves."""


@dataclass(frozen=True, slots=True)
class Query:
    """What recall is to be asked for a message."""

    text: str
    """The query; the message to the byte where that is self-contained, "" where there is nothing to ask for."""
    terms: tuple[str, ...]
    """The words of it that say something, in lower case, the message's own first."""
    why: str
    """One line for a person."""


def query(message: str, history: History = (), strategy: PureStrategy = "local") -> Query:
    """Write the query for a message; ``history`` are the messages before it, oldest first.

    A vague message ("how much?", "and for her?") is followed by up to twelve key terms of what it refers to: the
    person's last message, and what that goes on with where it is vague itself. What is self-contained is never changed.
    """
    own = key_terms(message)
    if not message.strip():
        return Query("", (), "the message is empty")
    if not is_vague(message):
        return Query(message, own, "the message says what it is about")
    before = _referred_to(said_by_person(history, LOOKED_BACK))
    terms = _terms_before(before, own)
    if not terms:
        return Query(message, own, "the message is vague, and nothing before it says more")
    if strategy == "prepend":
        text = "\n".join((*(each.strip()[:LONGEST_PREPENDED] for each in before), message.strip()))
        return Query(text, (*own, *terms), "the message is vague: it stands behind those before it")
    text = f"{message.strip()} {' '.join(terms)}"
    return Query(text, (*own, *terms), "the message is vague: it has the terms of those before it")


def is_vague(message: str) -> bool:
    """Tell whether a message means something only by those before it."""
    looked = look_at(message)
    if len(looked.sentences) > 2 or not looked.is_whole or PASSED_ON in looked.own:
        return False
    said = [each for each in looked.sentences if not is_small_talk(each)] or list(looked.sentences)
    asked = [each for each in map(opened, said) if each]
    terms = key_terms(message)
    if len(terms) >= SELF_CONTAINED_TERMS:
        return False
    if any(map(leans_on_history, (*said, *asked))):
        return True
    if not terms:
        return not any(map(str.isdigit, message)) and not _SHORT_NAME.search(message)
    return len(asked) == 1 and stands_for_another(asked[0])


def _referred_to(before: tuple[str, ...]) -> tuple[str, ...]:
    """Keep the last message that says what it is about, and what is behind it."""
    telling = [place for place, each in enumerate(before) if key_terms(each) and not is_vague(each)]
    return before[telling[-1] :] if telling else before


def _terms_before(before: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    terms = dict.fromkeys(term for said in reversed(before) for term in key_terms(said) if term not in own)
    return tuple(terms)[:MOST_TERMS]
