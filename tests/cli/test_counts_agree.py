"""Numbers of one thing are one number, wherever they are shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
SAID = (
    "I moved to Ghent with my sister in the spring of last year. We keep eleven hens behind the house and sell"
    " the eggs. On Sundays I repair old bicycles for the neighbours who cannot afford a shop."
)


def test_what_is_embedded_is_what_the_status_counts(run: Run, tmp_path: Path) -> None:
    for place, said in enumerate((SAID, "Bees hum.")):
        message = {"role": "user", "content": said, "timestamp": "2026-05-01T10:00:00Z"}
        (tmp_path / f"{place}.json").write_text(json.dumps({"id": str(place), "messages": [message]}))
    run("mine", str(tmp_path), "--wing", "Boats")
    status = json.loads(run("status", "--json").stdout)
    [generation] = json.loads(run("embeddings", "status", "--json").stdout)
    shown = run("status").stdout
    [alone] = re.findall(r"passages +2, (\d+) found by words alone", shown)
    assert status["passages"] == 2
    assert generation["embedded"] == status["passages"] - int(alone) + status["sentences"] == 4
