"""Texts to measure with: conversations of any source Palace can read, or made-up ones with a natural vocabulary."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from pathlib import Path

from palace.mining.discovery import list_sources
from palace.mining.readers.registry import read_conversations
from palace.nlp.passages import split_passages

Messages = list[dict[str, str]]
"""One conversation: objects with ``role`` and ``content``, as chat APIs have them."""

VOCABULARY = 30_000
TURNS = 12
MEAN_WORDS = 120

SWAPPED = 0.2
"""Share of a varied text's longer words that give way to others."""

QUERY_WORDS = 24
"""Words of a sentence that is asked, at most."""

_LONGER_WORD = re.compile(r"[^\W\d_]{4,}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


def conversations(source: Path | None) -> Iterator[Messages]:
    """Read the conversations of a source; made-up ones, without end, when there is none."""
    if source is None:
        yield from synthetic_conversations()
        return
    for found in list_sources(source):
        for conversation in read_conversations(found):
            yield [{"role": turn.role.value, "content": turn.content} for turn in conversation.turns]


def synthetic_conversations(seed: int = 1) -> Iterator[Messages]:
    """Make up conversations without end: words of a Zipf distribution, turns of a long-tailed length."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(2, 9))) for _ in range(VOCABULARY)]
    weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))

    def say() -> str:
        count = max(3, int(chance.expovariate(1 / MEAN_WORDS)))
        return " ".join(chance.choices(words, cum_weights=weights, k=count)) + "."

    while True:
        yield [{"role": "assistant" if turn % 2 else "user", "content": say()} for turn in range(TURNS)]


def take_passages(found: Iterable[Messages], *, passages: int) -> list[Messages]:
    """Take conversations until they hold so many passages."""
    taken, held = [], 0
    for messages in found:
        taken.append(messages)
        held += len(passages_of([messages]))
        if held >= passages:
            break
    return taken


def passages_of(found: Iterable[Messages]) -> list[str]:
    """Cut conversations into passages, as mining does."""
    contents = (message["content"] for messages in found for message in messages)
    return [content[span.start : span.end] for content in contents for span in split_passages(content)]


def endless(base: Sequence[Messages], *, seed: int) -> Iterator[Messages]:
    """Give conversations as they are, then varied ones of them without end."""
    yield from base
    yield from varied(base, seed=seed)


def varied(base: Sequence[Messages], *, seed: int) -> Iterator[Messages]:
    """Give varied ones of conversations, without end; other ones for another seed."""
    contents = [message["content"] for messages in base for message in messages]
    # Drawn from all occurrences, so that common words stay common and rare ones rare.
    words = list(chain.from_iterable(map(_LONGER_WORD.findall, contents)))
    chance = random.Random(seed)
    while True:
        for messages in base:
            yield [message | {"content": vary(message["content"], words, chance)} for message in messages]


def vary(text: str, words: Sequence[str], chance: random.Random) -> str:
    """Swap some of a text's longer words; what is between words stays."""
    return _LONGER_WORD.sub(lambda word: chance.choice(words) if chance.random() < SWAPPED else word[0], text)


def write_export(path: Path, found: Iterator[Messages], *, drawers: int, prefix: str = "c") -> int:
    """Write the next so many turns as JSONL, a conversation a line; return how many there were."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        while written < drawers and (messages := next(found, None)) is not None:
            kept = messages[: drawers - written]
            file.write(json.dumps({"id": f"{prefix}{written}", "messages": kept}) + "\n")
            written += len(kept)
    return written


def read_export(path: Path) -> list[Messages]:
    """Read what ``write_export`` wrote."""
    return [json.loads(line)["messages"] for line in path.read_text(encoding="utf-8").splitlines()]


def write_chats(folder: Path, found: Iterable[Messages]) -> None:
    """Write conversations as ChatGPT exports them (a tree of messages), each in a file of its own."""
    folder.mkdir(parents=True)
    for number, messages in enumerate(found):
        mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["m0"]}}
        mapping |= {f"m{place}": _node(messages, place, number) for place in range(len(messages))}
        chat = {
            "id": f"chat-{number}",
            "title": f"Chat {number}",
            "create_time": _time(number, 0),
            "current_node": f"m{len(messages) - 1}",
            "mapping": mapping,
        }
        (folder / f"chat-{number:04}.json").write_text(json.dumps(chat), encoding="utf-8")


def _node(messages: Messages, place: int, number: int) -> dict[str, object]:
    return {
        "id": f"m{place}",
        "parent": f"m{place - 1}" if place else "root",
        "children": [f"m{place + 1}"] if place + 1 < len(messages) else [],
        "message": {
            "id": f"chat-{number}-{place}",
            "author": {"role": messages[place]["role"]},
            "create_time": _time(number, place),
            "content": {"content_type": "text", "parts": [messages[place]["content"]]},
            "recipient": "all",
        },
    }


def _time(number: int, place: int) -> float:
    return 1.7e9 + 3600 * number + 60 * place


def sentences(contents: Sequence[str], *, seed: int = 7) -> list[str]:
    """Take one sentence of each content, the first words of a long one; contents without words give none."""
    chance = random.Random(seed)
    taken = []
    for content in contents:
        spoken = [sentence for sentence in _SENTENCE_END.split(content) if len(sentence.split()) > 3]
        if spoken:
            taken.append(" ".join(chance.choice(spoken).split()[:QUERY_WORDS]))
    return taken
