"""Which session ends when another begins: never one that is at work, and one that only listens last of all."""

from __future__ import annotations

from itertools import count
from typing import Any

import anyio

from palace_mcp.http.sessions import Sessions


class Keeping:
    """An application that keeps sessions, and answers those that wait when it is told to."""

    def __init__(self) -> None:
        self.names, self.ended, self.answers = count(1), list[str](), anyio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Begin a session, end one, or wait."""
        session = dict(scope["headers"]).get(b"mcp-session-id", b"").decode()
        if scope["method"] == "DELETE":
            self.ended.append(session)
        elif session:
            await self.answers.wait()
        named = session or str(next(self.names))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"mcp-session-id", named.encode())]})


async def ask(sessions: Sessions, session: str = "", method: str = "POST", version: str = "2025-06-18") -> None:
    headers = [(b"mcp-session-id", session.encode())] if session else []
    scope = {"type": "http", "method": method, "headers": [*headers, (b"mcp-protocol-version", version.encode())]}

    async def nothing(*_: Any) -> Any:
        return None

    await sessions(scope, nothing, nothing)


def test_what_is_at_work_stays_and_what_only_listens_goes_last() -> None:
    async def main() -> list[str]:
        app = Keeping()
        sessions = Sessions(app, 3)
        async with anyio.create_task_group() as group:
            for _ in range(3):
                await ask(sessions)
            group.start_soon(ask, sessions, "1", "GET")
            group.start_soon(ask, sessions, "2")
            await anyio.wait_all_tasks_blocked()
            # Today's protocol has no sessions: its requests take nobody's place.
            await ask(sessions, version="2026-07-28")
            await ask(sessions)
            assert app.ended == ["3"]
            await ask(sessions)
            await ask(sessions)
            app.answers.set()
        await ask(sessions, "2")
        await ask(sessions)
        return app.ended

    # "4" was the request of today's protocol; "5", "6" and "7" began.
    assert anyio.run(main) == ["3", "5", "6", "7"]
