"""Figures for Prometheus, in its text format, without any user, key or text in their labels.

Three kinds of figures do not need a library: prometheus-client is as large as this server.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from threading import Lock
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MEDIA_TYPE = "text/plain; version=0.0.4"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the histogram, in seconds."""
ELSEWHERE = "none"
"""The route of a request that no route answers."""


class Metrics:
    """Counts requests by route, method and status, and their seconds by route."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        with self._lock:
            self._requests[route, method, status] += 1
            self._buckets[route][bisect_left(BUCKETS, seconds)] += 1
            self._seconds[route] += seconds

    def text(self, under_way: int) -> str:
        """Write the figures."""
        with self._lock:
            return "\n".join(self._lines(under_way)) + "\n"

    def _lines(self, under_way: int) -> Iterator[str]:
        yield "# TYPE palace_http_requests_under_way gauge"
        yield f"palace_http_requests_under_way {under_way}"
        yield "# TYPE palace_http_requests_total counter"
        for (route, method, status), count in sorted(self._requests.items()):
            yield f'palace_http_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}'
        yield "# TYPE palace_http_request_seconds histogram"
        for route, counts in sorted(self._buckets.items()):
            total = 0
            for bound, count in zip((*BUCKETS, "+Inf"), counts, strict=True):
                total += count
                yield f'palace_http_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'palace_http_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'palace_http_request_seconds_count{{route="{route}"}} {total}'


METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class Counted:
    """ASGI middleware that counts every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, and count it before its answer ends, so that the client's next one sees it counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status, is_counted = time.perf_counter(), 499, False

        def count() -> None:
            nonlocal is_counted
            if not is_counted:
                is_counted = True
                route: Any = scope.get("route")
                method = scope["method"] if scope["method"] in METHODS else ELSEWHERE
                path = getattr(route, "path", ELSEWHERE)
                self._metrics.count(path, method, status, time.perf_counter() - begun)

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif not message.get("more_body", False):
                count()
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            count()
