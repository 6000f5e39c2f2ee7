"""The small files that pages take for their own example: what a line names is there when it is run."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from palace import Palace
from tests import talks
from tests.docs.pages import ROOT

Write = Callable[[Path], object]

EXPORTS = ROOT / "tests" / "readers" / "corpus" / "exports"
SAMPLE = ROOT / "examples" / "efoil.json"

WIRING = (
    "For a battery of 24 volts and 60 amps we decided on silicone wire of 8 AWG; battery wiring of 12 AWG overheats.",
    *talks.WIRING[2:],
)


def talk(name: str, *said: str, speaker: str | None = None) -> dict[str, object]:
    """Make a conversation of April 2026, in which two take turns."""
    turns = [
        {"role": ("user", "assistant")[n % 2], "content": text, "created_at": f"2026-04-{n + 10}T18:00:00Z"}
        for n, text in enumerate(said)
    ]
    if speaker:
        turns[0]["name"] = speaker
    return {"id": name, "title": name, "messages": turns}


def _write_talk(*said: str) -> Write:
    return lambda path: path.write_text(json.dumps(talk(path.stem, *said)), encoding="utf-8")


def _write_text(text: str) -> Write:
    return lambda path: path.write_text(text, encoding="utf-8")


def _zip_of(source: Path, name: str | None = None) -> Write:
    """Pack one file under a name, or a folder."""

    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            if name:
                archive.write(source, name)
            for file in sorted(source.rglob("*")):
                archive.write(file, file.relative_to(source))

    return write


def _copy_of(source: Path) -> Write:
    return lambda path: shutil.copy(source, path)


def _folder_of(source: Path) -> Write:
    """Copy a folder, but for a part of a message that is broken on purpose."""
    return lambda path: shutil.copytree(source, path, ignore=shutil.ignore_patterns("prt_13.json"))


def _make_notes(path: Path) -> None:
    path.mkdir()
    (path / "march.md").write_text("The boat has its winter place in the shed of Ben.\n")


HOME_FILES: dict[str, Write] = {
    "code/api/.git/HEAD": _write_text("ref: refs/heads/main\n"),
    "Downloads/chatgpt-export.zip": _zip_of(EXPORTS / "chatgpt-plain.json", "conversations.json"),
    "Downloads/takeout.zip": _zip_of(
        EXPORTS / "mail-takeout.mbox", "Takeout/Mail/All mail Including Spam and Trash.mbox"
    ),
    "Downloads/answer.eml": _copy_of(EXPORTS / "mail-answer.eml"),
    ".claude/projects/efoil/session.jsonl": _copy_of(EXPORTS / "claude-code-session.jsonl"),
    ".codex/sessions/2026/01/02/rollout-efoil.jsonl": _copy_of(EXPORTS / "codex-session.jsonl"),
    ".gemini/tmp": _folder_of(EXPORTS / "gemini-cli-tmp"),
    ".cursor/projects": _folder_of(EXPORTS / "cursor-projects"),
    ".local/share/opencode": _folder_of(EXPORTS / "opencode-storage"),
    ".copilot": _folder_of(EXPORTS / "copilot-cli-state"),
}
"""What pages expect in a person's home."""

FILES: dict[str, Write] = {
    "conversations.json": _copy_of(EXPORTS / "chatgpt-plain.json"),
    "slack-export.zip": _zip_of(EXPORTS / "slack-threads"),
    "january.json": _write_talk("When is the boat show?", "From the 17th to the 25th of January."),
    "february.json": _write_talk("Who fixed the trailer?", "Ben welded the trailer in February."),
    "notes": _make_notes,
    "notes.md": _write_text("# The meeting\n\nMara orders the sail.\n"),
    "chat.txt": _write_text("Ann: Have you seen the anchor?\nBen: It is in the shed.\nAnn: Thanks.\n"),
}
"""What pages expect in the folder a person is in; what a line names of it is put there."""


FRIENDS = "Derek Hughes came by with Sarah and Anna. My friend D-Man sold the boat. Derek likes the boat."
FIRMS = "Anna works at Brightwater Energy. Tom works at Brightwater Farm. My bill came from Brightwater."


def lay_out(home: Path, folder: Path) -> None:
    """Put everything there that no line of a page makes itself, as in a copy of the repository with Palace in it."""
    for name, write in HOME_FILES.items():
        _put(home / name, write)
    for name, write in FILES.items():
        _put(folder / name, write)
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / ".venv").symlink_to(sys.prefix)


def _put(path: Path, write: Write) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path)


def fill(palace: Palace, folder: Path) -> None:
    """Make the palace that pages speak of: wings, rooms, a closet and twelve runs under the names they use."""
    first = folder / "first.json"
    said = [talk("Beds", "Which slats fit?", "Those of beech."), talk("Evening session", *WIRING, *talks.HOLIDAY)]
    said.append(talk("Friends", FRIENDS, "Sounds like a good evening.", FIRMS))
    first.write_text(json.dumps(said), encoding="utf-8")
    palace.mine(first, wing="ChatGPT")
    palace.mine(SAMPLE)
    old = folder / "old.json"
    old.write_text(
        json.dumps(talk("Staff", "The staff number is 4711.", "Noted.", "Sarah wrote it down.", speaker="Caroline"))
    )
    palace.mine(old, wing="Old project")
    for number in range(8):
        palace.note(f"Shelf {number} of the shed holds paint of colour {number}")
    palace.note("The efoil's battery is 24V20Ah.", said_at=datetime(2026, 4, 14, tzinfo=UTC))
    palace.entities.rename("Anna", "Anna Chen")
