"""How the application ends: once it is told to, no key does anything more, and it waits for nobody for long."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeVar

from textual.actions import ActionParseResult
from textual.app import App
from textual.dom import DOMNode

THREADS = 16
LAST_SECONDS = 1.5
"""How long threads are waited for in the end; what hangs on goes with the process."""
R = TypeVar("R")


class Hands(ThreadPoolExecutor):
    """Threads to ask from. Whoever waits for all to come back waits for so long."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 — as inherited
        """Drop what was not begun, and wait a while for what was."""
        super().shutdown(wait=False, cancel_futures=True)
        until = monotonic() + LAST_SECONDS
        for thread in list(self._threads) if wait else ():
            thread.join(max(until - monotonic(), 0))


class EndingApp(App[R]):
    """An application that ends when it is told to."""

    @property
    def is_ending(self) -> bool:
        """Whether it was told to."""
        return self._exit

    def on_load(self) -> None:
        """Have threads that are not waited for without end."""
        asyncio.get_running_loop().set_default_executor(Hands(THREADS, thread_name_prefix="browse"))

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key says, unless it was typed behind the one that ends the application."""
        return False if self.is_ending else await super().run_action(action, default_namespace, namespaces)
