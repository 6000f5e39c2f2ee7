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


def instructs(text: str) -> bool:
    """Check whether a text that no person said reads like an instruction, as one of a tool would."""
    return any(len(each) >= SHORTEST and _instructs(each, True) for each in sentences_of(text))


def _instructions(utterance: Utterance) -> Iterator[str]:
    drawer = utterance.drawer
    is_others = drawer.role is Role.USER and drawer.speaker and not utterance.is_own
    if drawer.role is Role.SYSTEM or is_others:  # the program's own prompt, and what people say to each other
        return
    is_tool = utterance.origin is MemoryOrigin.TOOL
    for sentence in sentences_of(utterance.passed_on):
        if len(sentence) >= SHORTEST and not sentence.endswith("?") and _instructs(sentence, is_tool):
            yield sentence


def _instructs(sentence: str, is_tool: bool) -> bool:
    """Check whether a sentence instructs; of an assistant's only what claims to be the person's wish."""
    plain = sentence.lower()
    if any(_RULES.finds(each, plain) for each in ("reported", "claimed")):
        return True
    is_addressed = any(_RULES.finds(each, plain) for each in ("addressed", "elsewhere"))
    return is_tool and (is_addressed or gives_instruction(plain) or gives_instruction(fold(plain)))
