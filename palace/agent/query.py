"""Write the query for recall: the message as it is, or with terms of earlier messages if it is vague. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from palace.agent.gate.signals import is_small_talk, leans_on_history, stands_for_another
from palace.agent.gate.window import (
    BEGINNING,
    END,
    LANGUAGES,
    PASSED_ON,
    History,
    fold,
    opened,
    prepare,
    said_by_person,
)
from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS, prose

LOOKED_BACK = 3
"""Earlier messages of the person whose terms can be added to a vague message."""
MOST_TERMS = 12
"""Terms that are added at most: more would outweigh the message."""
LONGEST_PREPENDED = 300
"""Characters of each earlier message that is put before a vague one."""
SELF_CONTAINED_TERMS = 3
"""Terms from which on a message is clear even with a pronoun in it."""
SHORTEST = 3
"""Letters of a term, at least."""

_SHORT_NAME = re.compile(r"\b[A-Z]{2}\b")
"""Abbreviations of two capitals: "who is my GP"."""
_WORD = re.compile(r"\w+(?:['’&-]\w+)*")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)

PureStrategy = Literal["local", "prepend"]
"""``local`` adds the terms of earlier messages to a vague message, ``prepend`` the messages themselves."""


@dataclass(frozen=True, slots=True)
class Query:
    """The query for a message."""

    text: str
    """The query text; identical to a clear message, "" where there is nothing to search."""
    terms: tuple[str, ...]
    """Its key terms in lower case, the message's own first."""
    why: str
    """The reason for its wording, in one line for a person."""


def query(message: str, history: History = (), strategy: PureStrategy = "local") -> Query:
    """Write the query for a message; ``history`` is the messages before it, oldest first.

    A vague message ("how much?", "and for her?") gets up to twelve key terms of the person's last message, and if that
    is vague too, of the ones it follows. A clear message is never changed.
    """
    own = key_terms(message)
    if not message.strip():
        return Query("", (), "the message is empty")
    if not is_vague(message):
        return Query(message, own, "the message says what it is about")
    before = _referred_to(said_by_person(history, LOOKED_BACK))
    terms = tuple(dict.fromkeys(term for said in reversed(before) for term in key_terms(said) if term not in own))
    terms = terms[:MOST_TERMS]
    if not terms:
        return Query(message, own, "the message is vague, and nothing before it says more")
    if strategy == "prepend":
        text = "\n".join((*(each.strip()[:LONGEST_PREPENDED] for each in before), message.strip()))
        return Query(text, (*own, *terms), "the message is vague: it stands behind those before it")
    text = f"{message.strip()} {' '.join(terms)}"
    return Query(text, (*own, *terms), "the message is vague: it has the terms of those before it")


def is_vague(message: str) -> bool:
    """Check whether a message is understood only with the messages before it."""
    folded = prepare(message)
    if len(folded.sentences) > 2 or not folded.is_whole or PASSED_ON in folded.own:
        return False
    said = [each for each in folded.sentences if not is_small_talk(each)] or list(folded.sentences)
    asked = [each for each in map(opened, said) if each]
    terms = key_terms(message)
    if len(terms) >= SELF_CONTAINED_TERMS:
        return False
    if any(map(leans_on_history, (*said, *asked))):
        return True
    if not terms:
        return not any(map(str.isdigit, message)) and not _SHORT_NAME.search(message)
    return len(asked) == 1 and stands_for_another(asked[0])


def key_terms(text: str) -> tuple[str, ...]:
    """Return the key terms of a text in lower case, each once, in order; code and paths have none.

    Words of one or two letters and stop words of English, German and French are left out; of a text beyond 1,800
    characters only its beginning and end are read.
    """
    if len(text) > BEGINNING + END:
        text = f"{text[:BEGINNING]}\n{text[-END:]}"
    words = [_plain(word) for word in _WORD.findall(prose(text))]
    stop_words = _stop_words_for([fold(word) for word in words])
    return tuple(dict.fromkeys(word for word in words if len(word) >= SHORTEST and not _is_stop(word, stop_words)))


def _referred_to(before: tuple[str, ...]) -> tuple[str, ...]:
    """Return the last message that is clear by itself, and those after it; all of them if none is."""
    telling = [index for index, each in enumerate(before) if key_terms(each) and not is_vague(each)]
    return before[telling[-1] :] if telling else before


@cache
def _stop_words() -> tuple[frozenset[str], ...]:
    further = (rules("keyphrases", each).words("function_words") for each in ("german", "romance"))
    lists = zip((STOP_WORDS, *further), LANGUAGES, strict=True)
    return tuple(frozenset(map(fold, (*words, *language.words("talk")))) for words, language in lists)


def _stop_words_for(words: Sequence[str]) -> frozenset[str]:
    """Return the stop words of the language that most words are in; of several languages if they are close.

    A stop word of one language means something in another: "car", "die", "pour", "mine".
    """
    languages = _stop_words()
    counts = [sum(word in language for word in words) for language in languages]
    likely = (language for language, count in zip(languages, counts, strict=True) if 3 * count >= 2 * max(counts))
    return frozenset().union(*likely)


def _plain(word: str) -> str:
    """Put a word into lower case, without a joined French article and an English possessive."""
    return _ELIDED.sub("", word).lower().replace("’", "'").removesuffix("'s").strip("'-_")


def _is_stop(word: str, stop_words: frozenset[str]) -> bool:
    folded = fold(word)
    return folded in stop_words or all(part in stop_words or len(part) < SHORTEST for part in re.split(r"['-]", folded))
