"""The agent of examples/ is five lines long, runs without a network, and remembers from one process to the next."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import uuid
from pathlib import Path

from examples import agent
from palace.settings import Settings
from palace.testing import LanguageModelServer

ROOT = Path(__file__).parents[2]


def environment_of(settings: Settings, folder: Path) -> dict[str, str]:
    assert settings.database_url is not None
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return {
        **kept,
        "PALACE_HOME": str(folder),
        "PALACE_USER": f"agent-{uuid.uuid4()}",
        "PALACE_DATABASE_URL": settings.database_url.get_secret_value(),
        "PALACE_TURN_TIMEOUT_SECONDS": "60",
    }


def run(said: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "examples/agent.py"],
        input=said,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_five_lines_long() -> None:
    body = inspect.getsource(agent.talk).split('"""')[2]
    assert len([line for line in body.splitlines() if line.strip()]) <= 6


def test_it_answers_from_what_another_process_was_told(settings: Settings, tmp_path: Path) -> None:
    environment = environment_of(settings, tmp_path)
    told = "My boat is called Zephyrine."
    assert run(f"{told}\n", environment) == f"You said: {told}\n"
    assert told in run("What is my boat called?\n", environment)


def test_with_a_key_it_asks_the_provider(settings: Settings, tmp_path: Path) -> None:
    with LanguageModelServer("A fine name.") as server:
        provider = {"OPENAI_BASE_URL": server.api_base, "OPENAI_API_KEY": "sk-test", "MODEL": "scripted"}
        said = run("My boat is called Zephyrine.\n", environment_of(settings, tmp_path) | provider)
    assert said == "A fine name.\n"
    assert server.requests[0].body["model"] == "scripted"
