"""Records to show, and views as text."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from rich.console import Console, RenderableType

from palace.records import Drawer, Pointer, Role


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
