"""How a talk begins: which model, which session, and what of a long talk is sent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_hex
from threading import Thread
from typing import TYPE_CHECKING

from palace.errors import BadRequest
from palace_cli.chat.screen import Screen
from palace_cli.chat.talk import Talk
from palace_cli.clock import zone_as_set

if TYPE_CHECKING:
    from palace.palace import Palace
    from palace.settings.personal.effective import Effective
    from palace.verbs.turns.talking import ChatModel

FIRST_SECONDS = 20.0
"""What memory may take of the first turn at most, in which the embedding model is loaded."""
NO_MODEL = (
    "no model is set: `palace settings set chat_model NAME` or --model names one, such as openai/gpt-4o-mini, or "
    "ollama_chat/llama3.2 on this machine; until then you see what memory would put in, and nothing is filed"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks for on the command line; what they do not is as their settings have it."""

    model: str | None = None
    api_base: str | None = None
    session: str | None = None
    agent: str | None = None
    system: str | None = None
    working_memory: str | None = None


def begin(palace: Palace, wanted: Wanted, screen: Screen) -> Talk:
    """Begin a talk, or go on with one.

    Raises:
        BadRequest: an address, an agent or a working memory is none.
    """
    from palace.working.stored import working_memory_of

    effective = _effective(palace, wanted)
    model = _model(palace, wanted, effective)
    name = model.model if model else None
    working = working_memory_of(effective, palace.working.summariser, model=name)
    usual = palace.turns.options(agent=wanted.agent, model=name, working=working)
    timeout = palace.turns.seconds(usual)
    talk = Talk(
        palace,
        wanted.session or f"chat-{datetime.now(zone_as_set()):%Y-%m-%d-%H%M}-{token_hex(2)}",
        screen,
        model,
        replace(usual, timeout=timeout),
        replace(usual, timeout=max(timeout, FIRST_SECONDS)),
        wanted.agent,
        wanted.system,
    )
    if wanted.session:
        talk.history[:] = palace.turns.history(wanted.session)
    return talk


def _effective(palace: Palace, wanted: Wanted) -> Effective:
    from palace.settings.personal.table import get_setting

    effective = palace.settings.effective(wanted.agent)
    if wanted.working_memory is None:
        # A talk is as long as the person likes: what fits is sent, where nobody says otherwise.
        is_unsaid = effective.working_memory == "none"
        return replace(effective, working_memory="token_window") if is_unsaid else effective
    chosen = get_setting("working_memory").read(wanted.working_memory)
    return replace(effective, working_memory=str(chosen))


def _model(palace: Palace, wanted: Wanted, effective: Effective) -> ChatModel | None:
    name = wanted.model or effective.chat_model
    if name is None:
        return None
    # An address that is set is that of the model that is set.
    base = wanted.api_base or (effective.chat_api_base if wanted.model is None else None)
    if base is not None and not base.startswith(("http://", "https://")):
        raise BadRequest(f"--api-base must be an address such as http://localhost:11434, not {base!r}")
    _load_ahead()
    return palace.turns.chat_model(name, api_base=base)


def _load_ahead() -> None:
    """Load what calls models while the person reads and types: it takes seconds."""

    def load() -> None:
        from palace.llm.keys import load_client

        load_client()

    Thread(target=load, daemon=True).start()
