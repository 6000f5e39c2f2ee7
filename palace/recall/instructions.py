"""A person's standing instructions and decisions: the sentences that state them, and which still apply. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from palace.models import Drawer, RecentItem, Role, Span, Why
from palace.nlp.instructions import gives_instruction, is_against, revokes, telling_words_of
from palace.nlp.own import own_words
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.rules import rules
from palace.nlp.statements import says_decision
from palace.recall.intent import deciding_words
from palace.recall.recent.sentences import say_the_same, says_changed

MOST = 8
"""Instructions that are shown, at most."""
LONGEST = 240
"""Characters of an instruction, at most: longer sentences are no rules of a project."""
OPPOSED = 0.75
"""Share of common words from which on, of two opposite instructions, only the later applies."""


class _Rule(NamedTuple):
    """An instruction or decision, with what is compared of it."""

    words: frozenset[str]
    is_against: bool
    revokes: bool
    is_change: bool
    """Whether it is a decision for something else than before."""


def instructions_in(drawers: Iterable[Drawer], most: int = MOST) -> list[RecentItem]:
    """Choose the latest instructions that still apply, latest first: each once, in its latest wording.

    Instructions that were contradicted or withdrawn later are left out.
    """
    kept: list[RecentItem] = []
    later: list[_Rule] = []
    for drawer in sorted(drawers, key=lambda each: (each.dated_at, each.id), reverse=True):
        for text, span in rules_of(drawer):
            is_change = says_changed(text) and says_decision(text) and not gives_instruction(text)
            rule = _Rule(telling_words_of(text) - _deciding(), is_against(text), revokes(text), is_change)
            if not rule.revokes and not any(_replaces(newer, rule) for newer in later):
                kept.append(RecentItem(drawer, span, Why.INSTRUCTION, drawer.dated_at, 1.0))
            later.append(rule)
        if len(kept) >= most:
            break
    return kept[:most]


def one_a_message(items: Iterable[RecentItem]) -> list[RecentItem]:
    """Join successive instructions of one message, unless others' words or a withdrawn one are between."""
    joined: list[RecentItem] = []
    for item in items:
        last, content = joined[-1] if joined else item, item.drawer.content
        span = Span(last.sentence.start, item.sentence.end)
        between = (last.sentence.end, item.sentence.start)
        is_short = last is not item and last.drawer.id == item.drawer.id and span.end - span.start <= 2 * LONGEST
        is_own = is_short and own_words(content)[slice(*span)] == content[slice(*span)]
        if is_own and not any(between[0] <= each.start < between[1] for _, each in rules_of(item.drawer)):
            joined[-1] = replace(item, sentence=span)
        else:
            joined.append(item)
    return joined


def rules_of(drawer: Drawer) -> Iterator[tuple[str, Span]]:
    """Yield the sentences of a drawer that are instructions or decisions, with their spans; quotations are left out."""
    if drawer.role is not Role.USER:
        return
    own_text = own_words(drawer.content)
    for piece in pieces(own_text, Span(0, len(own_text)), UNIT_END):
        own = own_text[slice(*piece)].strip()
        if own and len(own) <= LONGEST and (gives_instruction(own) or says_decision(own)):
            start = own_text.index(own, piece.start)
            span = Span(start, start + len(own))
            yield drawer.content[slice(*span)], span


def _replaces(newer: _Rule, older: _Rule) -> bool:
    """Return whether a later statement replaces an earlier one."""
    these, those = newer.words, older.words
    if say_the_same(these, those):
        return True
    shared, longer = len(these & those), max(len(these), len(those))
    if newer.is_change and 2 * shared > longer:
        return True
    if newer.revokes:
        these, those = these - _taking_back(), those - _taking_back()
        return bool(these & those) and (these <= those or those <= these or len(these & those) > 1)
    return bool(shared) and shared >= OPPOSED * longer and newer.is_against != older.is_against


@cache
def _deciding() -> frozenset[str]:
    return telling_words_of(" ".join(deciding_words()))


@cache
def _taking_back() -> frozenset[str]:
    return telling_words_of(" ".join(rules("gate", each).text("taking_back") for each in ("english", "german")))
