"""Trees of the project to break: each a worktree below the temporary folder, with a Python whose Palace is that one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


class CannotCheck(Exception):
    """Why a fault cannot be checked, in a line."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The project at a revision, in a folder of its own."""

    home: Path

    @property
    def root(self) -> Path:
        """Where the project lies."""
        return self.home / "tree"

    @contextmanager
    def broken_by(self, patch: Path) -> Iterator[str]:
        """Apply a patch for a while; give what it comes to, without the lines around it."""
        done = git("apply", "--whitespace=nowarn", str(patch), folder=self.root)
        if done.returncode:
            raise CannotCheck(f"the patch does not apply any more: {done.stderr.strip().partition(chr(10))[0]}")
        try:
            yield git("diff", "-U0", folder=self.root).stdout
        finally:
            git("checkout", "--quiet", ".", folder=self.root)

    def failures(self, *arguments: str, ids: Sequence[str] = (), seconds: float) -> list[str]:
        """Run tests, and name those that fail.

        Raises:
            CannotCheck: they did not end in time, or pytest itself failed.
        """
        with tempfile.TemporaryDirectory(dir=self.home) as kept:
            listed = Path(kept, "ids")
            listed.write_text("\n".join(ids), encoding="utf-8")
            command = [str(self.home / "venv/bin/python"), "-m", "pytest", "-o", f"cache_dir={kept}", *arguments]
            code, told = _run([*command, *([f"@{listed}"] if ids else [])], self.root, seconds)
            failed = Path(kept, "v/cache/lastfailed")
            if code is None:
                raise CannotCheck(f"the tests did not end within {seconds:,.0f} s")
            if code not in (0, 1, 2, 5) or (code in (1, 2) and not failed.exists()):
                raise CannotCheck(f"pytest ended with {code}: {told[-400:]}")
            return list(json.loads(failed.read_text(encoding="utf-8"))) if code in (1, 2) else []


@contextmanager
def tree_at(revision: str) -> Iterator[Tree]:
    """Lay out the project as it is committed at a revision; it is taken away again."""
    tree = Tree(Path(tempfile.mkdtemp(prefix="palace-fault-")))
    # The account that Postgres runs as, where the tests run as root, has to get through.
    tree.home.chmod(0o711)
    try:
        git("worktree", "add", "--detach", str(tree.root), revision).check_returncode()
        _make_python(tree.home / "venv", tree.root)
        yield tree
    finally:
        git("worktree", "remove", "--force", str(tree.root))
        shutil.rmtree(tree.home, ignore_errors=True)


def git(*words: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Ask git."""
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)


def _make_python(folder: Path, root: Path) -> None:
    """Make an environment with the packages of this one, in which Palace is the tree's: also in what tests start."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    paths = (root, root / "cli", sysconfig.get_path("purelib"))
    (packages / "palace.pth").write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
    program = folder / "bin/palace"
    program.write_text(f"#!{folder}/bin/python\nfrom palace_cli.entry import main\n\nmain()\n", encoding="utf-8")
    program.chmod(0o755)


def _run(command: Sequence[str], folder: Path, seconds: float) -> tuple[int | None, str]:
    """Run a command; give its exit code, None where it did not end in time, and what it said."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryFile("w+") as told:
        running = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            process_group=0,  # and no session: whoever leads one has a terminal of the tests for its own
        )
        try:
            code = running.wait(seconds)
        except subprocess.TimeoutExpired:
            # Asked first, it stops the server that it started.
            for ending in (signal.SIGINT, signal.SIGKILL):
                with suppress(subprocess.TimeoutExpired, ProcessLookupError):
                    os.killpg(running.pid, ending)
                    running.wait(60)
            return None, ""
        told.seek(0)
        return code, told.read()
