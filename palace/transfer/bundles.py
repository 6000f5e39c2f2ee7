"""Bundles: exports of some conversations for another machine, and their encrypted files in a shared folder."""

from __future__ import annotations

import json
import os
import re
import stat
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from palace.config.folders import refused, require_free, written_whole
from palace.db.transfer.marks import State
from palace.errors import BadRequest, UnreadableSource

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MOST_CONVERSATIONS, MOST_BYTES = 200, 4 << 20
"""Most conversations and bytes of a bundle; a larger conversation has a bundle of its own."""
LARGEST_BUNDLE = 1 << 30
LONGEST_HEADER = 64 << 20
DIGEST = 32
DIGESTS = re.compile("(?:[0-9a-f]{32})*")
MAGIC = b"palace bundle 1\n"
NONCE = 12
NAME = re.compile(r"([a-z0-9][a-z0-9-]{0,99})\.(\d{6,9})(\.all)?\.palace")
MACHINE = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
INSTALL = "pip install 'memory-palace-pg[sync]'"


@dataclass(frozen=True, slots=True)
class Bundle:
    """An export of some conversations, and the hashes of their states."""

    digests: tuple[str, ...]
    export: BinaryIO

    @property
    def size(self) -> int:
        """The size of the export in bytes."""
        return self.export.seek(0, os.SEEK_END)


def split(states: Sequence[State]) -> Iterator[Sequence[State]]:
    """Yield the conversations of one bundle after the other."""
    page: list[State] = []
    for state in states:
        if page and (len(page) == MOST_CONVERSATIONS or sum(each.bytes for each in page) + state.bytes > MOST_BYTES):
            yield page
            page = []
        page.append(state)
    if page:
        yield page


def digests_of(text: object, file: str) -> tuple[str, ...]:
    """Split a text of hashes written one after the other.

    Raises:
        UnreadableSource: it is not such a text.
    """
    if not isinstance(text, str) or not DIGESTS.fullmatch(text):
        raise UnreadableSource(file, "is not a bundle of Palace")
    return tuple(text[at : at + DIGEST] for at in range(0, len(text), DIGEST))


class BundleName(NamedTuple):
    """The name of a bundle in a folder, which is authenticated with its content."""

    machine: str
    number: int
    is_whole: bool
    """Whether it contains everything, so that earlier bundles of the machine are not needed."""

    def __str__(self) -> str:
        return f"{self.machine}.{self.number:06d}{'.all' if self.is_whole else ''}.palace"


def list_bundles(folder: Path) -> dict[str, dict[int, BundleName]]:
    """Map machines to their bundles in a folder, by number; other files are ignored.

    Raises:
        BadRequest: the folder cannot be read.
    """
    found: dict[str, dict[int, BundleName]] = {}
    try:
        names = sorted(each.name for each in folder.iterdir())
    except FileNotFoundError as problem:
        raise BadRequest(f"there is no folder {folder}: make it first") from problem
    except OSError as problem:
        raise BadRequest(f"{folder} cannot be read: {problem.strerror}") from problem
    for name in names:
        if known := NAME.fullmatch(name):
            bundle = BundleName(known[1], int(known[2]), bool(known[3]))
            if str(bundle) == name:
                found.setdefault(known[1], {})[bundle.number] = bundle
    return found


def unread(bundles: dict[int, BundleName], last: int) -> tuple[list[BundleName], bool]:
    """Return the bundles to read after number ``last``, in order up to a gap, and whether there is a gap."""
    first = max((each.number for each in bundles.values() if each.is_whole and each.number > last), default=last + 1)
    numbers = sorted(number for number in bundles if number >= first)
    following = [number for index, number in enumerate(numbers) if number == first + index]
    return [bundles[number] for number in following], len(following) < len(numbers)


def following_number(written: dict[int, BundleName], last: int) -> tuple[int, bool]:
    """Return the number of a machine's next bundle after number ``last``, and whether it must contain everything.

    It must where one of the machine's bundles is missing, or where another file has the number: it gets a later one.
    """
    first = max((number for number, name in written.items() if name.is_whole and number <= last), default=1)
    is_whole = last + 1 in written or any(number not in written for number in range(first, last + 1))
    return next(number for number in count(last + 1) if number not in written), is_whole


@dataclass(frozen=True, slots=True)
class FolderKey:
    """The key of a shared folder, for AES-256-GCM."""

    secret: bytes

    @property
    def id(self) -> str:
        """A hash that identifies the key."""
        return blake2b(self.secret, digest_size=8, person=b"palace-sync").hexdigest()

    def write(self, folder: Path, name: BundleName, bundle: Bundle) -> None:
        """Encrypt and write a bundle; the file gets its name when it is complete."""
        bundle.export.seek(0)
        plain = json.dumps({"digests": "".join(bundle.digests)}).encode() + b"\n" + bundle.export.read()
        nonce = os.urandom(NONCE)
        sealed = _cipher(self.secret).encrypt(nonce, zlib.compress(plain), str(name).encode())
        path = folder / str(name)
        with written_whole(path, force=False) as partial, partial.open("wb") as file:
            file.write(MAGIC + nonce + sealed)
            file.flush()
            os.fsync(file.fileno())

    def read(self, folder: Path, name: BundleName) -> Bundle:
        """Read and decrypt a bundle.

        Raises:
            UnreadableSource: it was cut off, changed or renamed, is encrypted with another key, or is too large.
        """
        path, file = folder / str(name), str(name)
        try:
            # A link could lead out of the folder, and opening a pipe would wait.
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as stream:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise UnreadableSource(file, "is not a regular file")
                raw = stream.read(LARGEST_BUNDLE + 1)
        except OSError as problem:
            raise UnreadableSource(file, f"cannot be read: {problem.strerror}") from problem
        if len(raw) > LARGEST_BUNDLE:
            raise UnreadableSource(file, "is larger than a bundle can be")
        if not raw.startswith(MAGIC):
            raise UnreadableSource(file, "is not a bundle of Palace")
        plain = self._decrypted(raw[len(MAGIC) :], file)
        header, found, export = plain.partition(b"\n")
        try:
            members = json.loads(header) if found else None
        except (ValueError, RecursionError):
            members = None
        if not isinstance(members, dict):
            raise UnreadableSource(file, "is not a bundle of Palace")
        return Bundle(digests_of(members.get("digests"), file), BytesIO(export))

    def _decrypted(self, sealed: bytes, file: str) -> bytes:
        from cryptography.exceptions import InvalidTag

        cipher = _cipher(self.secret)
        try:
            packed = cipher.decrypt(sealed[:NONCE], sealed[NONCE:], file.encode())
            unpacking = zlib.decompressobj()
            plain = unpacking.decompress(packed, LARGEST_BUNDLE)
        except (InvalidTag, ValueError, zlib.error) as problem:
            reason = "is damaged, still incomplete, or encrypted with another key"
            raise UnreadableSource(file, reason) from problem
        if not unpacking.eof:
            raise UnreadableSource(file, "is larger than a bundle can be")
        return plain


def read_key(path: Path) -> FolderKey | None:
    """Read a key file; None if there is none.

    Raises:
        BadRequest: it cannot be read, does not contain a key, or others than its owner may read it.
    """
    try:
        # As with ssh: whoever has the key can write what this machine believes.
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise BadRequest(f"{path} can be read by others: `chmod 600` it, or use a new folder with a new key")
        secret = bytes.fromhex(path.read_text(encoding="ascii").partition(":")[2].strip())
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise BadRequest(f"{path} cannot be read: {problem.strerror}") from problem
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise BadRequest(f"{path} does not contain the key of a shared folder")
    _cipher(secret)
    return FolderKey(secret)


def make_key(path: Path) -> FolderKey:
    """Create a key file that only its owner can read."""
    secret = os.urandom(32)
    _cipher(secret)
    require_free(path, force=False)
    with refused(path), os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"palace-sync-key: {secret.hex()}\n")
        file.flush()
        os.fsync(file.fileno())
    return FolderKey(secret)


def _cipher(secret: bytes) -> AESGCM:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as problem:
        raise BadRequest(f"encrypting a shared folder needs a library: {INSTALL}") from problem
    return AESGCM(secret)
