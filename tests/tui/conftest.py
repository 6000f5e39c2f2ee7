"""A small palace that always looks the same, and the application on it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from palace import Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder
from palace_cli.clock import set_zone
from palace_cli.tui.app import BrowseApp

TALKS = {
    "Efoil rebuild": (
        "Which battery wiring overheated?",
        "The **12-AWG** silicone wire overheated at 60 A. We moved to 8 AWG.\n\n- solder, not crimp\n- fuse at 100 A\n"
        "\n```python\nfor cell in range(12):\n    check(cell)\n```",
        "My sister Anna works at Bosch in Ghent.",
    ),
    "Garden": ("The tomatoes want water twice a day in July.", "I planted six rows of beans."),
}

SEEN_AT = datetime(2026, 5, 3, 12, tzinfo=UTC)
"""When the overview is looked at."""


@pytest.fixture(autouse=True)
def _quick_and_in_greenwich(settings: Settings) -> Iterator[None]:
    """Make Greenwich the local time zone, look at one moment, and wait less for keys to rest."""
    with pytest.MonkeyPatch.context() as patch:
        for waiting in ("widgets.seek.REST_SECONDS", "screens.entity.REST", "screens.browse.PAUSE_SECONDS"):
            patch.setattr(f"palace_cli.tui.{waiting}", 0.01)
        patch.setattr("palace_cli.tui.screens.browse.moment_of_looking", lambda: SEEN_AT)
        patch.setenv("TZ", "UTC")
        time.tzset()
        set_zone(settings)
        yield
    time.tzset()


def fill(palace: Palace) -> Palace:
    """File two wings."""
    for day, (wing, texts) in enumerate(TALKS.items(), start=1):
        messages = [
            {"role": ("user", "assistant")[at % 2], "content": text, "timestamp": f"2026-05-0{day}T10:0{at}:00Z"}
            for at, text in enumerate(texts)
        ]
        palace.file(messages, id=f"talk-{day}", title=f"{wing} talk", wing=wing)
    return palace


@pytest.fixture(scope="package")
def filled(settings: Settings) -> Iterator[Palace]:
    """A palace with two wings, which is only looked at."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as palace:
        yield fill(palace)


@pytest.fixture
def changing(palace: Palace) -> Palace:
    """The same palace, of the test's own."""
    return fill(palace)


@pytest.fixture
def make_app() -> Callable[..., BrowseApp]:
    """Make the application on a palace that the test has open."""

    def make(palace: Palace, at: str | None = None) -> BrowseApp:
        @contextmanager
        def opening() -> Iterator[Palace]:
            yield palace

        return BrowseApp(opening, at)

    return make
