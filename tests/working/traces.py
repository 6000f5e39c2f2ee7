"""A scripted run of a coding agent with large outputs of tools, as programs keep it: thought, action, observation."""

from __future__ import annotations

import json

from tests.working.histories import Message

TASK = "Make the nightly import of orders finish in under ten minutes, and keep the file format as it is."
DECISION = "I decided to read orders in batches of 500 instead of one by one."
ROOT_CAUSE = "The importer opens a new connection for each order, which costs 40 ms on db-eu-3."
ERROR = "E   sqlalchemy.exc.OperationalError: too many connections for role importer"
FINAL = "import finished: 48,210 orders in 7 min 12 s"
_LISTING = "\n".join(f"{number:>4}: row = cursor.fetch(order_{number % 97}) # legacy path" for number in range(120))


def coding_trace(turns: int = 200) -> list[Message]:
    """Make a run of so many turns of an agent: each thinks, calls a tool, and shown an output of 6,000 characters."""
    history: list[Message] = [
        {"role": "system", "content": "You are a coding agent."},
        {"role": "user", "content": TASK},
    ]
    for number in range(turns):
        thought, name, arguments, output = _turn(number, turns)
        call = {"id": f"call-{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        history.append({"role": "assistant", "content": thought, "tool_calls": [call]})
        history.append({"role": "tool", "tool_call_id": call["id"], "content": output})
    return history


def _turn(number: int, turns: int) -> tuple[str, str, str, str]:
    path = json.dumps({"path": f"importer/part_{number}.py"})
    if number == turns - 1:
        return "Now the whole import once more.", "run", '{"command": "make import"}', f"{_LISTING}\n{FINAL}"
    if number == 60:
        return ROOT_CAUSE, "run", '{"command": "make profile"}', f"{_LISTING}\nconnect: 40 ms, 48,210 calls"
    if number == 61:
        return DECISION, "edit", path, f"edited importer/part_{number}.py"
    if number == 100:
        return "Let me load-test it.", "run", '{"command": "make load"}', f"{_LISTING}\n{ERROR}\n{_LISTING}"
    if number % 10 == 9:
        return "Run the tests.", "run", '{"command": "pytest -q"}', f"{_LISTING}\n{number} passed, 0 failed in 3.2 s"
    return f"Look at part {number}.", "read_file", path, _LISTING
