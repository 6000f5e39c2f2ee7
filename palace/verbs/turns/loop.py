"""The turn loop as verbs of the façade: what waits, how a session ends, and the model that writes queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from palace.errors import BadRequest
from palace.intake import given
from palace.llm.remote import RemoteLanguageModel
from palace.mining.index import Runner
from palace.mining.redaction.keeping import rules_of
from palace.opened import OpenPalace
from palace.settings import Settings
from palace.settings.personal.table import check_agent
from palace.store.filing.conversations import find_conversation
from palace.store.queue.jobs import enqueue_index
from palace.text.secrets import redact
from palace.turns.exchange.filing import Filer, identity_of
from palace.turns.exchange.finishing import Finishing
from palace.turns.exchange.outbox import Emptied, Outbox
from palace.turns.loop.beginning import Ground
from palace.turns.loop.options import TurnOptions
from palace.turns.loop.taking import Taker, Talk
from palace.turns.loop.turn import Turn
from palace.turns.query.asking import LONGEST_REPLY, Rewriter
from palace.verbs.recall import answer

REWRITE_SECONDS = 0.8
"""What a model may take over a query unless told otherwise: after that the local query is asked, within the turn."""


@dataclass(frozen=True, slots=True)
class EndedSession:
    """What the end of a session came to."""

    filed: int
    """Exchanges that had waited."""
    waiting: int
    """Exchanges that still wait."""
    warnings: tuple[str, ...] = ()
    """What could not be made of what was said, one line each."""


class TurnVerbs:
    """What there is beside ``Palace.turn``."""

    def __init__(self, opened: OpenPalace, wake: Callable[[], object] | None = None) -> None:
        self._opened = opened
        self._taker = _taker_of(opened, wake)

    def take(
        self,
        message: Any,
        history: Sequence[Any] = (),
        *,
        agent: str | None = None,
        session: str | None = None,
        options: TurnOptions | None = None,
    ) -> Turn:
        """Do what ``Palace.turn`` does.

        Raises:
            BadRequest: the history is no list of messages, or a name is none.
        """
        return self._taker.take(message, history, _talk(agent, session), self._options(options))

    def take_request(
        self,
        messages: Sequence[Any],
        *,
        agent: str | None = None,
        session: str | None = None,
        options: TurnOptions | None = None,
    ) -> Turn | None:
        """Take the turn of a whole request, as a program is about to send it; None where nobody says anything in it.

        Its last message of a person is the one that is recalled for. Where tools have answered behind that, blocks
        stand where they stood, and nothing is recalled once more.

        Raises:
            BadRequest: they are no list of messages, or a name is none.
        """
        return self._taker.take_request(messages, _talk(agent, session), self._options(options))

    def end(self, session: str | None = None) -> EndedSession:
        """End a session: file what waits, and do what is pending of its conversation; without one, of all.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
            DatabaseUnavailable: no server answers; what waits goes on waiting.
        """
        name = given.name("session", session)
        emptied = self.flush()
        if name is None:
            among = None
        else:
            identity = identity_of(name)
            found = self._opened.run(lambda opened: find_conversation(opened, identity))
            among = [] if found is None else [found]
        runner = Runner(self._opened.work())
        runner.run(among)
        self._opened.index_if_large()
        notes = (emptied.note,) if emptied.note else ()
        return EndedSession(emptied.filed, emptied.left, (*notes, *runner.warnings))

    def flush(self) -> Emptied:
        """File what waits in the outbox, in order; what is filed already is not filed again.

        Where another process or thread is at it, nothing is done, and the ``note`` says so.

        Raises:
            PalaceError: filing failed; what is left waits on.
        """
        emptied = self._taker.finishing.empty()
        if emptied.problem:
            raise emptied.problem
        return emptied

    def waiting(self) -> int:
        """Count the exchanges that wait in the outbox."""
        return self._taker.finishing.outbox.count()

    def discard(self) -> int:
        """Throw away what waits in the outbox; give how many exchanges that were."""
        return self._taker.finishing.outbox.discard()

    def rewriter(self, model: str, *, timeout: float = REWRITE_SECONDS, api_base: str | None = None) -> Rewriter:
        """Name the model that writes queries for vague messages, as litellm does; nothing is called yet.

        Its calls go to the ledger as ``memory_rewrite``, and are held to the budget of the day.
        After ``timeout`` seconds the local query is asked.
        """
        return _rewriter(self._opened.settings, given.text("model", model), timeout, api_base)

    def _options(self, options: TurnOptions | None) -> TurnOptions | None:
        if not isinstance(options, TurnOptions | None):
            raise BadRequest(f"options must be TurnOptions, not {type(options).__name__}")
        return options


def _talk(agent: str | None, session: str | None) -> Talk:
    return Talk(given.name("session", session), check_agent(agent) or None)


def _rewriter(
    settings: Settings, model: str, timeout: float = REWRITE_SECONDS, api_base: str | None = None
) -> Rewriter:
    language_model = RemoteLanguageModel(model, timeout=timeout, api_base=api_base, longest_reply=LONGEST_REPLY)
    return Rewriter(language_model, settings.daily_tokens, settings.daily_usd, settings.zone)


def _taker_of(opened: OpenPalace, wake: Callable[[], object] | None) -> Taker:
    ground = Ground(
        opened.database,
        opened.settings,
        opened.strategy,
        answer=partial(answer, opened),
        rewriter_of=partial(_rewriter, opened.settings),
        person=opened.names,
    )
    shared = opened.database.shared
    palace = f"{shared.address}\n{opened.settings.database_schema}"
    outbox = Outbox.of(opened.settings.home_folder, palace, opened.user)
    rules = rules_of(opened.settings)
    filer = Filer(opened.database, opened.settings.zone, rules, after_filing=enqueue_index, when_filed=wake)
    return Taker(ground, Finishing(filer, outbox, hide=lambda said: redact(said, rules).text))
