"""Texts to measure with: LongMemEval's pooled haystack and the questions asked of it, or made-up ones."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

QUERY = 80
"""Characters of a message that are asked in place of a question."""
Chat = dict[str, Any]
"""One conversation: ``id`` and ``messages``, as a line of a JSONL export."""


MOST = 10_866
"""Turns of the haystack, and of what is made up without it."""


def chats(data: Path | None, *, drawers: int = MOST, count: int | None = None) -> Iterator[Chat]:
    """Yield the conversations of the pooled haystack: so many turns, or so many conversations, at most."""
    held = 0
    for chat in islice(_pooled(data) if data else _made_up(), count):
        if held == drawers:
            break
        messages = chat["messages"][: drawers - held]
        held += len(messages)
        yield chat | {"messages": messages}


def _pooled(data: Path) -> Iterator[Chat]:
    with gzip.open(data / "longmemeval" / "sessions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for session in map(json.loads, lines):
            if session["session_id"].startswith("answer_"):
                messages = [_message(session, number) for number in range(len(session["turns"]))]
                yield {"id": session["session_id"], "messages": messages}


def _made_up() -> Iterator[Chat]:
    # It reads more of Palace than is public: another tree is measured with data.
    from bench.scale.corpus import synthetic_conversations

    for number, messages in enumerate(synthetic_conversations()):
        yield {"id": f"made-up-{number}", "messages": messages}


def _message(session: Chat, number: int) -> dict[str, str]:
    turn = session["turns"][number]
    message = {"role": turn["role"], "content": turn["content"]}
    if session["date"]:
        said = datetime.strptime(session["date"], "%Y/%m/%d (%a) %H:%M") + timedelta(minutes=number)  # noqa: DTZ007
        message["timestamp"] = said.isoformat()
    return message


def questions(data: Path | None, count: int) -> list[str]:
    """Return the first questions of the haystack; the beginnings of messages where these are made up."""
    if data is None:
        return [chat["messages"][0]["content"][:QUERY] for chat in chats(data, count=count)]
    with gzip.open(data / "longmemeval" / "haystacks_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line)["question"] for line in islice(lines, count)]


def write_export(path: Path, found: Iterable[Chat]) -> Path:
    """Write conversations as JSONL, one a line."""
    path.write_text("".join(json.dumps(chat) + "\n" for chat in found), encoding="utf-8")
    return path
