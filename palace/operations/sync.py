"""Keep palaces in step: with another machine over ssh, or through a shared folder."""

from __future__ import annotations

import re
import socket
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from palace.cancellation import go_on
from palace.config.folders import make_private, refused, written_whole
from palace.db.changes.removal import Removed, remove
from palace.db.database import UserSession
from palace.db.graph.decisions import iter_decisions, list_decisions
from palace.db.hidden import sweep_hidden
from palace.db.transfer import marks as stored
from palace.db.users import get_palace_key
from palace.errors import BadRequest, PalaceError, UnreadableSource
from palace.graph.update import GraphFollower, forget_decisions, respect
from palace.mining.outgoing import Gate
from palace.mining.redaction import Redactor, find_rules
from palace.models import OnProgress, SyncSummary, TargetKind
from palace.models.activity import FORGOTTEN
from palace.models.external_keys import Key
from palace.models.lines import DrawerLine, TombstoneLine
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.operations.activity import record
from palace.operations.embeddings import EmbeddingVerbs
from palace.operations.forget import ForgetVerbs, Hiding, remove_and_redraw
from palace.operations.transfer import importer
from palace.transfer.bundles import (
    MACHINE,
    Bundle,
    BundleName,
    FolderKey,
    digests_of,
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


def sync(
    opened: OpenPalace, target: str, *, key: Path | None, ssh: str, program: str, progress: OnProgress | None
) -> SyncSummary:
    """Keep a palace in step with another machine, or through a folder."""
    started = time.monotonic()
    opened.database.shared.check_schema()
    run = _Sync(opened, progress)
    run.peer = target
    made = None
    if "://" in target:
        with connected(target, ssh=ssh, program=program) as channel:
            run.meet(channel)
    else:
        folder = Path(target).expanduser().absolute()
        run.peer = str(folder)
        made = run.share(folder, key)
    pending = run.finish()
    return SyncSummary(
        peer=run.peer,
        sent=run.sent,
        received=run.received,
        forgotten=run.forgotten,
        redacted=run.gate.count,
        skipped=run.skipped,
        passages_pending=pending,
        key=made,
        seconds=time.monotonic() - started,
        warnings=tuple(run.warnings),
    )


def answer_sync(opened: OpenPalace, reader: BinaryIO, writer: BinaryIO) -> None:
    """Answer another machine until it ends the connection."""
    opened.database.shared.check_schema()
    run = _Sync(opened)
    channel = Channel(reader, writer, "the other machine")
    # A machine that has ended the connection is told nothing more.
    with suppress(UnreadableSource):
        channel.send({"palace-sync": PROTOCOL, "machine": run.machine})
        try:
            run.answer(channel)
        except PalaceError as problem:
            channel.send({"failed": str(problem)})
            raise


@dataclass(slots=True)
class _Sync:
    """One sync, with its results so far."""

    opened: OpenPalace
    progress: OnProgress | None = None
    peer: str = ""
    sent: int = 0
    received: int = 0
    forgotten: int = 0
    skipped: int = 0
    warnings: list[str] = field(default_factory=list)
    gate: Gate = field(init=False)

    def __post_init__(self) -> None:
        """Read by which rules messages are kept in."""
        rules = self.opened.run(lambda session: find_rules(session, self.opened.settings))
        self.gate = Gate(Redactor(Key(self.opened.run(get_palace_key)), rules))
        # Before anything is filed, because passages are pending in the existing generations.
        self.opened.embedding_run()

    @property
    def machine(self) -> str:
        """The name of this machine, the same each time: its host's and a number."""
        path = self._own_file("machine")
        with suppress(OSError, UnicodeDecodeError):
            if MACHINE.fullmatch(name := path.read_text(encoding="ascii").strip()):
                return name
        host = re.sub("[^a-z0-9]+", "-", slugify(socket.gethostname())).strip("-")[:60] or "machine"
        name = f"{host}-{uuid4().hex[:8]}"
        with written_whole(path, force=True) as partial:
            partial.write_text(f"{name}\n", encoding="ascii")
        return name

    def _own_file(self, kind: str) -> Path:
        """Return the path of a file of this user for syncing, in the home."""
        user = self.opened.user
        told = blake2b(user.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        with refused(self.opened.settings.home_folder):
            folder = make_private(self.opened.settings.home_folder, "sync")
        return folder / f"{slugify(user)[:40]}-{told}.{kind}"

    def meet(self, channel: Channel) -> None:
        """Take what the other machine has and this one lacks, and the other way round."""
        channel.greeting()
        channel.send({"palace-sync": PROTOCOL, "machine": self.machine, "ask": "give", "have": self._have()})
        while "size" in (message := channel.receive()):
            with channel.bundle_of(message) as bundle:
                self.take(bundle, channel.name)
        have = set(_hashes(channel.ask({"ask": "have"}), channel))
        for bundle in self.bundles(have):
            channel.send_bundle(bundle, ask="take")
            self.sent += channel.number(channel.receive(), "received")
        channel.ask({"ask": "done"})

    def answer(self, channel: Channel) -> None:
        """Answer the requests of another machine until it is done."""
        while True:
            message = channel.receive()
            match message.get("ask"):
                case "give":
                    self.peer = channel.machine(message)
                    for bundle in self.bundles(set(_hashes(message, channel))):
                        channel.send_bundle(bundle)
                    channel.send({"left out": self.gate.count})
                case "have":
                    channel.send({"have": self._have()})
                case "take":
                    before = self.received
                    with channel.bundle_of(message) as bundle:
                        self.take(bundle, channel.name)
                    channel.send({"received": self.received - before})
                case "done":
                    channel.send({"pending": self.finish()})
                    return
                case _:
                    raise UnreadableSource(channel.name, "asks for something that this version of Palace does not know")

    def share(self, folder: Path, key_file: Path | None) -> str | None:
        """Read the bundles of other machines in a folder, and write one with what they lack; return a key file made."""
        bundles = list_bundles(folder)
        path = key_file or self._own_file("key")
        key, made = read_key(path), None
        if key is None:
            if bundles:
                raise BadRequest(f"{folder} is encrypted: copy the key file of your other machine to {path}")
            key, made = make_key(path), str(path)
        kept_for = f"folder:{key.id}"
        for machine, theirs in sorted(bundles.items()):
            # One's own as well: those that a restored backup does not know of.
            self._read(folder, key, machine, theirs)
        own = self.machine
        last = self.opened.run(lambda session: stored.get_number(session, f"{kept_for}:{own}"))
        mine = bundles.get(own, {})
        begins = max((number for number, name in mine.items() if name.is_whole), default=0)
        is_whole = not begins or any(number not in mine for number in range(begins, last + 1))
        if is_whole:
            self.opened.run(lambda session: stored.drop_marks(session, kept_for))
            last = max([last, *mine])
        known = self.opened.run(lambda session: stored.list_marks(session, kept_for))
        for number, bundle in enumerate(self.bundles(known), start=last + 1):
            key.write(folder, BundleName(own, number, is_whole), bundle)
            self._note_bundle(kept_for, own, number, bundle.digests)
            self.sent += bundle.drawers
            is_whole = False
        return made

    def _read(self, folder: Path, key: FolderKey, machine: str, theirs: dict[int, BundleName]) -> None:
        """Read what a machine wrote since, up to the first bundle that cannot be read."""
        kept_for = f"folder:{key.id}"
        last = self.opened.run(lambda session: stored.get_number(session, f"{kept_for}:{machine}"))
        following, misses = unread(theirs, last)
        for name in following:
            try:
                bundle = key.read(folder, name)
                self.take(bundle, str(name))
            except UnreadableSource as problem:
                self.skipped += 1
                self.warnings.append(str(problem))
                return
            self._note_bundle(kept_for, machine, name.number, bundle.digests)
        if misses:
            self.skipped += 1
            self.warnings.append(f"a bundle of {machine} is not here yet: those after it are read when it is")

    def _note_bundle(self, kept_for: str, machine: str, number: int, digests: Sequence[str]) -> None:
        """Record a bundle that was read or written."""

        def note(session: UserSession) -> None:
            stored.put_number(session, f"{kept_for}:{machine}", number)
            stored.add_marks(session, kept_for, digests)

        self.opened.run(note)

    def _have(self) -> str:
        """Return the hashes of all states that are known here."""

        def known(session: UserSession) -> set[str]:
            states = {state.digest for state in stored.list_states(session)}
            return states | stored.list_marks(session, stored.TAKEN) | _decided(session)

        return "".join(sorted(self.opened.run(known)))

    def bundles(self, known: Collection[str]) -> Iterator[Bundle]:
        """Yield bundles of the conversations in states that are not known, and of the decisions."""
        with self.opened.session() as session:
            states = [state for state in stored.list_states(session) if state.digest not in known]
            decided = _decided(session)
        decides = not decided <= set(known)
        for page in [*split(states)] or ([()] if decides else []):
            go_on()
            with tempfile.TemporaryFile() as file:
                among = [state.conversation_id for state in page]
                export = Export(
                    self.opened.database, progress=self.progress, among=among, decisions=decides, gate=self.gate
                )
                writer = export.write_to(file)
                digests = {self.gate.digest(state.identity, state.digest) for state in page}
                digests |= decided if decides else set()
                if digests <= set(known):
                    continue  # it holds nothing but what was withheld the last time as well
                yield Bundle(tuple(sorted(digests)), file, writer.counts[DrawerLine])
                decides = False

    def take(self, bundle: Bundle, name: str) -> None:
        """File what a bundle holds, and forget what is forgotten there; then it is marked as taken.

        Raises:
            UnreadableSource: it is no export; nothing was stored.
        """
        opened = self.opened
        contents = survey(bundle.export, name, self.progress)
        filing = importer(opened, contents, (), self.progress, is_sync=True)
        filing.file()
        opened.run(lambda session: respect(session, list_decisions(session), opened.owner))
        self.forget(filing.buried)
        # Together: a mark of the present state would hide that it came again, after another one.
        opened.run(lambda session: stored.mark_taken(session, bundle.digests))
        self.received += filing.new
        self.warnings += filing.warnings

    def forget(self, graves: Sequence[TombstoneLine]) -> None:
        """Forget the drawers here that the tombstones of another machine are about."""
        opened = self.opened
        if not graves or not opened.run(lambda session: stored.find_to_forget(session, graves)):
            return
        due_at = ForgetVerbs(opened).due_at()

        def forget(session: UserSession) -> Removed:
            going = stored.find_to_forget(session, graves)
            sweep_hidden(session)
            graph = GraphFollower(opened.owner)
            follower = Hiding(graph, due_at) if due_at else graph
            removed = remove(session, stored.and_standing_on(session, going), follower, bury=True)
            if due_at is None:
                forget_decisions(session, graph.names, opened.owner)
            stored.date_graves(session, going.values())
            record(session, FORGOTTEN, what=TargetKind.CONVERSATION.value, place="", **asdict(removed.removal))
            return removed

        self.forgotten += remove_and_redraw(opened, forget).removal.drawers

    def finish(self) -> int:
        """Index what was received; return how many passages are pending."""
        done = EmbeddingVerbs(self.opened).backfill(progress=self.progress)

        def settle(session: UserSession) -> None:
            stored.mark_taken(session, ())
            if not self.skipped and self.peer:
                stored.put_synced(session, self.peer[:200], datetime.now(UTC))

        self.opened.run(settle)
        self.warnings += done.warnings
        return done.pending


def _hashes(message: Message, channel: Channel) -> tuple[str, ...]:
    return digests_of(message.get("have"), channel.name)


def _decided(session: UserSession) -> set[str]:
    """Return a hash of the decisions about entities, if there are any."""
    lines = b"".join(map(write_line, iter_decisions(session)))
    return {blake2b(lines, digest_size=16).hexdigest()} if lines else set()
