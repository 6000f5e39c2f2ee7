"""Recalling and looking back as verbs of the façade: what the caller gives is checked, then answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from palace.cancellation import Cancellation, ended_by
from palace.config.effective import Effective
from palace.config.zones import in_zone
from palace.errors import BadRequest
from palace.models import FloorLevel, HitOrder, Recent, Recollection, Role, Scope, intake
from palace.opened import OpenPalace
from palace.recall.propose import Asked
from palace.recall.recollect import recollect
from palace.recall.request import RecallRequest, check_speaker, make_request
from palace.recall.strategy import Strategy, strategy_or
from palace.telemetry import memory

DISABLED = "memory is disabled for the agent {agent!r}: `palace settings set enabled true --agent NAME` enables it"


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller says of a recall beside its query, unchecked; None leaves it to the settings."""

    top_k: int | None = None
    wing: str | None = None
    wings: Iterable[str] | None = None
    scope: Scope | None = None
    since: datetime | None = None
    until: datetime | None = None
    now: datetime | None = None
    tools: bool = False
    role: str | None = None
    speaker: str | None = None
    language: str | None = None
    context: int = 0
    floor: str | None = None
    order: str = HitOrder.RELEVANCE
    rerank: bool | None = None
    strategy: Strategy | None = None
    agent: str | None = None


def recall(
    opened: OpenPalace,
    query: str,
    options: Options,
    *,
    chosen: Effective | None = None,
    cancel: Cancellation | None = None,
) -> Recollection:
    """Answer a query as the call wants it, else as the settings say, which are looked up where none are ``chosen``.

    An agent whose memory is disabled is answered by nothing.

    Raises:
        BadRequest: something is of a wrong type or out of range; ``NotFound``: there is no such wing or speaker.
        EmbeddingError: the settings name another model than the palace has.
        Cancelled: it was cancelled.
    """
    query, zone = intake.text("query", query), opened.settings.zone
    top_k = None if options.top_k is None else intake.integer("top_k", options.top_k)
    context, order = intake.integer("context", options.context), intake.choice("order", options.order, HitOrder)
    scope = _scope_of(opened, options)
    now = intake.moment("now", options.now, zone) or datetime.now(zone)
    with ended_by(cancel):
        asked = opened.asked()
        chosen = chosen or opened.effective(options.agent)
        strategy = strategy_or(options.strategy, opened.strategy)
        request = make_request(query, top_k=top_k, scope=scope, context=context, now=now, person=opened.names)
        request = replace(_as_chosen(request, options, chosen), order=order)
        if chosen.agent is not None and not chosen.enabled:
            warning = DISABLED.format(agent=chosen.agent)
            return Recollection(request.query, (), (*request.warnings, warning), {"total": 0.0})
        return answer(opened, request, chosen, asked, strategy=strategy, rerank=options.rerank)


def answer(
    opened: OpenPalace,
    request: RecallRequest,
    chosen: Effective,
    asked: Asked,
    *,
    strategy: Strategy | None = None,
    rerank: bool | None = None,
) -> Recollection:
    """Answer a request that says what it wants, its hits reranked where the call or the settings say so."""
    with memory("search_memory", "recall") as observed:
        reranker = None
        if chosen.use_rerank if rerank is None else rerank:
            # Only who has hits reranked waits for what calls a language model to be imported.
            from palace.mining.keeping import find_rules
            from palace.recall.rerank import Reranker

            rules = opened.run(lambda session: find_rules(session, opened.settings))
            reranker = Reranker.of(opened.settings, chosen.rerank_model, rules)
        found = recollect(asked, request, strategy or opened.strategy, reranker)
        observed.count(len(found.hits))
        for step, spent in found.timings_ms.items():
            observed.note(f"palace.recall.{step}_ms", round(spent, 3))
        return found


def recent(  # noqa: PLR0913 — the options of Palace.recent
    opened: OpenPalace,
    *,
    days: int,
    since: datetime | None,
    scope: Scope,
    limit: int,
    now: datetime | None,
    budget: int | None,
) -> Recent:
    """Look back on some days; with a ``budget`` of tokens, as much as fits.

    Raises:
        BadRequest: a number makes no sense, or a moment.
    """
    from palace.recall.pack import within
    from palace.recall.recent.look_back import RecentRequest, check_budget, look_back

    zone = opened.settings.zone
    asked_at = intake.moment("now", now, zone) or datetime.now(zone)
    days, limit = intake.integer("days", days), intake.integer("limit", limit)
    request = RecentRequest.of(
        days=days,
        names=opened.names,
        since=intake.moment("since", since, zone),
        now=in_zone(asked_at, zone),
        limit=limit,
        scope=scope,
    )
    if budget is not None:
        check_budget(intake.integer("budget", budget))
    with memory("search_memory", "recent"):
        found = opened.run(lambda session: look_back(session, request))
    return found if budget is None else within(found, token_budget=budget, zone=zone)


def scope_in(
    opened: OpenPalace, wing: str | None = None, wings: Iterable[str] | None = None, scope: Scope | None = None
) -> Scope:
    """Return where to look: in one wing, in any of some, or where a project's ``scope`` allows it; None for anywhere.

    Raises:
        BadRequest: more than one of these is given, or one is of a wrong type; ``NotFound``: there is no such wing.
    """
    wing = intake.optional_text("wing", wing)
    if sum(each is not None for each in (wing, wings, scope)) > 1:
        raise BadRequest("give one of wing, wings and scope")
    if scope is not None:
        if not isinstance(scope, Scope):
            raise BadRequest(f"scope must be a Scope, as `palace.projects.of` gives it, not {type(scope).__name__}")
        return scope
    if wing is None and wings is None:
        return Scope()
    if isinstance(wings, str):
        raise BadRequest("wings must be several names, not a text: give wing= for one")
    # Only who names a wing waits for what walks the palace to be imported.
    from palace.operations.tree import TreeVerbs

    names = [wing] if wing is not None else [intake.text("wings", each) for each in _listed(wings)]
    tree = TreeVerbs(opened)
    return Scope(wing_ids=tuple(dict.fromkeys(tree.wing(name).id for name in names)))


def _listed(wings: object) -> list[Any]:
    if not isinstance(wings, Iterable):
        raise BadRequest(f"wings must be several names, not {type(wings).__name__}")
    return list(wings)


def _scope_of(opened: OpenPalace, options: Options) -> Scope:
    """Return where to look: in which wings, at what was said when, by whom, in which language."""
    said_by = None if options.role is None else intake.choice("role", options.role, Role)
    name, zone = intake.name("speaker", options.speaker), opened.settings.zone
    within = scope_in(opened, options.wing, options.wings, options.scope)
    if name is not None:
        opened.run(lambda session: check_speaker(session, name, within))
    scope = replace(
        within,
        since=intake.moment("since", options.since, zone),
        until=intake.moment("until", options.until, zone),
        tools=options.tools or within.tools or said_by is Role.TOOL,
        role=said_by,
        speaker=name,
        language=intake.language("language", options.language),
    )
    if scope.is_never:
        raise BadRequest("since must be earlier than until")
    return scope


def _as_chosen(request: RecallRequest, options: Options, chosen: Effective) -> RecallRequest:
    floor = intake.choice("floor", chosen.floor if options.floor is None else options.floor, FloorLevel)
    # Who asks for everything in this call is not kept from it by a threshold.
    keeps_nothing_back = options.floor is not None and floor is FloorLevel.NONE
    return replace(
        request,
        floor=floor,
        top_k=chosen.top_k if request.top_k is None else request.top_k,
        least_similarity=0.0 if keeps_nothing_back else chosen.similarity_threshold,
    )
