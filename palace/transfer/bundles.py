"""Bundles: exports of what another machine lacks, as they travel, and as encrypted files in a shared folder."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from palace.config.folders import refused, require_free, written_whole
from palace.db.transfer.marks import State
from palace.errors import BadRequest, UnreadableSource

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MOST_CONVERSATIONS, MOST_BYTES = 200, 4 << 20
"""What a bundle holds, unless one conversation is larger."""
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
    """An export of some conversations, and the hashes of the states that they are in."""

    digests: tuple[str, ...]
    export: BinaryIO
    drawers: int = 0
    """The number of drawers in it; 0 for one that was received."""

    @property
    def size(self) -> int:
        """The size of the export in bytes."""
        return self.export.seek(0, os.SEEK_END)


def split(states: Sequence[State]) -> Iterator[Sequence[State]]:
    """Split conversations into those of one bundle each."""
    page: list[State] = []
    for state in states:
        if page and (len(page) == MOST_CONVERSATIONS or sum(each.bytes for each in page) + state.bytes > MOST_BYTES):
            yield page
            page = []
        page.append(state)
    if page:
        yield page


def digests_of(text: object, file: str) -> tuple[str, ...]:
    """Split a text of hashes.

    Raises:
        UnreadableSource: it is none.
    """
    if not isinstance(text, str) or not DIGESTS.fullmatch(text):
        raise UnreadableSource(file, "is no bundle of Palace")
    return tuple(text[at : at + DIGEST] for at in range(0, len(text), DIGEST))


class BundleName(NamedTuple):
    """The name of a bundle in a folder, which is authenticated with its content."""

    machine: str
    number: int
    is_whole: bool
    """Whether it begins anew: what the machine wrote before is not needed."""

    def __str__(self) -> str:
        return f"{self.machine}.{self.number:06d}{'.all' if self.is_whole else ''}.palace"


def list_bundles(folder: Path) -> dict[str, dict[int, BundleName]]:
    """List the bundles in a folder by machine and number; other files are left alone.

    Raises:
        BadRequest: the folder cannot be read.
    """
    found: dict[str, dict[int, BundleName]] = {}
    try:
        names = sorted(each.name for each in folder.iterdir())
    except OSError as problem:
        raise BadRequest(f"{folder} cannot be read: {problem.strerror}") from problem
    for name in names:
        if known := NAME.fullmatch(name):
            bundle = BundleName(known[1], int(known[2]), bool(known[3]))
            if str(bundle) == name:
                found.setdefault(known[1], {})[bundle.number] = bundle
    return found


def unread(bundles: dict[int, BundleName], last: int) -> tuple[list[BundleName], bool]:
    """Return the bundles to read after the ``last`` one, in order, and whether one is missing among them."""
    begins = max((each.number for each in bundles.values() if each.is_whole and each.number > last), default=last + 1)
    numbers = sorted(number for number in bundles if number >= begins)
    following = [number for index, number in enumerate(numbers) if number == begins + index]
    return [bundles[number] for number in following], len(following) < len(numbers)


@dataclass(frozen=True, slots=True)
class FolderKey:
    """The key of a shared folder: AES in Galois counter mode, 256 bits."""

    secret: bytes

    @property
    def id(self) -> str:
        """A name of the key that tells nothing of it."""
        return blake2b(self.secret, digest_size=8, person=b"palace-sync").hexdigest()

    def write(self, folder: Path, name: BundleName, bundle: Bundle) -> None:
        """Write a bundle, which gets its name only when it is complete."""
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
        """Read a bundle.

        Raises:
            UnreadableSource: it was cut off or changed, has another name or key, or is too large.
        """
        path, file = folder / str(name), str(name)
        try:
            # A link would lead out of the folder, a pipe would be waited for.
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as stream:
                raw = stream.read(LARGEST_BUNDLE + 1)
        except OSError as problem:
            raise UnreadableSource(file, f"cannot be read: {problem.strerror}") from problem
        if len(raw) > LARGEST_BUNDLE:
            raise UnreadableSource(file, "is larger than a bundle can be")
        if not raw.startswith(MAGIC):
            raise UnreadableSource(file, "is no bundle of Palace")
        plain = self._opened(raw[len(MAGIC) :], file)
        header, found, export = plain.partition(b"\n")
        try:
            members = json.loads(header) if found else None
        except (ValueError, RecursionError):
            members = None
        if not isinstance(members, dict):
            raise UnreadableSource(file, "is no bundle of Palace")
        return Bundle(digests_of(members.get("digests"), file), BytesIO(export))

    def _opened(self, sealed: bytes, file: str) -> bytes:
        from cryptography.exceptions import InvalidTag

        cipher = _cipher(self.secret)
        try:
            packed = cipher.decrypt(sealed[:NONCE], sealed[NONCE:], file.encode())
            unpacking = zlib.decompressobj()
            plain = unpacking.decompress(packed, LARGEST_BUNDLE)
        except (InvalidTag, ValueError, zlib.error) as problem:
            told = "is damaged, still incomplete, or encrypted with another key"
            raise UnreadableSource(file, told) from problem
        if not unpacking.eof:
            raise UnreadableSource(file, "is larger than a bundle can be")
        return plain


def read_key(path: Path) -> FolderKey | None:
    """Read a key file; None if there is none.

    Raises:
        BadRequest: it cannot be read, or holds no key.
    """
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii").partition(":")[2].strip())
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise BadRequest(f"{path} cannot be read: {problem.strerror}") from problem
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise BadRequest(f"{path} holds no key of a shared folder")
    _cipher(secret)
    return FolderKey(secret)


def make_key(path: Path) -> FolderKey:
    """Make a key file, readable for its owner alone."""
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
        raise BadRequest(f"a shared folder is encrypted, which takes a library: {INSTALL}") from problem
    return AESGCM(secret)
