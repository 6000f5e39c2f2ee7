"""Sorts the files in a ChatGPT or Claude export beside its conversations: those that are read, and those counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeVar

from palace.errors import UnreadableSource
from palace.mining.files.fields import id_field, objects, parsed, text_field
from palace.mining.files.reading import Reading
from palace.mining.files.source import Beside, StoredFile
from palace.nlp.rules import Rules

File = TypeVar("File", bound=StoredFile)

NO_FORMAT = "files of an export in no known format"
OTHERS_LEFT_OUT = "files that came with conversations"
_RULES, _LEFT_OUT = Rules("readers", "files.toml"), "beside_conversations"
_CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")
_MARKS = frozenset({"memories.json", "projects.json"})
"""Files that, like the ignored ones, distinguish an export from a user's own folder with conversations."""
_READ = frozenset({"projects", "memories", "design_chats", "textdocs"})
"""Folders of an export with one file per project, memory and so on."""
_IS_READ = "read"
_ATTACHED = re.compile(r"file[-_].+|(dalle-generations|user-[^/]+)/.+")


@dataclass(slots=True)
class Sorted:
    """The files of a folder or archive that belong to exports."""

    left_out: set[str] = field(default_factory=set)
    companions: set[str] = field(default_factory=set)
    """Read for their content; an unknown format in them is no error."""
    beside: dict[str, Beside] = field(default_factory=dict)
    """What an export holds beside a file, for that file's reader."""

    def placed(self, source: File) -> File:
        """Return a source with what is known about its export."""
        beside, is_companion = self.beside.get(source.member), source.member in self.companions
        return replace(source, beside=beside or source.beside, is_companion=is_companion)


def sort_exports(names: Iterable[str], *, is_archive: bool) -> Sorted:
    """Find the exports among files and what belongs to them; on disk, unrelated files may lie between them."""
    paths = {name: PurePosixPath(name) for name in names}
    marks = _RULES.table(_LEFT_OUT).keys() | _MARKS
    marked = {path.parent for path in paths.values() if path.name in marks}
    marked |= {path.parent.parent for path in paths.values() if path.parent.name in _READ}
    found = Sorted()
    exports: dict[PurePosixPath, list[str]] = {}
    """Files of conversations by folder."""
    for name, path in paths.items():
        if path.parent in marked and _CONVERSATIONS.fullmatch(path.name):
            exports.setdefault(path.parent, []).append(name)
    members: dict[PurePosixPath, dict[str, str]] = {root: {} for root in exports}
    """Category of each other file of an export."""
    for name, path in paths.items():
        root = next((parent for parent in path.parents if parent in exports), None) if exports else None
        is_other = root is not None and not _CONVERSATIONS.fullmatch(path.name)
        if root is not None and is_other and (kind := _kind_of(path.relative_to(root), is_archive=is_archive)):
            members[root][name] = kind
    for root, conversations in exports.items():
        read = [name for name, kind in members[root].items() if kind == _IS_READ]
        projects = tuple(n for n in read if paths[n].relative_to(root).parts[0] in ("projects", "projects.json"))
        counts = Counter(kind for kind in members[root].values() if kind != _IS_READ)
        found.companions.update(read)
        found.left_out.update(members[root].keys() - set(read))
        found.beside |= {name: Beside({}, projects) for name in (*conversations, *read) if name not in projects}
        found.beside[conversations[0]] = Beside(dict(counts), projects)
    return found


def _kind_of(below: PurePosixPath, *, is_archive: bool) -> str | None:
    """Return the category of a file in an export, or ``_IS_READ``; None for a file of the user's own."""
    is_at_top, left_out = len(below.parts) == 1, _RULES.table(_LEFT_OUT)
    if is_at_top and below.name in left_out:
        return f"{left_out[below.name]} ({below.name})"
    if below.suffix.lower() == ".json" and (is_archive or is_at_top or below.parts[0] in _READ):
        return _IS_READ
    return OTHERS_LEFT_OUT if is_archive or _ATTACHED.fullmatch(str(below)) else None


def note_companions(source: StoredFile, reading: Reading) -> None:
    """Count the ignored files of a file's export, and load the names of its projects."""
    for kind, count in source.beside.left_out.items():
        reading.leave_out(kind, count)
    for member in source.beside.projects:
        reading.projects.update(_project_names(source, member))


def _project_names(source: StoredFile, member: str) -> dict[str, str]:
    value = None  # an unreadable file is a source of its own and reported when it is read
    with suppress(UnreadableSource), source.container.open(member) as stream:
        value = parsed(stream.read())
    projects = objects(value if isinstance(value, list) else [value])
    return {uuid: name for one in projects if (uuid := id_field(one, "uuid")) and (name := text_field(one, "name"))}
