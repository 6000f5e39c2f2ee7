"""A language model whose reply is read as it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from palace.ai.provider import CallFailed, Endpoint
from palace.ai.provider_stream import ProviderStream
from palace.errors import LanguageModelError
from palace.models import CallRecord

SILENCE_SECONDS = 120.0
"""What a model may say nothing for: one that runs on this machine may have to be loaded first."""
LONGEST_CHARACTERS = 2_000_000
"""Characters of a reply that are read: what goes beyond is a model that has lost itself."""


class StreamedReply:
    """A reply as it comes: the pieces of its text, and what the call took. To be read once."""

    def __init__(self, stream: ProviderStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[str]:
        """Give each piece of the text as it comes; thoughts that a model tells beside it are left out.

        Raises:
            LanguageModelError: there is no key, the model did not reply, broke off, or fell silent.
        """
        length = 0
        try:
            for piece in self._stream:
                if said := _text_of(piece):
                    yield said
                    length += len(said)
                if length > LONGEST_CHARACTERS:
                    break
        except CallFailed as failure:
            kind = failure.call.outcome
            told = str(failure) if failure.missing_key else f"{failure.call.model} did not reply ({kind}): {failure}"
            raise LanguageModelError(told, calls=failure.calls) from failure
        if not length:
            call = self._stream.call
            raise LanguageModelError(f"{call.model} gave an empty reply", calls=(replace(call, outcome="malformed"),))

    @property
    def call(self) -> CallRecord:
        """What it took, as far as it came."""
        return self._stream.call

    def close(self) -> None:
        """End it early."""
        self._stream.close()


@dataclass(frozen=True, slots=True)
class StreamingLanguageModel:
    """Ask any language model that litellm knows, and read its reply as it is written.

    Keys come from the environment, as litellm documents them; a server at an address of one's own may want none.
    """

    model: str
    timeout: float = SILENCE_SECONDS
    """Seconds that it may say nothing."""
    api_base: str | None = None

    def stream(self, messages: Sequence[Any]) -> StreamedReply:
        """Send a request, messages in the shape of OpenAI's; nothing is waited for yet."""
        return StreamedReply(ProviderStream(Endpoint(self.model, self.timeout, self.api_base), messages))


def _text_of(piece: Any) -> str:
    choices = getattr(piece, "choices", None) or []
    said = getattr(getattr(choices[0], "delta", None), "content", None) if choices else None
    return said if isinstance(said, str) else ""
