"""What clients have kept of earlier sessions, and what mining it would come to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from palace.errors import UnreadableSource
from palace_cli.connect.answers import Sessions

SAMPLE = 12
"""Sessions that are read for an estimate, small and large ones."""
SAMPLE_BYTES = 2 << 20
"""What a session may have that is read for it."""
CHARACTERS_PER_SECOND = 40_000
"""What filing and embedding take on a computer of two cores; docs/performance.md has 100,000 on a fast one."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Where a client keeps its sessions: patterns below folders."""

    folders: Callable[[], list[Path]]
    patterns: tuple[str, ...]
    within: str = ""
    """The folder that is mined, by a pattern below the others; empty for those themselves."""


def find_sessions(client: str) -> Sessions | None:
    """Look at what a client has kept; None where that is nothing, or is kept in no files that are known."""
    kept = _KEPT.get(client)
    folders = [each for each in kept.folders() if each.is_dir()] if kept else []
    if kept is None or not folders:
        return None
    found = sorted({file for folder in folders for pattern in kept.patterns for file in folder.glob(pattern)})
    files = [(file, status) for file, status in ((file, _status(file)) for file in found) if status]
    if not files:
        return None
    mined = sorted({each for folder in folders for each in folder.glob(kept.within)}) if kept.within else folders
    size = sum(status.st_size for _, status in files)
    times = [datetime.fromtimestamp(status.st_mtime, UTC) for _, status in files]
    sampled, read, turns, characters = _sample([(file, status.st_size) for file, status in files])
    drawers = round(turns * size / read) if turns and read else None
    minutes = round(characters * size / read / CHARACTERS_PER_SECOND / 60, 2) if drawers else None
    return Sessions(
        tuple(str(each) for each in mined), len(files), size, min(times), max(times), sampled, drawers, minutes
    )


def _sample(files: Sequence[tuple[Path, int]]) -> tuple[int, int, int, int]:
    """Read some sessions, evenly from the smallest to the largest; count them, bytes, turns and characters."""
    suited = sorted((each for each in files if 0 < each[1] <= SAMPLE_BYTES), key=lambda each: each[1])
    places = sorted({round(n * (len(suited) - 1) / (SAMPLE - 1)) for n in range(SAMPLE)}) if suited else []
    sampled = read = turns = characters = 0
    for file, size in (suited[place] for place in places):
        said = list(_turns(file))
        sampled += bool(said)
        read += size
        turns += len(said)
        characters += sum(said)
    return sampled, read, turns, characters


def _turns(file: Path) -> Iterator[int]:
    """Give the length of each message of a session, as far as it can be read."""
    from palace.mining.readers.discovery import list_sources
    from palace.mining.readers.reading import Reading
    from palace.mining.readers.registry import read_conversations

    try:
        for source in list_sources(file):
            for conversation in read_conversations(source, Reading(source.file)):
                yield from (len(turn.content) for turn in conversation.turns)
    except UnreadableSource:
        return


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat() if file.is_file() else None
    except OSError:
        return None


def _below(variable: str, home: str, *names: str) -> Callable[[], list[Path]]:
    """Return what finds folders in the one that a variable names, else in one below the person's home."""

    def folders() -> list[Path]:
        named = os.environ.get(variable, "") if variable else ""
        base = Path(named) if named.startswith("/") else Path.home() / home
        return [base / name for name in names]

    return folders


_KEPT = {
    "claude-code": _Kept(_below("CLAUDE_CONFIG_DIR", ".claude", "projects"), ("*/*.jsonl",)),
    "codex": _Kept(_below("CODEX_HOME", ".codex", "sessions", "archived_sessions"), ("**/rollout-*.jsonl",)),
    "gemini": _Kept(_below("", ".gemini", "tmp"), ("*/chats/session-*.json", "*/chats/session-*.jsonl"), "*/chats"),
    "cursor": _Kept(_below("", ".cursor", "projects"), ("*/agent-transcripts/**/*.jsonl",), "*/agent-transcripts"),
}
