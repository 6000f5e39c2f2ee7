"""Renewing a summary by a language model, paid from a budget where there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import BaseModel, StringConstraints

from palace.llm.protocol import LanguageModel, Message, Reply
from palace.llm.remote import RemoteLanguageModel
from palace.llm.typed import ask_for
from palace.working.shape import Entry
from palace.working.summary.block import tidied
from palace.working.summary.prompt import prompt_for

TIMEOUT = 20.0
"""Seconds that whoever waits for messages waits for a summary of them."""
LONGEST_REPLY = 4_000
"""Tokens: the summary, in JSON; a model that thinks first needs more than it writes."""
WORDS = 0.6
"""Words that are asked for, of each token that there is room for; most languages have fewer tokens to a word."""


class Summariser(Protocol):
    """Renews a summary; one of your own may do so in another way."""

    def sum_up(self, previous: str, entries: Sequence[Entry], tokens: int) -> Reply[str]:
        """Give a summary of what the previous one says and of messages, in so many tokens.

        Raises:
            LanguageModelError: there is none.
        """


class Payer(Protocol):
    """Pays for calls."""

    def pay(self, model: str, prompt: Sequence[Message], ask: Callable[[], Reply[Renewed]]) -> Reply[Renewed]:
        """Make a call, and write down what it took.

        Raises:
            PalaceError: it failed, or nothing is left to pay it with.
        """


class Renewed(BaseModel):
    """What a model replies."""

    summary: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True, slots=True)
class ModelSummariser:
    """Has a language model renew summaries."""

    language_model: LanguageModel
    payer: Payer | None = None

    @classmethod
    def of(cls, model: str, *, timeout: float = TIMEOUT, api_base: str | None = None) -> ModelSummariser:
        """Name the model as litellm does; nothing is loaded or called yet, and no ledger knows of its calls."""
        return cls(RemoteLanguageModel(model, timeout=timeout, api_base=api_base, longest_reply=LONGEST_REPLY))

    def sum_up(self, previous: str, entries: Sequence[Entry], tokens: int) -> Reply[str]:
        """Ask the model once.

        Raises:
            LanguageModelError: it did not reply in time, or not with a summary.
        """
        prompt = prompt_for(previous, entries, words=max(int(tokens * WORDS), 40))

        def ask() -> Reply[Renewed]:
            return ask_for(Renewed, self.language_model, prompt)

        reply = self.payer.pay(self.language_model.model, prompt, ask) if self.payer else ask()
        return Reply(tidied(reply.value.summary), reply.calls)
