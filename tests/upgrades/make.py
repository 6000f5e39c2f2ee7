"""Makes the database that a release leaves behind, for every later release to migrate.

Once for each release, in an environment where it is installed, from the root of the repository:

    python tests/upgrades/make.py 0.2.0

writes ``tests/upgrades/0.2.0.backup.gz``, what ``palace db backup`` of that release would write, and ``0.2.0.json``:
the sources, and what the palace answers. Both are committed, and not made again once the release is out; the tests take
up whatever is there. What a release can newly write belongs into ``fill`` or ``change``. The vectors are short and the
texts few, so that a file stays far below 100 kB.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from palace import Administration, Drawer, EmbeddingError, Palace, Settings
from palace.testing import HashingEmbedder

FOLDER = Path(__file__).parent
BACKUP = ".backup.gz"
"""How the name of a release's backup ends."""
DIMENSION, NEXT_DIMENSION = 24, 16
USERS = ("mara", "Ben Ødegård", "cleo")
QUERIES = {
    "mara": ("silicone wire overheated", "crimping tool", "propeller pitch", "lighthouse keeper"),
    "Ben Ødegård": ("harbour fees", "varnish the hatch", "Käsebrot"),
    "cleo": ("pelican",),
}
FORGOTTEN = "§ W-001/R-01/D-002"
"""Of the first user's."""
WAITING = "waits for its embedding"
"""The embedder fails on it."""


def sources() -> dict[str, str]:
    """Give every file that is mined, by its path below a folder."""
    files: dict[str, Any] = {
        "chat.json": _chat("The propeller pitch is 155 mm."),
        "edited/chat.json": _chat("The propeller pitch is 160 mm, I measured again."),
        "repaired.json": {
            "id": "repaired",
            "messages": [_turn("user", "The lighthouse keeper wrote\0this and \ud800 that.")],
        },
        "slack/users.json": [{"id": "U1", "name": "dk", "profile": {"display_name": "Derek"}}],
        "slack/channels.json": [{"id": "C1", "name": "boats"}],
        "slack/boats/2026-01-01.json": [_message("The harbour fees are due.", "1767225600.000100")],
        "slack/boats/2026-01-02.json": [
            _message("Who will varnish the hatch?", "1767312001.000200"),
            _message("Ein Käsebrot für Björn, bitte.", "1767312002.000300"),
        ],
        "pending.json": [_turn("user", f"This {WAITING}."), _turn("assistant", "A pelican said so.")],
    }
    tool = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "measure --wire"}}
    lines = [
        _line("u1", "user", "How hot does the wire get?"),
        _line("u2", "assistant", [{"type": "text", "text": "I look it up."}, tool]),
        _line("u3", "user", [{"type": "tool_result", "tool_use_id": "t", "content": "90 degrees"}]),
    ]
    texts = {name: json.dumps(content, indent=1) for name, content in files.items()}
    return texts | {"session.jsonl": "".join(json.dumps(line) + "\n" for line in lines)}


MINED = (
    ("mara", "chat.json", "Efoil"),
    ("mara", "edited/chat.json", "Efoil"),
    ("mara", "session.jsonl", None),
    ("mara", "repaired.json", "Letters"),
    ("Ben Ødegård", "slack", None),
    ("Ben Ødegård", "chat.json", "Derek's boat"),
    ("cleo", "pending.json", None),
)
"""Who mines what into which wing, in this order; None leaves the wing to the source."""

NOTED_AT = datetime(2026, 4, 30, 18, 20, tzinfo=UTC)
NOTES = (("mara", "The spare key lies under the anchor."), ("cleo", "Feed the pelican at noon."))


def fill(settings: Settings, folder: Path) -> None:
    """Leave in a palace what this release can write: revisions, tools, repaired text, days, what is half done."""
    for user in USERS:
        with Palace.open(settings, user=user, embedder=_embedder()) as palace:
            for miner, source, wing in MINED:
                if miner == user:
                    palace.mine(folder / source, wing=wing)
            for author, note in NOTES:
                if author == user:
                    palace.note(note, said_at=NOTED_AT)
    # But for the word that a model is tried with before anything is begun.
    failing = HashingEmbedder(NEXT_DIMENSION, fail_on=lambda text: "dimension" not in text)
    with Palace.open(settings, user="cleo", embedder=failing) as palace, suppress(EmbeddingError):
        palace.embeddings.switch(failing.model)


def change(settings: Settings) -> None:
    """Forget, undo, move and rename: tombstones, undone runs, former numbers and names."""
    with Palace.open(settings, user="mara", embedder=_embedder()) as palace:
        palace.forget(FORGOTTEN)
        palace.note("A note that was filed by mistake.")
        palace.runs.undo(palace.runs.list()[0].id)
        palace.tree.rename("Letters", "Lighthouses")
        palace.tree.move("W-003/R-01", "Workshop", create=True)


def drawers_of(palace: Palace) -> list[Drawer]:
    """List all drawers of a palace."""
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return [drawer for room in rooms for drawer in palace.tree.drawers(room)]


def pointers(settings: Settings, user: str) -> dict[str, str]:
    """Give what a user may have cited before the changes, and can still look up after them."""
    with Palace.open(settings, user=user, embedder=_embedder()) as palace:
        found = {str(drawer.pointer): drawer.content for drawer in drawers_of(palace)}
    return {pointer: text for pointer, text in found.items() if (user, pointer) != (USERS[0], FORGOTTEN)}


def told(drawer: Drawer) -> list[str | None]:
    """Give what a reader sees of a drawer."""
    when = drawer.said_at.isoformat() if drawer.said_at else None
    return [drawer.wing_name, drawer.role, drawer.speaker, when, drawer.content]


def answers(settings: Settings, user: str) -> dict[str, Any]:
    """Give what a user finds in the palace: drawers by pointer, and the best hit of each query."""
    with Palace.open(settings, user=user, embedder=_embedder()) as palace:
        drawers = drawers_of(palace)
        hits = {query: palace.recall(query).hits for query in QUERIES[user]}
    return {
        "drawers": {str(drawer.pointer): told(drawer) for drawer in drawers},
        "best": {query: str(found[0].drawer.pointer) for query, found in hits.items()},
    }


def write_sources(folder: Path, files: dict[str, str]) -> None:
    """Write the files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def make(release: str, folder: Path) -> None:
    """Fill a palace of its own and write its backup and what it answers."""
    settings = Settings(home=folder / "home", server_idle_minutes=0)
    write_sources(folder / "sources", sources())
    try:
        fill(settings, folder / "sources")
        cited = {user: pointers(settings, user) for user in USERS}
        change(settings)
        expected = {
            "dimension": DIMENSION,
            "sources": sources(),
            "mined": MINED,
            "notes": NOTES,
            "users": {user: answers(settings, user) | {"cited": cited[user]} for user in USERS},
        }
        Administration(settings).backup(folder / "dump")
    finally:
        Administration(settings).stop()
    write_files(release, folder / "dump", expected)


def write_files(name: str, dumped: Path, expected: object) -> None:
    """Write what a release leaves behind: its backup, and what is expected of it."""
    # Without the moment: the same content gives the same file.
    (FOLDER / f"{name}{BACKUP}").write_bytes(gzip.compress(dumped.read_bytes(), mtime=0))
    text = json.dumps(expected, ensure_ascii=False, indent=1, sort_keys=True)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def _embedder() -> HashingEmbedder:
    return HashingEmbedder(DIMENSION, fail_on=lambda text: WAITING in text)


def _chat(pitch: str) -> dict[str, Any]:
    said = [
        _turn("user", "I tried a 12-AWG silicone wire and it overheated after ten minutes."),
        _turn("assistant", "Use an 8-AWG wire between the battery and the motor controller."),
        _turn("user", "Derek will lend me his crimping tool on Sunday."),
        _turn("user", pitch),
    ]
    return {"id": "efoil", "title": "Evening session", "messages": said}


def _turn(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _message(text: str, ts: str) -> dict[str, str]:
    return {"type": "message", "user": "U1", "text": text, "ts": ts}


def _line(uuid: str, kind: str, content: Any) -> dict[str, Any]:
    where = {"sessionId": "s1", "cwd": "/home/derek/efoil", "timestamp": "2026-01-15T10:30:00.000Z"}
    return {"type": kind, "uuid": uuid, **where, "message": {"role": kind, "content": content}}


def run(make: Callable[[str, Path], None]) -> None:
    """Make the files of the release that is named on the command line, in a folder that goes again."""
    # Not the folder of the user: the server of root runs as another account.
    folder = Path(tempfile.mkdtemp(prefix="palace-upgrade-"))
    folder.chmod(0o711)
    try:
        make(sys.argv[1], folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    run(make)
