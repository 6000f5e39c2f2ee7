"""Sentences that greet, thank, agree or take leave and say nothing else, in several languages. Pure."""

from __future__ import annotations

import re
from functools import cache

from palace.patterns import Rules

_TALK = Rules("asked", "small_talk.toml")
_LONGEST = 120
_MOST_WORDS = 10
_WORD = re.compile(r"[\w'-]+")
_DRAWN_OUT = re.compile(r"(\w)\1+")


def is_small_talk(sentence: str) -> bool:
    """Tell whether a folded sentence says nothing but hello, thanks, fine or goodbye, or has no words."""
    if len(sentence) > _LONGEST:
        return False
    rest, phrases = _phrases().subn(" ", sentence)
    words = _WORD.findall(rest)
    if len(words) > _MOST_WORDS or (words and sentence.startswith(words[0]) and words[0] in _TALK.words("opens")):
        return False
    core = sum(_is_one_of(word, _TALK.words("core")) for word in words)
    return not (words and not phrases and not core) and all(
        _is_one_of(word, _TALK.words("core")) or _is_one_of(word, _TALK.words("beside")) for word in words
    )


def is_answer(sentence: str) -> bool:
    """Tell whether a folded sentence is a bare yes, no or fine, which says something only as an answer."""
    words = _WORD.findall(sentence)
    return len(sentence) <= _LONGEST and bool(words) and _TALK.words("answers").issuperset(words)


def _is_one_of(word: str, words: frozenset[str]) -> bool:
    """Look a word up, also where it is drawn out: "heyyy", "gooood"."""
    return word in words or _DRAWN_OUT.sub(r"\1", word) in words or _DRAWN_OUT.sub(r"\1\1", word) in words


@cache
def _phrases() -> re.Pattern[str]:
    phrases = sorted(re.split(r"[|\n]+", _TALK.text("phrases").strip()), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)")
