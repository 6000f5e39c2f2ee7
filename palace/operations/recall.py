"""Recall as a verb of the façade: what the caller gives becomes a scope and a request, then one recollection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from palace.budget import budget_of
from palace.config.effective import Effective
from palace.config.zones import in_zone
from palace.db.ledger import NOTHING
from palace.errors import BadRequest
from palace.mining.keeping import find_rules
from palace.models import CallSubject, FloorLevel, HitOrder, Recent, Recollection, Role, Scope, intake
from palace.opened import OpenPalace
from palace.operations.tree import TreeVerbs
from palace.recall.arms.propose import Asked
from palace.recall.recent.block import within
from palace.recall.recent.request import RecentRequest, check_budget
from palace.recall.recent.waking import look_back
from palace.recall.recollect import recollect
from palace.recall.request import RecallRequest, check_speaker, make_request
from palace.recall.rerank import Reranker, reranker_for
from palace.recall.strategy import Strategy, strategy_or
from palace.telemetry import memory

DISABLED = "memory is disabled for the agent {agent!r}: `palace settings set enabled true --agent NAME` enables it"

Said = tuple[datetime | None, datetime | None]


class By(NamedTuple):
    """By whom something was said, and in which language; None for any."""

    role: str | None
    speaker: str | None
    language: str | None


class Place(NamedTuple):
    """Where something stands, as a caller says it; None for anywhere."""

    wing: str | None = None
    wings: Iterable[str] | None = None
    scope: Scope | None = None


def scope_in(opened: OpenPalace, place: Place) -> Scope:
    """Say where to look: in one wing, in any of some, or where a project's ``scope`` allows it.

    Raises:
        BadRequest: more than one of these is given, or one is of a wrong type; ``NotFound``: there is no such wing.
    """
    wing, wings, scope = intake.optional_text("wing", place.wing), place.wings, place.scope
    if sum(each is not None for each in place) > 1:
        raise BadRequest("give one of wing, wings and scope")
    if scope is not None:
        if not isinstance(scope, Scope):
            raise BadRequest(f"scope must be a Scope, as `palace.projects.of` gives it, not {type(scope).__name__}")
        return scope
    if wing is None and wings is None:
        return Scope()
    if isinstance(wings, str):
        raise BadRequest("wings must be several names, not a text: give wing= for one")
    names = [wing] if wing is not None else [intake.text("wings", each) for each in _listed(wings)]
    tree = TreeVerbs(opened)
    return Scope(wing_ids=tuple(dict.fromkeys(tree.wing(name).id for name in names)))


def _listed(wings: object) -> list[Any]:
    if not isinstance(wings, Iterable):
        raise BadRequest(f"wings must be several names, not {type(wings).__name__}")
    return list(wings)


def scope_of(
    opened: OpenPalace,
    *,
    place: Place,
    said: Said,
    by: By,
    tools: bool,
) -> Scope:
    """Say where to look: in wings, at what was ``said`` from a moment on and before another, by whom.

    Raises:
        BadRequest: something is of a wrong type; ``NotFound``: there is no such wing or speaker.
    """
    said_by = None if by.role is None else intake.choice("role", by.role, Role)
    name = intake.name("speaker", by.speaker)
    within = scope_in(opened, place)
    if name is not None:
        opened.run(lambda session: check_speaker(session, name, within))
    zone = opened.settings.zone
    return replace(
        within,
        since=intake.moment("since", said[0], zone),
        until=intake.moment("until", said[1], zone),
        tools=tools or within.tools or said_by is Role.TOOL,
        role=said_by,
        speaker=name,
        language=intake.language("language", by.language),
    )


def request_of(
    opened: OpenPalace, query: str, scope: Scope, *, top_k: int | None, context: int, now: datetime | None
) -> RecallRequest:
    """Say what to look for; ``now`` is the moment it is asked, this one unless given.

    Raises:
        BadRequest: the query is empty, or a number makes no sense.
    """
    query, top_k = intake.text("query", query), None if top_k is None else intake.integer("top_k", top_k)
    zone = opened.settings.zone
    asked_at = intake.moment("now", now, zone) or datetime.now(zone)
    context = intake.integer("context", context)
    return make_request(query, top_k=top_k, scope=scope, context=context, now=asked_at, person=opened.names)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a call says of how its request is to be answered; None leaves it to the settings."""

    floor: object = None
    order: object = HitOrder.RELEVANCE
    rerank: bool | None = None
    strategy: object = None


def recall(opened: OpenPalace, request: RecallRequest, wanted: Wanted, chosen: Effective) -> Recollection:
    """Answer a request, as the call wants it and else as the settings that hold are; for an agent without memory, by
    nothing.

    Raises:
        BadRequest: there is no such floor or order, or the strategy is none.
        EmbeddingError: the settings name another model than the palace has.
    """
    strategy, order = strategy_or(wanted.strategy, opened.strategy), intake.choice("order", wanted.order, HitOrder)
    request = replace(_as_chosen(request, wanted, chosen), order=order)
    if chosen.agent is not None and not chosen.enabled:
        return Recollection(request.query, (), (*request.warnings, DISABLED.format(agent=chosen.agent)), {"total": 0.0})
    return answer(opened, request, chosen, strategy=strategy, rerank=wanted.rerank)


def answer(
    opened: OpenPalace,
    request: RecallRequest,
    chosen: Effective,
    *,
    strategy: Strategy | None = None,
    rerank: bool | None = None,
    subject: CallSubject = NOTHING,
) -> Recollection:
    """Answer a request that says what it wants, its hits reranked where the call or the settings say so."""
    with memory("search_memory", "recall") as observed:
        is_reranked = chosen.use_rerank if rerank is None else rerank
        reranker = _reranker(opened, chosen) if is_reranked else None
        asked = Asked(
            opened.database, opened.find_model, lambda: opened.embedders.likely, budget_of(opened.settings), subject
        )
        found = recollect(asked, request, strategy or opened.strategy, reranker)
        observed.count(len(found.hits))
        for step, spent in found.timings_ms.items():
            observed.note(f"palace.recall.{step}_ms", round(spent, 3))
        return found


def _as_chosen(request: RecallRequest, wanted: Wanted, chosen: Effective) -> RecallRequest:
    floor = intake.choice("floor", chosen.floor if wanted.floor is None else wanted.floor, FloorLevel)
    # Who asks for everything in this call is not kept from it by a threshold.
    keeps_nothing_back = wanted.floor is not None and floor is FloorLevel.NONE
    return replace(
        request,
        floor=floor,
        top_k=chosen.top_k if request.top_k is None else request.top_k,
        least_similarity=0.0 if keeps_nothing_back else chosen.similarity_threshold,
    )


def recent_request_of(
    opened: OpenPalace, *, days: int, since: datetime | None, place: Place, limit: int, now: datetime | None
) -> RecentRequest:
    """Say which days are looked back on.

    Raises:
        BadRequest: a number makes no sense, or a moment; ``NotFound``: there is no such wing.
    """
    zone = opened.settings.zone
    asked_at = intake.moment("now", now, zone) or datetime.now(zone)
    days, limit = intake.integer("days", days), intake.integer("limit", limit)
    return RecentRequest.of(
        days=days,
        names=opened.names,
        since=intake.moment("since", since, zone),
        now=in_zone(asked_at, zone),
        limit=limit,
        scope=scope_in(opened, place),
    )


def recent(opened: OpenPalace, request: RecentRequest, budget: int | None) -> Recent:
    """Look back on some days; with a ``budget`` of tokens, as much as fits.

    Raises:
        BadRequest: the budget makes no sense.
    """
    if budget is not None:
        check_budget(intake.integer("budget", budget))
    with memory("search_memory", "recent"):
        found = opened.run(lambda session: look_back(session, request))
    return found if budget is None else within(found, token_budget=budget, zone=opened.settings.zone)


def _reranker(opened: OpenPalace, chosen: Effective) -> Reranker:
    rules = opened.run(lambda session: find_rules(session, opened.settings))
    return reranker_for(opened.settings, chosen.rerank_model, rules)
