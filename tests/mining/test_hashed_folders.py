"""A session that tells nothing but the hash of its folder gets to its project's wing."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from palace import Palace


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def session(home: Path, folder: Path, *, number: int = 1) -> Path:
    """Write a session of Gemini CLI in a folder, as versions did that kept no more than a hash of it."""
    project = sha256(str(folder).encode()).hexdigest()
    path = home / ".gemini" / "tmp" / project / "chats" / f"session-{number}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    message = {
        "id": f"m{number}",
        "type": "user",
        "content": f"Weigh the anchor, {number}.",
        "timestamp": "2026-01-01T10:00:00Z",
    }
    path.write_text(json.dumps({"sessionId": f"s{number}", "projectHash": project, "messages": [message]}))
    return path


def wings(palace: Palace) -> list[str]:
    return sorted(wing.name for wing in palace.tree.wings())


def test_the_wing_is_that_of_the_project_whose_folder_has_the_hash(palace: Palace, home: Path) -> None:
    (home / "work" / "efoil").mkdir(parents=True)
    palace.projects.assign(str(home / "work" / "efoil"), "Boats", create=True)
    palace.mine(session(home, home / "work" / "efoil"))
    palace.mine(session(home, home / "work" / "other", number=2))
    assert wings(palace) == ["Boats", "Gemini CLI"]


@pytest.mark.parametrize("name", ["projects.json", "trustedFolders.json"])
def test_a_folder_that_gemini_lists_is_found_by_its_hash(palace: Palace, home: Path, name: str) -> None:
    folder = home / "efoil" / "firmware"
    folder.mkdir(parents=True)
    path = session(home, folder)
    listed = {str(home): "x", str(folder): "firmware"}
    (home / ".gemini" / name).write_text(json.dumps({"projects": listed} if name == "projects.json" else listed))
    palace.mine(path)
    assert wings(palace) == ["firmware"]
