"""The pictures of the documentation, drawn from a palace that is made for them: ``make pictures`` writes them.

Nothing of it depends on when or where it is made: times are fixed, and the embedder hashes words. Of an empty database,
that is; whoever draws more takes the palace that is here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from palace import Palace, Settings
from palace.testing import HashingEmbedder
from palace_cli import clock
from palace_cli.render.status_picture import MOST_SLOTS, state_svg
from palace_cli.render.svg import svg_text
from tests.pictures.walks import SEEN_AT, every_screen, recorded

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
PERSON = "mara"

SAID = (
    ("2025-03-08", "Family", "My sister Anna works at Bosch."),
    ("2025-04-12", "Family", "Anna lives in Ghent."),
    ("2025-06-01", "Boat", "I own a boat called Zephyrine."),
    ("2025-06-15", "Boat", "My friend Derek likes the boat."),
    ("2025-08-02", "Garden", "The beech hedge was cut down to two metres."),
    ("2025-08-03", "Garden", "Tomatoes go where the beans stood."),
    ("2025-11-20", "Family", "Anna moved to Malmö."),
    ("2026-01-10", "Family", "Anna works at Vestas now."),
    ("2026-02-14", "Boat", "I sold the boat."),
    ("2026-04-27", "Garden", "The beans are up, six rows of them."),
    ("2026-04-29", "Boat", "I must order hull paint for Derek."),
    ("2026-04-30", "Recipes", "Rye bread takes two days."),
    ("2026-04-30", "Family", "Anna comes to visit on 9 May 2026."),
)
"""Day, wing and note."""


def pictures(settings: Settings) -> Iterator[tuple[str, bytes]]:
    """Give each picture of the documentation with its file's name.

    ``settings`` name a database in which nobody called ``PERSON`` has been yet.
    """
    with opened(settings) as palace:
        fill(palace)
        status = replace(palace.status(), last_mined_at=SEEN_AT)
        state = (status, palace.tree.calendar(slots=MOST_SLOTS), palace.tree.wings())
        yield "palace.svg", state_svg(*state).encode()
        yield "graph.svg", svg_text(palace.graph("I", hops=2, as_of=SEEN_AT, past=True)).encode()
        yield from recorded(palace)


def opened(settings: Settings) -> Palace:
    """Open the palace of whom the pictures are about, as somebody in Greenwich."""
    told = Settings(**settings.model_dump(exclude_unset=True) | {"timezone": "UTC", "worker_starts": False})
    clock.set_zone(told)
    return Palace.open(told, user=PERSON, embedder=HashingEmbedder())


def fill(palace: Palace) -> None:
    """File what the pictures show."""
    palace.mine(ROOT / "examples" / "efoil.json")
    for day, wing, text in SAID:
        palace.note(text, wing=wing, said_at=datetime.fromisoformat(f"{day}T12:00:00+00:00"))


def screens(settings: Settings) -> Iterator[tuple[str, bytes]]:
    """Give each screen of ``palace browse`` with its file's name, to be looked at."""
    with opened(settings) as palace:
        fill(palace)
        yield from every_screen(palace)


def write(draw: Callable[[Settings], Iterator[tuple[str, bytes]]], folder: Path) -> None:
    """Write pictures into a folder, from a palace on a server of its own."""
    with tempfile.TemporaryDirectory(prefix="palace-pictures-") as home:
        from tests.hosts import EmbeddedHost

        Path(home).chmod(0o711)
        settings = Settings(home=Path(home) / "palace")
        try:
            for name, drawn in draw(settings):
                (folder / name).write_bytes(drawn)
        finally:
            EmbeddedHost(settings.home).stop()
