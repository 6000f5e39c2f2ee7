"""This machine as others see it, and the machines and folders that its palace is synchronised with."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

from palace.config.folders import make_private, refused, written_whole
from palace.config.settings import default_home, operating_system_user
from palace.db.transfer import marks as stored
from palace.db.users import get_palace_key
from palace.errors import NotFound
from palace.models import SyncStatus
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.transfer.bundles import MACHINE, read_key


def machine_name(opened: OpenPalace) -> str:
    """Return the name of this machine: its host's, the login or the home's folder, and a random number; stored."""
    path = own_file(opened, "machine")
    with suppress(OSError, UnicodeDecodeError):
        if MACHINE.fullmatch(name := path.read_text(encoding="ascii").strip()):
            return name
    home = opened.settings.home_folder
    whose = operating_system_user() if home == default_home() else home.name
    named = [re.sub("[^a-z0-9]+", "-", slugify(each)).strip("-")[:45] for each in (socket.gethostname(), whose)]
    name = "-".join(filter(None, (*(named if any(named) else ["machine"]), uuid4().hex[:8])))
    with written_whole(path, force=True) as partial:
        partial.write_text(f"{name}\n", encoding="ascii")
    return name


def own_file(opened: OpenPalace, kind: str) -> Path:
    """Return the path of a user's file for syncs in the home; ``kind`` is its ending."""
    digest = blake2b(opened.user.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    with refused(opened.settings.home_folder):
        folder = make_private(opened.settings.home_folder, "sync")
    return folder / f"{slugify(opened.user)[:40]}-{digest}.{kind}"


def fingerprint_of(opened: OpenPalace) -> str:
    """Return a hash of the palace's key."""
    key = opened.run(get_palace_key)
    return blake2b(key.bytes, digest_size=8, person=b"palace-sync").hexdigest()


def status(opened: OpenPalace) -> SyncStatus:
    """Return this machine, its palace's fingerprint, and the peers."""
    machine = machine_name(opened)
    peers = opened.run(stored.list_peers)
    return SyncStatus(machine, fingerprint_of(opened), tuple(each for each in peers if each.name != machine))


def unpair(opened: OpenPalace, name: str) -> bool:
    """Remove a peer; return whether the stored key of its folder was removed.

    Raises:
        NotFound: there is none.
    """
    was_paired, keys = opened.run(lambda session: stored.unpair(session, name))
    if not was_paired:
        raise NotFound(f"there is no {name} to unpair: `palace sync --status` lists machines and folders")
    path = own_file(opened, "key")
    if keys and (key := read_key(path)) and key.id in keys:
        path.unlink()
    return bool(keys)
