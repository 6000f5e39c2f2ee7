"""Questions to the language model of the settings, `memory_model`, each paid from the day's budget."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from palace.ai.llm import Message
from palace.ai.remote_llm import RemoteLanguageModel
from palace.budget import Purse, budget_of
from palace.db.ledger import NOTHING
from palace.errors import LanguageModelError
from palace.models import CallSubject, Role
from palace.opened import OpenPalace
from palace.telemetry.logs import tell

T = TypeVar("T")
SECONDS = 60.0
"""How long a reply may take."""

logger = logging.getLogger("palace.memories")


def ask_model(
    opened: OpenPalace,
    purpose: str,
    prompt: tuple[str, str],
    read: Callable[[str], T | None],
    *,
    longest: int,
    subject: CallSubject = NOTHING,
) -> T:
    """Ask the model of the settings once, in at most ``longest`` tokens, and return what ``read`` makes of its reply.

    ``prompt`` are the instructions and what they are about. A failure is logged, because rules do the work then.

    Raises:
        LanguageModelError: no model is set, the budget is used up, or it did not reply with what can be used.
    """
    name = opened.effective().memory_model
    if name is None:
        raise LanguageModelError("no memory_model is set")
    model = RemoteLanguageModel(name, timeout=SECONDS, longest_reply=longest)
    messages = (Message(Role.SYSTEM, prompt[0]), Message(Role.USER, prompt[1]))
    try:
        return Purse(opened.database, budget_of(opened.settings), subject).ask(model, purpose, messages, longest, read)
    except LanguageModelError:
        tell(logger, logging.WARNING, "memories_by_rule")
        raise
