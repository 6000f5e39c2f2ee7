"""Recognise messages that only ask and replies that answer nothing, neither of which states a fact. Pure.

A message with a statement and a question counts as a statement: clauses outside its questions decide, not the names
and numbers in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from palace.models import BARE_QUESTION, LONGEST_QUESTION, QUESTION_SIGNS, WISHES
from palace.nlp.caching import cache_by_digest
from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS, TALK_WORDS, content_words, fold

_LARGELY = 0.75
_SAME = 0.8
_GERMAN_VERB = re.compile(r"(?:we[nm]|wann|wo(?:her|hin)?|warum|wie(?:so)?|welche[mnrs]?) (?!ge|nicht\b)\w+t\b")
_BARE = re.compile(BARE_QUESTION, re.IGNORECASE)
_CLOSING = "\"'”’)]»* "
_SENTENCE = re.compile(r"[^.!?？؟。！\n]+[.!?？؟。！;]*[\"'”’)\]»*]*")
_CLAUSE = re.compile(r"[,;:–—¿()]+|\s-+\s|\s(?=(?:and|but|so|und|aber|et|mais)\s)")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d\S*")
_INVERTED = re.compile(r"-(?:je|tu|ils?|elles?|on|nous|vous)\Z")
"""French verbs before their subject: "peut-on"."""
FEWEST_WORDS = 4
"""Fewest words of a clause that is a statement; fewer only lead to the question.

One less where it begins with its subject, two more where it begins with a preposition.
"""
_WISH = re.compile(rf"(?:{WISHES})\b[^\d]*\Z", re.IGNORECASE)
"""A wish without digits, as a number in it would be a fact."""


@cache_by_digest(4096)
def only_asks(text: str) -> bool:
    """Check whether a text is one or more questions and little else, such as a greeting or a lead-in.

    >>> only_asks("Hi! What voltage does the charger need?")
    True
    >>> only_asks("The charger gives 58.8 volts. Is that too much?")
    False
    >>> only_asks("My charger gives 58.8 volts, is that too much?")
    False
    """
    if len(text.encode()) > LONGEST_QUESTION:
        return False
    if not any(sign in text for sign in QUESTION_SIGNS):
        return _asks_unsigned(text)
    sentences = _sentences(text)
    asking = list(_asking(sentences))
    if sum(map(len, asking)) < _LARGELY * sum(map(len, filter(_counts, sentences))):
        return False
    return not any(_states_before_asking(each) if _asks(each) else _states(each, asking) for each in sentences)


@cache_by_digest(4096)
def asks_again(text: str, query: str) -> bool:
    """Check whether a text repeats the query without answering it.

    Another sentence of the text is an answer if it is short, has a digit, begins with "it" or "she", or repeats most of
    the query's words.

    >>> asks_again("What ring size do I have? The jeweller wants to know it", "what ring size do I have")
    True
    >>> asks_again("What ring size do I have? 54", "what ring size do I have")
    False
    """
    asked = [_said(each) for each in _sentences(query)]
    wanted = [words for words, asks in asked if asks and words]
    said = [(each, *_said(each)) for each in _sentences(text)]
    if not any(asks and _is_same(words, other) for _, words, asks in said for other in wanted):
        return False
    beside = [(each, words) for each, words, _ in said if not any(_is_same(words, other) for other, _ in asked)]
    return not any(_may_answer(each, words, wanted) for each, words in beside)


def _sentences(text: str) -> list[str]:
    return [found[0].strip() for found in _SENTENCE.finditer(text)]


def _said(sentence: str) -> tuple[frozenset[str], bool]:
    """Return the content words of a sentence, and whether it is a question."""
    return frozenset(content_words(sentence)), _asks(sentence) or _asks_unsigned(sentence)


def _is_same(words: frozenset[str], others: frozenset[str]) -> bool:
    return len(words & others) >= _SAME * len(words | others)


def _may_answer(sentence: str, words: frozenset[str], wanted: Iterable[frozenset[str]]) -> bool:
    told, table = _words(sentence), _table()
    if not told or told[0] in table["idle"] or _asks(sentence):
        return False
    says_again = any(len(words & asked) > len(asked) / 2 for asked in wanted)
    is_short = len(told) < FEWEST_WORDS or told[0] in table["refers"]
    return is_short or says_again or any(map(str.isdecimal, sentence))


def answers_nothing(reply: str, *asked: str) -> bool:
    """Check whether a reply only says that nothing is known or that it is done, or repeats words of ``asked``.

    >>> answers_nothing("I'm sorry, I don't have any information about where Finn works.", "Where does Finn work?")
    True
    >>> answers_nothing("I don't know Finn, but Vestas is in Aarhus.", "Where does Finn work?")
    False
    """
    words = _words(reply)
    table = _table()
    if len(reply.encode()) > LONGEST_QUESTION or not words or words[0] in table["answers"]:
        return False
    is_empty = not table["negations"].isdisjoint(words) and not table["knowing"].isdisjoint(words)
    if not is_empty and table["alone"].isdisjoint(words):
        return False
    known = {fold(word) for each in asked for word in content_words(each)}
    said = [word for word in content_words(reply) if word not in table["words"]]
    return all(any(_is_form(word, other) for other in known) for word in said)


def _is_form(one: str, other: str) -> bool:
    """Check whether two words are forms of one word, differing only in their last letters."""
    short = min(len(one), len(other))
    return one == other or (short > 3 and one[: short - 1] == other[: short - 1] and abs(len(one) - len(other)) < 4)


def _asks_unsigned(text: str) -> bool:
    """Check whether a text of one sentence is a question without a question mark: "which port does it listen on"."""
    words, table = _words(text), _table()
    if len(words) < 3 or not _BARE.match(text.strip()) or words[0] in table["joins"]:
        return False
    first, second = words[:2]
    copulas = sum(word in table["copulas"] for word in words[1:])
    if second in table["after_how"]:
        return words[2] not in table["states"]
    if first.endswith("'s") or second in table["opens"]:
        return copulas < 2 and not (first == "which" and copulas)
    if second in table["subjects"] | table["states"] or first not in table["determiners"]:
        return bool(_GERMAN_VERB.match(f"{first} {second}"))
    asks = not table["opens"].isdisjoint(words[2:])
    return asks and (not copulas or (first != "what" and not any(map(str.isdecimal, text))))


def _asks(sentence: str) -> bool:
    return sentence.rstrip(_CLOSING).endswith(tuple(QUESTION_SIGNS))


def _asking(sentences: Sequence[str]) -> Iterator[str]:
    """Yield the questions, and the wishes behind the first question ("I want to …")."""
    has_asked = False
    for sentence in sentences:
        if _asks(sentence):
            has_asked = True
            yield sentence
        elif has_asked and _WISH.match(sentence):
            yield sentence


def _counts(sentence: str) -> bool:
    """Check whether a sentence is more than a greeting or a request such as "please be brief"."""
    words = _words(sentence)
    return _asks(sentence) or not words or words[0] not in _table()["idle"]


def _states(sentence: str, asking: Collection[str]) -> bool:
    """Check whether a sentence that is no question is a statement, that is, begins with its subject."""
    words = _words(sentence)
    return sentence not in asking and bool(words) and _is_stating(words) and words[0] in _table()["states"]


def _states_before_asking(sentence: str) -> bool:
    """Check whether a clause before the question in a sentence is a statement."""
    clauses = [words for part in _CLAUSE.split(sentence) if (words := _words(part))]
    first = next((place for place, words in enumerate(clauses) if _opens(words)), 0)
    return any(map(_is_stating, clauses[:first]))


def _opens(words: Sequence[str]) -> bool:
    """Check whether a clause begins like a question: with a question word, or with a verb before its subject."""
    table = _table()
    words = words[1:] if words[0] in table["joins"] else words
    if not words:
        return False
    if words[0] in table["opens"] or _INVERTED.search(words[0]):
        return True
    second = words[1] if len(words) > 1 else ""
    is_verb_first = second in table["subjects"] and words[0] not in table["no_verbs"]
    return is_verb_first or (words[0] in table["before"] and second in table["opens"])


def _is_stating(words: Sequence[str]) -> bool:
    table = _table()
    fewest = FEWEST_WORDS + 2 * (words[0] in table["before"]) - (words[0] in table["states"])
    return len(words) >= fewest and words[0] not in table["idle"] and table["asks"].isdisjoint(words)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


@cache
def _table() -> dict[str, frozenset[str]]:
    """Return the word lists of ``questions.toml`` by name, and two that are combined from them."""
    read = rules("asked", "questions").read
    empty = {name: frozenset(words.split()) for name, words in read["empty"].items()}
    table = {name: frozenset(words.split()) for name, words in read.items() if name != "empty"} | empty
    of_others = (rules("keyphrases", each).words("function_words") for each in ("german", "romance"))
    said = STOP_WORDS.union(TALK_WORDS, *of_others, *(words for name, words in empty.items() if name != "answers"))
    no_verbs = table["states"] | table["idle"] | table["before"] | table["links"]
    return {**table, "words": frozenset(map(fold, said)), "no_verbs": no_verbs}
