"""What is shown of a change can be read, however the file is written."""

from __future__ import annotations

import json

from palace_cli.connect.contents.difference import LONGEST, difference

HOOKS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say 'a, {b}' done"}]}], "Other": []}}
OURS = {"hooks": [{"type": "command", "command": "/opt/palace hook Stop --harness codex || true", "timeout": 10}]}
MORE = {"hooks": {"Stop": [*HOOKS["hooks"]["Stop"], OURS], "Other": [], "SessionEnd": [OURS]}}


def shown(before: str, after: str) -> list[str]:
    return difference(before, after, "hooks.json").split("\n")[2:]


def test_of_a_file_that_is_one_line_what_is_added_is_seen() -> None:
    for separators in ((",", ":"), (", ", ": ")):
        lines = shown(json.dumps(HOOKS, separators=separators), json.dumps(MORE, separators=separators))
        added = [line[1:].strip() for line in lines if line.startswith("+")]
        taken = [line[1:].strip() for line in lines if line.startswith("-")]
        assert sum("/opt/palace hook Stop --harness codex || true" in line for line in added) == 2
        assert not any("palace" in line or "say" in line for line in taken)
        assert len(taken) <= 3
        assert all(len(line) <= LONGEST for line in lines)
        # Put together again it says the same: nothing was left out of what is shown whole.
        whole = difference("", json.dumps(MORE, separators=separators), "hooks.json").split("\n")[2:]
        assert json.loads("".join(line[1:].strip() for line in whole)) == MORE
