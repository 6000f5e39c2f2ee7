"""Tools: plain functions with a name, a description and a JSON schema, and how an agent calls them."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError, validate_call
from pydantic.errors import PydanticUserError

from palace.agent.react.model import ToolCall
from palace.agent.react.request import AgentStep
from palace.errors import BadRequest, Cancelled
from palace.models.intake import repair

LONGEST_OBSERVATION = 20_000
"""Characters of a tool's result that the model sees, from its beginning."""
_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)
"""The names that providers take."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call."""

    function: Callable[..., Any]
    name: str
    description: str
    schema: Mapping[str, Any]
    """The JSON schema of its arguments, an object."""
    origin: Literal["tool", "memory"] = "tool"

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        schema: Mapping[str, Any] | None = None,
        origin: Literal["tool", "memory"] = "tool",
    ) -> Tool:
        """Return a tool for a function; by default name, description and schema are read from its definition.

        Raises:
            BadRequest: it is no function, has no usable name, or its parameters have no JSON schema.
        """
        called = str(name or getattr(function, "__name__", ""))
        if not callable(function) or not _NAME.fullmatch(called):
            raise BadRequest(f"a tool is a function with a name of up to 64 letters, digits, - and _, not {function!r}")
        about = description or inspect.getdoc(function) or called
        if schema is not None:
            return cls(function, called, about, schema, origin)
        try:
            arguments: Any = function  # pydantic takes a function for the type of its arguments
            return cls(validate_call(function), called, about, TypeAdapter[Any](arguments).json_schema(), origin)
        except PydanticUserError as problem:
            raise BadRequest(f"the parameters of the tool {called} have no JSON schema: pass schema=…") from problem

    def as_option(self) -> dict[str, Any]:
        """Describe the tool as OpenAI's API takes it."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.schema)}
        return {"type": "function", "function": function}

    def call(self, thought: str, arguments: str) -> AgentStep:
        """Carry out a call; an exception becomes its observation."""
        try:
            observed = _written(self.function(**(json.loads(arguments or "{}") or {})))
        except Cancelled:
            raise
        except Exception as problem:  # noqa: BLE001 — a tool of the program may raise anything, and the model goes on
            return AgentStep(
                thought, self.name, arguments, f"error: {_reason(problem)}", is_failed=True, origin=self.origin
            )
        return AgentStep(thought, self.name, arguments, observed, origin=self.origin)


def by_name(*tools: Tool | Callable[..., Any]) -> dict[str, Tool]:
    """Return tools by their names; plain functions become tools.

    Raises:
        BadRequest: two have one name, or one is no tool.
    """
    made = [each if isinstance(each, Tool) else Tool.of(each) for each in tools]
    found = {tool.name: tool for tool in made}
    if len(found) < len(made):
        raise BadRequest(f"two tools have one name: {', '.join(tool.name for tool in made)}")
    return found


def call_tool(tools: Mapping[str, Tool], call: ToolCall, thought: str) -> AgentStep:
    """Carry out a model's call of one of some tools."""
    if call.name in tools:
        return tools[call.name].call(thought, call.arguments)
    problem = f"error: there is no tool {call.name!r}, only {', '.join(tools)}"
    return AgentStep(thought, call.name, call.arguments, problem, is_failed=True)


def _written(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    left_out = len(text) - LONGEST_OBSERVATION
    shown = text if left_out <= 0 else f"{text[:LONGEST_OBSERVATION]} […{left_out:,} characters…]"
    return repair(shown)[0]


def _reason(problem: Exception) -> str:
    if isinstance(problem, ValidationError):
        return _written("; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in problem.errors()))
    return _written(f"{type(problem).__name__}: {problem}")
