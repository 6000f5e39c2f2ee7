"""Questions to the language model of the settings, `memory_model`, each paid from the day's budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from palace.ai.llm import MALFORMED, Message, Price, counted, most_of
from palace.ai.remote_llm import RemoteLanguageModel
from palace.budget import SPENT, Purse, budget_of
from palace.db.ledger import NOTHING
from palace.errors import LanguageModelError
from palace.models import CallSubject, Role
from palace.opened import OpenPalace

T = TypeVar("T")
SECONDS = 60.0
"""How long a reply may take."""


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

    ``prompt`` are the instructions and what they are about.

    Raises:
        LanguageModelError: no model is set, the budget is used up, or it did not reply with what can be used. The
            message quotes nothing of the palace.
    """
    name = opened.effective().memory_model
    if name is None:
        raise LanguageModelError("no memory_model is set")
    model = RemoteLanguageModel(name, timeout=SECONDS, longest_reply=longest)
    messages = (Message(Role.SYSTEM, prompt[0]), Message(Role.USER, prompt[1]))
    most = most_of(model.model, Price.of(model.model), messages, written=longest)
    purse = Purse(opened.database, budget_of(opened.settings), subject)
    with purse.hold(purpose, most) as hold:
        if hold is None:
            raise LanguageModelError(f"{SPENT} (budget_usd_daily, budget_tokens_daily)")
        hold.calls = (replace(most, outcome="cancelled"),)
        try:
            reply = model.ask(messages)
        except LanguageModelError as problem:
            hold.calls = [counted(call, most) for call in problem.calls]
            raise
        hold.calls = [counted(call, most) for call in reply.calls]
        value = read(reply.value)
        if value is None:
            hold.calls = [*hold.calls[:-1], *(replace(call, outcome=MALFORMED) for call in hold.calls[-1:])]
            raise LanguageModelError(f"{model.model} gave a reply that cannot be used")
        return value
