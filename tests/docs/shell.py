"""Runs the commands of one block in one shell, as a person would type them, and keeps apart what each printed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of one command."""

    command: str
    code: int
    stdout: str
    stderr: str

    def __str__(self) -> str:
        return f"{self.command}\n  exit code {self.code}\n  {self.stderr.strip() or self.stdout.strip()}"


def run(commands: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> list[Ran]:
    """Run commands one after the other, whatever becomes of each; a question is answered with yes.

    What one exports, or makes in the folder, is there for the next, as in a terminal.
    """
    shell = shutil.which("bash")
    assert shell is not None
    kept = Path(tempfile.mkdtemp(prefix="palace-printed-"))
    lines = ["set -o pipefail"]
    for number, command in enumerate(commands):
        streams = f">{kept}/{number}.out 2>{kept}/{number}.err <<< yes"
        lines.append(f"{{\n{command}\n}} {streams}; echo $? >{kept}/{number}.code")
    script = kept / "script"
    script.write_text("\n".join(lines), encoding="utf-8")
    told = subprocess.run(
        [shell, "--noprofile", "--norc", script],
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
    )
    assert (told.stdout, told.stderr) == ("", ""), f"the block is no shell script: {told.stderr}"
    ran = [_read(kept, number, command) for number, command in enumerate(commands)]
    shutil.rmtree(kept)
    return ran


def _read(kept: Path, number: int, command: str) -> Ran:
    code = int((kept / f"{number}.code").read_text())
    printed = [(kept / f"{number}.{stream}").read_bytes().decode("utf-8", "replace") for stream in ("out", "err")]
    return Ran(command, code, *printed)
