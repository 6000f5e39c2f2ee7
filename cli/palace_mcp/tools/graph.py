"""``timeline`` and ``relations``: what held, holds and will hold, as it was read from what was said."""

from __future__ import annotations

from datetime import UTC, datetime

from palace.graph.wording.dates import when
from palace.graph.wording.predicates import words_of
from palace.records import Relation, Standing
from palace.text.inert import inert
from palace_mcp.arguments import Argument, Kind
from palace_mcp.quoting import block_of
from palace_mcp.tools.tool import QUOTED, Answer, Called, Tool, quoting

NOTHING = "Nothing of that is known."
_STANDING = {Standing.PAST: "past", Standing.PRESENT: "now", Standing.FUTURE: "to come"}
_LIMIT = Argument("limit", "The latest.", Kind.COUNT, least=1, most=200, otherwise=40)
_ABOUT = Argument("about", "Only what this question asks for.")

Told = tuple[Relation, str, str]
"""A relation, when it held in words, and how it stands."""


def timeline(call: Called) -> Answer:
    """Tell all that is known of someone or something, in order of time."""
    given = call.given
    found = call.palace.timeline(given["entity"], about=given["about"], limit=given["limit"])
    return _answer([(each.relation, each.when, _STANDING[each.standing]) for each in found.entries])


def relations(call: Called) -> Answer:
    """Tell what is true of someone or something, or was at a moment."""
    given, zone = call.given, call.bounds.zone
    found = call.palace.relations(given["entity"], as_of=given["as_of"], about=given["about"], limit=given["limit"])
    at = given["as_of"] or datetime.now(UTC)
    seen = at if at.tzinfo else at.replace(tzinfo=zone)
    return _answer([(each, when(each, zone, seen), "") for each in found])


def _answer(told: list[Told]) -> Answer:
    return quoting(block_of(map(_line, told)) if told else "", nothing=NOTHING)


def _line(told: Told) -> str:
    relation, held, standing = told
    said = inert(" ".join((relation.subject, words_of(relation.predicate, relation.subject), relation.object)))
    return f"{relation.evidence[-1]} | {held or 'undated'}{f', {standing}' if standing else ''} | {said}"


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
