"""Eight writers and four readers on one user's palace, each a process of its own, with all verbs mixed."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path

from palace import Administration, NotFound, Palace, Settings, Verdict
from palace.testing import HashingEmbedder

USER = "shared"
WORDS = ("battery", "propeller", "harbour", "lantern", "granite", "violin", "cedar", "copper", "saffron", "meadow")
SHARED_CONVERSATIONS = 6
FEWEST_ROUNDS = 4
"""What each process does at least, however slow the machine."""

Role = Callable[["Worker"], None]


@dataclass(slots=True)
class Account:
    """What one process did, and what must be there of it in the end."""

    name: str
    done: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    present: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    pointers: dict[str, str] = field(default_factory=dict)
    """Pointers given out, each with what it must still show."""


@dataclass(slots=True)
class Strain:
    """What came of it."""

    seconds: float
    done: dict[str, int]
    errors: list[str]
    lost: list[str]
    doubled: list[str]
    unsound: list[str]
    """What doctor found."""
    drawers: int


def endure_mixed(home: Path, *, seconds: float, seed: int) -> Strain:
    """Let writers and readers work for so long, then look at what is there."""
    settings = Settings(home=home, server_idle_minutes=0, user=USER)
    with Palace.open(settings, embedder=HashingEmbedder()) as palace:
        palace.note("The very first note stands here before anybody begins.", wing="Notes")
    writers: Sequence[Role] = (*[grow_own] * 4, *[grow_shared] * 2, undo_and_move, rebuild)
    roles: Sequence[Role] = (*writers, *[read] * 4)
    results: Queue[Account] = multiprocessing.get_context("spawn").Queue()
    processes = [
        multiprocessing.get_context("spawn").Process(
            target=_work, args=(home, role.__name__, number, seconds, seed, results)
        )
        for number, role in enumerate(roles)
    ]
    for process in processes:
        process.start()
    accounts = [results.get(timeout=seconds + 300) for _ in processes]
    for process in processes:
        process.join(60)
    return _judge(settings, accounts, seconds)


class Worker:
    """One process: a palace, files of its own, and an account."""

    def __init__(self, home: Path, palace: Palace, account: Account, chance: random.Random) -> None:
        self.folder = home / "files" / account.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.palace, self.account, self.chance = palace, account, chance
        self.steps = 0

    def did(self, verb: str) -> None:
        """Count a verb."""
        self.account.done[verb] += 1

    def say(self, name: str, number: int) -> str:
        """Make up a turn that nobody else says."""
        words = random.Random(f"{name}/{number}").choices(WORDS, k=12)
        return f"In {name}, turn {number}: {' '.join(words)}."

    def write(self, name: str, turns: int) -> Path:
        """Write a conversation of so many turns; the same name and number give the same bytes."""
        path = self.folder / f"{name}.json"
        messages = [
            {"role": "user" if turn % 2 == 0 else "assistant", "content": self.say(name, turn)} for turn in range(turns)
        ]
        path.write_text(json.dumps({"id": name, "messages": messages}), encoding="utf-8")
        return path


def grow_own(worker: Worker) -> None:
    """Grow a conversation of one's own and mine it; now and then forget one of its drawers, or file a note."""
    palace, account = worker.palace, worker.account
    worker.steps += worker.chance.randint(1, 4)
    palace.mine(worker.write(account.name, worker.steps), wing=f"Wing of {account.name}")
    worker.did("mine")
    said = {worker.say(account.name, turn) for turn in range(worker.steps)}
    account.present |= said - account.absent
    if worker.chance.random() < 0.3:
        hits = palace.recall(worker.say(account.name, worker.chance.randrange(worker.steps)), top_k=3).hits
        worker.did("recall")
        mine = [hit.drawer for hit in hits if hit.drawer.content in account.present]
        if mine:
            palace.forget(str(mine[0].pointer))
            worker.did("forget")
            account.present.discard(mine[0].content)
            account.absent.add(mine[0].content)
    if worker.chance.random() < 0.3:
        note = palace.note(f"Note {worker.steps} of {account.name}.", wing=f"Wing of {account.name}")
        worker.did("note")
        account.present.add(note.content)


def grow_shared(worker: Worker) -> None:
    """Mine conversations that another process mines too, each in its own order and at its own pace."""
    worker.steps += 1
    for number in worker.chance.sample(range(SHARED_CONVERSATIONS), k=3):
        name = f"common-{number}"
        worker.palace.mine(worker.write(name, worker.steps), wing="Common")
        worker.did("mine")
        worker.account.present |= {worker.say(name, turn) for turn in range(worker.steps)}


def undo_and_move(worker: Worker) -> None:
    """Mine, undo and mine again; move the room to and fro; every pointer ever seen must go on resolving."""
    palace, account = worker.palace, worker.account
    worker.steps += 1
    name = f"{account.name}-{worker.steps}"
    run_id = palace.mine(worker.write(name, 3), wing="From").run_id
    if run_id is not None and worker.chance.random() < 0.5:
        palace.runs.undo(run_id)
        worker.did("undo")
        palace.mine(worker.write(name, 3), wing="From")
    worker.did("mine")
    account.present |= {worker.say(name, turn) for turn in range(3)}
    rooms = [room for room in palace.tree.rooms(palace.tree.wing("From")) if room.drawer_count]
    drawer = palace.tree.drawers(rooms[-1])[0]
    account.pointers[str(drawer.pointer)] = drawer.content
    palace.tree.move(str(drawer.pointer.of_room), "To", create=True)
    worker.did("move")
    if worker.steps % 5 == 0:
        palace.tree.rename("To", f"To, {worker.steps} times")
        palace.tree.rename("To", "To")
        worker.did("rename")


def rebuild(worker: Worker) -> None:
    """Make the indexes afresh, and let the palace rest a little."""
    worker.palace.rebuild(wing="Notes" if worker.chance.random() < 0.7 else None)
    worker.did("rebuild")
    time.sleep(worker.chance.uniform(0, 1))


def read(worker: Worker) -> None:
    """Recall, walk the tree, show, sum up."""
    palace = worker.palace
    hits = palace.recall(" ".join(worker.chance.choices(WORDS, k=4)), top_k=10).hits
    worker.did("recall")
    first = palace.recall("the very first note stands here before anybody begins", top_k=1).hits
    if not first or not first[0].drawer.content.startswith("The very first note"):
        worker.account.errors.append("the first note was not recalled")
    for hit in (*hits[:2], *first):
        try:
            if palace.show(str(hit.drawer.pointer), context=1).drawer.content != hit.drawer.content:
                worker.account.errors.append(f"{hit.drawer.pointer} shows something else")
        except NotFound:
            worker.did("show of what was forgotten meanwhile")
        worker.did("show")
    for wing in palace.tree.wings():
        palace.tree.rooms(wing)
    palace.status()
    worker.did("tree")


ROLES = {role.__name__: role for role in (grow_own, grow_shared, undo_and_move, rebuild, read)}


def _work(home: Path, role: str, number: int, seconds: float, seed: int, results: Queue[Account]) -> None:
    account = Account(f"{role.replace('_', '-')}-{number}")
    settings = Settings(home=home, server_idle_minutes=0, user=USER)
    chance = random.Random(seed * 100 + number)
    ends = time.monotonic() + seconds
    with Palace.open(settings, embedder=HashingEmbedder()) as palace:
        worker = Worker(home, palace, account, chance)
        rounds = itertools.count()
        while next(rounds) < FEWEST_ROUNDS or time.monotonic() < ends:
            try:
                ROLES[role](worker)
            except Exception:  # noqa: BLE001 — whatever it is, the trial counts it
                account.errors.append(f"{account.name}: {traceback.format_exc(limit=-3)}")
    results.put(account)


def _judge(settings: Settings, accounts: list[Account], seconds: float) -> Strain:
    with Palace.open(settings, embedder=HashingEmbedder()) as palace:
        palace.embeddings.backfill()
        said = _contents(palace)
        lost = [text for account in accounts for text in account.present if said[text] == 0]
        lost += [f"{text!r} came back" for account in accounts for text in account.absent if said[text]]
        for pointer, text in (pair for account in accounts for pair in account.pointers.items()):
            if palace.show(pointer).drawer.content != text:
                lost.append(f"{pointer} leads elsewhere")
        drawers = palace.status().drawers
    checks = Administration(settings).doctor()
    return Strain(
        seconds=seconds,
        done=dict(sum((account.done for account in accounts), Counter())),
        errors=[error for account in accounts for error in account.errors],
        lost=lost,
        doubled=[text for text, count in said.items() if count > 1],
        # The trial's embedder is not one that doctor could load.
        unsound=[f"{c.name}: {c.finding}" for c in checks if c.verdict is not Verdict.OK and c.name != "model"],
        drawers=drawers,
    )


def _contents(palace: Palace) -> Counter[str]:
    found: Counter[str] = Counter()
    for wing in palace.tree.wings():
        for room in palace.tree.rooms(wing):
            offset = 0
            while page := palace.tree.drawers(room, offset=offset):
                found.update(drawer.content for drawer in page)
                offset += len(page)
    return found
