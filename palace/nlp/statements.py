"""Classify sentences (request, preference, decision), and pick out their content words. English and German."""

from __future__ import annotations

from functools import cache

from palace.nlp.rules import late, rules
from palace.nlp.words import TALK_WORDS, WORD, fold, prose, says_something

_RULES = rules("statements")
_SENTENCE = late(r"[^.!?؟？。！\n]+[.!?؟？。！]*")
_NO_PROSE = frozenset("`<@/")
"""Characters without which a sentence has no code, address, markup or path, except "www." addresses."""


def is_request(sentence: str) -> bool:
    """Check whether a sentence asks the listener to do something now: "Explain …", "Can you …"."""
    return _RULES["request"].match(sentence.replace("’", "'")) is not None


def asks_once(sentence: str) -> bool:
    """Tell whether a sentence asks for one thing to be done at once: "Explain …", "and commit this"."""
    return is_request(sentence) or _RULES["asks_once"].search(sentence.replace("’", "'")) is not None


def leans_back(sentence: str) -> bool:
    """Check whether a sentence begins with a reference to the text before it: "That is why …"."""
    return _RULES["leans_back"].match(sentence.replace("’", "'")) is not None


def states_preference(text: str) -> bool:
    """Check whether a text says what the person prefers, likes, owns, uses, always or never does, or cannot have."""
    return rules("asked", "preferences").finds("statements", text.replace("’", "'").lower())


def states_wish(sentence: str) -> bool:
    """Check whether a sentence wishes something of all texts of a kind, or each time."""
    return not sentence.rstrip().endswith("?") and _RULES.finds("wishes", sentence.replace("’", "'"))


def says_decision(text: str) -> bool:
    """Check whether a sentence of a text states a decision, and not that it is still open."""
    return any(_decides(each[0].strip().replace("’", "'")) for each in _SENTENCE.finditer(text))


def reports_error(line: str) -> bool:
    """Check whether a line of a program's output reports an error, and not that there is none."""
    return _RULES["error"].search(_RULES["no_error"].sub("", line)) is not None


def _decides(sentence: str) -> bool:
    if sentence.endswith(("?", "？", "؟")):
        return False
    return _RULES.finds("decided", sentence) and not _RULES.finds("left_open", sentence)


def telling_words(sentence: str) -> frozenset[str]:
    """Return the folded content words of a sentence, without those of greetings, thanks and other talk."""
    text = sentence if _NO_PROSE.isdisjoint(sentence) and "www." not in sentence else prose(sentence)
    return frozenset(fold(word) for word in WORD.findall(text) if says_something(word)) - _idle_words()


@cache
def _idle_words() -> frozenset[str]:
    return TALK_WORDS.union(map(fold, TALK_WORDS), _RULES.words("german"))
