"""``recent`` and ``status``: what matters of the last days, and how much there is."""

from __future__ import annotations

from palace.errors import NotFound
from palace_mcp.arguments import Argument, Kind
from palace_mcp.quoting import MARK, marked, one_line
from palace_mcp.tools.tool import COUNT, LIST, TEXT, WING, Answer, Called, Tool, budget, data_schema

NOTHING = "Nothing was said in that time."


def recent(call: Called) -> Answer:
    """Look back on the last days."""
    given = call.given
    try:
        found = call.palace.recent(days=given["days"], wing=call.wing, budget=given["max_tokens"])
    except NotFound:
        if call.bounds.wing is None:
            raise
        return Answer(NOTHING, {"source": MARK, "block": "", "notes": []})
    block = call.palace.context_block(found, token_budget=given["max_tokens"])
    notes = [one_line(each) for each in found.warnings]
    text = "\n".join([marked(block) if block else NOTHING, *notes])
    return Answer(text, {"source": MARK, "block": block, "notes": notes})


def status(call: Called) -> Answer:
    """Sum the palace up in numbers."""
    found = call.palace.status()
    data = {
        "wings": found.wings,
        "rooms": found.rooms,
        "drawers": found.drawers,
        "last_mined": found.last_mined_at.isoformat() if found.last_mined_at else None,
        "jobs_waiting": found.jobs.waiting,
        "jobs_failed": found.jobs.failed,
        "outbox": found.outbox,
    }
    return Answer("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in data.items()), data)


RECENT = Tool(
    name="recent",
    description=(
        "What matters of the last days: what was told, what stands open, what is coming up. Call it when a session "
        "begins or the person asks what is going on."
    ),
    arguments=(Argument("days", kind=Kind.COUNT, least=1, most=36_525, otherwise=7), WING, budget()),
    answers=data_schema(source=TEXT, block=TEXT, notes=LIST),
    run=recent,
)

STATUS = Tool(
    name="status",
    description="How much is remembered, when something was mined last, and what waits to be filed or failed.",
    arguments=(),
    answers=data_schema(
        **dict.fromkeys(("wings", "rooms", "drawers", "jobs_waiting", "jobs_failed", "outbox"), COUNT),
        last_mined={"type": ["string", "null"]},
    ),
    run=status,
    sees_all=True,
)
