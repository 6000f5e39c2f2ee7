"""Messages between two machines during a sync: a line of JSON each, which an export may follow."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from palace.errors import BadRequest, UnreadableSource
from palace.transfer.bundles import LARGEST_BUNDLE, LONGEST_HEADER, MACHINE, Bundle, digests_of

PROTOCOL = 1
HELLO = b'{"palace-sync"'
MOST_GREETINGS = 100
"""Most lines that a login may print before Palace."""
LONGEST_ERROR = 100
_BLOCK = 1 << 20
_HOST = re.compile(r"[A-Za-z0-9_\[:.][A-Za-z0-9_.:%\]-]*")
_FINGERPRINT = re.compile("[0-9a-f]{16}")
_USER = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]*")
ADDRESS = "name the other machine, as in `palace sync ssh://laptop` or ssh://derek@laptop:22/home/derek/palace"
NOT_FOUND = "has no `palace` on the PATH of its logins by ssh: name it, as in --program ~/.local/bin/palace"
SILENT = {127: NOT_FOUND, 255: "cannot be reached: ssh could not connect, as it says above"}
"""What it means that ssh exits with a code before the other machine answers."""
CLOSED = "closed the connection; run the same command again to continue"

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Channel:
    """A connection to another machine, whose messages are not trusted."""

    reader: IO[bytes]
    writer: IO[bytes]
    name: str
    process: subprocess.Popen[bytes] | None = None
    """The program that connects to the other machine."""

    def send(self, message: Message, export: IO[bytes] | None = None) -> None:
        """Send a message, and the export that it announces.

        Raises:
            UnreadableSource: the other machine closed the connection.
        """
        try:
            self.writer.write(json.dumps(message).encode() + b"\n")
            if export is not None:
                export.seek(0)
                while block := export.read(_BLOCK):
                    self.writer.write(block)
            self.writer.flush()
        except (OSError, ValueError) as problem:
            raise UnreadableSource(self.name, CLOSED) from problem

    def send_bundle(self, bundle: Bundle, **more: object) -> None:
        """Send a bundle."""
        self.send({**more, "digests": "".join(bundle.digests), "size": bundle.size}, bundle.export)

    def receive(self) -> Message:
        """Receive a message.

        Raises:
            UnreadableSource: the other machine closed the connection, failed, or sent something else.
        """
        raw = self.reader.readline(LONGEST_HEADER)
        if not raw.endswith(b"\n"):
            raise UnreadableSource(self.name, CLOSED)
        with suppress(ValueError, RecursionError):
            message = json.loads(raw)
            if isinstance(message, dict):
                if "failed" in message:
                    raise UnreadableSource(self.name, f'failed, and says: "{_one_line(message["failed"])}"')
                return message
        raise self._unexpected()

    def ask(self, message: Message) -> Message:
        """Send a message and receive the answer."""
        self.send(message)
        return self.receive()

    @contextmanager
    def bundle_of(self, message: Message) -> Iterator[Bundle]:
        """Receive the export that a message announces into a temporary file, which is closed with the block."""
        left, digests = message.get("size"), digests_of(message.get("digests"), self.name)
        if not isinstance(left, int) or not 0 < left <= LARGEST_BUNDLE:
            raise UnreadableSource(self.name, "announced a bundle that is larger than a bundle can be")
        with tempfile.TemporaryFile() as file:
            while left:
                block = self.reader.read(min(left, _BLOCK))
                if not block:
                    raise UnreadableSource(self.name, CLOSED)
                file.write(block)
                left -= len(block)
            yield Bundle(digests, file)

    def number(self, message: Message, name: str) -> int:
        """Return the number under a name of a message."""
        value = message.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 1 << 40:
            raise self._unexpected()
        return value

    def sender(self, message: Message) -> tuple[str, str]:
        """Return the machine that sent a message and its palace's fingerprint, after checking the protocol."""
        version, machine, palace = (message.get(name) for name in ("palace-sync", "machine", "palace"))
        if version != PROTOCOL:
            raise UnreadableSource(self.name, "uses another version of the protocol: update Palace on both machines")
        if not isinstance(machine, str) or not MACHINE.fullmatch(machine):
            raise self._unexpected()
        if not isinstance(palace, str) or not _FINGERPRINT.fullmatch(palace):
            raise self._unexpected()
        return machine, palace

    def greeting(self) -> tuple[str, str]:
        """Skip what a login prints, and return the name of the other machine and its palace's fingerprint."""
        for _ in range(MOST_GREETINGS):
            raw = self.reader.readline(_BLOCK)
            if raw.startswith(HELLO):
                with suppress(ValueError):
                    return self.sender(json.loads(raw))
            if not raw:
                raise UnreadableSource(self.name, SILENT.get(self._exit_code() or 0, "did not answer as a palace"))
        raise self._unexpected()

    def _exit_code(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(timeout=5) if self.process else None
        return None

    def _unexpected(self) -> UnreadableSource:
        return UnreadableSource(self.name, "sent something that Palace does not understand")


def _one_line(text: object) -> str:
    shown = "".join(each if each.isprintable() else " " for each in str(text)[:LONGEST_ERROR])
    return " ".join(shown.split())


@contextmanager
def connected(address: str, *, ssh: str, program: str) -> Iterator[Channel]:
    """Start ``palace`` on another machine; the connection is closed with the block.

    Raises:
        BadRequest: the address names no machine, or ssh cannot be started.
    """
    command = [*shlex.split(ssh), *_arguments(address, program)]
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except (OSError, ValueError) as problem:
        raise BadRequest(f"{command[0]}, which connects to other machines (--ssh), cannot be started") from problem
    assert process.stdin
    assert process.stdout
    try:
        yield Channel(process.stdout, process.stdin, address, process)
    finally:
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        process.wait()


def _arguments(address: str, program: str) -> list[str]:
    """Return the arguments of ssh: the host, and the command for its shell."""
    try:
        parts = urlsplit(address)
        host, user, port = parts.hostname or "", parts.username, parts.port
    except ValueError as problem:
        raise BadRequest(ADDRESS) from problem
    is_plain = parts.scheme == "ssh" and not (parts.password or parts.query or parts.fragment)
    if not is_plain or not _HOST.fullmatch(host) or (user is not None and not _USER.fullmatch(user)):
        raise BadRequest(ADDRESS)
    home = unquote(parts.path)
    if not home.isprintable():
        raise BadRequest(ADDRESS)
    remote = f"{program} sync --serve"
    if home not in ("", "/"):
        remote = f"env {shlex.quote(f'PALACE_HOME={home}')} {remote}"
    return [*(["-p", str(port)] if port else []), "--", f"{user}@{host}" if user else host, remote]
