"""The worker as a systemd user service: write and remove its unit file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from palace.errors import BadRequest
from palace.models import ServiceFile

if TYPE_CHECKING:
    from palace.config.settings import Settings


NAME = "palace-worker.service"
OURS = "# Written by `palace worker --install`; `palace worker --uninstall` takes it away."

_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "%": "%%"}


def unit(command: Sequence[str], variables: Mapping[str, str]) -> str:
    """Return the unit file for a command line and environment variables."""
    given = [f"Environment={_quoted(f'{name}={value}')}" for name, value in sorted(variables.items())]
    # systemd expands variables only in the words of the command.
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


WRITTEN = (
    *("PALACE_USER", "PALACE_PERSON", "PALACE_TIMEZONE", "PALACE_DATABASE_SCHEMA", "PALACE_WATCH_REST_SECONDS"),
    *("PALACE_EMBEDDING_MODEL", "PALACE_EMBEDDING_DIMENSION", "PALACE_EMBEDDING_THREADS"),
)
"""Variables that are copied into the unit; others may hold secrets."""
ADDRESSES = ("PALACE_DATABASE_URL", "PALACE_DATABASE_OWNER_URL")
SYSTEMD = Path("/run/systemd/system")


def install(arguments: Sequence[str], settings: Settings) -> ServiceFile:
    """Write the unit file for a worker with these arguments; replace one that Palace wrote.

    Raises:
        BadRequest: a file of somebody else exists, it cannot be written, or it would contain a password.
    """
    from palace.config.folders import refused, written_whole

    path = _path()
    former = _former(path)
    written = unit([*_program(), "worker", *arguments], _variables(settings))
    if former != written:
        with refused(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path, force=True) as partial:
            partial.write_text(written, encoding="utf-8", errors="surrogateescape")
    commands = ("systemctl --user daemon-reload", f"systemctl --user enable --now {NAME}")
    state = "unchanged" if former == written else "written" if former is None else "replaced"
    return ServiceFile(str(path), state, commands, _notices(settings))


def uninstall() -> ServiceFile:
    """Remove the unit file, and the link that enables it; does nothing if there is none.

    Raises:
        BadRequest: a file of somebody else exists, or it cannot be removed.
    """
    from palace.config.folders import refused

    path = _path()
    former = _former(path)
    if former is None:
        return ServiceFile(str(path), "absent")
    with refused(path):
        (path.parent / "default.target.wants" / NAME).unlink(missing_ok=True)
        path.unlink()
    return ServiceFile(
        str(path), "removed", (f"systemctl --user stop {NAME}", "systemctl --user daemon-reload"), _without_systemd()
    )


def _path() -> Path:
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    # Relative paths are to be ignored, by the XDG specification.
    folder = Path(configured) if configured.startswith("/") else Path.home() / ".config"
    return folder / "systemd" / "user" / NAME


def _former(path: Path) -> str | None:
    """Read the existing unit file; None if there is none."""
    try:
        former = path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        if path.is_symlink():
            raise BadRequest(f"{path} is a link that leads nowhere: remove it first") from None
        return None
    except OSError as problem:
        raise BadRequest(f"{path} cannot be read: {problem.strerror}") from problem
    if not former.startswith(OURS):
        raise BadRequest(f"{path} was not written by palace and is left as it is: move it away first")
    return former


def _program() -> list[str]:
    beside = Path(sys.executable).with_name("palace")
    if beside.is_file():
        return [str(beside)]
    return [sys.executable, "-m", "palace_cli"]


def _variables(settings: Settings) -> dict[str, str]:
    """Return the environment variables for the service."""
    from palace.config.address import secrets_in

    given = {name: os.environ[name] for name in WRITTEN if name in os.environ}
    for name in ADDRESSES:
        address = os.environ.get(name)
        if address is None:
            continue
        if secrets_in(address):
            raise BadRequest(
                f"{name} holds a password, which is not written into a service: put {name[7:].lower()} into"
                f" {settings.home_folder / 'config.toml'}, readable for you alone, and unset the variable"
            )
        given[name] = address
    return given | {"PALACE_HOME": str(settings.home_folder)}


def _notices(settings: Settings) -> tuple[str, ...]:
    """Return notices about variables that were left out, and about a missing systemd."""
    known: Mapping[str, object] = {f"PALACE_{name.upper()}": None for name in type(settings).model_fields}
    left = sorted(
        name for name in os.environ.keys() & known.keys() if name not in {*WRITTEN, *ADDRESSES, "PALACE_HOME"}
    )
    told = f"not written: {', '.join(left)}; put them into {settings.home_folder / 'config.toml'}"
    return (*((told,) if left else ()), *_without_systemd())


def _without_systemd() -> tuple[str, ...]:
    if SYSTEMD.is_dir():
        return ()
    return ("systemd is not at work here: nothing reads this file, start `palace worker` another way",)
