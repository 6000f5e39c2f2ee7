"""What sort of statement a sentence is, and which of its words tell something. English and German."""

from __future__ import annotations

from functools import cache

from palace.nlp.rules import late, rules
from palace.nlp.words import TALK_WORDS, WORD, fold, prose, says_something

_RULES = rules("statements")
_SENTENCE = late(r"[^.!?؟？。！\n]+[.!?؟？。！]*")
_NO_PROSE = frozenset("`<@/")
"""Signs without which a sentence holds no code, address, markup or path."""


def is_request(sentence: str) -> bool:
    """Tell whether a sentence asks whoever listens to do something now: "Explain …", "Can you …"."""
    return _RULES["request"].match(sentence.replace("’", "'")) is not None


def asks_once(sentence: str) -> bool:
    """Tell whether a sentence asks for one thing to be done at once: "Explain …", "and commit this"."""
    return is_request(sentence) or _RULES["asks_once"].search(sentence.replace("’", "'")) is not None


def leans_back(sentence: str) -> bool:
    """Tell whether a sentence begins with what stands for something said before it: "That is why …"."""
    return _RULES["leans_back"].match(sentence.replace("’", "'")) is not None


def states_preference(text: str) -> bool:
    """Tell whether it says what the person prefers, likes, owns, uses, always or never does, or cannot have."""
    return rules("asked", "preferences").finds("statements", text.replace("’", "'").lower())


def says_decision(text: str) -> bool:
    """Tell whether any sentence of a text says that something was decided, and not that it was left open."""
    return any(_decides(each[0].strip().replace("’", "'")) for each in _SENTENCE.finditer(text))


def _decides(sentence: str) -> bool:
    if sentence.endswith(("?", "？", "؟")):
        return False
    return _RULES.finds("decided", sentence) and not _RULES.finds("left_open", sentence)


def telling_words(sentence: str) -> frozenset[str]:
    """Return the folded words of a sentence that tell something; none of greetings, thanks and other talk."""
    text = sentence if _NO_PROSE.isdisjoint(sentence) and "www." not in sentence else prose(sentence)
    return frozenset(fold(word) for word in WORD.findall(text) if says_something(word)) - _idle_words()


@cache
def _idle_words() -> frozenset[str]:
    return TALK_WORDS.union(map(fold, TALK_WORDS), _RULES.words("german"))
