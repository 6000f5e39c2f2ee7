"""What a dry run says of each source, and what a mine says of files that it passes over."""

from __future__ import annotations

import json
from pathlib import Path

from palace import Palace, RehearsedSource

SAID = (
    "Which wire do I take from the battery to the controller of the efoil?",
    "Take silicone wire of 8 AWG, it carries a hundred amperes without getting warm.",
    "And which connectors go with it, the yellow ones or the green ones?",
)


def write(path: Path, *said: str) -> Path:
    messages = [{"role": "user", "content": text, "id": f"m{number}"} for number, text in enumerate(said)]
    path.write_text(json.dumps({"id": path.stem, "messages": messages}), encoding="utf-8")
    return path


def test_a_dry_run_tells_source_by_source_what_is_new_unchanged_and_replaced(palace: Palace, tmp_path: Path) -> None:
    known, changed = write(tmp_path / "a.json", *SAID), write(tmp_path / "b.json", *SAID)
    palace.mine(known, changed)
    write(changed, SAID[0], "Take 10 AWG, it is lighter.", SAID[2])
    new = write(tmp_path / "c.json", *SAID)
    summary = palace.mine(tmp_path, dry_run=True)
    assert summary.sources == (
        RehearsedSource(str(known), new=0, unchanged=3, replaced=0),
        RehearsedSource(str(changed), new=1, unchanged=2, replaced=1),
        RehearsedSource(str(new), new=3, unchanged=0, replaced=0),
    )
    assert (summary.drawers_new, summary.drawers_unchanged) == (4, 5)
    assert palace.mine(tmp_path).sources == ()


def test_what_a_folder_holds_that_is_not_for_mining_is_in_the_summary(palace: Palace, tmp_path: Path) -> None:
    write(tmp_path / "a.json", *SAID)
    for name in ("a.png", "b.png", "page.html", ".hidden"):
        (tmp_path / name).touch()
    for dry_run in (True, False):
        summary = palace.mine(tmp_path, dry_run=dry_run)
        assert summary.passed_over[0] == ("pictures", 2)
        assert dict(summary.passed_over) == {"pictures": 2, "hidden files": 1, "web pages": 1}
