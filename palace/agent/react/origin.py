"""Who said a fact that a model wrote, and in which messages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.models import Span
from palace.nlp.instructions import is_against
from palace.nlp.own import own_words
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.words import content_words

_SPEAKER = {"user", "person"}
"""Words by which a model calls the person, who does not say them."""
_ASKING = ("?", "？", "؟")


def origin_of(fact: str, said: Sequence[str], *, has_seen_tools: bool) -> str:
    """Return the origin of a fact that a model wrote: "person", "assistant" or "tool".

    It is the person if statements of theirs have all of its words, with a denial where these have one; what they ask,
    quote or paste is no statement of theirs. Otherwise it is a tool as soon as the model has seen what a tool returned,
    since that may have asked for the fact.
    """
    words = set(content_words(fact)) - _SPEAKER
    own = [text[slice(*each)] for text in map(own_words, said) for each in pieces(text, Span(0, len(text)), UNIT_END)]
    near = [each for each in own if not each.rstrip().endswith(_ASKING) and not words.isdisjoint(content_words(each))]
    is_said = words <= {word for each in near for word in content_words(each)}
    if near and is_said and is_against(fact) in set(map(is_against, near)):
        return "person"
    return "tool" if has_seen_tools else "assistant"


def evidence_of(fact: str, said: Sequence[str]) -> tuple[str, ...]:
    """Return the fewest messages that have the words of a fact, later ones first; without any the last message."""
    left, chosen = set(content_words(fact)) - _SPEAKER, []
    words = {text: left & set(content_words(text)) for text in reversed(said)}
    while best := max(words, key=lambda text: len(words[text] & left), default=""):
        if left.isdisjoint(words[best]):
            break
        chosen.append(best)
        left -= words.pop(best)
    return tuple(chosen) or tuple(said[-1:])
