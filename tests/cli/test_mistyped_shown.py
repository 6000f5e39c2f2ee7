"""A word that was read as another is told on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]


def test_what_a_word_was_read_as_is_told_beside_the_hits(run: Run) -> None:
    assert run("note", "My landlord Bertram wants the rent on the third.").exit_code == 0
    result = run("recall", "rent of my landlrod")
    assert (result.exit_code, result.stderr) == (0, "palace: note: nothing says “landlrod”: read as “landlord”\n")
    assert "landlord Bertram" in result.stdout
    shown = json.loads(run("recall", "rent of my landlrod", "--json").stdout)
    assert shown["corrections"] == [{"typed": "landlrod", "read_as": "landlord"}]
    assert run("recall", "rent of my landlord").stderr == ""
