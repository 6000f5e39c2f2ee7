"""litellm with Palace's settings for Palace's own calls, and unchanged for the host program.

Most settings of litellm are variables of its module, which the host program's calls use as well. They are changed when
a call of ours begins and restored after it; hooks that run later check whose call they are in.
"""

from __future__ import annotations

import logging
import os
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from tiktoken import Encoding


LONGEST_VECTORS = 64_000_000
"""The most bytes read of a response with embeddings; 128 vectors of 4,000 numbers are a sixth of it."""

LONGEST_REPLY = 400_000
"""The most bytes read of a reply: far more than the tokens asked for. litellm takes seconds for a megabyte."""

LONGEST_STREAM = 64_000_000
"""The most bytes read of a streamed reply: each word is wrapped in some hundred."""

LONGEST_REFUSAL = 10_000
"""The most bytes read of an error response."""

LOGGERS = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")

_IS_OURS: ContextVar[bool] = ContextVar("palace_call", default=False)
"""Whether the current call is ours; litellm passes the context on to its logging threads."""
_LONGEST: ContextVar[int] = ContextVar("palace_longest_reply", default=LONGEST_REPLY)
_ENVIRONMENT = threading.RLock()


@cache
def the_client() -> Any:
    """Import litellm so that it downloads no lists, now or later, and reads no ``.env``."""
    is_local = {f"LITELLM_LOCAL_{name}": "True" for name in ("MODEL_COST_MAP", "ANTHROPIC_BETA_HEADERS")}
    with environment(**is_local, LITELLM_MODE="PRODUCTION"):
        import litellm

        with suppress(ImportError):  # versions without that list
            from litellm.anthropic_beta_headers_manager import get_provider_name

            get_provider_name("anthropic")  # loads the list, which the first call would do otherwise
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_is_for_the_log)
    return litellm


@cache
def import_ahead() -> None:
    """Start importing litellm in a background thread, once: it takes seconds, which the first call is spared."""
    with suppress(RuntimeError):  # no thread can be started, or the interpreter is shutting down
        threading.Thread(target=the_client, name="palace-import", daemon=True).start()


@contextmanager
def lent() -> Iterator[None]:
    """Make the clients that litellm creates within the block read responses up to our limits and never retry.

    litellm's OpenAI client would repeat calls on its own, unseen by the ledger. For embeddings, a 0 passed with the
    call counts as "not given" and the module's variable is used; for replies, only the 0 passed with the call is. The
    clients are cached for later calls, apart from the host's.
    """
    with _lent(_clients()):
        yield


@contextmanager
def ours(*, longest: int = LONGEST_REPLY) -> Iterator[None]:
    """Mark the calls in the block as ours, so that litellm's hints and warnings about them are dropped.

    At most ``longest`` bytes are read of a reply.
    """
    _ignore_serializer()
    is_ours, length = _IS_OURS.set(True), _LONGEST.set(longest)
    try:
        with _lent({"suppress_debug_info": True}):
            yield
    finally:
        _LONGEST.reset(length)
        _IS_OURS.reset(is_ours)


class _Loans:
    """The variables of litellm that are changed now: for how many calls, and their previous values."""

    lock = threading.Lock()
    users: dict[str, int] = {}  # noqa: RUF012 — one for the process, as the variables are
    before: dict[str, Any] = {}  # noqa: RUF012


@contextmanager
def _lent(values: Mapping[str, Any]) -> Iterator[None]:
    """Set variables of litellm for a block; the last of overlapping calls restores them."""
    client = the_client()
    with _Loans.lock:
        for name, value in values.items():
            if not _Loans.users.get(name):
                _Loans.before[name] = getattr(client, name)
                setattr(client, name, value)
            _Loans.users[name] = _Loans.users.get(name, 0) + 1
    try:
        yield
    finally:
        with _Loans.lock:
            for name, value in values.items():
                _Loans.users[name] -= 1
                before = _Loans.before[name] if not _Loans.users[name] else value
                # Keep what the host has set meanwhile.
                if getattr(client, name) is value:
                    setattr(client, name, before)


@cache
def _clients() -> Mapping[str, Any]:
    kept = type(the_client().in_memory_llm_clients_cache)()
    return {"client_session": _bounded_client(), "in_memory_llm_clients_cache": kept, "DEFAULT_MAX_RETRIES": 0}


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set environment variables for a block, one thread at a time, and restore them after it."""
    with _ENVIRONMENT:
        before = {name: os.environ.get(name) for name in values}
        os.environ.update(values)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def _is_for_the_log(_: logging.LogRecord) -> bool:
    """Drop log records about calls of ours; the caller reports what matters of them."""
    return not _IS_OURS.get()


class _OurSerializer:
    """Replaces the pattern of a warnings filter: matches Pydantic's serializer warnings only during calls of ours."""

    def match(self, text: str) -> bool:
        return _IS_OURS.get() and text.startswith("Pydantic serializer warnings")


_SERIALIZER: Any = ("ignore", _OurSerializer(), UserWarning, None, 0)


def _ignore_serializer() -> None:
    """Install the filter for these warnings; again if somebody has reset the filters."""
    if _SERIALIZER not in warnings.filters:
        cast(list[Any], warnings.filters).insert(0, _SERIALIZER)


def _bounded_client() -> Any:
    """Return an HTTP client for OpenAI-compatible providers that reads responses up to our limits."""
    import httpx
    from litellm.llms.custom_httpx.http_handler import get_ssl_configuration

    class Bounded(httpx.SyncByteStream):
        def __init__(self, stream: httpx.SyncByteStream, limit: int) -> None:
            self._stream, self._left = stream, limit

        def __iter__(self) -> Iterator[bytes]:
            for piece in self._stream:
                yield piece[: self._left]
                self._left -= len(piece)
                if self._left <= 0:
                    return

        def close(self) -> None:
            self._stream.close()

    def bound(response: httpx.Response) -> None:
        # A call of the host's that begins during one of ours gets this client too.
        if _IS_OURS.get():
            longest = LONGEST_VECTORS if response.request.url.path.endswith("/embeddings") else _LONGEST.get()
            limit = LONGEST_REFUSAL if response.is_error else longest
            response.stream = Bounded(cast(httpx.SyncByteStream, response.stream), limit)

    return httpx.Client(verify=get_ssl_configuration(), follow_redirects=True, event_hooks={"response": [bound]})


_O200K = "fb374d419588a4632f3f557e76b4b70aebbca790"
_FILES = {"cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4", "o200k_base": _O200K, "o200k_harmony": _O200K}
"""The file names in tiktoken's cache: hashes of the files' addresses."""


@cache
def find_encoding(model: str) -> Encoding | None:
    """Return the tokenizer of a model, named with or without its provider; None if its file is not installed."""
    from tiktoken import encoding_name_for_model, get_encoding

    try:
        name = encoding_name_for_model(model.rpartition("/")[2])
    except KeyError:
        return None
    folder = _folder()
    if folder is None or name not in _FILES or not (folder / _FILES[name]).is_file():
        return None
    with environment(TIKTOKEN_CACHE_DIR=str(folder)):
        return get_encoding(name)


def _folder() -> Path | None:
    found = find_spec("litellm")
    places = (found and found.submodule_search_locations) or ()
    return next((Path(place, "litellm_core_utils", "tokenizers") for place in places), None)
