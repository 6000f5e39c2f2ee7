"""What of a folder or archive is read as a whole, because its files tell of each other: packages of Discord, mails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from palace.errors import UnreadableSource
from palace.mining.readers.discord.package import DiscordPackage, files_of, package_roots
from palace.mining.readers.files.containers import Container, printable
from palace.mining.readers.files.passed_over import SKIPPED_MAILBOXES, may_be_skipped_mailbox
from palace.mining.readers.mail.boxes import FROM
from palace.mining.readers.mail.mails import MailSource, is_single


@dataclass(slots=True)
class Wholes:
    """What was found, and which files it is made of."""

    sources: list[DiscordPackage | MailSource] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    passed_over: Counter[str] = field(default_factory=Counter)


def find_wholes(container: Container, label: str, name: str, names: Sequence[str], is_archive: bool) -> Wholes:
    """Find them among the files of a container; ``name`` is what it is called, ``label`` how the person named it."""
    found = Wholes()
    for root, channels in package_roots(names).items():
        members = files_of(names, root, is_archive=is_archive)
        above = PurePosixPath(root).parent.name if root else ""
        source = DiscordPackage(
            str(PurePosixPath(label, root)),
            printable(above or name),
            container,
            root,
            tuple(channels),
            tuple(sorted(members)),
        )
        found.sources.append(source)
        found.taken |= members
    mails = [member for member in names if member not in found.taken and is_single(member)]
    if mails:
        found.sources.append(MailSource(label, name, container, tuple(mails)))
        found.taken.update(mails)
    for member in names:
        if member not in found.taken and may_be_skipped_mailbox(member) and _is_mailbox(container, member):
            found.passed_over[SKIPPED_MAILBOXES] += 1
            found.taken.add(member)
    return found


def _is_mailbox(container: Container, member: str) -> bool:
    try:
        with container.open(member) as stream:
            return stream.read(len(FROM)) == FROM
    except UnreadableSource:
        return False
