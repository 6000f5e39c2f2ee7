"""What a wrapped call does with memory: before it is made, and when its reply is there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from palace.errors import PalaceError
from palace.turns.loop.guard import Outcome, log_failure
from palace.turns.loop.options import TurnOptions
from palace.turns.loop.turn import Turn


class TakesRequests(Protocol):
    """``Palace.turns``."""

    def take_request(
        self,
        messages: Sequence[Any],
        *,
        agent: str | None = None,
        session: str | None = None,
        options: TurnOptions | None = None,
    ) -> Turn | None:
        """Take the turn of a whole request."""


class Remembering(Protocol):
    """A palace, as far as this needs one."""

    @property
    def turns(self) -> TakesRequests:
        """The verbs of its turn loop."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Whose memory it is, and of which conversation."""

    palace: Remembering
    session: str | None = None
    agent: str | None = None
    options: TurnOptions | None = None

    def before(self, arguments: Mapping[str, Any], started: float) -> tuple[dict[str, Any], Turn | None]:
        """Put what is recalled into the arguments of a call; they are as they were where that fails."""
        given = dict(arguments)
        messages = given.get("messages")
        if not isinstance(messages, (list, tuple)) or not messages:
            return given, None
        try:
            turn = self.palace.turns.take_request(
                messages, agent=self.agent, session=self.session, options=self.options
            )
        except Exception as problem:  # noqa: BLE001 — the program's call is made whatever memory makes of its messages
            code = problem.code if isinstance(problem, PalaceError) else "fault"
            log_failure("turn", Outcome(code), step="begin", started=started)
            return given, None
        if turn is not None:
            given["messages"] = turn.messages
        return given, turn

    @staticmethod
    def after(turn: Turn | None, reply: object) -> None:
        """File what was said."""
        if turn is None or reply is None:
            return
        started = time.perf_counter()
        try:
            turn.finish(reply)
        except Exception:  # noqa: BLE001 — the reply is the program's, whatever memory makes of it
            log_failure("turn_finished", Outcome("fault"), step="finish", started=started)
