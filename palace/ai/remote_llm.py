"""A language model behind an API: a deadline, at most one retry, and a check for an empty reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from palace.ai.client import import_ahead
from palace.ai.llm import Message, Reply
from palace.ai.provider import CallFailed, Endpoint, call_repeatedly, no_reply
from palace.errors import LanguageModelError
from palace.models import CallRecord

LONGEST_REPLY = 1000
"""The most tokens in a reply, by default."""


class RemoteLanguageModel:
    """Asks any language model that litellm knows ("anthropic/claude-haiku-4.5").

    Keys come from the environment, as litellm documents them. A call that is throttled or meets a server error is
    retried once, while there is time. Several threads may ask.
    """

    def __init__(
        self,
        model: str,
        *,
        timeout: float = 60,
        api_base: str | None = None,
        longest_reply: int = LONGEST_REPLY,
        pause: float = 0.5,
    ) -> None:
        """Set up the model; nothing is loaded or called yet.

        ``timeout`` seconds bound a reply, its retry included; ``longest_reply`` bounds it in tokens; ``pause`` seconds
        pass before the retry.
        """
        self._endpoint = Endpoint(model, timeout, api_base)
        self._longest_reply = longest_reply
        self._pause = pause

    @property
    def model(self) -> str:
        """The model as the settings name it."""
        return self._endpoint.model

    def prepare(self) -> None:
        """Start importing litellm in the background, which takes seconds the first time; nothing is called."""
        import_ahead()

    def ask(self, prompt: Sequence[Message]) -> Reply[str]:
        """Return the model's reply, at temperature 0 where the model has one.

        Raises:
            LanguageModelError: a key is missing, the model did not reply in time, or its reply is empty.
        """
        calls: list[CallRecord] = []
        try:
            answer = call_repeatedly(
                self._endpoint,
                "completion",
                calls,
                attempts=2,
                first_pause=self._pause,
                within=self._endpoint.timeout,
                messages=[{"role": message.role.value, "content": message.content} for message in prompt],
                max_tokens=self._longest_reply,
                temperature=0,
                drop_params=True,  # parameters that a model lacks are left out instead of refused
            )
        except CallFailed as failure:
            raise LanguageModelError(no_reply(failure), calls=tuple(calls)) from failure
        text = _text_of(answer.response)
        if not text:
            calls.append(answer.malformed_call)
            raise LanguageModelError(f"{self.model} gave an empty reply", calls=tuple(calls))
        return Reply(text, (*calls, answer.call))


def _text_of(response: Any) -> str:
    """Return the text of a reply; "" if there is none, as after a refusal or when thinking used up all tokens."""
    choices = getattr(response, "choices", None) or []
    content = getattr(getattr(choices[0], "message", None), "content", None) if choices else None
    return content.strip() if isinstance(content, str) else ""
