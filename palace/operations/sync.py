"""Synchronise a palace with another machine over ssh, or through a shared folder."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, NamedTuple

from palace.cancellation import go_on
from palace.db.changes.removal import Removed, remove
from palace.db.counts import get_counts
from palace.db.database import UserSession
from palace.db.graph.decisions import iter_decisions, list_decisions
from palace.db.hidden import sweep_hidden
from palace.db.transfer import marks as stored
from palace.db.users import get_palace_key
from palace.errors import BadRequest, PalaceError, UnreadableSource
from palace.graph.update import GraphFollower, forget_decisions, respect
from palace.mining.filing.projects import find_unrecalled_wings, list_session_wings
from palace.mining.redaction import Redactor, find_rules
from palace.mining.secret_filter import SecretFilter
from palace.models import OnProgress, SyncSummary, TargetKind
from palace.models.activity import FORGOTTEN
from palace.models.external_keys import Key
from palace.models.lines import DrawerLine, Line, TombstoneLine
from palace.opened import OpenPalace
from palace.operations.activity import record
from palace.operations.embeddings import EmbeddingVerbs
from palace.operations.forget import ForgetVerbs, Hiding, remove_and_redraw
from palace.operations.machines import fingerprint_of, machine_name, own_file
from palace.operations.transfer import importer
from palace.transfer.bundles import (
    Bundle,
    BundleName,
    FolderKey,
    digests_of,
    following_number,
    list_bundles,
    make_key,
    read_key,
    split,
    unread,
)
from palace.transfer.channel import PROTOCOL, Channel, Message, connected
from palace.transfer.export import Export
from palace.transfer.lines import write_line
from palace.transfer.parsing import survey

UNPAIRED = "unpaired on this machine, which refuses it until `palace sync ssh://NAME --pair` is run here"
FEWEST = 20
"""With so many drawers, most of them are forgotten only if the caller confirms it."""


class Confirmed(NamedTuple):
    """What the caller confirms."""

    pair: bool = False
    """That the palace of the other machine is one's own."""
    forget_many: bool = False
    """That most drawers may be forgotten."""


def sync(
    opened: OpenPalace,
    target: str,
    *,
    key: Path | None,
    remote: tuple[str, str],
    confirmed: Confirmed,
    progress: OnProgress | None,
) -> SyncSummary:
    """Synchronise a palace with another machine, or through a folder.

    ``remote`` is the program that connects to the other machine, and the command of Palace there.
    """
    started = time.monotonic()
    opened.database.shared.check_schema()
    run = _Sync(opened, progress, confirmed)
    run.peer = target
    new_key = None
    if "://" in target:
        with connected(target, ssh=remote[0], program=remote[1]) as channel:
            run.exchange(channel)
    else:
        folder = Path(target).expanduser().absolute()
        run.peer = str(folder)
        new_key = run.use_folder(folder, key)
    pending = run.finish()
    return SyncSummary(
        peer=run.peer,
        sent=run.sent,
        received=run.received,
        forgotten=run.forgotten,
        forgotten_there=run.forgotten_there,
        paired=run.paired,
        withheld=run.secrets.count,
        skipped=run.skipped,
        passages_pending=pending,
        key=new_key,
        seconds=time.monotonic() - started,
        warnings=tuple(run.warnings),
    )


def answer_sync(opened: OpenPalace, reader: BinaryIO, writer: BinaryIO, *, forget_many: bool) -> None:
    """Answer another machine until it closes the connection."""
    opened.database.shared.check_schema()
    run = _Sync(opened, confirmed=Confirmed(forget_many=forget_many))
    channel = Channel(reader, writer, "the other machine")
    # The other machine may have closed the connection already.
    with suppress(UnreadableSource):
        channel.send(run.introduction())
        try:
            run.serve(channel)
        except PalaceError as problem:
            channel.send({"failed": str(problem)})
            raise


@dataclass(slots=True)
class _Sync:
    """One sync and its results so far."""

    opened: OpenPalace
    progress: OnProgress | None = None
    confirmed: Confirmed = field(default_factory=Confirmed)
    peer: str = ""
    entry: str | None = None
    """The name under which the peer is stored, once it may sync."""
    sent: int = 0
    received: int = 0
    forgotten: int = 0
    forgotten_there: int = 0
    paired: str = ""
    """The palace that was paired with."""
    skipped: int = 0
    warnings: list[str] = field(default_factory=list)
    buried: list[TombstoneLine] = field(default_factory=list)
    """Tombstones of the other machine that apply here, before they are carried out."""
    marks: list[Callable[[UserSession], None]] = field(default_factory=list)
    """What is stored once they are carried out."""
    since: datetime = stored.EPOCH
    """The time of the last sync."""
    fresh: int = 0
    """Drawers in the written bundles that were filed since then."""
    secrets: SecretFilter = field(init=False)
    wings: set[int] = field(init=False)

    def __post_init__(self) -> None:
        """Load the rules for secrets and the wings with sessions, and create missing generations of embeddings."""
        rules = self.opened.run(lambda session: find_rules(session, self.opened.settings))
        self.secrets = SecretFilter(Redactor(Key(self.opened.run(get_palace_key)), rules))
        self.wings = self.opened.run(list_session_wings)
        # Before anything is filed: new passages become pending in the generations that exist.
        self.opened.embedding_run()

    def introduction(self) -> dict[str, object]:
        """Return the message that introduces this machine and its palace."""
        return {"palace-sync": PROTOCOL, "machine": machine_name(self.opened), "palace": fingerprint_of(self.opened)}

    def admit(self, machine: str, fingerprint: str, *, is_begun_here: bool = False) -> None:
        """Pair the palace of another machine if the caller confirms it; one that was unpaired only if that is here.

        Raises:
            BadRequest: it is not paired; it would speak here with the person's voice.
        """
        self.peer = self.peer or machine
        run = self.opened.run
        self.entry = run(lambda session: stored.find_pair(session, fingerprint, self.peer))
        if self.entry:
            return
        is_refused = run(lambda session: stored.is_refused(session, [fingerprint]))
        if self.confirmed.pair and (is_begun_here or not is_refused):
            self.entry = run(lambda session: stored.pair(session, fingerprint, self.peer))
            self.paired = f"palace {fingerprint} of {machine}"
            return
        unknown = f"not paired: if it is yours, add --pair once (palace {fingerprint} of {machine})"
        raise BadRequest(UNPAIRED if is_refused else unknown)

    def exchange(self, channel: Channel) -> None:
        """Receive what only the other machine has, then send what only this one has."""
        self.admit(*channel.greeting(), is_begun_here=True)
        asked = {"ask": "give", "have": self._known_hashes(), **self.confirmed._asdict()}
        channel.send(self.introduction() | asked)
        while "size" in (message := channel.receive()):
            with channel.bundle_of(message) as bundle:
                self.file(bundle, channel.name)
        self.settle()
        known = set(_hashes(channel.ask({"ask": "have"}), channel))
        for bundle in self.bundles(known):
            channel.send_bundle(bundle, ask="take")
            self.sent += channel.number(channel.receive(), "received")
        done = channel.ask({"ask": "done"})
        # An older program does not count them.
        self.forgotten_there = channel.number({"forgotten": 0, **done}, "forgotten")

    def serve(self, channel: Channel) -> None:
        """Answer the requests of another machine until its last one."""
        while True:
            message = channel.receive()
            match message.get("ask"):
                case "give":
                    self.confirmed = self.confirmed._replace(pair=message.get("pair") is True)
                    machine, fingerprint = channel.sender(message)
                    self.admit(machine, fingerprint)
                    for bundle in self.bundles(set(_hashes(message, channel))):
                        channel.send_bundle(bundle)
                    channel.send({"withheld": self.secrets.count})
                case _ if not self.entry:
                    raise UnreadableSource(channel.name, "did not introduce itself")
                case "have":
                    channel.send({"have": self._known_hashes()})
                case "take":
                    before = self.received
                    with channel.bundle_of(message) as bundle:
                        self.file(bundle, channel.name)
                    channel.send({"received": self.received - before})
                case "done":
                    self.settle()
                    channel.send({"pending": self.finish(), "forgotten": self.forgotten})
                    return
                case _:
                    raise UnreadableSource(channel.name, "sent a request that this version of Palace does not know")

    def use_folder(self, folder: Path, key_file: Path | None) -> str | None:
        """Read new bundles in a folder and write what they lack; return the path of the key file if it was created."""
        bundles = list_bundles(folder)
        self.entry = str(folder)[:200]
        path = key_file or own_file(self.opened, "key")
        key, new_key = read_key(path), None
        if key is None:
            if self.opened.run(lambda session: stored.is_refused(session, bundles)):
                raise BadRequest(f"{folder} was given up, because a machine was unpaired: use a new folder")
            if bundles:
                raise BadRequest(f"{folder} is encrypted: copy the key file of your other machine to {path}")
            key, new_key = make_key(path), str(path)
        purpose = f"{stored.FOLDER}{key.id}"
        own = machine_name(self.opened)
        for machine, numbered in sorted(bundles.items()):
            # Own ones too: a restored backup does not know them.
            problem = self._read(folder, key, machine, numbered)
            if problem:
                strange = f"{folder} has files named like bundles of this machine that it did not write"
                self.skipped += machine != own
                self.warnings.append(strange if machine == own else problem)
        self.settle()
        last = self.opened.run(lambda session: stored.get_number(session, f"{purpose}:{own}"))
        start, is_whole = following_number(bundles.get(own, {}), last)
        if is_whole:
            self.opened.run(lambda session: stored.drop_marks(session, purpose))
        known = self.opened.run(lambda session: stored.list_marks(session, purpose))
        for number, bundle in enumerate(self.bundles(known), start=start):
            key.write(folder, BundleName(own, number, is_whole), bundle)
            self._record(purpose, own, number, bundle.digests, None)
            is_whole = False
        self.sent = self.fresh
        return new_key

    def _read(self, folder: Path, key: FolderKey, machine: str, numbered: dict[int, BundleName]) -> str | None:
        """File the new bundles of a machine, up to the first one that cannot be read; return why it cannot."""
        purpose = f"{stored.FOLDER}{key.id}"
        last = self.opened.run(lambda session: stored.get_number(session, f"{purpose}:{machine}"))
        following, is_incomplete = unread(numbered, last)
        for name in following:
            try:
                bundle = key.read(folder, name)
                self.file(bundle, str(name))
            except UnreadableSource as problem:
                return str(problem)
            self._record(purpose, machine, name.number, bundle.digests, datetime.now(UTC))
        missing = f"a bundle of {machine} is missing: later ones are read once it has arrived"
        return missing if is_incomplete else None

    def _record(
        self, purpose: str, machine: str, number: int, digests: Sequence[str], read_at: datetime | None
    ) -> None:
        """Store that a bundle was read or written."""

        def store(session: UserSession) -> None:
            stored.put_number(session, f"{purpose}:{machine}", number, read_at)
            stored.add_marks(session, purpose, digests)

        self._then(store)

    def _known_hashes(self) -> str:
        """Return the hashes of all known states, one after the other."""

        def known(session: UserSession) -> set[str]:
            states = {state.digest for state in stored.list_states(session)}
            return states | stored.list_marks(session, stored.TAKEN) | _decided(session)

        return "".join(sorted(self.opened.run(known)))

    def bundles(self, known: Collection[str]) -> Iterator[Bundle]:
        """Yield bundles of the conversations whose states are not in ``known``, and of the decisions about entities."""
        with self.opened.session() as session:
            states = [state for state in stored.list_states(session) if state.digest not in known]
            decisions = _decided(session)
            self.since = stored.get_sync_time(session, self.entry or "")
        with_decisions = not decisions <= set(known)
        for page in [*split(states)] or ([()] if with_decisions else []):
            go_on()
            with tempfile.TemporaryFile() as file:
                among = [state.conversation_id for state in page]
                export = Export(
                    self.opened.database,
                    progress=self.progress,
                    among=among,
                    decisions=with_decisions,
                    filter=self._filtered,
                )
                export.write_to(file)
                digests = {self.secrets.digest(state.identity, state.digest) for state in page}
                digests |= decisions if with_decisions else set()
                if digests <= set(known):
                    continue  # only withheld messages are new
                yield Bundle(tuple(sorted(digests)), file)
                with_decisions = False

    def _filtered(self, lines: Sequence[Line]) -> Iterator[Line]:
        for line in self.secrets(lines):
            self.fresh += isinstance(line, DrawerLine) and line.filed_at > self.since
            yield line

    def file(self, bundle: Bundle, name: str) -> None:
        """File the content of a bundle, and mark its states as known; ``settle`` forgets what it forgets.

        Raises:
            UnreadableSource: it is not an export; nothing was stored.
        """
        opened = self.opened
        contents = survey(bundle.export, name, self.progress)
        filing = importer(opened, contents, (), self.progress, is_sync=True)
        filing.file()
        opened.run(lambda session: respect(session, list_decisions(session), opened.owner))
        if self._due(filing.buried):
            self.buried += filing.buried
        # In one transaction: a mark of the present state would hide that the state was received again later.
        self._then(lambda session: stored.mark_taken(session, bundle.digests))
        self.received += filing.new
        self.warnings += filing.warnings

    def _due(self, tombstones: Sequence[TombstoneLine]) -> dict[int, TombstoneLine]:
        return self.opened.run(lambda session: stored.find_to_forget(session, tombstones)) if tombstones else {}

    def _then(self, store: Callable[[UserSession], None]) -> None:
        """Store something as soon as all tombstones so far are carried out."""
        self.marks.append(store)
        if not self.buried:
            self.settle()

    def settle(self) -> None:
        """Forget what the other machine forgot, all or nothing, then store what was received.

        Raises:
            BadRequest: that is most of the palace, and the caller did not confirm it.
        """
        if self.buried:
            due = len(self._due(self.buried))
            here = self.opened.run(get_counts)["drawer"] - self.received
            if not self.confirmed.forget_many and here >= FEWEST and 2 * due > here:
                many = f"would forget {due:,} of {here:,} drawers of {machine_name(self.opened)}"
                raise BadRequest(f"{many}: add --forget-many on that machine if that is right")
            self.forget(self.buried)
        for store in self.marks:
            self.opened.run(store)
        self.buried, self.marks = [], []

    def forget(self, tombstones: Sequence[TombstoneLine]) -> None:
        """Forget the drawers here to which tombstones of another machine apply."""
        opened = self.opened
        due_at = ForgetVerbs(opened).due_at()

        def forget(session: UserSession) -> Removed:
            due = stored.find_to_forget(session, tombstones)
            sweep_hidden(session)
            graph = GraphFollower(opened.owner)
            follower = Hiding(graph, due_at) if due_at else graph
            removed = remove(session, stored.select_with_memories(session, due), follower, bury=True)
            if due_at is None:
                forget_decisions(session, graph.names, opened.owner)
            stored.copy_forgotten_times(session, due.values())
            record(session, FORGOTTEN, what=TargetKind.CONVERSATION.value, place="", **asdict(removed.removal))
            return removed

        self.forgotten += remove_and_redraw(opened, forget).removal.drawers

    def finish(self) -> int:
        """Embed what was received; return how many passages are pending."""
        backfilled = EmbeddingVerbs(self.opened).backfill(progress=self.progress)

        def store(session: UserSession) -> None:
            stored.mark_taken(session, ())
            if not self.skipped and self.entry:
                stored.put_sync_time(session, self.entry, datetime.now(UTC))

        self.opened.run(store)
        arrived = self.opened.run(list_session_wings) - self.wings
        unrecalled = self.opened.run(lambda session: find_unrecalled_wings(session, arrived))
        self.warnings += [*backfilled.warnings, *map(str, unrecalled)]
        return backfilled.pending


def _hashes(message: Message, channel: Channel) -> tuple[str, ...]:
    return digests_of(message.get("have"), channel.name)


def _decided(session: UserSession) -> set[str]:
    """Return the hash of all decisions about entities; empty if there are none."""
    lines = b"".join(map(write_line, iter_decisions(session)))
    return {blake2b(lines, digest_size=16).hexdigest()} if lines else set()
