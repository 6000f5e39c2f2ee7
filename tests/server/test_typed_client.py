"""A typed client in Python, generated from the description by a program of others, used by a program that mypy checks.

The generator needs another typer than Palace has: it is installed into an environment of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import httpx
import pytest

from palace import Palace

PROGRAM = Path(__file__).with_name("typed_program.py")
OPTIONS = "post_hooks: []\ncontent_type_overrides: {application/x-ndjson: application/octet-stream}\n"


def run(*command: str | Path, **environment: str) -> str:
    """Run a program; return what it prints."""
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.nightly
@pytest.mark.process
def test_a_typed_client_is_generated_from_the_description_and_works(
    address: str, palace: Palace, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python, generate = (tmp_path / "venv" / "bin" / name for name in ("python", "openapi-python-client"))
    run(python, "-m", "pip", "install", "--quiet", "openapi-python-client>=0.29,<0.30")
    described, options = tmp_path / "openapi.json", tmp_path / "options.yaml"
    described.write_bytes(httpx.get(f"{address}/openapi.json").content)
    options.write_text(OPTIONS)
    made = ("--meta", "none", "--output-path", tmp_path / "palace_client", "--fail-on-warning")
    run(generate, "generate", "--path", described, "--config", options, *made)
    checks = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--config-file=",
        "--python-executable",
    ]
    here = {"MYPYPATH": str(tmp_path), "PYTHONPATH": str(tmp_path), "MYPY_CACHE_DIR": str(tmp_path / "mypy")}
    run(*checks, python, PROGRAM, **here)
    wrong = tmp_path / "wrong.py"
    for right, other in (("query=", "question="), ("top_k=1", 'top_k="1"'), ("hit.drawer.content", "hit.drawer.text")):
        wrong.write_text(PROGRAM.read_text().replace(right, other))
        with pytest.raises(AssertionError, match="Found 1 error"):
            run(*checks, python, wrong, **here)
    run(python, PROGRAM, address, palace.keys.create("typed", scopes=("read", "write", "forget")).secret, **here)
