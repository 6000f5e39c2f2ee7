"""The current state of a conversation as JSON: goal, decisions, open items, facts, results of tools. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

from palace.agent.context_window.counting import MessageCounter
from palace.agent.context_window.summary import cost_of
from palace.ai.llm import find_object
from palace.models import Span
from palace.models.intake import repair
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.statements import telling_words
from palace.nlp.words import fold

LONGEST = 240
"""Most characters of an item; a longer one is cut after a word."""
MOST = 30
"""Most items of a list; a budget of tokens leaves fewer."""
GROUNDED = 0.6
"""Share of an item's telling words that must stand in what it was made of."""
CITED = ("decisions", "open", "facts")
"""The lists whose items stand on messages."""
_STEM = 5
OF_ASSISTANT = "assistant: "
"""Begins what an assistant said."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<=[\w,;] )[A-Z]\w+")
_WORD = re.compile(r"\w[\w'’-]*")


def _line(value: object) -> str:
    text = repair(" ".join(value.split()))[0] if isinstance(value, str) else ""
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0] or text[:LONGEST]} …"


def _lines(values: object) -> tuple[str, ...]:
    listed = values if isinstance(values, (list, tuple)) else (values,)
    return tuple(dict.fromkeys(filter(None, map(_line, listed))))[:MOST]


def _numbers(values: object) -> dict[str, tuple[int, ...]]:
    listed = values.items() if isinstance(values, dict) else ()
    return {
        name: tuple(each for each in numbers if type(each) is int)
        for name, numbers in listed
        if name in CITED and isinstance(numbers, (list, tuple))
    }


Line = Annotated[str, BeforeValidator(_line)]
Lines = Annotated[tuple[str, ...], BeforeValidator(_lines)]


class State(BaseModel):
    """The state of a conversation; each list begins with what matters most."""

    model_config = ConfigDict(frozen=True)

    goal: Line = ""
    """What the user wants."""
    decisions: Lines = ()
    """What was decided, and standing instructions and preferences; the newest first."""
    open: Lines = ()
    """Tasks and questions that stand open; the newest first."""
    facts: Lines = ()
    """Names, numbers and circumstances; the most telling first."""
    results: Lines = ()
    """What tools were called with, and what came of it; the last first, then errors."""
    messages: Annotated[dict[str, tuple[int, ...]], BeforeValidator(_numbers)] = {}
    """Of decisions, open items and facts, in order, the numbers of the messages that they stand on, from 1."""

    @classmethod
    def read(cls, text: str) -> State:
        """Read a state from its JSON; of a summary in prose each sentence is a fact."""
        found = find_object(cls, text) if text.lstrip().startswith("{") else None
        if found is not None:
            return found
        return cls(facts=tuple(text[slice(*each)] for each in pieces(text, Span(0, len(text)), UNIT_END)))

    def written(self) -> str:
        """Write it as JSON on one line, without empty members; "" for an empty state."""
        return self.model_dump_json(exclude_defaults=True) if self.items() else ""

    def items(self) -> list[tuple[str, str]]:
        """List its items with their members: the goal, then of each list one after another, by what matters most."""
        lists = ([(name, each) for each in getattr(self, name)] for name in ("decisions", "open", "results", "facts"))
        by_rank = (item for rank in zip_longest(*lists) for item in rank if item is not None)
        return [*([("goal", self.goal)] if self.goal else []), *by_rank]

    def fitted(self, limit: int, counter: MessageCounter) -> State:
        """Return the state with as many of its items, by what matters most, as its message has room for."""
        return self._only(lambda longer, _: cost_of(longer.written(), counter) <= limit)

    def grounded(self, source: str) -> State:
        """Return the state without items that a source does not bear out.

        Each number and each name within an item must stand in the source, and most of its telling words.
        """
        stems, numbers = {fold(word)[:_STEM] for word in _WORD.findall(source)}, set(_NUMBER.findall(source))
        return self._only(lambda _, item: _is_borne_out(item, stems, numbers))

    def cited(self, former: State, said: Sequence[tuple[int, str]]) -> State:
        """Return the state with the numbers of its messages, from a former state and from further numbered messages."""
        known = former.numbers()
        found = {each: known.get(each) or _number_of(each, said) for name in CITED for each in getattr(self, name)}
        return self.model_copy(update={"messages": self._messages(found)})

    def numbers(self) -> dict[str, int]:
        """Map items to the numbers of their messages."""
        return {
            item: number
            for name in CITED
            for item, number in zip(getattr(self, name), self.messages.get(name, ()), strict=False)
        }

    def _messages(self, numbers: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        lists = {name: getattr(self, name) for name in CITED} if numbers else {}
        return {name: tuple(numbers.get(each, 0) for each in items) for name, items in lists.items() if items}

    def _only(self, keeps: Callable[[State, str], bool]) -> State:
        """Return the state of the items that are kept; ``keeps`` takes the state with an item, and the item."""
        kept, numbers = State(), self.numbers()
        for name, item in self.items():
            value = item if name == "goal" else (*getattr(kept, name), item)
            longer = kept.model_copy(update={name: value})
            longer = longer.model_copy(update={"messages": longer._messages(numbers)})
            kept = longer if keeps(longer, item) else kept
        return kept


def _number_of(item: str, said: Sequence[tuple[int, str]]) -> int:
    """Return the number of the latest message with the text of an item, else of that with most of its words, else 0."""
    plain = item.removeprefix(OF_ASSISTANT).removesuffix(" …")
    words = telling_words(plain)
    scored = [(plain in text, len(words & telling_words(text)), number) for number, text in said]
    best = max(scored, default=(False, 0, 0))
    return best[2] if best[0] or best[1] else 0


def _is_borne_out(item: str, stems: set[str], numbers: set[str]) -> bool:
    if not numbers.issuperset(_NUMBER.findall(item)):
        return False
    if any(fold(name)[:_STEM] not in stems for name in _NAME.findall(item)):
        return False
    words = telling_words(item)
    return bool(words) and sum(word[:_STEM] in stems for word in words) >= GROUNDED * len(words)
