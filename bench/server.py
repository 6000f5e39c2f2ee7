"""`python -m bench.server`: the time that REST adds to a recall, and five minutes of 50 clients of 10 users.

With `--page HOME`, the first byte of each view of the page instead, of a palace that `bench.scale grow` filled.

Each text carries the mark of its user: an answer with the mark of another is a leak. After the load, acknowledged
texts that no list of drawers has are counted as lost.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import quote

import httpx

from bench.harness import Figures, home_settings, milliseconds, print_figures
from bench.metrics import percentile
from bench.speed import program
from bench.speed.texts import chats, questions
from palace import Palace, Palaces, Settings

TREE = Path(__file__).parents[1]
EVERY_SECONDS = 2.0
RECALLS = 0.8
CONVERSATIONS = 0.25
"""The share of conversations among what is filed; the rest are notes."""
MARK = re.compile(r"ownermark(\d+)")
WARM_UP = 20
ROUNDS = 20
"""How often each view of the page is loaded."""


@dataclass
class Load:
    """The answers that the clients got, counted by their threads."""

    statuses: Counter[int] = field(default_factory=Counter)
    recalls: list[float] = field(default_factory=list)
    """Milliseconds of each recall that was answered."""
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    """The user and the text of what was filed."""
    leaks: int = 0


class Client:
    """A program of one user that sends a request every two seconds."""

    def __init__(self, number: int, user: int, url: str, key: str, queries: Sequence[str], load: Load) -> None:
        self._random = random.Random(number)
        self._number, self._user, self._queries, self._load = number, user, queries, load
        self._filed = 0
        self._http = connected(url, key)

    def run(self, seconds: float, begin: threading.Barrier) -> None:
        """Send requests for some seconds at fixed times, however long the answers take."""
        begin.wait()
        due = time.perf_counter() + self._random.uniform(0, EVERY_SECONDS)
        end = time.perf_counter() + seconds
        while max(due, time.perf_counter()) < end:
            time.sleep(max(0.0, due - time.perf_counter()))
            due += EVERY_SECONDS
            self._recall() if self._random.random() < RECALLS else self._file()
        self._http.close()

    def _recall(self) -> None:
        begun = time.perf_counter()
        if self._send("/v1/recall", {"query": self._random.choice(self._queries)}).is_success:
            self._load.recalls.append((time.perf_counter() - begun) * 1000)

    def _file(self) -> None:
        self._filed += 1
        name = f"Client {self._number} files text {self._filed}"
        text = marked(f"{name}: {self._random.choice(self._queries)}", self._user)
        if self._random.random() < CONVERSATIONS:
            answer = marked("I will remember that.", self._user)
            messages = [{"role": "user", "content": text}, {"role": "assistant", "content": answer}]
            done = self._send("/v1/conversations", {"messages": messages, "id": name})
        else:
            done = self._send("/v1/drawers", {"content": text})
        if done.is_success:
            self._load.acknowledged.append((self._user, text))

    def _send(self, path: str, body: dict[str, object]) -> httpx.Response:
        answer = self._http.post(path, json=body)
        self._load.statuses[answer.status_code] += 1
        self._load.leaks += bool(set(MARK.findall(answer.text)) - {str(self._user)})
        return answer


def marked(text: str, user: int) -> str:
    """Return a text with the mark of its user."""
    return f"{text} ownermark{user}"


def connected(url: str, key: str) -> httpx.Client:
    """Return a client of the server with a key."""
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=120)


def measure(options: argparse.Namespace) -> Figures:
    """Fill palaces, serve them, and measure one recall at a time, then under load."""
    with home_settings(worker_starts=False) as settings, Palaces.open(settings) as palaces:
        keys = [_filled(palaces.palace(f"user-{user}"), user, options) for user in range(options.users)]
        queries = questions(options.data, 200)
        with _serving(settings) as url:
            alone = _added(settings, palaces.palace("user-0"), url, keys[0], queries)
            load = _load(url, keys, queries, options)
            lost = _lost(url, keys, load.acknowledged)
    sent, busy = load.statuses.total(), load.statuses[503]
    p50, p95 = (percentile(load.recalls, share) for share in (0.5, 0.95))
    return {
        "alone, ms": alone,
        "(rest - facade) / embedding": (alone["rest"] - alone["facade"]) / alone["embedding"],
        "requests": sent,
        "statuses": {str(status): count for status, count in sorted(load.statuses.items())},
        "503, %": 100 * busy / sent,
        "recall under load, ms": {"p50": p50, "p95": p95, "p95 / p50": p95 / p50},
        "acknowledged": len(load.acknowledged),
        "lost": lost,
        "answers with another user's text": load.leaks,
        "load average": os.getloadavg(),
    }


def _filled(palace: Palace, user: int, options: argparse.Namespace) -> str:
    """Give a user a palace and a key; each has the same chats with a mark of their own."""
    for chat in chats(options.data, drawers=options.drawers):
        messages = [each | {"content": marked(each["content"], user)} for each in chat["messages"]]
        palace.file(messages, id=chat["id"], wing="Chats")
    return palace.keys.create("bench", scopes=("read", "write")).secret


@contextmanager
def _serving(settings: Settings) -> Iterator[str]:
    """Start the program's server on a free port, and yield its URL."""
    command = [*program.COMMAND, "serve", "--port", "0"]
    with subprocess.Popen(command, env=program.environment(TREE, settings), stderr=subprocess.PIPE, text=True) as ran:
        try:
            assert ran.stderr is not None
            yield ran.stderr.readline().split()[1].rstrip(":")
        finally:
            ran.terminate()


def _added(settings: Settings, palace: Palace, url: str, key: str, queries: Sequence[str]) -> dict[str, float]:
    """Recall by REST and by the library, and embed the query, by turns; return the medians."""
    embedder = program.embedder(settings)
    spent: dict[str, list[float]] = {"rest": [], "facade": [], "embedding": []}
    with connected(url, key) as client:
        for number, query in enumerate([*queries[:WARM_UP], *queries]):
            calls: tuple[Callable[[], object], ...] = (
                partial(client.post, "/v1/recall", json={"query": query}),
                partial(palace.recall, query),
                partial(embedder.embed_queries, [query]),
            )
            for times, call in zip(spent.values(), calls, strict=True):
                taken = milliseconds(call)
                if number >= WARM_UP:
                    times.append(taken)
    return {name: median(times) for name, times in spent.items()}


def measure_page(options: argparse.Namespace) -> Figures:
    """Load each view of a filled palace's page and recall by turns; return medians and their ratio to a recall."""
    with (
        home_settings(options.page, user=options.user, worker_starts=False) as settings,
        Palaces.open(settings) as palaces,
        _serving(settings) as url,
    ):
        palace = palaces.palace(options.user)
        views, key = _views(palace), palace.keys.create("bench", scopes=("read", "forget", "admin"))
        try:
            with (
                httpx.Client(base_url=url, timeout=120, follow_redirects=True) as client,
                httpx.Client(base_url=url, timeout=120) as other,
            ):
                client.post("/sign-in", data={"key": key.secret}).raise_for_status()
                spent: dict[str, list[float]] = {name: [] for name in ("recall", *views)}
                for query in [each.content[:80] for each in palace.tree.all_drawers(limit=ROUNDS)]:
                    spent["recall"].append(milliseconds(partial(palace.recall, query)))
                    for name, path in views.items():
                        asks = other if path == "/sign-in" else client
                        spent[name].append(milliseconds(partial(_first_byte, asks, path.format(quote(query)))))
        finally:
            palace.keys.revoke(key.key.id)
        drawers = palace.status().drawers
    times = {name: median(each) for name, each in spent.items()}
    recall = times.pop("recall")
    return {
        "drawers": drawers,
        "recall, ms": recall,
        **{f"{name}, ms": {"p50": each, "recalls": each / recall} for name, each in times.items()},
    }


def _views(palace: Palace) -> dict[str, str]:
    """Return the paths of the views by name: of the largest wing, and of the entity that is mentioned most."""
    wing = max(palace.tree.wings(), key=lambda wing: wing.drawer_count)
    rooms = palace.tree.latest_rooms(wing.id, limit=200)
    drawer = palace.tree.drawers_behind(rooms[-1].id, None, limit=1)[0].pointer
    entities = palace.entities.list(limit=100)
    at = f"/palace/{wing.pointer}"
    return {
        "palace": "/",
        "wing": at,
        "wing, page 5": f"{at}?cursor={rooms[-1].number}",
        "room": f"/palace/{drawer.of_room}",
        "drawer": f"/palace/{str(drawer).removeprefix('§ ')}",
        "search": "/palace/search?q={}",
        "entities": "/palace/entities",
        "entities, page 3": f"/palace/entities?cursor={entities[-1].id}",
        "entity": f"/palace/entity?name={quote(entities[0].name)}",
        "owner": "/palace/entity?name=I",
        "lately filed": "/palace/recent",
        "settings and costs": "/palace/settings",
        "sign in": "/sign-in",
        "nothing": "/palace/W-999999",
    }


def _first_byte(client: httpx.Client, path: str) -> None:
    with client.stream("GET", path) as answer:
        next(answer.iter_raw())


def _load(url: str, keys: Sequence[str], queries: Sequence[str], options: argparse.Namespace) -> Load:
    load, begin = Load(), threading.Barrier(options.clients)
    with ThreadPoolExecutor(options.clients) as pool:
        owners = [number % len(keys) for number in range(options.clients)]
        clients = [Client(number, user, url, keys[user], queries, load) for number, user in enumerate(owners)]
        for done in [pool.submit(client.run, options.seconds, begin) for client in clients]:
            done.result()
    return load


def _lost(url: str, keys: Sequence[str], acknowledged: Sequence[tuple[int, str]]) -> int:
    """Count the acknowledged texts that are not listed."""
    lost = 0
    for user, key in enumerate(keys):
        with connected(url, key) as client:
            lost += len({text for owner, text in acknowledged if owner == user} - set(_listed(client)))
    return lost


def _listed(client: httpx.Client) -> Iterator[str]:
    cursor: dict[str, str] | None = {}
    while cursor is not None:
        page = client.get("/v1/drawers", params={"limit": "200", **cursor}).json()
        yield from (each["content"] for each in page["items"])
        cursor = {"cursor": page["next_cursor"]} if page["next_cursor"] else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with longmemeval; texts are made up without it")
    parser.add_argument("--drawers", type=int, default=200, help="drawers of each user before the load")
    parser.add_argument("--users", type=int, default=10)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--page", type=Path, metavar="HOME", help="measure the page of a palace that is there")
    parser.add_argument("--user", default="large", help="whose page")
    parser.add_argument("--json", action="store_true")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = _parser().parse_args(arguments)
    return print_figures(lambda: (measure_page if options.page else measure)(options), as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
