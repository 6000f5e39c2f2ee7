"""Each adapter with its framework, in an environment of its own, where its tests run and its types are checked."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

from palace import Settings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ADAPTERS = {
    "openai_agents": ("agents", "openai-agents", "openai_agents_session.py"),
    "langgraph": ("langgraph", "langgraph", "langgraph_store.py"),
    "adk": ("google.adk", "adk", "adk_memory.py"),
    "agent_framework": ("agent_framework", "agent-framework", "agent_framework_provider.py"),
}
BESIDE = {
    "langgraph": ("langgraph-checkpoint-conformance>=0.0.2,<1",),
    "agent_framework": ("agent-framework-openai>=1,<2",),
}
"""What else the tests need."""


def run(*command: str | Path, **environment: str) -> None:
    """Run a program, which succeeds."""
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, cwd=ROOT, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def is_installed(package: str) -> bool:
    """Whether this environment has a framework."""
    return find_spec(package.partition(".")[0]) is not None and find_spec(package) is not None


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_without_its_framework_says_what_to_install(adapter: str) -> None:
    package, extra, _ = ADAPTERS[adapter]
    if is_installed(package):
        pytest.skip(f"{package} is installed")
    with pytest.raises(ImportError, match=rf"\A[^\n]* needs [^\n]*: pip install 'memory-palace-pg\[{extra}\]'\Z"):
        importlib.import_module(f"palace_frameworks.{adapter}")


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_passes_its_tests_in_the_environment_of_its_framework(
    adapter: str, settings: Settings, tmp_path: Path
) -> None:
    assert settings.database_url
    assert settings.database_owner_url
    _, extra, tests = ADAPTERS[adapter]
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--editable", f"{ROOT}[{extra}]", "pytest", *BESIDE.get(adapter, ()))
    there = {
        "PALACE_HOME": str(settings.home_folder),
        "PALACE_DATABASE_URL": settings.database_url.get_secret_value(),
        "PALACE_DATABASE_OWNER_URL": settings.database_owner_url.get_secret_value(),
        "PALACE_TURN_TIMEOUT_SECONDS": str(settings.turn_timeout_seconds),
        "PYTHONPATH": str(HERE),
    }
    alone = ("--noconftest", "-c", os.devnull, "--rootdir", tmp_path, "-p", "no:cacheprovider", "-p", "palaces_given")
    run(python, "-m", "pytest", "-q", *alone, HERE / tests, **there)
    checked = (f"cli/palace_frameworks/{adapter}.py", f"tests/frameworks/{tests}")
    types = {"MYPY_CACHE_DIR": str(tmp_path / "mypy")}
    run(sys.executable, "-m", "mypy", "--follow-imports=silent", "--python-executable", python, *checked, **types)
