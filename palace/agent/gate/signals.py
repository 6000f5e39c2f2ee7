"""Classify a sentence: small talk, a request to a tool, about the world, or about the person and the past. Pure.

All sentences are folded. The rules are data, in English, German and French (``palace/data/gate``); small talk covers
more languages.
"""

from __future__ import annotations

import re
from functools import cache

from palace.agent.gate.window import LANGUAGES, PASSED_ON, REQUESTS
from palace.nlp.names.lexicon import places
from palace.nlp.rules import rules

MOST_WORDS = 9
"""Words of a sentence that may be a follow-up, at most."""
_ENGLISH, _GERMAN, _FRENCH = LANGUAGES
_WORLD = rules("gate", "world")
_TALK = rules("gate", "small_talk")
_LONGEST_TALK, _MOST_WORDS_OF_TALK = 120, 10
_WORD = re.compile(r"[\w'-]+")
_DRAWN_OUT = re.compile(r"(\w)\1+")


def is_small_talk(sentence: str) -> bool:
    """Check whether a sentence is only a greeting, thanks, consent or goodbye, or has no words."""
    if len(sentence) > _LONGEST_TALK:
        return False
    rest, phrases = _phrases().subn(" ", sentence)
    words = _WORD.findall(rest)
    begins = bool(words) and sentence.startswith(words[0])
    if len(words) > _MOST_WORDS_OF_TALK or (begins and words[0] in _TALK.words("opens")):
        return False
    core = [_is_one_of(word, _TALK.words("core")) for word in words]
    if words and not phrases and not any(core):
        return False
    beside = _TALK.words("beside")
    return all(is_core or _is_one_of(word, beside) for word, is_core in zip(words, core, strict=True))


def is_answer(sentence: str) -> bool:
    """Check whether a sentence is a bare yes, no or fine, which means something only as an answer."""
    words = _WORD.findall(sentence)
    return len(sentence) <= _LONGEST_TALK and bool(words) and _TALK.words("answers").issuperset(words)


def is_filler(sentence: str) -> bool:
    """Check whether a sentence is a filler of people and assistants, such as "let me check"."""
    return any(language.finds("filler", sentence) for language in LANGUAGES)


def is_of_person(text: str) -> bool:
    """Check whether a text has a pronoun of the first person, also a misspelt one.

    The recipient of a request ("tell me", "sag mir", "dis-moi") does not count. "im" counts as English "I'm" unless the
    words around it are German.
    """
    for language in LANGUAGES:
        text = language["to_whom"].sub(" ", text)
    if any(language.finds("person", text) for language in LANGUAGES):
        return True
    if _FRENCH.finds("on", text) and _FRENCH.finds("around_on", text):
        return True
    return _ENGLISH.finds("im", text) and not _GERMAN.finds("around_im", text)


def points_back(text: str) -> bool:
    """Check whether a text refers to something said or noted before: "as I said", "wie letztes Mal"."""
    return any(language.finds("points_back", text) for language in LANGUAGES)


def leans_on_history(sentence: str) -> bool:
    """Check whether a sentence is a question or a wish without its object: "how much", "and for her", "go on"."""
    if PASSED_ON in sentence or len(sentence) > 100 or len(sentence.split()) > MOST_WORDS:
        return False
    return any(language.finds("leans", sentence) for language in LANGUAGES)


def points_at_somebody(sentence: str) -> bool:
    """Check whether a sentence has a pronoun that only earlier messages explain."""
    for language in (_ENGLISH, _FRENCH):
        sentence = language["empty_pronoun"].sub(" ", sentence)
    return any(language.finds("stands_for", sentence) for language in LANGUAGES)


def stands_for_another(sentence: str) -> bool:
    """Check whether a sentence has a pronoun or demonstrative without its noun; "that medication" has one."""
    for language in (_ENGLISH, _GERMAN):
        sentence = language["with_noun"].sub(" ", sentence)
    return points_at_somebody(sentence)


def is_utility(sentence: str) -> bool:
    """Check whether a sentence asks for a timer, the time, the weather of a place, a picture, a coin flip."""
    return REQUESTS.finds("utility", sentence)


def is_request(sentence: str) -> bool:
    """Check whether a sentence asks for a calculation, a translation, work on a text, or an invented text."""
    return any(REQUESTS.finds(name, sentence) for name in ("snippet", "sum", "translation", "text_work", "creation"))


def looks_like_code(sentence: str) -> bool:
    """Check whether a sentence begins like a program, a statement or an error message."""
    return REQUESTS.finds("snippet", sentence)


def is_code(sentence: str) -> bool:
    """Check whether a sentence is about programming."""
    return REQUESTS.finds("code", sentence) or looks_like_code(sentence)


def asks_of_the_world(sentence: str) -> bool:
    """Check whether a sentence is worded like a question that anybody could look up.

    It may be about a person's life nevertheless ("how old is the car"): see ``may_be_personal``.
    """
    where = _WORLD["where"].fullmatch(sentence)
    if where:
        return where["place"].removeprefix("the ") in places()
    if _WORLD.finds("for_somebody", sentence):
        return False
    return any(
        _is_of_world(_WORLD[language].fullmatch(sentence)) for language in ("english", "german", "french", "romance")
    )


def is_of_all(noun: str) -> bool:
    """Check whether a German or French noun names something that everybody knows: the sky, a speed."""
    return bool(_WORLD["of_all"].fullmatch(noun))


def _is_of_world(found: re.Match[str] | None) -> bool:
    if found is None:
        return False
    place = found.groupdict().get("place")
    return place is None or place.strip() in places()


def _is_one_of(word: str, words: frozenset[str]) -> bool:
    """Check whether a word is in a set, also when letters are drawn out: "heyyy", "gooood"."""
    return word in words or _DRAWN_OUT.sub(r"\1", word) in words or _DRAWN_OUT.sub(r"\1\1", word) in words


@cache
def _phrases() -> re.Pattern[str]:
    phrases = sorted(re.split(r"[|\n]+", _TALK.text("phrases").strip()), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)")
