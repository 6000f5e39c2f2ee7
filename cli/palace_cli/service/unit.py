"""What the file of the service says. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NAME = "palace-worker.service"
OURS = "# Written by `palace worker --install`; `palace worker --uninstall` takes it away."

_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "%": "%%"}


def unit(command: Sequence[str], variables: Mapping[str, str]) -> str:
    """Write the file: the command with its arguments, and the variables it is given."""
    given = [f"Environment={_quoted(f'{name}={value}')}" for name, value in sorted(variables.items())]
    # What a variable would be put in for stands in the words of the command alone.
    words = " ".join(_quoted(word).replace("$", "$$") for word in command)
    return "\n".join(
        [
            OURS,
            "[Unit]",
            "Description=Palace: background work on memory",
            "",
            "[Service]",
            "Type=exec",
            f"ExecStart={words}",
            *given,
            "Restart=on-failure",
            "RestartSec=10",
            "# It ends within ten seconds of SIGTERM.",
            "TimeoutStopSec=15",
            "# The embedded server may have been started by it, and others may be using it.",
            "KillMode=process",
            "",
            "[Install]",
            "WantedBy=default.target",
            "",
        ]
    )


def _quoted(word: str) -> str:
    return '"' + "".join(_ESCAPED.get(character, character) for character in word) + '"'
