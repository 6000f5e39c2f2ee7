"""Whether a text tells an assistant what always or never to do, and of what kind that is. Pure.

English and German, made to be right where they speak rather than to find every instruction. What is asked is none, but
for its beginning ("One rule for good: no peanuts. Any ideas?").

What no word marks as standing may hold all the same: "use pnpm, not npm" holds, "use the other branch" is of the
moment. Who means one thing says "the", "this" or "it".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from palace.nlp.rules import Rules, late, rules
from palace.nlp.words import STOP_WORDS

ENGLISH, GERMAN = rules("standing", "english"), rules("standing", "german")
LANGUAGES = (ENGLISH, GERMAN)
_OF_KINDS = (rules("standing", "english_kinds"), rules("standing", "german_kinds"))
_CLAUSES = rules("standing", "clauses")
LONGEST = 600
"""Characters beyond which a sentence is no instruction: data, or a document."""
LONGEST_OF_KINDS = 200
"""Characters beyond which a sentence without a word of standing is taken for what somebody explains."""
_MOST_CLAUSES = 8
_END = late(r"[\s.!)…]+$")

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NO_TOPIC = ("MANNER_WRITTEN", "IDLE_WRITTEN", "ASKED_WRITTEN")
_BEGINNING = 5
"""Letters by which two forms of a word are taken for one."""

_IN_MANNER = 0.3
"""The share of an instruction's words of its own, from which on it is about how to answer."""


def gives_instruction(text: str) -> bool:
    """Tell whether it asks for something always or never to be done, or takes such a thing back."""
    return any(map(_is_instruction, _sentences(text)))


def says_so(text: str) -> bool:
    """Tell whether a word of it says that it is for always, never or from then on, or that this is over."""
    return any(map(_says_so, _sentences(text)))


def is_standing(text: str) -> bool:
    """Tell whether it gives an instruction, or says what the person always, never or rather does, or cannot do."""
    return gives_instruction(text) or any(_holds(sentence, "OF_ONESELF") for sentence in _sentences(text))


def is_general(instruction: str) -> bool:
    """Tell whether an instruction has no topic of its own: it is about how to answer, whatever is asked."""
    return any(_is_in_manner(sentence, language) for sentence in _sentences(instruction) for language in LANGUAGES)


def is_against(statement: str) -> bool:
    """Tell whether it speaks against something: an odd number of its words do."""
    plain = _plain(statement)
    return sum(len(language.pattern("AGAINST").findall(plain)) for language in LANGUAGES) % 2 == 1


def revokes(statement: str) -> bool:
    """Tell whether it takes back what was said before, or says that it is otherwise now."""
    return any(_holds(sentence, "REVOCATIONS") or _holds(sentence, "TURNS") for sentence in _sentences(statement))


def topic_of(statement: str) -> frozenset[str]:
    """List the words of its own that say what it is about, by their beginnings: neither how to answer nor idle."""
    return _own(statement, _NO_TOPIC)


def telling_words_of(statement: str) -> frozenset[str]:
    """List its words by their beginnings, those of how to answer among them; none that is idle."""
    return _own(statement, ("IDLE_WRITTEN",))


def _own(statement: str, without: tuple[str, ...]) -> frozenset[str]:
    words = {word for sentence in _sentences(statement) for word in _WORD.findall(sentence)}
    idle = STOP_WORDS.union(*(language.words(each) for language in LANGUAGES for each in without))
    return frozenset(word[:_BEGINNING] for word in words if len(word) > 2 and word not in idle)


def _is_instruction(sentence: str) -> bool:
    return _says_so(sentence) or _speaks_of_kinds(sentence)


def _says_so(sentence: str) -> bool:
    return _holds(sentence, "INSTRUCTIONS") or _holds(sentence, "REVOCATIONS")


def _is_in_manner(sentence: str, language: Rules) -> bool:
    manner, idle = language.words("MANNER_WRITTEN"), language.words("IDLE_WRITTEN") | STOP_WORDS
    if any(found not in manner | idle for found in language.pattern("SCOPED").findall(sentence)):
        return False
    words = [word for word in _WORD.findall(sentence) if word not in idle]
    said = sum(word in manner for word in words)
    return bool(said) and said >= _IN_MANNER * len(words)


def _sentences(text: str) -> list[str]:
    """Return what is no question, in lower case."""
    return [each for each in _SENTENCE_END.split(_plain(text)) if len(each) <= LONGEST and not each.endswith("?")]


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").lower().split(" "))


def _holds(sentence: str, rules: str) -> bool:
    languages = LANGUAGES if GERMAN.pattern("SPOKEN").search(sentence) else (ENGLISH,)
    return any(language.pattern(rules).search(sentence) for language in languages)


def _speaks_of_kinds(sentence: str) -> bool:
    """Tell whether a sentence without a word of standing asks for something to be done so from then on."""
    if len(sentence) > LONGEST_OF_KINDS:
        return False
    return any(_is_of_kinds(clause, language) for language in _OF_KINDS for clause in _clauses(sentence, language))


def _clauses(sentence: str, language: Rules) -> Iterator[str]:
    """Iterate over the clauses by which it may ask for something; none of what somebody else says."""
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
    """What of a task an instruction may be about."""

    CODE = "code"
    WORDING = "wording"
    """Of what is written to somebody, or for somebody to read."""
    MEASURES = "measures"
    HOURS = "hours"
    """Days and times of day."""
    MANNER = "manner"
    """Of the answer itself."""


def aspects_of_statement(statement: str) -> frozenset[Aspect]:
    """List what a standing statement is about."""
    found = _found(statement, "statements")
    return found | {Aspect.MANNER} if is_general(statement) else found


def aspects_of_task(query: str) -> frozenset[Aspect]:
    """List what a task is about, or a question; the manner, where an explanation is asked for."""
    return _found(query, "tasks")


def _found(text: str, name: str) -> frozenset[Aspect]:
    plain = text.replace("\u2019", "'").lower()
    return frozenset(Aspect(aspect) for aspect, pattern in _RULES.meanings(name) if pattern.search(plain))
