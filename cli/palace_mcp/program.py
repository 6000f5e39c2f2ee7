"""What ``palace mcp`` runs: a server put together, and served until its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from palace.telemetry.logs import ROOT
from palace_mcp.opening import Opening
from palace_mcp.server import Memory, make_server
from palace_mcp.tools.tool import Bounds
from palace_mcp.wire import Wire

if TYPE_CHECKING:
    from palace.palace import Palace

LIBRARIES = ("mcp", "uvicorn")


@dataclass(frozen=True, slots=True)
class Program:
    """A server as it was asked for."""

    opens: Callable[[], Palace]
    bounds: Bounds
    profile: str
    seconds: float
    """What one call may take."""

    def over_streams(self, wire: Wire) -> None:
        """Serve the one client that started this program."""
        from palace_mcp.stdio import serve

        memory = self._memory()
        try:
            serve(make_server(memory), wire)
        finally:
            memory.close()

    def over_http(self, port: int, token: str | None, ready: Callable[[str], None]) -> None:
        """Serve programs of this machine; ``ready`` is told the address.

        Raises:
            BadRequest: the port is in use.
        """
        from palace_mcp.http.serving import address_of, listen, serve

        memory = self._memory()
        with listen(port) as taken:
            try:
                serve(make_server(memory), taken, token, lambda: ready(address_of(taken)))
            finally:
                memory.close()

    def _memory(self) -> Memory:
        _log_alike()
        return Memory.of(Opening(self.opens), self.bounds, profile=self.profile, seconds=self.seconds)


def _log_alike() -> None:
    """Have the libraries write what they log as we do: one line each, never what an error quotes."""
    ours = logging.getLogger(ROOT)
    for name in LIBRARIES:
        logger = logging.getLogger(name)
        logger.handlers[:], logger.propagate = ours.handlers, False
        logger.setLevel(max(ours.getEffectiveLevel(), logging.WARNING))
