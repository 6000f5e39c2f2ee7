"""What is to become of each file of a client's configuration, before anything is written; then writing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from palace.errors import BadRequest
from palace.text.secrets import redact
from palace_cli.connect.answers import ConfigChange, FileState
from palace_cli.connect.clients import Client, Files
from palace_cli.connect.contents import texts
from palace_cli.connect.contents.difference import difference
from palace_cli.connect.editing.refusals import Refused
from palace_cli.connect.files.reading import UNCHANGED, ConfigFile, read
from palace_cli.connect.files.record import Record, Records, digest
from palace_cli.connect.files.writing import remove_folders, write
from palace_cli.connect.program import Program


@dataclass(frozen=True, slots=True)
class Step:
    """One file: as it was found, what it is to be, and what is to be remembered of it."""

    found: ConfigFile
    after: bytes | None
    """None where there is to be no file."""
    record: Record | None
    """None where nothing is to be remembered any more."""

    @property
    def is_needed(self) -> bool:
        """Whether the file is to become another."""
        return self.after != self.found.data

    def change(self) -> ConfigChange:
        """Say what becomes of it."""
        file, after = str(self.found.path), self.after or b""
        if not self.is_needed:
            return ConfigChange(file, FileState.UNCHANGED)
        # A configuration has keys in it, and what is shown may be read by more than its owner.
        shown = redact(difference(self.found.text, after.decode("utf-8"), file)).text
        if self.after is None:
            return ConfigChange(file, FileState.REMOVED, shown)
        return ConfigChange(file, FileState.NEW if self.found.data is None else FileState.CHANGED, shown)


class Plan:
    """The steps for one client at one level: the user's files, or those of a project."""

    def __init__(self, client: Client, root: Path | None, records: Records) -> None:
        self.client, self.root, self.records = client, root, records
        files = client.of_user() if root is None else client.of_project(root)
        self._roles = roles_of(files)

    def connecting(self, program: Program) -> list[Step]:
        """Plan to put in what connects the client; nothing is written yet.

        Raises:
            BadRequest: a file cannot be read or changed; then none is.
        """
        return [self._connecting(path, roles, program) for path, roles in self._roles.items()]

    def undoing(self) -> list[Step]:
        """Plan to take out what was put in, whatever else was changed since.

        Raises:
            BadRequest: a file cannot be read or changed; then none is.
        """
        return [self._undoing(path, roles) for path, roles in self._roles.items()]

    def carry_out(self, steps: Sequence[Step]) -> None:
        """Write what is needed; if one file cannot be written, those before it are put back.

        Raises:
            BadRequest: a file cannot be written, or is not any more as it was planned for.
        """
        done: list[Step] = []
        try:
            for step in steps:
                if step.is_needed:
                    if step.record:
                        self.records.keep(step.found.target, step.record)
                    write(step.found, step.after, is_private=self.root is None)
                    done.append(step)
        except BadRequest:
            for step in reversed(done):
                written = ConfigFile(step.found.path, step.found.target, step.after)
                write(written, step.found.data, is_private=self.root is None)
            raise
        for step in steps:
            if step.record is None and step.is_needed:
                former = self.records.find(step.found.target)
                self.records.drop(step.found.target)
                remove_folders(former.folders if former and step.after is None else ())

    def _connecting(self, path: Path, roles: frozenset[str], program: Program) -> Step:
        found = read(path, within=self.root)
        with _of(path):
            after = texts.connected(found.text, self.client, roles, program)
            if found.data is not None and after == found.text:
                return Step(found, found.data, None)
            former = self.records.find(found.target)
            before = self._stripped(found, roles, former)
            made = texts.containers(
                texts.said((before or b"").decode("utf-8"), self.client, roles),
                texts.said(after, self.client, roles),
            )
        written = after.encode("utf-8")
        missing = [str(folder) for folder in found.target.parents if not folder.exists()]
        folders = former.folders if former else tuple(missing)
        return Step(found, written, Record(str(path), before, digest(written), frozenset(made), folders))

    def _undoing(self, path: Path, roles: frozenset[str]) -> Step:
        found = read(path, within=self.root)
        with _of(path):
            return Step(found, self._stripped(found, roles, self.records.find(found.target)), None)

    def _stripped(self, found: ConfigFile, roles: frozenset[str], former: Record | None) -> bytes | None:
        """Return a file without what is ours: as it was, where it is still as it was written."""
        if found.data is None:
            return None
        if former and former.is_of(found.data):
            return former.before
        text = texts.disconnected(found.text, self.client, roles, former.made if former else None)
        is_bare = "".join(text.split()) in ("", "{}")
        return None if is_bare and former and former.before is None else text.encode("utf-8")


def roles_of(files: Files) -> dict[Path, frozenset[str]]:
    """Return the files of a configuration with what each is for."""
    if files.hooks == files.server:
        return {files.server: frozenset({"server", "hooks"})}
    of_hooks = {files.hooks: frozenset({"hooks"})} if files.hooks else {}
    return {files.server: frozenset({"server"}), **of_hooks}


@contextmanager
def _of(path: Path) -> Iterator[None]:
    """Say of which file a refusal is."""
    try:
        yield
    except Refused as problem:
        raise BadRequest(f"{path}: {problem}; {UNCHANGED}") from problem
