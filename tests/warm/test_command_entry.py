"""What a command of the shell loads when a worker answers it: what shows the answer, and nothing that finds it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from palace.operations.commands import carry_out
from tests.cli.test_start_up import HEAVY
from tests.warm.conftest import environment, served
from tests.warm.test_hook_entry import LISTED

BROKE = "The pump of the boat broke."


@pytest.mark.process
def test_a_recall_that_a_worker_answers_loads_no_database_and_no_model(home: Path, palace: Palace) -> None:
    palace.note(BROKE)

    def answer(asked: Mapping[str, Any], _seconds: float) -> str:
        return carry_out(palace._opened, asked["command"], asked["arguments"])

    with served(home, answer):
        program = [sys.executable, "-c", LISTED, "recall", "which pump broke?", "--floor", "none"]
        done = subprocess.run(program, env=environment(home), capture_output=True, check=True, text=True)
    loaded = set(done.stderr.split())
    assert BROKE in done.stdout
    assert "palace_cli.render.hits" in loaded
    # Typer checks every option with pydantic.
    assert not (HEAVY | {"spacy", "rapidfuzz", "palace.graph.wording"}) & (loaded - {"pydantic"})
