"""A language model behind an API: a deadline, one repetition at most, and a check that there is a reply."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from palace.ai.client import import_ahead
from palace.ai.llm import Message, Reply
from palace.ai.provider import CallFailed, Endpoint, Response, call_provider
from palace.cancellation import pause
from palace.errors import LanguageModelError
from palace.models import CallRecord

LONGEST_REPLY = 1000
"""Tokens a reply may have unless the caller says otherwise."""


class RemoteLanguageModel:
    """Ask any language model litellm knows ("anthropic/claude-haiku-4.5").

    Keys come from the environment, as litellm documents them. A call that is throttled or meets a server error is
    repeated once, while there is time. Several threads may ask.
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
        """Remember what to call; nothing is loaded or called yet.

        ``timeout`` seconds bound a reply, its repetition included; ``longest_reply`` bounds it in tokens; ``pause``
        seconds pass before a repetition.
        """
        self._endpoint = Endpoint(model, timeout, api_base)
        self._longest_reply = longest_reply
        self._pause = pause

    @property
    def model(self) -> str:
        """The model as the settings name it."""
        return self._endpoint.model

    def prepare(self) -> None:
        """Begin to load what calls need, which takes seconds the first time, in the background; nothing is called."""
        import_ahead()

    def ask(self, prompt: Sequence[Message]) -> Reply[str]:
        """Give what the model replies, at temperature 0 where it has one.

        Raises:
            LanguageModelError: there is no key, the model did not reply in time, or its reply is empty.
        """
        calls: list[CallRecord] = []
        answer = self._ask(prompt, calls)
        text = _text_of(answer.response)
        if not text:
            calls.append(answer.malformed_call)
            raise LanguageModelError(f"{self.model} gave an empty reply", calls=tuple(calls))
        return Reply(text, (*calls, answer.call))

    def _ask(self, prompt: Sequence[Message], calls: list[CallRecord]) -> Response:
        give_up_at = time.monotonic() + self._endpoint.timeout
        try:
            return self._call(prompt, calls, self._endpoint.timeout)
        except CallFailed as failure:
            left = give_up_at - time.monotonic() - self._pause
            if not failure.may_pass or left <= 0 or not pause(self._pause):
                raise self._error(failure, calls) from failure
        try:
            return self._call(prompt, calls, left)
        except CallFailed as failure:
            raise self._error(failure, calls) from failure

    def _call(self, prompt: Sequence[Message], calls: list[CallRecord], patience: float) -> Response:
        try:
            return call_provider(
                self._endpoint,
                "completion",
                patience=patience,
                messages=[{"role": message.role.value, "content": message.content} for message in prompt],
                max_tokens=self._longest_reply,
                temperature=0,
                drop_params=True,  # what a model does not take is left out instead of refused
            )
        except CallFailed as failure:
            calls.extend(failure.calls)
            raise

    def _error(self, failure: CallFailed, calls: Sequence[CallRecord]) -> LanguageModelError:
        kind = failure.call.outcome
        said = str(failure) if failure.missing_key else f"{self.model} did not reply ({kind}): {failure}"
        return LanguageModelError(said, calls=tuple(calls))


def _text_of(response: Any) -> str:
    """Give the text of a reply, "" where it has none: a refusal, or a thought that used all tokens up."""
    choices = getattr(response, "choices", None) or []
    content = getattr(getattr(choices[0], "message", None), "content", None) if choices else None
    return content.strip() if isinstance(content, str) else ""
