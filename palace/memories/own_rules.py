"""Read the person's own words by rule: instructions, decisions, preferences, and facts that the graph holds. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from palace.memories.planted import reports_request
from palace.memories.provenance import Utterance
from palace.memories.storing import Draft
from palace.models import MemoryMaker, MemoryType, Span
from palace.nlp.claims.self_contained import Stated, read_statements
from palace.nlp.instructions import gives_instruction, is_standing
from palace.nlp.own import begins_a_game, is_written
from palace.nlp.rules import rules
from palace.nlp.statements import asks_once, leans_back, says_decision, states_preference, states_wish

LONGEST = 240
"""Most characters of a sentence that becomes a memory."""
SHORTEST = 3
"""Fewest words of one."""
_RULES = rules("memories", "own")
IMPORTANCE = {"instruction": 0.8, "decision": 0.7, "preference": 0.6, "fact": 0.5}


def drafts_of(utterances: Sequence[Utterance]) -> list[Draft]:
    """Draft memories of the person's own sentences, verbatim and in order; nothing once a role-play has begun."""
    drafts: list[Draft] = []
    for utterance in utterances:
        if utterance.is_own and begins_a_game(utterance.drawer.content):
            break
        if utterance.is_new:
            drafts += _drafts(utterance)
    read = read_statements([each.content for each in drafts])
    return [each for each, stated in zip(drafts, read, strict=True) if _is_kept(each, stated)]


def _is_kept(draft: Draft, stated: Stated) -> bool:
    return not stated.is_report if draft.type is MemoryType.INSTRUCTION else stated.stands_alone


def _drafts(utterance: Utterance) -> Iterator[Draft]:
    content = utterance.drawer.content
    is_for_others = is_written(content)
    for span in utterance.own:
        if content.startswith(":", span.end):  # it introduces what follows
            continue
        sentence = _stated(content[slice(*span)])
        kind = kind_of(sentence, _is_claim(span, utterance.claims))
        if kind is None or (is_for_others and kind != "instruction"):
            continue
        yield Draft(
            sentence,
            MemoryType.INSTRUCTION if kind == "instruction" else MemoryType.SEMANTIC,
            utterance.drawer.wing_name,
            evidence=(utterance.identity,),
            importance=IMPORTANCE[kind],
            confidence=0.9,
            maker=MemoryMaker.RULE,
            said_at=utterance.drawer.dated_at,
        )


def _stated(sentence: str) -> str:
    """Return what a sentence states before it asks: "I can't eat nuts" of "I can't eat nuts, so what is left?"."""
    found = _RULES["asks_after"].fullmatch(sentence)
    return f"{found[1].rstrip(' ,;–—-')}." if found else sentence


def kind_of(sentence: str, is_claim: bool) -> str | None:
    """Return what a sentence of the person is: "instruction", "decision", "preference", "fact", or None."""
    if len(sentence) > LONGEST or sentence.rstrip().endswith("?") or leans_back(sentence):
        return None
    if gives_instruction(sentence) or states_wish(sentence):
        return None if reports_request(sentence) else "instruction"
    if len(sentence.split()) < SHORTEST or asks_once(sentence) or _RULES.finds("passing", sentence):
        return None
    if says_decision(sentence):
        return "decision"
    if states_preference(sentence) or is_standing(sentence):
        return "preference"
    return "fact" if is_claim else None


def _is_claim(sentence: Span, claims: Iterable[Span]) -> bool:
    return any(claim.start < sentence.end and sentence.start < claim.end for claim in claims)
