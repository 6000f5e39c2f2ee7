"""Recall and answers to questions, as methods of the façade."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from palace.cancellation import Cancellation, ended_by
from palace.models import intake
from palace.opened import OpenPalace

if TYPE_CHECKING:
    from palace.models import QuestionAnswer, Recollection, Scope
    from palace.recall.strategy import Strategy


class RecallMethods:
    """Recall drawers, and answer questions from them."""

    _opened: OpenPalace

    def recall(
        self,
        query: str,
        *,
        top_k: int | None = None,
        wing: str | None = None,
        wings: Iterable[str] | None = None,
        scope: Scope | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        now: datetime | None = None,
        tools: bool = False,
        role: str | None = None,
        speaker: str | None = None,
        language: str | None = None,
        context: int = 0,
        floor: str | None = None,
        order: str = "relevance",
        rerank: bool | None = None,
        strategy: Strategy | None = None,
        agent: str | None = None,
        cancel: Cancellation | None = None,
    ) -> Recollection:
        """Recall the drawers that answer a query; none if an answer is unlikely.

        At most ``top_k`` hits, by default five, or up to 15 for a query that asks for all of a kind; best first, or by
        time with ``order="time"``. Filters: ``wing`` (name or ``W-042``) or ``wings``, a project's ``scope``
        (``palace.projects.of``), ``since`` and ``until``, ``role`` ("user", "assistant", "system" or "tool"),
        ``speaker`` (a name, in any case) and ``language`` ("de"; "en" includes drawers of unknown language). ``now`` is
        the time of the question, by default the current time; it filters nothing. ``tools`` includes tool results, as
        do the role "tool" and a speaker that is only a tool's, such as "subagent". Naive times are local. ``context``
        adds so many neighbours on each side of a hit. ``floor`` ("none", "low", "normal", "strict") sets how likely an
        answer must be. ``rerank`` turns reranking by a language model on or off. ``strategy`` replaces the palace's
        own. Defaults are the user's settings, or those of an ``agent``; an agent whose memory is disabled gets no
        hits (docs/settings.md).

        Raises:
            BadRequest: an empty query, or a value out of range; ``NotFound``: no such wing or speaker; ``Cancelled``.
        """
        from palace.operations.recall import narrowed, recall_captured, request_of, scope_in

        with ended_by(cancel):
            within, by = scope_in(self._opened, wing, wings, scope), {"role": role, "speaker": speaker}
            within = narrowed(self._opened, within, since=since, until=until, tools=tools, language=language, **by)
            request = request_of(self._opened, query, within, top_k=top_k, context=context, now=now)
            chosen, basis = self._opened.effective_and_basis(agent)
            by_call = {"floor": floor, "order": order, "strategy": strategy}
            return recall_captured(self._opened, request, chosen, **by_call, rerank=rerank, basis=basis)

    def answer(
        self,
        question: str,
        *,
        top_k: int = 10,
        wing: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        now: datetime | None = None,
        model: str | None = None,
        cancel: Cancellation | None = None,
    ) -> QuestionAnswer:
        """Answer a question from the hits of recall; each statement cites its drawers.

        A language model writes the answer, ``model`` or by default the setting ``chat_model``, within the daily budget;
        statements that cite no hit are dropped. Without a model, or if it fails, the statements are the best sentences
        of the hits. The other arguments are those of ``recall``.

        Raises:
            BadRequest: an empty question, or a value out of range; ``NotFound``: no such wing; ``Cancelled``.
        """
        from palace.operations.answer_question import answer_from

        with ended_by(cancel):
            name = intake.name("model", model)
            zone = self._opened.settings.zone
            asked_at = intake.moment("now", now, zone) or datetime.now(zone)
            found = self.recall(question, top_k=top_k, wing=wing, since=since, until=until, now=asked_at)
            return answer_from(self._opened, found, asked_at, name)
