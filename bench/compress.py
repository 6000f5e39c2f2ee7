"""`python -m bench.compress --data FILE`: what is left of a long conversation that is sent as its current state.

Of each conversation of a file of LoCoMo's layout all but the latest messages are dropped. For each question about the
dropped part: does the evidence stand in what is sent in their place, the state and the memories recalled for the
question, of so many tokens together? Evidence is, of each marked turn, the sentence with most words of question and
answer. The size of the state is chosen on the other conversations than the one that is reported.
"""

from __future__ import annotations

import argparse
import html
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any, NamedTuple

from bench.harness import Figures, opened_palaces, print_figures, progress, temporary_folder
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
STATE = "state_of_{}"
HITS = 30
CHAT = 10_000
"""Tokens of the chat that is sent as a program sends it."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; the figures go to standard output."""
    parser = argparse.ArgumentParser(prog="python -m bench.compress", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a file of LoCoMo's layout")
    parser.add_argument("--home", type=Path, help="a palace to keep; what was mined there is not mined again")
    parser.add_argument("--kept", type=int, default=1_000, help="tokens of state and memories together")
    parser.add_argument("--limit", type=int, default=10_000, help="questions of a conversation")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    return print_figures(lambda: measure(options), as_json=options.json)


def measure(options: argparse.Namespace) -> Figures:
    """Measure every conversation, and sum up those left out."""
    data = BENCHMARK.read(options.data)
    outcomes: dict[str, dict[str, list[Outcome]]] = {}
    chats: list[Figures] = []
    with opened_palaces(options.home) as palaces, temporary_folder() as folder:
        every = progress("conversations", data.haystacks.values(), total=len(data.haystacks))
        for _, haystack in every:
            with palaces.palace(haystack.id) as palace:
                mine(palace, haystack, BENCHMARK.source(haystack), folder)
                asked = list(_asked(data, haystack))[: options.limit]
                outcomes[haystack.id] = _of_conversation(palace, haystack, asked, options.kept)
                chats.append(_of_chat(palace, haystack, asked[:ASKED_OF_CHAT], options.kept))
    chosen = {left: _best(outcomes, left) for left in outcomes}
    held = [outcome for left, way in chosen.items() for outcome in outcomes[left][way]]
    return {
        "conversations": len(outcomes),
        "chosen_on_the_others": chosen,
        "left_out": _shares(held),
        **{
            way: _shares([each for of in outcomes.values() for each in of[way]])
            for way in next(iter(outcomes.values()))
        },
        "chat": {name: round(sum(chat[name] for chat in chats) / len(chats)) for name in chats[0]},
    }


def _best(outcomes: dict[str, dict[str, list[Outcome]]], left_out: str) -> str:
    """Return the size of the state that keeps most of all conversations but one."""
    others = [of for name, of in outcomes.items() if name != left_out] or [outcomes[left_out]]
    sizes = map(STATE.format, STATES)
    return max(sizes, key=lambda way: sum(each.is_whole for of in others for each in of[way]))


def _asked(data: Dataset, haystack: Haystack) -> Iterator[Question]:
    """Yield the questions whose evidence is marked and none of it among the latest messages."""
    latest = {turn.id for turn in _turns(haystack)[-CurrentState().least :]}
    for question in data.questions:
        if question.haystack == haystack.id and question.gold_turns and latest.isdisjoint(question.gold_turns):
            yield question


def _of_conversation(
    palace: Palace, haystack: Haystack, asked: Sequence[Question], tokens: int
) -> dict[str, list[Outcome]]:
    history, turns = _history(haystack), {turn.id: turn for turn in _turns(haystack)}
    states = {size: _state(palace, history, size) for size in STATES}
    window = _text(TokenWindow(MODEL, budget=tokens).keep(history).messages)
    found: dict[str, list[Outcome]] = {"latest_messages": [], **{STATE.format(size): [] for size in STATES}}
    for question in asked:
        evidence = [_evidence(turns[each], question) for each in question.gold_turns]
        turn = palace.turn(question.text, history=history, session="whole", options=_options(tokens))
        found["latest_messages"].append(_outcome(window, evidence))
        for size, state in states.items():
            block = _fitted(Recollection(question.text, turn.hits), tokens - COUNTER.count(state))
            found[STATE.format(size)].append(_outcome(f"{state}\n{block}", evidence))
    return found


def _of_chat(palace: Palace, haystack: Haystack, asked: Sequence[Question], tokens: int) -> Figures:
    """Send questions after 10,000 tokens of a conversation; give the mean tokens that are sent."""
    history = _history(haystack)
    while COUNTER.count(_text(history)) > CHAT:
        del history[-1]
    state = COUNTER.count(_state(palace, history, CurrentState().state_tokens, session="chat"))
    turns = [
        palace.turn(each.text, history=history, session="chat", options=_options(tokens - state)) for each in asked
    ]
    sent, blocks = (
        sum(map(COUNTER.count, each)) / len(turns)
        for each in zip(*((_text(turn.messages), turn.block) for turn in turns), strict=True)
    )
    return {"tokens": COUNTER.count(_text(history)), "become": sent, "of_state": state, "of_memories": blocks}


def _state(palace: Palace, history: Sequence[Any], size: int, *, session: str = "") -> str:
    memory = CurrentState(model=MODEL, state_tokens=size)
    return str(palace.working.keep(history, session=session or f"whole-{size}", memory=memory).messages[0]["content"])


def _options(tokens: int) -> TurnOptions:
    memory = CurrentState(model=MODEL)
    return TurnOptions(working=memory, top_k=HITS, token_budget=tokens, files=False, timeout=60, model=MODEL)


def _fitted(found: Recollection, budget: int) -> str:
    """Write the best hits that fit a budget of the model's tokens."""
    block = ""
    for count in range(1, len(found.hits) + 1):
        longer = memory_context(Recollection(found.query, found.hits[:count]), token_budget=10 * budget, zone=UTC)
        if COUNTER.count(longer) > budget:
            break
        block = longer
    return block


def _outcome(kept: str, evidence: Sequence[str]) -> Outcome:
    plain = " ".join(html.unescape(kept).replace('\\"', '"').split())
    return Outcome(sum(each in plain for each in evidence), len(evidence), COUNTER.count(kept))


def _evidence(turn: Turn, question: Question) -> str:
    sentences = [turn.content[slice(*span)] for span in split_sentences(turn.content)] or [turn.content]
    words = telling_words(f"{question.text} {question.answer or ''}")
    return " ".join(max(sentences, key=lambda each: len(telling_words(each) & words)).split())


def _shares(outcomes: Sequence[Outcome]) -> Figures:
    every, mean = [float(each.is_whole) for each in outcomes], len(outcomes) or 1
    low, high = interval(every)
    return {
        "questions": len(outcomes),
        "all_evidence": round(sum(every) / mean, 3),
        "interval": f"{low:.3f}–{high:.3f}",
        "any_evidence": round(sum(each.found > 0 for each in outcomes) / mean, 3),
        "tokens": round(sum(each.tokens for each in outcomes) / mean),
    }


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
