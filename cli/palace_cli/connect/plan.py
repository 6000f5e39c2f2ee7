"""Plan the changes to a client's configuration files before anything is written, then write them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from palace.errors import BadRequest
from palace.nlp.secrets import redact
from palace_cli.connect import contents
from palace_cli.connect.clients import Client
from palace_cli.connect.files import UNCHANGED, ConfigFile, Record, Records, digest, read, remove_folders, write
from palace_cli.connect.jsonc import Refused, data_of
from palace_cli.connect.program import Program
from palace_cli.connect.states import ConfigChange, FileState

CONTEXT = 2
"""Unchanged lines to show around a change."""
LONGEST = 200
"""Characters of a line to show."""


@dataclass(frozen=True, slots=True)
class Step:
    """The planned change of one file."""

    found: ConfigFile
    after: bytes | None
    """The new content; None if the file is to be deleted."""
    record: Record | None
    """The record to store; None to delete it."""

    @property
    def is_needed(self) -> bool:
        """Whether the content changes."""
        return self.after != self.found.data

    def change(self) -> ConfigChange:
        """Return the change for display."""
        file, after = str(self.found.path), self.after or b""
        if not self.is_needed:
            return ConfigChange(file, FileState.UNCHANGED)
        is_plug_in = self.found.path.suffix == ".js"
        # Redacted, because a configuration may contain keys, and the output may be seen by others.
        shown = "" if is_plug_in else redact(difference(self.found.text, after.decode("utf-8"), file)).text
        if self.after is None:
            return ConfigChange(file, FileState.REMOVED, shown)
        return ConfigChange(file, FileState.NEW if self.found.data is None else FileState.CHANGED, shown)


class Plan:
    """The planned changes for one client at one level: the user's files, or those of a project."""

    def __init__(self, client: Client, root: Path | None, records: Records) -> None:
        self.client, self.root, self.records = client, root, records
        self._files = client.files(root)

    def connecting(self, program: Program) -> list[Step]:
        """Plan to connect the client; nothing is written yet.

        Raises:
            BadRequest: a file cannot be read or changed; then none is.
        """
        return [self._connecting(path, roles, program) for path, roles in self._files.items()]

    def undoing(self) -> list[Step]:
        """Plan to remove Palace's entries, whatever else was changed since.

        Raises:
            BadRequest: a file cannot be read or changed; then none is.
        """
        steps = list[Step]()
        for path, roles in self._files.items():
            found = read(path, within=self.root)
            with _of(path):
                steps.append(Step(found, self._stripped(found, roles, self.records.find(found.target)), None))
        return steps

    def carry_out(self, steps: Sequence[Step]) -> None:
        """Write the changed files; if one fails, restore those before it.

        Raises:
            BadRequest: a file cannot be written, or was changed since it was planned.
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
        for step in done:
            if step.record is None:
                former = self.records.find(step.found.target)
                self.records.drop(step.found.target)
                remove_folders(former.folders if former and step.after is None else ())

    def _connecting(self, path: Path, roles: Collection[str], program: Program) -> Step:
        found = read(path, within=self.root)
        with _of(path):
            after = contents.connected(found.text, self.client, roles, program)
            if found.data is not None and after == found.text:
                return Step(found, found.data, None)
            former = self.records.find(found.target)
            before = self._stripped(found, roles, former)
            parse = contents.editor(self.client, roles).data_of
            made = contents.containers(parse((before or b"").decode("utf-8")), parse(after))
        written = after.encode("utf-8")
        missing = [str(folder) for folder in found.target.parents if not folder.exists()]
        folders = former.folders if former else tuple(missing)
        return Step(found, written, Record(str(path), before, digest(written), frozenset(made), folders))

    def _stripped(self, found: ConfigFile, roles: Collection[str], former: Record | None) -> bytes | None:
        """Return a file's content without Palace's entries: the recorded former one, if it was not changed since."""
        if found.data is None:
            return None
        if former and former.is_of(found.data):
            return former.before
        text = contents.disconnected(found.text, self.client, roles, former.made if former else None)
        is_empty = "".join(text.split()) in ("", "{}")
        is_ours = contents.is_plug_in(self.client, roles) or (former and former.before is None)
        return None if is_empty and is_ours else text.encode("utf-8")


@contextmanager
def _of(path: Path) -> Iterator[None]:
    """Convert a refusal into an error that names the file."""
    try:
        yield
    except Refused as problem:
        raise BadRequest(f"{path}: {problem}; {UNCHANGED}") from problem


def difference(before: str, after: str, file: str) -> str:
    """Return the unified difference of two texts; "" if they are equal.

    If a long line of JSON changes, as in a file of one line, both texts are indented first.
    """
    old, new = before.splitlines(), after.splitlines()
    if any(len(line) > LONGEST for line in set(old) ^ set(new)):
        with suppress(Refused):
            old, new = _spread(before), _spread(after)
    # Skip equal lines at both ends, since long files differ in a few lines.
    head = _same(old, new)
    tail = min(_same(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    start, rest = max(head - CONTEXT, 0), max(tail - CONTEXT, 0)
    lines = unified_diff(old[start : len(old) - rest], new[start : len(new) - rest], file, file, lineterm="", n=CONTEXT)
    return "\n".join(f"{line[:LONGEST]} …" if len(line) > LONGEST else line for line in lines if line[:2] != "@@")


def _spread(text: str) -> list[str]:
    return json.dumps(data_of(text), indent=2, ensure_ascii=False).split("\n") if text else []


def _same(old: list[str], new: list[str]) -> int:
    pairs = zip(old, new, strict=False)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))
