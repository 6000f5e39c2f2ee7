"""Records to show, views as text, and commands run as a user of the test's own."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from rich.console import Console, RenderableType
from typer.testing import CliRunner

from palace.records import Drawer, Pointer, Role
from palace.settings import Settings


@pytest.fixture(autouse=True)
def _utc() -> Iterator[None]:
    """Make Greenwich the local time zone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def drawer() -> Callable[..., Drawer]:
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

    def make(**changes: Any) -> Drawer:
        return replace(plain, **changes)

    return make


@pytest.fixture
def printed() -> Callable[..., list[str]]:
    """What a view looks like without colour, as lines."""

    def render(view: RenderableType, *, width: int = 200) -> list[str]:
        console = Console(file=StringIO(), markup=False, emoji=False, highlight=False, width=width)
        with console.capture() as capture:
            console.print(view)
        return [line.rstrip() for line in capture.get().splitlines()]

    return render


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a command as a user of the test's own."""
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    monkeypatch.setenv("PALACE_HOME", str(settings.home))
    monkeypatch.setenv("PALACE_DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("PALACE_DATABASE_OWNER_URL", settings.database_owner_url.get_secret_value())
    monkeypatch.setenv("PALACE_USER", f"user-{uuid.uuid4()}")

    from palace_cli.app import app

    def invoke(*arguments: str, given: str | bytes | None = None) -> Any:
        return CliRunner().invoke(app, arguments, input=given, catch_exceptions=False)

    return invoke
