"""Requests that schemathesis draws from the server's own description, with and without a key.

It runs as a program: as a plugin it makes each start of pytest slower.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from palace import Palace
from tests.server.conftest import SCOPES

RUN = (sys.executable, "-m", "schemathesis.cli", "run")
OPTIONS = ("--no-color", "--request-timeout=60", "--max-examples=60", "--checks=all", "--warnings=off")
UNKNOWABLE = "--exclude-checks=positive_data_acceptance"
"""No description says which texts are cursors, pointers of what was forgotten, or messages with words to file."""


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize("has_key", [True, False])
def test_every_answer_is_one_that_is_described(address: str, palace: Palace, tmp_path: Path, has_key: bool) -> None:
    palace.note("Derek has the spare key.")
    key = ("--header", f"Authorization: Bearer {palace.keys.create('any', scopes=SCOPES).secret}") if has_key else ()
    command = (*RUN, f"{address}/openapi.json", *OPTIONS, UNKNOWABLE, *key)
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-2000:]
    assert "Fuzzing" in ran.stdout
