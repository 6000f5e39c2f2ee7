"""The tools ``timeline``, ``relations``, ``recent`` and ``status``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from palace.graph.wording import when, words_of
from palace.models import Relation, Standing
from palace.nlp.inert import inert
from palace_mcp.arguments import Argument, Kind
from palace_mcp.tools.tool import BUDGET, COUNT, QUOTED, TEXT, WING, Answer, Called, Tool, block_of, one_line

NOTHING_KNOWN = "Nothing of that is known."
_STANDING = {Standing.PAST: "past", Standing.PRESENT: "now", Standing.FUTURE: "to come"}
_LIMIT = Argument("limit", "The latest.", Kind.COUNT, least=1, most=200, otherwise=40)
_ABOUT = Argument("about", "Only what this question asks for.")


def timeline(call: Called) -> Answer:
    """List all that is known about an entity, in order of time; the tool ``timeline``."""
    given = call.given
    found = call.palace.timeline(given["entity"], about=given["about"], limit=given["limit"])
    return _answer(
        _line(each.relation, f"{each.when or 'undated'}, {_STANDING[each.standing]}") for each in found.entries
    )


def relations(call: Called) -> Answer:
    """List what is true of an entity, or was at a moment; the tool ``relations``."""
    given, zone = call.given, call.bounds.zone
    found = call.palace.relations(given["entity"], as_of=given["as_of"], about=given["about"], limit=given["limit"])
    at = given["as_of"] or datetime.now(UTC)
    seen = at if at.tzinfo else at.replace(tzinfo=zone)
    return _answer(_line(each, when(each, zone, seen) or "undated") for each in found)


def _answer(lines: Iterable[str]) -> Answer:
    told = list(lines)
    return Answer.quoting(block_of(told) if told else "", nothing=NOTHING_KNOWN)


def _line(relation: Relation, held: str) -> str:
    said = inert(" ".join((relation.subject, words_of(relation.predicate, relation.subject), relation.object)))
    return f"{relation.evidence[-1]} | {held} | {said}"


TIMELINE = Tool(
    name="timeline",
    description=(
        "What held, holds and will hold of a person, place or thing, in order of time. Call it for how something came "
        "about or changed."
    ),
    arguments=(Argument("entity", "By any of its names; I for the person.", is_required=True), _ABOUT, _LIMIT),
    answers=QUOTED,
    run=timeline,
    sees_all=True,
)

RELATIONS = Tool(
    name="relations",
    description="What is true of a person, place or thing now, or was at a date: jobs, homes, owners, kin, states.",
    arguments=(
        Argument("entity", "By any of its names; I for the person; all unless given."),
        Argument("as_of", "The date (2026-04-30); now unless given.", Kind.LAST),
        _ABOUT,
        _LIMIT,
    ),
    answers=QUOTED,
    run=relations,
    sees_all=True,
)


NOTHING = "Nothing was said in that time."


def recent(call: Called) -> Answer:
    """List what matters of the last days; the tool ``recent``."""
    given = call.given
    found = call.palace.recent(days=given["days"], scope=call.scope, budget=given["max_tokens"])
    block = call.palace.context_block(found, token_budget=given["max_tokens"])
    return Answer.quoting(block, [one_line(each) for each in found.warnings], NOTHING)


def status(call: Called) -> Answer:
    """Return the palace's size and state in numbers; the tool ``status``."""
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
    arguments=(Argument("days", kind=Kind.COUNT, least=1, most=36_525, otherwise=7), WING, BUDGET),
    answers=QUOTED,
    run=recent,
)

STATUS = Tool(
    name="status",
    description="How much is remembered, when something was mined last, and what waits to be filed or failed.",
    arguments=(),
    answers={
        "text": TEXT,
        **dict.fromkeys(("wings", "rooms", "drawers", "jobs_waiting", "jobs_failed", "outbox"), COUNT),
        "last_mined": {"type": ["string", "null"]},
    },
    run=status,
    sees_all=True,
)
