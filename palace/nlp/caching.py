"""A cache of what was worked out about texts that does not keep the texts, so that they can be forgotten."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from hashlib import blake2b
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def cache_by_digest(most: int) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Keep results of a function by digests of its arguments, and begin anew after ``most`` of them.

    Only for results that hold no text, and for arguments that are equal if ``repr`` writes them alike.
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        results: dict[bytes, Result] = {}

        @wraps(function)
        def cached(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
            written = repr((arguments, named)).encode("utf-8", "surrogatepass")
            key = blake2b(written, digest_size=16).digest()
            with suppress(KeyError):
                return results[key]
            result = function(*arguments, **named)
            if len(results) >= most:
                results.clear()
            results[key] = result
            return result

        return cached

    return decorate
