"""What becomes of drawers that were put into a request: which the reply used, and which the person put right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from palace.agent.exchange import Shown
from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.memories import count_corrected, count_injected, count_used
from palace.db.memory_life import change_confidence
from palace.memories.contradicting import texts_contradict
from palace.models import Drawer
from palace.nlp.claims.corrections import is_put_right
from palace.nlp.instructions import is_against, revokes, topic_of
from palace.nlp.sentences import split_sentences
from palace.nlp.statements import telling_words
from palace.nlp.words import WORD

USED = 0.5
"""Share of a sentence's telling words, without the person's own, from which on a reply that has them used it."""
LEAST_USED = 2
"""Least telling words that a reply must have of a sentence with no number."""
OF_TOPIC = 0.5
"""Share of the topic of a shown text that a message which puts it right must name."""
GAIN, LOSS = 0.1, 0.25
"""Share of the way to 1 by which use raises a memory's confidence, and to 0 by which a correction lowers it."""


def used_by(reply: str, message: str, drawers: Iterable[Drawer]) -> tuple[Drawer, ...]:
    """Return the shown drawers that a reply used: it has telling words of theirs that the person did not say."""
    has, said = _words(reply), _words(message)
    return tuple(each for each in drawers if any(_is_used(part, has, said) for part in _sentences(each.content)))


def corrected_by(message: str, drawers: Iterable[Drawer]) -> tuple[Drawer, ...]:
    """Return the drawers shown for the message before that this message puts right, revokes or contradicts."""
    said = [each for each in _sentences(message) if not each.rstrip().endswith("?")]
    return tuple(each for each in drawers if any(_is_corrected(part, said) for part in _sentences(each.content)))


def note_use(session: UserSession, shown: Shown) -> None:
    """Count what was put into a request, what the reply used of it, and what of the block before was put right."""
    if not shown.drawers and not shown.before:
        return
    count_injected(session, [each.id for each in shown.drawers])
    used = [each.id for each in used_by(shown.reply, shown.message, shown.drawers)]
    if used:
        count_used(session, used)
        change_confidence(session, used, toward=1, by=GAIN)
    before = get_drawers(session, shown.before).values() if shown.before else ()
    corrected = [each.id for each in corrected_by(shown.message, before)]
    if corrected:
        count_corrected(session, corrected)
        change_confidence(session, corrected, toward=0, by=LOSS)


def _is_used(sentence: str, has: frozenset[str], said: frozenset[str]) -> bool:
    own = _words(sentence) - said
    both = own & has
    is_enough = len(both) >= LEAST_USED or any(map(str.isdigit, "".join(both)))
    return is_enough and len(both) >= USED * len(own)


def _is_corrected(shown: str, said: Sequence[str]) -> bool:
    topic = topic_of(shown)
    for sentence in said:
        shared = topic & topic_of(sentence)
        if not shared:
            continue
        is_told = is_put_right(sentence) or revokes(sentence)
        is_denied = is_against(sentence) != is_against(shown) and len(shared) >= OF_TOPIC * len(topic)
        if is_told or is_denied or texts_contradict(shown, sentence):
            return True
    return False


def _words(text: str) -> frozenset[str]:
    numbers = (word for word in WORD.findall(text) if any(map(str.isdigit, word)))
    return telling_words(text) | frozenset(numbers)


def _sentences(text: str) -> list[str]:
    spans = split_sentences(text)
    return [text[each.start : each.end] for each in spans] or [text]
