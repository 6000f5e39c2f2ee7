"""A hit that was found by the name of its conversation says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_the_name_that_says_what_a_hit_lacks_is_told(run: Run, tmp_path: Path) -> None:
    said = [{"role": "user", "content": "The fuse behind the panel is blown again."}]
    file = tmp_path / "talk.json"
    file.write_text(json.dumps({"id": "t", "title": "Boat electrics", "messages": said}), encoding="utf-8")
    assert run("mine", str(file)).exit_code == 0
    assert "in the conversation “Boat electrics”" in run("recall", "boat electrics").stdout
