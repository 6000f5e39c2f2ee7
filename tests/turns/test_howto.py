"""The program of docs/howto/remember.md does what the page says, against a server of the test's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from palace.settings import Settings
from palace.testing import LanguageModelServer
from tests.docs.pages import blocks

PAGE = "docs/howto/remember.md"


def test_the_program_of_the_page_is_short_and_remembers(settings: Settings, tmp_path: Path) -> None:
    (block,) = (block for block in blocks(PAGE) if block.language == "python")
    assert len([line for line in block.text.splitlines() if line.strip()]) < 20
    with LanguageModelServer("At 230 degrees.", "A Quillfire 9.") as server:
        environment = {
            **os.environ,
            "PALACE_HOME": str(tmp_path),
            "PALACE_USER": f"howto-{tmp_path.name}-{os.getpid()}",
            "PALACE_DATABASE_URL": settings.database_url.get_secret_value() if settings.database_url else "",
            "OPENAI_BASE_URL": server.api_base,
            "OPENAI_API_KEY": "sk-test",
        }
        ran = subprocess.run(
            [sys.executable, "-c", block.text],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == ["At 230 degrees.", "A Quillfire 9."]
    asked = server.requests[1].body["messages"][-1]["content"]
    assert "My oven is a Quillfire 9." in asked
    assert asked.endswith("Which oven do I have?")
