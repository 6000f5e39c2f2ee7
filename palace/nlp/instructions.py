"""Recognise standing instructions: what an assistant should always or never do, and what they are about. Pure.

English and German; precision goes before recall. A question is no instruction, but sentences before it may be ("One
rule for good: no peanuts. Any ideas?").

An instruction without "always" or "never" may be standing too: "use pnpm, not npm" is, "use the other branch" is for
the moment, as "the", "this" and "it" refer to one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from palace.nlp.caching import cache_by_digest
from palace.nlp.rules import Rules, late, rules
from palace.nlp.words import STOP_WORDS

ENGLISH, GERMAN = rules("standing", "english"), rules("standing", "german")
LANGUAGES = (ENGLISH, GERMAN)
_OF_KINDS = (rules("standing", "english_kinds"), rules("standing", "german_kinds"))
_CLAUSES = rules("standing", "clauses")
LONGEST = 600
"""Most characters of a sentence that is read as an instruction; a longer one is data or a document."""
LONGEST_OF_KINDS = 200
"""Most characters of an instruction without "always" or "never"; a longer sentence is an explanation."""
_MOST_CLAUSES = 8
_END = late(r"[\s.!)…]+$")

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NO_TOPIC = ("MANNER_WRITTEN", "IDLE_WRITTEN", "ASKED_WRITTEN")
_BEGINNING = 5
"""Number of first letters by which forms of a word are compared."""

_IN_MANNER = 0.3
"""Least share of words about manner from which on an instruction is about how to answer."""


def gives_instruction(text: str) -> bool:
    """Check whether a text gives or revokes a standing instruction."""
    return any(map(_is_instruction, _sentences(text)))


def says_so(text: str) -> bool:
    """Check whether a text gives or revokes a standing instruction in so many words ("always", "from now on")."""
    return any(map(_says_so, _sentences(text)))


def is_standing(text: str) -> bool:
    """Check whether a text gives a standing instruction, or states a habit, preference or inability of the person."""
    return gives_instruction(text) or any(_holds(sentence, "OF_ONESELF") for sentence in _sentences(text))


def is_general(instruction: str) -> bool:
    """Check whether an instruction has no topic: it is about how to answer, whatever the question."""
    return any(_is_in_manner(sentence, language) for sentence in _sentences(instruction) for language in LANGUAGES)


def says_how_to_answer(instruction: str) -> bool:
    """Check whether a text is a standing instruction about how to answer, as only who speaks to an assistant gives."""
    return gives_instruction(instruction) and is_general(instruction)


@cache_by_digest(4096)
def is_against(statement: str) -> bool:
    """Check whether a statement is negative: it has an odd number of negations."""
    plain = _plain(statement)
    return sum(len(language.pattern("AGAINST").findall(plain)) for language in LANGUAGES) % 2 == 1


@cache_by_digest(4096)
def revokes(statement: str) -> bool:
    """Check whether a statement revokes an earlier one, or says that it has changed."""
    return any(_holds(sentence, "REVOCATIONS") or _holds(sentence, "TURNS") for sentence in _sentences(statement))


def topic_of(statement: str) -> frozenset[str]:
    """Return the first five letters of each word of a statement's topic, without words of manner and fillers."""
    return _own(statement, _NO_TOPIC)


def telling_words_of(statement: str) -> frozenset[str]:
    """Return the first five letters of each word of a statement that is no filler, words about manner included."""
    return _own(statement, ("IDLE_WRITTEN",))


def _own(statement: str, without: tuple[str, ...]) -> frozenset[str]:
    words = {word for sentence in _sentences(statement) for word in _WORD.findall(sentence)}
    idle = STOP_WORDS.union(*(language.words(each) for language in LANGUAGES for each in without))
    return frozenset(word[:_BEGINNING] for word in words if len(word) > 2 and word not in idle)


def _is_instruction(sentence: str) -> bool:
    return _says_so(sentence) or _speaks_of_kinds(sentence)


def _says_so(sentence: str) -> bool:
    is_asked = _holds(sentence, "INSTRUCTIONS") and not _holds(sentence, "FOR_ONCE")
    return is_asked or _holds(sentence, "REVOCATIONS")


def _is_in_manner(sentence: str, language: Rules) -> bool:
    manner, idle = language.words("MANNER_WRITTEN"), language.words("IDLE_WRITTEN") | STOP_WORDS
    if any(found not in manner | idle for found in language.pattern("SCOPED").findall(sentence)):
        return False
    words = [word for word in _WORD.findall(sentence) if word not in idle]
    said = sum(word in manner for word in words)
    return bool(said) and said >= _IN_MANNER * len(words)


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text in lower case, without questions and overlong ones."""
    return [each for each in _SENTENCE_END.split(_plain(text)) if len(each) <= LONGEST and not each.endswith("?")]


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").lower().split(" "))


def _holds(sentence: str, rules: str) -> bool:
    return any(language.pattern(rules).search(sentence) for language in _languages(sentence))


@cache_by_digest(64)
def _languages(sentence: str) -> tuple[Rules, ...]:
    return LANGUAGES if GERMAN.finds("SPOKEN", sentence) else (ENGLISH,)


def _speaks_of_kinds(sentence: str) -> bool:
    """Check whether a sentence gives a standing instruction without saying "always" or "never"."""
    if len(sentence) > LONGEST_OF_KINDS:
        return False
    return any(_is_of_kinds(clause, language) for language in _OF_KINDS for clause in _clauses(sentence, language))


def _clauses(sentence: str, language: Rules) -> Iterator[str]:
    """Yield the clauses of a sentence that may be instructions; none where it passes on another person's words."""
    said = _CLAUSES["lead"].sub("", sentence, count=1)
    if language.finds("PASSED_ON", said):
        return
    for part in _CLAUSES["clause"].split(said)[:_MOST_CLAUSES]:
        if clause := _END.sub("", _CLAUSES["lead"].sub("", part, count=1)):
            yield clause


def _is_of_kinds(clause: str, language: Rules) -> bool:
    reason = language["REASONS"].search(clause)
    asked = clause[: reason.start()] if reason else clause
    return language["KINDS"].match(asked) is not None and not language.finds("PASSING", asked)


_RULES = rules("standing", "aspects")


class Aspect(Enum):
    """A side of a task that an instruction may be about."""

    CODE = "code"
    WORDING = "wording"
    """The wording of texts that are written for other people."""
    MEASURES = "measures"
    HOURS = "hours"
    """Days and times of day."""
    MANNER = "manner"
    """The manner of the answer itself."""


@cache_by_digest(4096)
def aspects_of_statement(statement: str) -> frozenset[Aspect]:
    """Return the aspects that a standing statement is about."""
    found = _found(statement, "statements")
    return found | {Aspect.MANNER} if is_general(statement) else found


def aspects_of_task(query: str) -> frozenset[Aspect]:
    """Return the aspects of a task or question; ``MANNER`` where it asks for an explanation."""
    return _found(query, "tasks")


def _found(text: str, name: str) -> frozenset[Aspect]:
    plain = text.replace("\u2019", "'").lower()
    return frozenset(Aspect(aspect) for aspect, pattern in _RULES.meanings(name) if pattern.search(plain))
