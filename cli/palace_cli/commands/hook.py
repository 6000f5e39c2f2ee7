"""``palace hook`` for callers other than coding agents, which are answered by ``palace_hook.client``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from palace_cli import options, output
from palace_cli.options import argument, option

SECONDS = 1.45
"""Seconds that an answer may take here."""
MOST_BYTES = 8 << 20
WHY = "why"
"""The word that a person uses in place of an event; the entry point has it too."""


class HarnessName(StrEnum):
    """The programs whose hooks are supported."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    QWEN = "qwen"
    OPENCODE = "opencode"
    CURSOR = "cursor"


def hook(
    event: str = argument(
        "EVENT", "session-start, prompt, before-tool, after-tool, stop, pre-compact or session-end; or `why`."
    ),
    prompt: list[str] | None = argument(
        "[PROMPT]...", "With `why`: what a person would type; words are one prompt.", default=None
    ),
    *,
    folder: Path | None = option("--folder", "With `why`: where they would type it; by default this folder.", "DIR"),
    file: str | None = option("--file", "With `why`, instead of a prompt: before this file is edited.", "FILE"),
    command: str | None = option("--command", "With `why`: before this command is run.", "TEXT"),
    error: str | None = option("--error", "With `why`: after this error.", "TEXT"),
    harness: HarnessName | None = option("--harness", "The program that calls it; by default recognised by its input."),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Answer a hook of a coding agent: recall for prompts and tool calls, file the session when the agent stops.

    It reads the agent's message from standard input and writes an answer or nothing. It always ends within 1.6 seconds
    with exit code 0; `palace doctor` reports failures. `palace connect` sets it up.

    `palace hook why PROMPT` shows the answer to a prompt in a new session and the reasons: project and wings, the
    decision of the gate, hits, and why a hit was left out.

    \b
    palace hook session-start --harness claude-code
    palace hook prompt --harness codex
    palace hook why "when does the compaction run?"
    palace hook why --file src/scheduler.rs
    """
    name, about = harness and harness.value, {"file": file, "command": command, "error": error}
    if event == WHY:
        return explain(" ".join(prompt or ()), folder or Path.cwd(), name, user, about, as_json=as_json)
    from palace.hooks import cold
    from palace.worker import starting
    from palace_hook.asking import find_home
    from palace_hook.client import environment_of

    request = {
        "event": event,
        "harness": name,
        "user": user,
        "folder": str(Path.cwd()),
        "environment": environment_of(find_home()),
        "input": sys.stdin.buffer.read(MOST_BYTES + 1).decode("utf-8", "replace"),
    }
    output.write_raw(cold.answer(request, SECONDS))
    starting.main()


def explain(
    prompt: str, folder: Path, agent: str | None, user: str | None, about: Mapping[str, str | None], *, as_json: bool
) -> None:
    """Write the answer to a prompt, or to the file, command or error in ``about``, with the reasons for it.

    Raises:
        BadRequest: there is no prompt, or no such folder.
    """
    from palace.errors import BadRequest
    from palace_cli.opening import open_palace
    from palace_cli.render.hits import reason_view

    if not prompt.strip() and not any(about.values()):
        raise BadRequest('say what a person would type: palace hook why "when does the import run?"')
    if not folder.expanduser().is_dir():
        raise BadRequest(f"there is no folder {str(folder)!r}: --folder names the one in which it would be typed")
    with open_palace(user, embeds_at_once=True) as palace:
        found = palace.explain_hook(prompt, folder, agent=agent or HarnessName.CLAUDE_CODE.value, **about)
    output.present(found, reason_view, as_json=as_json)
