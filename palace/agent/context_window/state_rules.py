"""The current state of a conversation by rule, without a model: from the former state and further messages. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from palace.agent.context_window.history import CallKey, HistoryEntry, tool_calls
from palace.agent.context_window.state import MOST, OF_ASSISTANT, State
from palace.agent.context_window.summariser import shown_call
from palace.agent.messages import text_in
from palace.models import Role, SaidDrawer, Span, Why
from palace.nlp.own import speech_of
from palace.nlp.statements import is_request, reports_error, says_decision, telling_words
from palace.nlp.todos import closes
from palace.recall.recent.ahead import Read, open_ends
from palace.recall.recent.sentences import Sentence, kind_of, rarity, say_the_same, sentences_of, telling

LEAST_TELLING = 0.2
"""Least score of a sentence that is a fact."""
LEAST_WORDS = 3
"""Fewest telling words of a request that is a goal: "go on" is none."""
LONGEST_CALL, LONGEST_OUTCOME = 80, 140
"""Characters of a call and of its outcome."""
LEADS_TO = " → "
_MARKS = re.compile(r"^\[call: |[{}\[\]\"]")
_WORDS = re.compile(r"[^\W\d_]{2}")
_FIRST = datetime(2000, 1, 1, tzinfo=UTC)


def state_by_rule(former: State, entries: Sequence[HistoryEntry]) -> State:
    """Return the state after further messages.

    The goal is the latest request, else what the first message asks or says first. Decisions, instructions and
    preferences, open items and telling sentences are found by the rules of recent memories; of tools' results their
    errors or last lines stay.
    """
    read = _read(entries)
    told = [sentence for drawer in read for sentence in drawer.sentences]
    said = [sentence for drawer in read for sentence in _own(drawer)]
    decided = (each for each in reversed(said) if kind_of(each) is not Why.SAID or says_decision(each.text))
    decisions = [_shown(each) for each in decided]
    open_items = _open(former, read, said)
    return State(
        goal=_goal(former, told),
        decisions=_once([*decisions, *former.decisions]),
        open=_once(open_items),
        facts=_facts(former, said, {*decisions, *open_items}),
        results=_results(former, entries),
    )


def _read(entries: Sequence[HistoryEntry]) -> list[Read]:
    """Return what users and assistants said, cut into sentences, in order."""
    read: list[Read] = []
    for number, entry in enumerate(entries):
        text = text_in(entry.said.get("content"))
        if text and (entry.is_user or entry.role == "assistant"):
            is_answered = any(each.role != entry.role for each in entries[number + 1 :])
            said = _said(text, Role.USER if entry.is_user else Role.ASSISTANT, number, is_answered=is_answered)
            read.append(Read(said, sentences_of(said)))
    return read


def _own(read: Read) -> list[Sentence]:
    """Return the sentences of a message without those that a user passes on: of mails, quotations, output."""
    if read.said.role is not Role.USER:
        return list(read.sentences)
    speech = speech_of(read.said.text)
    return [each for each in read.sentences if speech[slice(*each.span)] == each.text]


def _said(text: str, role: Role, number: int = 0, *, is_answered: bool = False) -> SaidDrawer:
    """Return a message as the rules of recent memories read a drawer."""
    at = _FIRST + timedelta(seconds=number)
    return SaidDrawer(number, 0, 0, (0, number), role, None, at, False, text, is_answered, False, is_own=True)


def _shown(sentence: Sentence) -> str:
    return sentence.text if sentence.said.role is Role.USER else OF_ASSISTANT + sentence.text


def _sentence(shown: str) -> Sentence:
    text = shown.removeprefix(OF_ASSISTANT)
    said = _said(text, Role.USER if text == shown else Role.ASSISTANT)
    return Sentence(said, Span(0, len(text)), text)


def _goal(former: State, said: Sequence[Sentence]) -> str:
    asked = [each for each in said if each.said.role is Role.USER]
    tasks = (each.text for each in reversed(asked) if is_request(each.text) and len(each.words) >= LEAST_WORDS)
    telling_ones = [each for each in asked if each.words]
    opening = [each.text for each in telling_ones if each.said == telling_ones[0].said]
    return next(tasks, former.goal or min(opening, key=lambda text: not is_request(text), default=""))


def _open(former: State, read: Sequence[Read], said: Sequence[Sentence]) -> list[str]:
    """List what stands open, the newest first: what is new, and of the former what was not closed."""
    new = [end.sentence.text for end in open_ends(read[::-1], MOST)]
    closings = [each.closing for each in said if each.closing]
    left = [each for each in former.open if not any(closes(closing, telling_words(each)) for closing in closings)]
    return [*new, *left]


def _facts(former: State, said: Sequence[Sentence], taken: set[str]) -> tuple[str, ...]:
    sentences = [*(_sentence(each) for each in former.facts), *said]
    rare = rarity(Counter(word for sentence in sentences for word in sentence.words), len(sentences))
    scored = [(telling(each, rare), _shown(each)) for each in sentences if not each.asks]
    best = sorted((each for each in scored if each[0] >= LEAST_TELLING), key=lambda each: -each[0])
    return _once([text for _, text in best if text not in taken])


def _results(former: State, entries: Sequence[HistoryEntry]) -> tuple[str, ...]:
    """List what tools were called with and what came of it, the last first, then errors; of a call its last result."""
    called: dict[CallKey, str] = {}
    outcomes = dict(each.rpartition(LEADS_TO)[::2] for each in reversed(former.results) if LEADS_TO in each)
    for entry in entries:
        calls = (*tool_calls(entry.shape), entry.shape.get("function_call"))
        shown = (_MARKS.sub("", shown_call(each))[:LONGEST_CALL] for each in calls if each)
        called |= zip(entry.calls, shown, strict=False)
        if entry.answers is not None and (outcome := _outcome(text_in(entry.shape.get("content")))):
            call = called.get(entry.answers) or str(entry.shape.get("name") or "tool")
            outcomes.pop(call, None)  # a later result of the same call takes its place
            outcomes[call] = outcome
    listed = [f"{call}{LEADS_TO}{outcome}" for call, outcome in reversed(outcomes.items())]
    return (*listed[:1], *sorted(listed[1:], key=lambda each: not reports_error(each)))


def _outcome(text: str) -> str:
    """Return the last line that speaks of an error, else the last line with words."""
    lines = [line.strip() for line in text.splitlines() if _WORDS.search(line)]
    return "".join((list(filter(reports_error, lines)) or lines)[-1:])[:LONGEST_OUTCOME]


def _once(texts: Sequence[str]) -> tuple[str, ...]:
    kept: list[tuple[str, frozenset[str]]] = []
    for text in texts:
        words = telling_words(text)
        if len(kept) < MOST and not any(say_the_same(words, other) for _, other in kept):
            kept.append((text, words))
    return tuple(text for text, _ in kept)
