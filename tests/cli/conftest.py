"""Records to show, views as text, and commands run as a user of the test's own, or on a palace that is only read."""

from __future__ import annotations

import json
import socket
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType
from typer.testing import CliRunner

from palace import Drawer, PalaceError, Pointer, Role, Settings
from palace_cli import clock
from palace_cli.app import app

Run = Callable[..., Any]
Make = Callable[..., Drawer]
WIRE = "I tried a 12-AWG silicone wire and it overheated after ten minutes."
TALK = [
    {"role": "user", "content": WIRE},
    {"role": "assistant", "content": "Use an 8-AWG wire between the battery and the motor controller."},
    {"role": "user", "content": "Derek will lend me his crimping tool on Sunday."},
]


@pytest.fixture(autouse=True)
def zone() -> Iterator[Callable[[str], None]]:
    """Make Greenwich the local zone, whatever a command has set before, and give what makes another the local one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "_ZONE", ContextVar[tzinfo | None]("zone", default=None))

        def set_zone(name: str) -> None:
            patch.setenv("TZ", name)
            time.tzset()

        set_zone("UTC")
        yield set_zone
    time.tzset()


@pytest.fixture
def drawer() -> Make:
    """A drawer of which a test names only what it is about."""
    plain = Drawer(
        id=7,
        pointer=Pointer(1, 2, 3),
        content="I tried a 12-AWG silicone wire and it overheated.",
        role=Role.USER,
        speaker=None,
        said_at=datetime(2026, 4, 30, 18, 20, tzinfo=UTC),
        filed_at=datetime(2026, 5, 1, 9, 0, tzinfo=UTC),
        wing_name="Efoil rebuild",
        room_name="Evening session",
        closet_name="Battery wiring",
        position=4,
    )
    return lambda **changes: replace(plain, **changes)


@pytest.fixture
def printed() -> Callable[..., list[str]]:
    """What a view looks like without colour, as lines."""

    def render(view: RenderableType, *, width: int = 200) -> list[str]:
        console = Console(file=StringIO(), markup=False, emoji=False, highlight=False, width=width)
        with console.capture() as capture:
            console.print(view)
        return [line.rstrip() for line in capture.get().splitlines()]

    return render


def addresses(settings: Settings) -> dict[str, str]:
    """Give the environment in which a command works on the tests' database."""
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    return {
        "PALACE_HOME": str(settings.home),
        "PALACE_DATABASE_URL": settings.database_url.get_secret_value(),
        "PALACE_DATABASE_OWNER_URL": settings.database_owner_url.get_secret_value(),
    }


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command as a user of the test's own."""
    for name, value in (addresses(settings) | {"LOGNAME": f"user-{uuid.uuid4()}"}).items():
        monkeypatch.setenv(name, value)

    def invoke(*arguments: str, given: str | bytes | None = None) -> Any:
        return CliRunner().invoke(app, arguments, input=given, catch_exceptions=False)

    return invoke


@pytest.fixture(scope="session")
def run_apart(settings: Settings) -> Callable[[], Run]:
    """Make what runs commands as a new user, whatever a test's environment says."""

    def make() -> Run:
        environment = addresses(settings) | {"LOGNAME": f"user-{uuid.uuid4()}"}

        def invoke(*arguments: str, given: str | bytes | None = None) -> Any:
            return CliRunner(env=environment).invoke(app, arguments, input=given, catch_exceptions=False)

        return invoke

    return make


@pytest.fixture(scope="session")
def efoil(run_apart: Callable[[], Run], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A palace with one conversation about a battery, which is only read."""
    run = run_apart()
    mine(run, tmp_path_factory.mktemp("efoil") / "Efoil rebuild.json", TALK)
    return run


def mine(run: Run, file: Path, said: object, *options: str) -> Path:
    """Mine a conversation from a file of a name."""
    file.write_text(json.dumps(said), encoding="utf-8")
    done = run("mine", str(file), *options)
    assert done.exit_code == 0, done.stderr
    return file


def refused(run: Run, calls: dict[tuple[str, ...], str]) -> list[tuple[tuple[str, ...], str]]:
    """List the calls that are not refused with one line in which something stands, with what they say."""
    wrong = []
    for call, told in calls.items():
        done = run(*call)
        if (done.exit_code, done.stdout, done.stderr.count("\n")) != (2, "", 1) or told not in done.stderr:
            wrong.append((call, f"{done.exit_code} {done.stdout}{done.stderr}"))
    return wrong


@pytest.fixture
def filing_fails() -> Callable[[PalaceError], AbstractContextManager[None]]:
    """Make every exchange fail to be filed for a while, with an error of the test's choice."""

    @contextmanager
    def fail(problem: PalaceError) -> Iterator[None]:
        def refuse(*_: object) -> int:
            raise problem

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("palace.agent.filing.Filer.file", refuse)
            yield

    return fail


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Iterator[None]]:
    """Palaces whose server, one after the other, takes connections and says nothing, and then is not there."""
    with socket.create_server(("127.0.0.1", 0), backlog=8) as server:
        monkeypatch.setenv("PALACE_DATABASE_URL", f"postgresql://a:b@127.0.0.1:{server.getsockname()[1]}/palace")

        def one_after_the_other() -> Iterator[None]:
            yield
            server.close()
            yield

        yield one_after_the_other()
