"""What importing loads, in an interpreter of its own: the import contracts say who may, this says who does."""

from __future__ import annotations

import subprocess
import sys

import pytest

MODELS = {"litellm", "onnxruntime", "tokenizers"}
MIGRATIONS = {"alembic", "mako"}
TERMINAL = {"typer", "rich", "textual"}
DATABASE = {"sqlalchemy", "psycopg", "pgvector"}
SETTINGS = {"pydantic", "pydantic_settings", "platformdirs"}
RECALL = {"numpy", "rapidfuzz", "sqlalchemy.orm", "palace.recall.strategy", "palace.models.lines"}


def loaded_by(module: str) -> set[str]:
    """Names of the modules that importing one leaves behind."""
    program = f"import sys, {module}; print(*sys.modules)"
    return set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    )


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("palace", MODELS | MIGRATIONS | TERMINAL | DATABASE | SETTINGS | {"numpy"}),
        ("palace.api.palace", MODELS | MIGRATIONS | TERMINAL | RECALL),
        ("palace.db.embedded.idle", MODELS | MIGRATIONS | TERMINAL | DATABASE | SETTINGS | {"numpy"}),
        ("palace_cli.app", MODELS | MIGRATIONS | DATABASE | SETTINGS | {"numpy"}),
    ],
    ids=["the package", "the façade", "the idle watcher", "the command line"],
)
def test_importing_leaves_what_is_heavy_unloaded(module: str, absent: set[str]) -> None:
    assert not absent & loaded_by(module)


@pytest.mark.nightly
@pytest.mark.process
def test_the_library_reads_no_environment_while_it_is_imported() -> None:
    program = (
        "import os, sys; seen = []; ask = type(os.environ).__getitem__\n"
        "type(os.environ).__getitem__ = lambda self, name: seen.append(name) or ask(self, name)\n"
        "import palace.api.palace; print(*[name for name in seen if name.startswith('PALACE')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
