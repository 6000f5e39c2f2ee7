"""Memory for requests to a provider: recall within a time limit, and filing after the answer."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Timer

from palace import KeyGrant, KeyScope, NotFound, PalaceError, Role, Scope, WholeHistory
from palace.turns import Turn
from palace_server.caller import Caller, Service
from palace_server.problems import log_fault
from palace_server.proxy.asked import Asked
from palace_server.proxy.dialects import AT, RESPONSES, Json, Reply

RECALL_SECONDS = 0.3
"""Seconds that a request waits for memory."""
RECALL_THREADS = 8
FILING_THREADS = 2
TURN_SECONDS = 30.0
"""Seconds for a turn to begin when the request no longer waits for it, and again for filing it."""
MOST_WAITING = 64 << 20
"""Characters of exchanges that wait to be filed, at least ``LEAST`` each; while there are more, memory is left out."""
LEAST = 64 << 10
CLOSING_SECONDS = 20.0
"""Seconds to file what waits when the server stops; the rest is put into the outbox."""
MOST_HELD = 64 << 20
"""Characters of the histories that only the provider has."""


@dataclass(slots=True)
class Recalled:
    """The result of recall for a request."""

    asked: Asked
    caller: Caller
    turn: Turn | None = None
    blocks: dict[int, str] = field(default_factory=dict)
    """The blocks to put into the request, by message."""
    reason: str = ""
    """Why there are none."""
    begun: Future[Recalled] | None = None
    history: list[Json] = field(default_factory=list)
    """The messages before those of the request, which the provider has."""

    @property
    def note(self) -> str:
        """The value of the header that says what was done."""
        if not self.blocks:
            return f"skipped;reason={self.reason or 'nothing-found'}"
        return f"injected;hits={len(self.turn.hits) if self.turn else 0}"

    @property
    def messages(self) -> list[Json]:
        """The whole conversation up to the request."""
        return [*self.history, *self.asked.messages]


class Histories:
    """The latest histories that a provider has under an id, so that a request need not repeat them."""

    def __init__(self) -> None:
        self._size, self._lock = 0, Lock()
        self._kept: OrderedDict[tuple[str, str], tuple[int, str | None, list[Json]]] = OrderedDict()

    def find(self, user: str, id: str) -> tuple[str | None, list[Json]]:
        """Return the conversation of an id and its messages; none if it is not known."""
        with self._lock:
            _, conversation, messages = self._kept.get((user, id), (0, None, []))
        return conversation, messages

    def keep(self, user: str, id: str, conversation: str | None, messages: Sequence[Json]) -> None:
        """Keep a history under an id; the oldest are dropped for it."""
        kept = [{name: value for name, value in each.items() if name != AT} for each in messages]
        size = len(json.dumps(kept))
        with self._lock:
            self._size += size - self._kept.pop((user, id), (0,))[0]
            self._kept[user, id] = (size, conversation, kept)
            while self._size > MOST_HELD:
                self._size -= self._kept.popitem(last=False)[1][0]


class Memory:
    """Recalls and files for the requests of a server, in threads of its own."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._recalling = ThreadPoolExecutor(RECALL_THREADS, "proxy-recall")
        self._reading = ThreadPoolExecutor(1, "proxy-reading")
        """Reads replies in turn: who waits for it waits for all before."""
        self._filing = ThreadPoolExecutor(FILING_THREADS, "proxy-filing")
        self._histories, self._lock = Histories(), Lock()
        self._waiting, self._is_late = 0, Event()

    async def recall(self, asked: Asked, grant: KeyGrant, user: str) -> Recalled:
        """Recall for a request within the time limit; after a failure the result has only a reason."""
        recalled = Recalled(asked, Caller(self._service, grant, user))
        if not asked.config.enabled or not asked.messages:
            return replace(recalled, reason="off" if asked.messages else "no-messages")
        if self._waiting >= MOST_WAITING:
            return replace(recalled, reason="busy")
        deadline = time.monotonic() + RECALL_SECONDS
        try:
            async with asyncio.timeout(RECALL_SECONDS):
                await self._follow(recalled)
                recalled.begun = self._recalling.submit(self._recall, recalled, deadline)
                return await asyncio.wrap_future(recalled.begun)
        except TimeoutError:
            return replace(recalled, reason="timeout")

    def file(self, recalled: Recalled, read: Callable[[], Reply]) -> None:
        """Read the reply, and file it with the message that it answers, behind the answer."""
        if not recalled.asked.config.enabled or recalled.reason in ("busy", "no-messages"):
            return
        size = max(LEAST, recalled.asked.size)
        with self._lock:
            self._waiting += size
        reply = self._reading.submit(self._read, recalled, read)
        reply.add_done_callback(
            lambda _: self._filing.submit(self._file, recalled, reply).add_done_callback(lambda _: self._filed(size))
        )

    def close(self) -> None:
        """Wait until all is filed; when time is over, the rest goes to the outbox."""
        over = Timer(CLOSING_SECONDS, self._is_late.set)
        over.start()
        self._recalling.shutdown(cancel_futures=True)
        self._reading.shutdown()
        self._filing.shutdown()
        over.cancel()

    def _filed(self, size: int) -> None:
        with self._lock:
            self._waiting -= size

    async def _follow(self, recalled: Recalled) -> None:
        """Find the conversation and the history that a request refers to by an id of the provider."""
        asked = recalled.asked
        if asked.follows is not None:
            await asyncio.wrap_future(self._reading.submit(int))
            conversation, recalled.history = self._histories.find(recalled.caller.user, asked.follows)
            conversation = asked.conversation or conversation or (None if recalled.history else asked.follows)
            recalled.asked = replace(asked, conversation=conversation)

    def _recall(self, recalled: Recalled, deadline: float) -> Recalled:
        caller = recalled.caller
        if time.monotonic() > deadline:
            return replace(recalled, reason="timeout")
        if KeyScope.READ not in caller.grant.scopes:
            return replace(recalled, reason="scope")
        try:
            turn = _turn(recalled)
            caller.has_read("turns.take")
        except PalaceError as problem:
            return replace(recalled, reason=problem.code.replace("_", "-"))
        except Exception as problem:  # noqa: BLE001 - the request is passed on whatever memory makes of it
            log_fault(problem)
            return replace(recalled, reason="failed")
        return replace(recalled, turn=turn, blocks=_blocks(turn) if turn else {}, reason=_reason(turn))

    def _read(self, recalled: Recalled, read: Callable[[], Reply]) -> list[Json]:
        """Return the messages of a reply; the history of a response is kept."""
        reply, asked = read(), recalled.asked
        messages = reply.messages if reply.is_whole else _cut(reply.messages)
        if asked.dialect is RESPONSES:
            for id in filter(None, (reply.id, asked.grows)):
                self._histories.keep(recalled.caller.user, id, asked.conversation, [*recalled.messages, *messages])
        return messages

    def _file(self, recalled: Recalled, reply: Future[list[Json]]) -> None:
        caller = recalled.caller
        try:
            messages = reply.result()
            may_file = recalled.asked.config.auto_store and KeyScope.WRITE in caller.grant.scopes
            if not messages or not may_file:
                return
            if recalled.begun is not None:
                wait([recalled.begun], TURN_SECONDS)
            try:
                _finish(recalled, messages, later=self._is_late.is_set())
            except NotFound:
                with self._service.filing(caller.user):
                    _finish(recalled, messages, later=self._is_late.is_set())
        except NotFound:
            return  # the key does not reach the project
        except Exception as problem:  # noqa: BLE001 - nobody waits for it
            log_fault(problem)


def _finish(recalled: Recalled, messages: Sequence[Json], *, later: bool) -> None:
    turn = recalled.turn or _turn(recalled, memory=False)
    if turn is not None and turn.finish(messages, later=later).is_filed:
        recalled.caller.did("conversations.file")


def _turn(recalled: Recalled, *, memory: bool = True) -> Turn | None:
    """Take the turn of a request."""
    asked, caller = recalled.asked, recalled.caller
    project, conversation = asked.context.project_id, asked.conversation
    home = caller.home(project)
    try:
        wing = None if home is None else caller.wing(home)
        scope = caller.scope(None if project is None else [project])
    except NotFound:
        if caller.wings is not None:
            raise
        # The project's wing is made when something is filed in it.
        wing, scope, memory = None, Scope(), False
    if caller.wings is not None:
        # It must not continue a conversation that stands elsewhere, whether by its id or by its content.
        conversation = f"{home}:{conversation or _beginning(recalled.messages)}"
    for kind in asked.config.memory_types or ():
        scope = replace(scope, role=Role(kind), tools=Role(kind) is Role.TOOL)
    limits = {"top_k": asked.config.retrieval_limit, "least_similarity": asked.config.similarity_threshold}
    chosen: Json = {name: value for name, value in limits.items() if value is not None}
    chosen |= {
        "memory": memory,
        "files": asked.config.auto_store,
        "scope": None if scope == Scope() else scope,
        "wing": wing.name if wing else home,
        "place": "system",
        "timeout": TURN_SECONDS,
        "working": WholeHistory(),
    }
    return caller.palace.turns.take_request(recalled.messages, session=conversation, options=chosen)


def _blocks(turn: Turn) -> dict[int, str]:
    """Return the blocks of a turn by the number of their message in the request."""
    blocks: dict[int, str] = {}
    block = ""
    for message in turn.messages:
        if AT in message and block:
            blocks[message[AT]] = block
        block = message["content"] if message.keys() == {"role", "content"} and message["role"] == "system" else ""
    return blocks


def _reason(turn: Turn | None) -> str:
    if turn is None:
        return "no-message"
    if turn.notes:
        return "failed"
    return "" if turn.decision.searched else (turn.decision.rule or "not-needed")


def _cut(reply: Sequence[Json]) -> list[Json]:
    """Return the text of a reply that was cut off, marked so; calls of tools may be half of one."""
    return [{"role": each["role"], "content": f"{each['content'].rstrip()} […]"} for each in reply if each["content"]]


def _beginning(messages: Sequence[Json]) -> str:
    first = next(({**each, AT: 0} for each in messages if each.get("role") == "user"), {})
    return hashlib.sha256(json.dumps(first, sort_keys=True).encode()).hexdigest()[:32]
