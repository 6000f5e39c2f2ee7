"""``recent`` and ``status``: what matters of the last days, and how much there is."""

from __future__ import annotations

from palace.errors import NotFound
from palace_mcp.arguments import Argument, Kind
from palace_mcp.quoting import one_line
from palace_mcp.tools.tool import COUNT, QUOTED, TEXT, WING, Answer, Called, Tool, budget, data_schema, quoting

NOTHING = "Nothing was said in that time."


def recent(call: Called) -> Answer:
    """Look back on the last days."""
    given = call.given
    try:
        found = call.palace.recent(days=given["days"], wing=call.wing, budget=given["max_tokens"])
    except NotFound:
        if call.bounds.wing is None:
            raise
        return quoting("", (), NOTHING)
    block = call.palace.context_block(found, token_budget=given["max_tokens"])
    return quoting(block, [one_line(each) for each in found.warnings], NOTHING)


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
    return Answer.of("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in data.items()), **data)


RECENT = Tool(
    name="recent",
    description=(
        "What matters of the last days: what was told, what stands open, what is coming up. Call it when a session "
        "begins or the person asks what is going on."
    ),
    arguments=(Argument("days", kind=Kind.COUNT, least=1, most=36_525, otherwise=7), WING, budget()),
    answers=QUOTED,
    run=recent,
)

STATUS = Tool(
    name="status",
    description="How much is remembered, when something was mined last, and what waits to be filed or failed.",
    arguments=(),
    answers=data_schema(
        text=TEXT,
        **dict.fromkeys(("wings", "rooms", "drawers", "jobs_waiting", "jobs_failed", "outbox"), COUNT),
        last_mined={"type": ["string", "null"]},
    ),
    run=status,
    sees_all=True,
)
