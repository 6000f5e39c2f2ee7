"""`python -m bench.compress --data FILE`: what is left of a long conversation that is sent as its current state.

Of each conversation of a file of LoCoMo's layout all but the latest messages are dropped. For each question about the
dropped part: does the evidence stand in the state and the memories recalled for the question? Evidence is, of each
marked turn, the sentence with most words of question and answer. The state's size is chosen on the other conversations.
"""

from __future__ import annotations

import argparse
import html
import sys
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from bench.harness import Figures, opened_palaces, print_figures, temporary_folder
from bench.locomo import BENCHMARK
from bench.metrics import interval
from bench.retrieval.dataset import Dataset, Haystack, Question, Turn
from bench.retrieval.product import mine
from palace import CurrentState, Palace, Recollection, TokenCounter, TokenWindow
from palace.nlp.sentences import split_sentences
from palace.nlp.statements import telling_words
from palace.recall.pack import memory_context
from palace.turns import TurnOptions

MODEL = "gpt-4o"
STATES = (100, 250, 400)
"""Sizes of the state that are compared."""
WAYS = ("latest_messages", *(f"state_of_{size}" for size in STATES))
HITS = 30
CHAT = 10_000
ASKED_OF_CHAT = 20
COUNTER = TokenCounter.of(MODEL)


class Outcome(NamedTuple):
    """How many of a question's evidence sentences stand in what is kept."""

    found: int
    wanted: int
    tokens: int

    @property
    def is_whole(self) -> bool:
        """Whether all of them do."""
        return self.found == self.wanted


Outcomes = dict[str, list[Outcome]]
"""By what was kept in place of the messages."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.compress", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a file of LoCoMo's layout")
    parser.add_argument("--home", type=Path, help="a palace to keep; what was mined there is not mined again")
    parser.add_argument("--kept", type=int, default=1_000, help="tokens of state and memories together")
    parser.add_argument("--limit", type=int, default=10_000, help="questions of a conversation")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; the figures go to standard output."""
    options = _parser().parse_args(arguments)
    return print_figures(lambda: measure(options), as_json=options.json)


def measure(options: argparse.Namespace) -> Figures:
    """Measure every conversation, and sum up those left out."""
    data = BENCHMARK.read(options.data)
    outcomes: dict[str, Outcomes] = {}
    chats: list[Figures] = []
    with opened_palaces(options.home) as palaces, temporary_folder() as folder:
        for haystack in data.haystacks.values():
            with palaces.palace(haystack.id) as palace:
                mine(palace, haystack, BENCHMARK.source(haystack), folder)
                asked = _asked(data, haystack)[: options.limit]
                outcomes[haystack.id] = _of_conversation(palace, haystack, asked, options.kept)
                chats.append(_of_chat(palace, haystack, asked[:ASKED_OF_CHAT], options.kept))
    chosen = {left: _best(outcomes, left) for left in outcomes}
    return {
        "chosen_on_the_others": chosen,
        "left_out": _shares([each for left, way in chosen.items() for each in outcomes[left][way]]),
        **{way: _shares([each for of in outcomes.values() for each in of[way]]) for way in WAYS},
        "chat": {name: round(fmean(chat[name] for chat in chats)) for name in chats[0]},
    }


def _best(outcomes: dict[str, Outcomes], left_out: str) -> str:
    """Return the size of the state that keeps most of all conversations but one."""
    others = [of for name, of in outcomes.items() if name != left_out] or [outcomes[left_out]]
    return max(WAYS, key=lambda way: sum(each.is_whole for of in others for each in of[way]))


def _asked(data: Dataset, haystack: Haystack) -> list[Question]:
    """List the questions whose evidence is marked and none of it among the latest messages."""
    latest = {turn.id for turn in _turns(haystack)[-CurrentState().least :]}
    asked = (each for each in data.questions if each.haystack == haystack.id and each.gold_turns)
    return [each for each in asked if latest.isdisjoint(each.gold_turns)]


def _of_conversation(palace: Palace, haystack: Haystack, asked: Sequence[Question], tokens: int) -> Outcomes:
    history, turns = _history(haystack), {turn.id: turn for turn in _turns(haystack)}
    states = [_state(palace, history, size) for size in STATES]
    window = _text(TokenWindow(MODEL, budget=tokens).keep(history).messages)
    found: Outcomes = {way: [] for way in WAYS}
    for question in asked:
        evidence = [_evidence(turns[each], question) for each in question.gold_turns]
        turn = palace.turn(question.text, history=history, session=f"whole-{STATES[-1]}", options=_options(tokens))
        recalled = Recollection(question.text, turn.hits)
        kept = [f"{state}\n{_fitted(recalled, tokens - COUNTER.count(state))}" for state in states]
        for way, text in zip(WAYS, (window, *kept), strict=True):
            found[way].append(_outcome(text, evidence))
    return found


def _of_chat(palace: Palace, haystack: Haystack, asked: Sequence[Question], tokens: int) -> Figures:
    """Send questions after 10,000 tokens of a conversation; give the mean tokens that are sent."""
    history = _history(haystack)
    while COUNTER.count(_text(history)) > CHAT:
        del history[-1]
    state = COUNTER.count(_state(palace, history, CurrentState().state_tokens, session="chat"))
    options = _options(tokens - state)
    turns = [palace.turn(each.text, history=history, session="chat", options=options) for each in asked]
    sent = fmean(COUNTER.count(_text(turn.messages)) for turn in turns)
    blocks = fmean(COUNTER.count(turn.block) for turn in turns)
    return {"tokens": COUNTER.count(_text(history)), "become": sent, "of_state": state, "of_memories": blocks}


def _state(palace: Palace, history: Sequence[Any], size: int, *, session: str = "") -> str:
    memory = CurrentState(model=MODEL, state_tokens=size)
    return str(palace.working.keep(history, session=session or f"whole-{size}", memory=memory).messages[0]["content"])


def _options(tokens: int) -> TurnOptions:
    memory = CurrentState(model=MODEL)
    return TurnOptions(working=memory, top_k=HITS, token_budget=tokens, files=False, timeout=60, model=MODEL)


def _fitted(found: Recollection, budget: int) -> str:
    """Write the best hits that fit a budget of the model's tokens."""
    firsts = (Recollection(found.query, found.hits[:count]) for count in range(len(found.hits), 0, -1))
    blocks = (memory_context(each, token_budget=10 * budget, zone=UTC) for each in firsts)
    return next((block for block in blocks if COUNTER.count(block) <= budget), "")


def _outcome(kept: str, evidence: Sequence[str]) -> Outcome:
    plain = " ".join(html.unescape(kept).replace('\\"', '"').split())
    return Outcome(sum(each in plain for each in evidence), len(evidence), COUNTER.count(kept))


def _evidence(turn: Turn, question: Question) -> str:
    sentences = [turn.content[slice(*span)] for span in split_sentences(turn.content)] or [turn.content]
    words = telling_words(f"{question.text} {question.answer or ''}")
    return " ".join(max(sentences, key=lambda each: len(telling_words(each) & words)).split())


def _shares(outcomes: Sequence[Outcome]) -> Figures:
    every, some = ([float(each.is_whole) for each in outcomes], [float(each.found > 0) for each in outcomes])
    shares = {"all_evidence": fmean(every), "interval": interval(every), "any_evidence": fmean(some)}
    return {"questions": len(outcomes), **shares, "tokens": round(fmean(each.tokens for each in outcomes))}


def _history(haystack: Haystack) -> list[dict[str, str]]:
    first, *_ = turns = _turns(haystack)
    roles = {True: "user", False: "assistant"}
    return [{"role": roles[each.speaker == first.speaker], "content": each.content} for each in turns]


def _turns(haystack: Haystack) -> list[Turn]:
    return [turn for session in haystack.sessions for turn in session.turns]


def _text(messages: Sequence[Any]) -> str:
    return "\n".join(str(message["content"]) for message in messages)


if __name__ == "__main__":
    sys.exit(main())
