"""Find what would be an instruction if the person had said it, in words of tools, files, pages and assistants. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from palace.agent.gate.window import fold
from palace.memories.provenance import Utterance, sentences_of
from palace.memories.storing import Draft
from palace.models import MemoryMaker, MemoryOrigin, MemoryType, Role
from palace.nlp.instructions import gives_instruction
from palace.nlp.rules import rules

MOST = 20
"""Sentences of a conversation that are proposed at a time, at most."""
SHORTEST = 8
"""Fewest characters of a sentence that is proposed."""
_RULES = rules("memories", "planted")


def proposals_of(utterances: Iterable[Utterance]) -> list[Draft]:
    """Draft the instructions that others than the person seem to give, each once; a person has to accept them."""
    found: dict[str, Draft] = {}
    for utterance in utterances:
        for sentence in _instructions(utterance):
            if len(found) >= MOST:
                return list(found.values())
            draft = Draft(
                sentence,
                MemoryType.INSTRUCTION,
                utterance.drawer.wing_name,
                evidence=(utterance.identity,),
                importance=0.3,
                confidence=0.3,
                origin=utterance.origin,
                maker=MemoryMaker.RULE,
                said_at=utterance.drawer.dated_at,
            )
            found.setdefault(sentence, draft)
    return list(found.values())


def reports_request(sentence: str) -> bool:
    """Check whether a sentence reports what the person wants, as one that speaks of them does."""
    return _RULES.finds("reported", sentence.lower())


def _instructions(utterance: Utterance) -> Iterator[str]:
    if utterance.drawer.role is Role.SYSTEM:  # the program's own prompt
        return
    is_tool = utterance.origin is MemoryOrigin.TOOL
    for sentence in sentences_of(utterance.passed_on):
        if len(sentence) >= SHORTEST and not sentence.endswith("?") and _instructs(sentence, is_tool):
            yield sentence


def _instructs(sentence: str, is_tool: bool) -> bool:
    """Check whether a sentence instructs; of an assistant's only what claims to be the person's wish, or a rule."""
    plain = sentence.lower()
    if any(_RULES.finds(each, plain) for each in ("reported", "claimed", "addressed")):
        return True
    return is_tool and (_RULES.finds("elsewhere", plain) or gives_instruction(plain) or gives_instruction(fold(plain)))
