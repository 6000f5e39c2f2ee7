"""The stateless loop: think, act, observe, until the model answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from palace.agent.context_window.summariser import ModelSummariser
from palace.agent.context_window.summary import SummaryBuffer
from palace.agent.guard import Outcome, log_failure
from palace.agent.react.model import ModelReply, PaidModel
from palace.agent.react.request import AgentRequest, AgentRun, AgentStep
from palace.agent.react.settings import AgentSettings
from palace.agent.react.tools import Tool, by_name, call_tool
from palace.agent.react.trace import VERBATIM, Trace
from palace.agent.react.written import AS_TEXT, ENOUGH, instructions, read_written
from palace.ai.provider import Endpoint
from palace.ai.stream import takes_tools
from palace.errors import BadRequest, DatabaseUnavailable

COLLECTION = "Agent"
"""The wing of an agent's memories, unless it or a request names another."""


@dataclass(frozen=True, slots=True)
class Additions:
    """What memory adds to a run; nothing by default."""

    block: str = ""
    """Put before the question."""
    tools: tuple[Tool, ...] = ()
    instructions: str = ""
    is_paid: bool = True
    """Whether calls are paid from the day's budget: not while the database is away."""


class ReActLoop:
    """Answers questions with tools, and keeps nothing. ``ReActAgent`` has the same methods, and remembers."""

    def __init__(  # noqa: PLR0913 — the options of an agent
        self,
        model: str,
        tools: Sequence[Tool | Callable[..., Any]] = (),
        *,
        palace: Any = None,
        settings: AgentSettings | Mapping[str, Any] | None = None,
        wing: str = COLLECTION,
        api_base: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        """Set up an agent; nothing is loaded or called yet.

        ``model`` is a name of litellm ("openai/gpt-4o-mini"), at ``api_base`` if the server is not the provider's own.
        ``tools`` are functions or ``Tool``. ``palace`` is a ``Palace``, or ``Palaces`` for requests that name a user:
        its daily budget pays for the calls, and memories are there, in the collection ``wing``. ``timeout`` is the
        longest silence of the model in seconds.

        Raises:
            BadRequest: a tool or a setting cannot be used.
        """
        self.settings = AgentSettings.of(settings)
        self._tools = by_name(*tools)
        self._palaces, self._wing, self._endpoint = palace, wing, Endpoint(model, timeout, api_base)

    def run(self, request: AgentRequest | str | Mapping[str, Any], **others: Any) -> AgentRun:
        """Answer a request: an ``AgentRequest``, a mapping of its members, or a question and further members by name.

        A ``streaming`` run proceeds while it is iterated. An exception that a tool raises is its observation.

        Raises:
            BadRequest: the request is invalid, or names another user's memory.
            LanguageModelError: the model did not reply, or the day's budget is used up.
        """
        members = {"question": request, **others} if isinstance(request, str) else request
        run, palace, started = AgentRun(AgentRequest.of(members)), None, time.perf_counter()
        try:
            palace = self._palace_of(run.request.user)
        except DatabaseUnavailable as problem:
            run.notes.append(f"no memory: {problem}")
            log_failure("agent", Outcome(problem.code), step="open", started=started)
        run.events = self._events(run, palace)
        if not run.request.streaming:
            run.events = iter([*run.events])
        return run

    def end(self, conversation_id: str, *, user: str | None = None, group: str | None = None) -> None:
        """End a conversation; does nothing here, since the loop keeps no conversations."""

    def purge(self, *, user: str | None = None, group: str | None = None) -> None:
        """Delete what was stored; does nothing here, since the loop stores nothing."""

    def close(self) -> None:
        """End all conversations; does nothing here."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _palace_of(self, user: str | None) -> Any:
        palaces = self._palaces
        if palaces is None or (hasattr(palaces, "recall") and user in (None, palaces.user)):
            return palaces
        if hasattr(palaces, "recall"):
            raise BadRequest(f"the agent has the palace of {palaces.user!r} alone: a request cannot name {user!r}")
        if user is None:
            raise BadRequest("an agent with the palaces of several users needs the user of each request")
        return palaces.palace(user)

    def _begin(self, run: AgentRun, palace: Any) -> Additions:  # noqa: ARG002 — for agents with memory
        return Additions()

    def _ended(self, run: AgentRun, palace: Any, model: PaidModel) -> None:
        """Do what is to be done after a run: nothing here."""

    def _events(self, run: AgentRun, palace: Any) -> Generator[str | AgentStep]:
        at, added, settings = self._endpoint, self._begin(run, palace), self.settings
        make = palace.working.summariser if palace is not None and added.is_paid else ModelSummariser.of
        summariser = make(at.model, timeout=at.timeout, api_base=at.api_base)
        model = PaidModel(at, summariser.purse)
        buffer = SummaryBuffer(
            summariser, at.model, budget=settings.working_memory_threshold, trigger=1.0, least=VERBATIM
        )
        yield from _Rounds(self, run, model, Trace(buffer, run.notes), added).events()
        self._ended(run, palace, model)


class _Rounds:
    """The rounds of one run: a reply of the model, the calls it makes, and their observations."""

    def __init__(self, loop: ReActLoop, run: AgentRun, model: PaidModel, trace: Trace, added: Additions) -> None:
        self._run, self._model, self._trace, self._most = run, model, trace, loop.settings.max_iterations
        self._tools = {**{tool.name: tool for tool in added.tools}, **loop._tools}
        system = instructions(loop.settings.additional_context, run.request.state) + added.instructions
        described = [tool.as_option() for tool in self._tools.values()]
        self._options: dict[str, Any] = {"tools": described} if described else {}
        if described and not takes_tools(model.endpoint.model):
            self._options = {}
            system += "\n\n" + AS_TEXT + "\n".join(str(each["function"]) for each in described)
        self._head = [{"role": "system", "content": system}, *run.request.history]
        self._question = {"role": "user", "content": added.block + run.request.question}

    def events(self) -> Generator[str | AgentStep]:
        """Go on until the model answers, or its iterations are used up."""
        run = self._run
        while run.iterations < self._most:
            reply = yield from self._reply({})
            said, written = read_written(reply.text)
            calls = reply.tool_calls or ((written,) if written else ())
            if not calls:
                run.is_finished, run.reply = True, said
                return
            steps: list[AgentStep] = []
            for call in calls:
                steps.append(call_tool(self._tools, call, "" if steps else said))
                run.steps.append(steps[-1])
                yield steps[-1]
            self._trace.add(reply, steps)
        self._head.append({"role": "system", "content": ENOUGH})
        reply = yield from self._reply({"tool_choice": "none"} if self._options else {})
        run.reply = read_written(reply.text)[0]

    def _reply(self, more: Mapping[str, Any]) -> Generator[str | AgentStep, None, ModelReply]:
        messages = [*self._head, *self._trace.messages(self._question)]
        for piece in self._model.ask(messages, {**self._options, **more}):
            if isinstance(piece, ModelReply):
                self._run.iterations += 1
                return piece
            yield piece
        raise AssertionError("a call of a model ends with its reply")
