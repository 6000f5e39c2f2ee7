"""Sentences that greet, thank, agree or take leave and say nothing else, in several languages. Pure."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_LONGEST = 120
_MOST_WORDS = 10
_WORD = re.compile(r"[\w'-]+")
_DRAWN_OUT = re.compile(r"(\w)\1+")


class _Words(NamedTuple):
    phrases: re.Pattern[str]
    core: frozenset[str]
    """One of these makes small talk of what stands beside it."""
    beside: frozenset[str]
    answers: frozenset[str]
    opens: frozenset[str]
    """What begins a question: "is it good"."""


def is_small_talk(sentence: str) -> bool:
    """Tell whether a folded sentence says nothing but hello, thanks, fine or goodbye, or has no words."""
    if len(sentence) > _LONGEST:
        return False
    known = _words()
    rest, phrases = known.phrases.subn(" ", sentence)
    words = _WORD.findall(rest)
    if len(words) > _MOST_WORDS or (words and sentence.startswith(words[0]) and words[0] in known.opens):
        return False
    core = sum(_is_one_of(word, known.core) for word in words)
    return not (words and not phrases and not core) and all(
        _is_one_of(word, known.core | known.beside) for word in words
    )


def is_answer(sentence: str) -> bool:
    """Tell whether a folded sentence is a bare yes, no or fine, which says something only as an answer."""
    words = _WORD.findall(sentence)
    return len(sentence) <= _LONGEST and bool(words) and _words().answers.issuperset(words)


def _is_one_of(word: str, words: frozenset[str]) -> bool:
    """Look a word up, also where it is drawn out: "heyyy", "gooood"."""
    return word in words or _DRAWN_OUT.sub(r"\1", word) in words or _DRAWN_OUT.sub(r"\1\1", word) in words


@cache
def _words() -> _Words:
    text = files("palace").joinpath("data", "asked", "small_talk.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    phrases = sorted(re.split(r"[|\n]+", read.pop("phrases").strip()), key=len, reverse=True)
    sets = {name: frozenset(words.split()) for name, words in read.items()}
    return _Words(re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)"), **sets)
