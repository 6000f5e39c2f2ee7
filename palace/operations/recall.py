"""Recall and recent items as methods of the façade: validate the arguments, then answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from palace.config.effective import Effective
from palace.config.folders import file_of_user
from palace.config.zones import in_zone
from palace.db.generations import Basis
from palace.db.ledger import NOTHING
from palace.errors import BadRequest, PalaceError
from palace.models import CallSubject, FloorLevel, HitOrder, Recent, Recollection, Role, Scope, intake
from palace.opened import OpenPalace
from palace.recall.recollect import recollect
from palace.recall.request import RecallRequest, is_only_tool, make_request
from palace.recall.strategy import Strategy, check_strategy
from palace.telemetry import memory

DISABLED = "memory is disabled for the agent {agent!r}: `palace settings set enabled true --agent NAME` enables it"


def scope_in(
    opened: OpenPalace, wing: str | None, wings: Iterable[str] | None = None, scope: Scope | None = None
) -> Scope:
    """Return the scope for one wing, several wings, or a project's ``scope``; without these, everything.

    Raises:
        BadRequest: more than one of these is given, or one is of a wrong type; ``NotFound``: there is no such wing.
    """
    if sum(each is not None for each in (wing, wings, scope)) > 1:
        raise BadRequest("give one of wing, wings and scope")
    if scope is not None:
        if not isinstance(scope, Scope):
            raise BadRequest(f"scope must be a Scope, as `palace.projects.of` gives it, not {type(scope).__name__}")
        return scope
    if wing is None and wings is None:
        return Scope()
    # The tree is imported only where a wing is named.
    from palace.operations.tree import TreeVerbs

    names = (intake.text("wing", wing),) if wings is None else intake.texts("wings", wings)
    tree = TreeVerbs(opened)
    return Scope(wing_ids=tuple(dict.fromkeys(tree.wing(name).id for name in names)))


def narrowed(
    opened: OpenPalace,
    scope: Scope,
    *,
    since: datetime | None,
    until: datetime | None,
    tools: bool,
    role: str | None,
    speaker: str | None,
    language: str | None,
) -> Scope:
    """Narrow a scope by time (from ``since``, before ``until``), tools, role, speaker and language.

    Raises:
        BadRequest: an argument is of a wrong type; ``NotFound``: there is no such speaker.
    """
    said_by = None if role is None else intake.choice("role", role, Role)
    name, zone = intake.name("speaker", speaker), opened.settings.zone
    is_tool = name is not None and opened.run(lambda session: is_only_tool(session, name, scope))
    return replace(
        scope,
        since=intake.moment("since", since, zone),
        until=intake.moment("until", until, zone),
        tools=tools or scope.tools or is_tool or said_by is Role.TOOL,
        role=said_by,
        speaker=name,
        language=intake.language("language", language),
    )


def request_of(
    opened: OpenPalace, query: str, scope: Scope, *, top_k: int | None, context: int, now: datetime | None
) -> RecallRequest:
    """Build a recall request; ``now`` is the time of the question, by default the current time.

    Raises:
        BadRequest: the query is empty, or a number is invalid.
    """
    query, top_k = intake.text("query", query), None if top_k is None else intake.integer("top_k", top_k)
    zone = opened.settings.zone
    asked_at = intake.moment("now", now, zone) or datetime.now(zone)
    context = intake.integer("context", context)
    return make_request(query, top_k=top_k, scope=scope, context=context, now=asked_at, person=opened.names)


def recall(
    opened: OpenPalace,
    request: RecallRequest,
    chosen: Effective,
    *,
    floor: object = None,
    order: object = HitOrder.RELEVANCE,
    rerank: bool | None = None,
    strategy: object = None,
    basis: Basis | None = None,
) -> Recollection:
    """Answer a request by the arguments of the call, else by the settings; without hits for an agent without memory.

    Raises:
        BadRequest: there is no such floor or order, or the strategy is invalid.
        EmbeddingError: the settings name another model than the palace has.
    """
    proceeding = opened.strategy if strategy is None else check_strategy(strategy)
    order = intake.choice("order", order, HitOrder)
    level = intake.choice("floor", chosen.floor if floor is None else floor, FloorLevel)
    if chosen.agent is not None and not chosen.enabled:
        return Recollection(request.query, (), (*request.warnings, DISABLED.format(agent=chosen.agent)), {"total": 0.0})
    # The floor "none" of this call also overrides the similarity threshold of the settings.
    keeps_nothing_back = floor is not None and level is FloorLevel.NONE
    request = replace(
        request,
        floor=level,
        order=order,
        top_k=chosen.top_k if request.top_k is None else request.top_k,
        least_similarity=0.0 if keeps_nothing_back else chosen.similarity_threshold,
    )
    return replace(answer(opened, request, chosen, strategy=proceeding, rerank=rerank, basis=basis), floor=level)


def recall_captured(
    opened: OpenPalace, request: RecallRequest, chosen: Effective, *, rerank: bool | None = None, **by_call: Any
) -> Recollection:
    """Recall for a person or a program, and capture the query where that is on (``palace.evaluation``).

    Not captured are queries with a strategy of their own and those that a language model reranks. If capturing fails,
    the answer has a warning. Raises as ``recall``.
    """
    found, path = recall(opened, request, chosen, rerank=rerank, **by_call), captured_path(opened)
    is_reranked = chosen.use_rerank if rerank is None else rerank
    try:
        if by_call.get("strategy") is None and not is_reranked and path.with_suffix(".on").exists():
            from palace.operations.capturing import capture

            asked = replace(request, floor=found.floor or request.floor, order=found.order)
            capture(opened, path, asked, chosen, found)
    except (OSError, PalaceError) as problem:
        return replace(found, warnings=(*found.warnings, f"the query was not captured: {problem}"))
    return found


def captured_path(opened: OpenPalace) -> Path:
    """Return the file of the user's captured queries; capturing is on while a file ``.on`` is beside it."""
    place = f"{opened.database.shared.address}\n{opened.settings.database_schema}"
    return file_of_user(opened.settings.home_folder / "captured", place, opened.user)


def answer(
    opened: OpenPalace,
    request: RecallRequest,
    chosen: Effective,
    *,
    strategy: Strategy | None = None,
    rerank: bool | None = None,
    subject: CallSubject = NOTHING,
    basis: Basis | None = None,
) -> Recollection:
    """Answer a complete request; hits are reranked if the call, or else the settings, say so."""
    with memory("search_memory", "recall") as observed:
        reranker = None
        if chosen.use_rerank if rerank is None else rerank:
            # The client of language models is imported only for reranking.
            from palace.mining.redaction import find_rules
            from palace.recall.rerank import Reranker

            rules = opened.run(lambda session: find_rules(session, opened.settings))
            reranker = Reranker.of(opened.settings, chosen.rerank_model, rules)
        found = recollect(opened.asked(subject, basis), request, strategy or opened.strategy, reranker)
        observed.count(len(found.hits))
        for step, spent in found.timings_ms.items():
            observed.note(f"palace.recall.{step}_ms", round(spent, 3))
        return found


def recent(
    opened: OpenPalace,
    scope: Scope,
    *,
    days: int,
    since: datetime | None,
    limit: int,
    budget: int | None,
    now: datetime | None,
) -> Recent:
    """Return the recent items; with a ``budget`` of tokens, as many as fit.

    Raises:
        BadRequest: a number or time is invalid.
    """
    from palace.recall.pack import within
    from palace.recall.recent.look_back import RecentRequest, check_budget, look_back

    zone = opened.settings.zone
    request = RecentRequest.of(
        days=intake.integer("days", days),
        names=opened.names,
        since=intake.moment("since", since, zone),
        now=in_zone(intake.moment("now", now, zone) or datetime.now(zone), zone),
        limit=intake.integer("limit", limit),
        scope=scope,
    )
    if budget is not None:
        check_budget(intake.integer("budget", budget))
    with memory("search_memory", "recent"):
        found = opened.run(lambda session: look_back(session, request))
    return found if budget is None else within(found, token_budget=budget, zone=zone)
