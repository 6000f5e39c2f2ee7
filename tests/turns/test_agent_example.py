"""The agent of examples/ and the program of docs/howto/remember.md run without a network and remember."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from palace import Settings
from palace.testing import LanguageModelServer
from tests.held import variables_of

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.nightly


@pytest.fixture
def environment(settings: Settings, tmp_path: Path) -> dict[str, str]:
    """What a program is given so that it works on the test's database."""
    own = {"PALACE_HOME": str(tmp_path), "PALACE_USER": f"agent-{uuid.uuid4()}", "PALACE_TURN_TIMEOUT_SECONDS": "60"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return kept | variables_of(settings) | own


def run(environment: dict[str, str], *words: str, said: str = "") -> str:
    """Run a program of Python; give what it prints."""
    command, how = [sys.executable, *words], {"cwd": ROOT, "timeout": 120}
    done = subprocess.run(command, input=said, env=environment, capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def test_the_agent_answers_from_what_another_process_was_told(environment: dict[str, str]) -> None:
    told = "My boat is called Zephyrine."
    assert run(environment, "examples/agent.py", said=f"{told}\n") == f"You said: {told}\n"
    assert told in run(environment, "examples/agent.py", said="What is my boat called?\n")
    with LanguageModelServer("A fine name.") as server:
        provider = {"OPENAI_BASE_URL": server.api_base, "OPENAI_API_KEY": "sk-test", "MODEL": "scripted"}
        assert run(environment | provider, "examples/agent.py", said="It is red.\n") == "A fine name.\n"
    assert server.requests[0].body["model"] == "scripted"
