"""The model of an agent: its replies with tool calls, each paid from the day's budget where there is one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from palace.agent.guard import Outcome, log_failure
from palace.ai.llm import Message, Price, counted, most_of
from palace.ai.provider import Endpoint
from palace.ai.stream import StreamedReply
from palace.budget import SPENT, Hold, Purse
from palace.cancellation import pause
from palace.errors import DatabaseRefused, DatabaseUnavailable, LanguageModelError
from palace.models import Role
from palace.models.intake import repair

PURPOSE = "agent"
LONGEST_REPLY = 4_000
"""The most tokens in a reply: a thought with its calls, or an answer."""
PAUSE = 0.5
"""Seconds before the one retry of a call that may succeed later."""
_MAY_PASS = {"throttled", "unavailable", "timeout"}


_UNUSUAL = re.compile(r"[^\w-]", re.ASCII)


class ToolCall(NamedTuple):
    """A call that a model asks for; its arguments are JSON as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model wrote, and the tools that it calls."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()

    def as_message(self) -> dict[str, Any]:
        """Return the reply as a message of the next request, with calls as providers accept them."""
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": _UNUSUAL.sub("_", call.name)[:64], "arguments": _object(call.arguments)},
            }
            for call in self.tool_calls
        ]
        message = {"role": "assistant", "content": self.text or None}
        return {**message, "tool_calls": calls} if calls else message


@dataclass(slots=True)
class PaidModel:
    """Asks a model, and records the calls in the ledger of a palace, if there is one.

    When the database is away, that is logged once, and further calls are made without a record.
    """

    endpoint: Endpoint
    purse: Purse | None = None

    def ask(self, messages: Sequence[Any], options: Mapping[str, Any] | None = None) -> Iterator[str | ModelReply]:
        """Yield the text of a reply in pieces, and the whole reply last.

        Raises:
            LanguageModelError: the model did not reply, or the day's budget is used up.
        """
        asked = {"max_tokens": LONGEST_REPLY, "temperature": 0, **(options or {})}
        for attempt in range(2):
            pieces: list[str] = []
            try:
                with self._held(messages, asked) as hold:
                    streamed = StreamedReply(self.endpoint, messages, asked)
                    try:
                        for piece in streamed:
                            pieces.append(piece)
                            yield piece
                    except LanguageModelError as problem:
                        hold.calls = problem.calls
                        raise
                    hold.calls = [streamed.call]
            except LanguageModelError as problem:
                is_over = attempt or pieces or not problem.calls or problem.calls[-1].outcome not in _MAY_PASS
                if is_over or not pause(PAUSE):
                    raise
            else:
                text = repair("".join(pieces).strip())[0]
                yield ModelReply(text, tuple(ToolCall(*call) for call in streamed.tool_calls))
                return

    @contextmanager
    def _held(self, messages: Sequence[Any], options: Mapping[str, Any]) -> Iterator[Hold]:
        """Reserve the most that a call may cost, where the ledger can be reached."""
        hold: Hold | None = Hold(())
        if self.purse is None:
            yield Hold(())
            return
        name = self.endpoint.model
        sent = json.dumps([list(messages), dict(options)], default=str, ensure_ascii=False)
        most = most_of(name, Price.of(name), [Message(Role.USER, sent)], written=LONGEST_REPLY)
        with ExitStack() as stack:
            with self._logged():
                hold = stack.enter_context(self.purse.hold(PURPOSE, most))
            if hold is None:
                raise LanguageModelError(SPENT)
            try:
                yield hold
            finally:
                hold.calls = [counted(call, most) for call in hold.calls]
                with self._logged():
                    stack.close()

    @contextmanager
    def _logged(self) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        except (DatabaseUnavailable, DatabaseRefused) as problem:
            if self.purse is not None:
                log_failure("agent", Outcome(problem.code), step="ledger", started=started)
            self.purse = None


def _object(arguments: str) -> str:
    """Return the arguments of a call as sent again: an empty object in place of what is none."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"
