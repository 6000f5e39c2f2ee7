"""What lies in a ChatGPT or Claude export beside its conversations: what is read of it, and what is counted. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeVar

from palace.mining.readers.files.source import Beside, StoredFile

File = TypeVar("File", bound=StoredFile)

NO_FORMAT = "files of an export in no known format"
OTHERS_LEFT_OUT = "files that came with conversations"
LEFT_OUT = {
    "ads.json": "advertisements (ads.json)",
    "chat.html": "the same conversations as a web page (chat.html)",
    "conversation_asset_file_names.json": "names of files (conversation_asset_file_names.json)",
    "export_manifest.json": "the list of the export's files (export_manifest.json)",
    "library_files.json": "names of files (library_files.json)",
    "login_history.json": "account data (login_history.json)",
    "message_feedback.json": "ratings of answers (message_feedback.json)",
    "model_comparisons.json": "comparisons of models (model_comparisons.json)",
    "shared_conversations.json": "links to shared conversations (shared_conversations.json)",
    "shopping.json": "shopping (shopping.json)",
    "sora.json": "films (sora.json)",
    "user.json": "account data (user.json)",
    "user_settings.json": "settings (user_settings.json)",
    "users.json": "account data (users.json)",
}
"""Files of an export that hold nothing anybody said to be remembered, and as what they are counted."""

_CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")
_MARKS = LEFT_OUT.keys() | {"memories.json", "projects.json"}
"""Beside conversations, one of these tells an export from a folder of somebody's files."""
_READ = frozenset({"projects", "memories", "design_chats", "textdocs"})
"""Folders of an export with a file for each project, and so on."""
_IS_READ = "read"
_ATTACHED = re.compile(r"file[-_].+|(dalle-generations|user-[^/]+)/.+")


@dataclass(slots=True)
class Sorted:
    """The members of a folder or archive that belong to exports."""

    left_out: set[str] = field(default_factory=set)
    companions: set[str] = field(default_factory=set)
    """Read for what is in them; that a reader knows them is not to be expected."""
    beside: dict[str, Beside] = field(default_factory=dict)
    """What lies beside a file of an export, where its reader is to know."""

    def placed(self, source: File) -> File:
        """Give a source with what is known of it as a file of an export."""
        beside, is_companion = self.beside.get(source.member), source.member in self.companions
        return replace(source, beside=beside or source.beside, is_companion=is_companion)


def sort_exports(names: Iterable[str], *, is_archive: bool) -> Sorted:
    """Find the exports among files, and what belongs to them; on disk other files may lie between theirs."""
    paths = {name: PurePosixPath(name) for name in names}
    exports = _exports(paths)
    found = Sorted()
    for name, path in paths.items():
        export = next((exports[parent] for parent in path.parents if parent in exports), None) if exports else None
        if export is None or _CONVERSATIONS.fullmatch(path.name):
            continue
        below = path.relative_to(export.root)
        kind = _kind_of(below, is_archive=is_archive)
        if kind == _IS_READ:
            found.companions.add(name)
            is_project = below.parts[0] in ("projects", "projects.json")
            (export.projects if is_project else export.companions).append(name)
        elif kind is not None:
            found.left_out.add(name)
            export.counts[kind] += 1
    for export in exports.values():
        projects = tuple(export.projects)
        found.beside |= {name: Beside({}, projects) for name in (*export.conversations, *export.companions)}
        found.beside[export.conversations[0]] = Beside(dict(export.counts), projects)
    return found


@dataclass(slots=True)
class _Export:
    root: PurePosixPath
    conversations: list[str] = field(default_factory=list)
    companions: list[str] = field(default_factory=list)
    """Projects apart, whose names the others are told."""
    projects: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def _exports(paths: Mapping[str, PurePosixPath]) -> dict[PurePosixPath, _Export]:
    marked = {path.parent for path in paths.values() if path.name in _MARKS}
    marked |= {path.parent.parent for path in paths.values() if path.parent.name in _READ}
    exports: dict[PurePosixPath, _Export] = {}
    for name, path in paths.items():
        if path.parent in marked and _CONVERSATIONS.fullmatch(path.name):
            exports.setdefault(path.parent, _Export(path.parent)).conversations.append(name)
    return exports


def _kind_of(below: PurePosixPath, *, is_archive: bool) -> str | None:
    """Tell what a file of an export is counted as, whether it is read, or None where it is somebody's own."""
    is_at_top = len(below.parts) == 1
    if is_at_top and below.name in LEFT_OUT:
        return LEFT_OUT[below.name]
    if below.suffix.lower() == ".json" and (is_archive or is_at_top or below.parts[0] in _READ):
        return _IS_READ
    return OTHERS_LEFT_OUT if is_archive or _ATTACHED.fullmatch(str(below)) else None
