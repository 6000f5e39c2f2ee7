"""Recall as a verb of the façade: where to look is made of what the caller gives, then the query is answered."""

from __future__ import annotations

from datetime import datetime

from palace.intake import given
from palace.opened import OpenPalace
from palace.recall.arms.propose import Asked
from palace.recall.recollect import recollect
from palace.recall.request import RecallRequest, check_speaker
from palace.recall.rerank import reranker_for
from palace.recall.strategy import Strategy, strategy_or
from palace.records import Recollection, Role, Scope
from palace.verbs.tree import TreeVerbs


def scope_of(
    opened: OpenPalace,
    wing: str | None,
    *,
    said: tuple[datetime | None, datetime | None],
    tools: bool,
    role: str | None,
    speaker: str | None,
) -> Scope:
    """Check where to look; ``said`` from a moment on, before another.

    Raises:
        BadRequest: something is of a wrong type; ``NotFound``: there is no such wing or speaker.
    """
    said_by, wing = given.role("role", role), given.optional_text("wing", wing)
    name, zone = given.name("speaker", speaker), opened.settings.zone
    if name is not None:
        opened.run(lambda session: check_speaker(session, name))
    since, until = said
    return Scope(
        wing_id=TreeVerbs(opened).wing(wing).id if wing else None,
        since=given.moment("since", since, zone),
        until=given.moment("until", until, zone),
        tools=tools or said_by is Role.TOOL,
        role=said_by,
        speaker=name,
    )


def recall(
    opened: OpenPalace, request: RecallRequest, strategy: Strategy | None, *, rerank: bool | None
) -> Recollection:
    """Answer a request by the strategy given, or the palace's own; ``rerank`` None means what the settings say."""
    is_reranked = opened.settings.rerank if rerank is None else rerank
    reranker = reranker_for(opened.settings) if is_reranked else None
    asked = Asked(opened.database, opened.find_model)
    return recollect(asked, request, strategy_or(strategy, opened.strategy), reranker)
