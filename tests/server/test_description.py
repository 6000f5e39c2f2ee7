"""What the server says of itself: /openapi.json, requests that are drawn from it, and a typed client made of it.

Schemathesis runs as a program: as a plugin it makes each start of pytest slower. The generator of clients needs another
typer than Palace has: it is installed into an environment of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from palace import Palace
from tests.server.conftest import SCOPES

PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
OPEN = {"/healthz", "/readyz"}


@pytest.fixture(scope="module")
def described(address: str) -> dict[str, Any]:
    """The description, as clients get it."""
    answer = httpx.get(f"{address}/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def operations(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """List the path and the description of each operation."""
    return [(path, each) for path, of in described["paths"].items() for each in of.values()]


def test_its_schemas_are_all_there_and_all_of_ours(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1")
    named = re.findall(r'"#/components/schemas/(\w+)"', json.dumps(described))
    assert set(named) <= described["components"]["schemas"].keys()
    assert "HTTPValidationError" not in json.dumps(described)


def test_each_operation_has_a_name_its_key_and_its_problems(described: dict[str, Any]) -> None:
    names = [each["operationId"] for _, each in operations(described)]
    assert len(names) == len(set(names)) > 15
    for path, each in operations(described):
        assert each["description"], path
        assert each.get("security", []) == ([] if path in OPEN else [{"HTTPBearer": []}]), path
        problems = {int(status): of for status, of in each["responses"].items() if status >= "4"}
        assert {400, 403, 413, 421, 503} | (set() if path in OPEN else {401, 422, 429}) <= problems.keys(), path
        assert [of["content"] for of in problems.values()] == [{"application/problem+json": PROBLEM}] * len(problems)


def test_each_body_and_answer_of_json_has_an_example_that_its_schema_allows(described: dict[str, Any]) -> None:
    seen = 0
    for path, each in operations(described):
        for told in (each.get("requestBody", {}), *each["responses"].values()):
            if content := told.get("content", {}).get("application/json"):
                schema = {**content["schema"], "components": described["components"]}
                Draft202012Validator(schema).validate(content["example"])
                seen += 1
        assert seen, path
    assert seen > 20


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


PROGRAM = Path(__file__).with_name("typed_program.py")
GENERATED = "post_hooks: []\ncontent_type_overrides: {application/x-ndjson: application/octet-stream}\n"


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
    options.write_text(GENERATED)
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
