"""What every language model promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from palace.records import CallRecord, Role

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Role
    """Whose it is: "system" for what the model is told to do, "user" for what it is to do it with."""
    content: str


@dataclass(frozen=True, slots=True)
class Reply(Generic[T_co]):
    """What a language model replied, and the calls it took."""

    value: T_co
    calls: tuple[CallRecord, ...] = ()
    """For the ledger."""


class LanguageModel(Protocol):
    """Replies to a prompt."""

    @property
    def model(self) -> str:
        """Name of the model, as litellm names it."""

    def ask(self, prompt: Sequence[Message]) -> Reply[str]:
        """Give the text that the model replies to a prompt, without white space around it; never empty.

        Raises:
            LanguageModelError: there is no key, or the model did not reply in time. ``calls`` of the failed attempt
                travel on the error.
        """
