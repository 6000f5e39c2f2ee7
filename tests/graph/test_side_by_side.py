"""Processes mine for one user while another decides who is who: nothing hangs, and it comes to the same."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.endurance.canonical import canonical_form
from palace import Palace, Settings
from palace.testing import HashingEmbedder

pytestmark = [pytest.mark.nightly, pytest.mark.process]

MINER = """
import sys
from palace import Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder

runtime, owner, user, *sources = sys.argv[1:]
settings = Settings(database_url=runtime, database_owner_url=owner)
with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
    print("ready", flush=True)
    sys.stdin.readline()
    summary = palace.mine(*sources, wing="Life")
    assert not summary.failures and not summary.warnings, (summary.failures, summary.warnings)
"""
PATIENCE = 240
"""Seconds after which a miner counts as hung."""
GRAPH = ("entity", "alias", "mention", "assertion", "relation", "evidence")
SEED = ["My friend D-Man has a boat. Derek Hughes came by with Anna."]
SAID = (
    "My friend Derek Hughes lives in {town} now.",
    "I moved to {town} in {month} 2025. Derek helped.",
    "My sister Anna works at {firm}. D-Man bought a {thing} yesterday.",
    "Anna's brother Tom plays the cello. My dentist is Dr {name}.",
)
TOWNS, FIRMS = ("Ghent", "Utrecht", "Porto", "Aarhus", "Oslo"), ("Arup", "Vestas", "Bosch")
MONTHS, THINGS, NAMES = ("May", "June", "July"), ("piano", "kayak", "bike"), ("Sato", "Okafor", "Lindner")


def write_talks(folder: Path, numbers: range) -> Path:
    """Write conversations that name the same few people and say ever newer things of them."""
    folder.mkdir()
    for number in numbers:
        words = {
            **{"town": TOWNS[number % 5], "firm": FIRMS[number % 3], "month": MONTHS[number % 3]},
            **{"thing": THINGS[number % 3], "name": NAMES[number % 3]},
        }
        said = [text.format(**words) for text in SAID[number % 2 :: 2]]
        messages = [
            {"role": "user", "content": text, "timestamp": f"2026-01-{number + 1:02d}T10:{place:02d}:00Z"}
            for place, text in enumerate(said)
        ]
        (folder / f"talk-{number}.json").write_text(json.dumps({"id": f"talk-{number}", "messages": messages}))
    return folder


def graph_of(palace: Palace) -> dict[str, list[str]]:
    found = canonical_form(palace)
    return {table: found[table] for table in GRAPH}


@contextmanager
def mining(settings: Settings, user: str, sources: list[list[Path]]) -> Iterator[list[subprocess.Popen[str]]]:
    """Begin to mine each list of sources in a process of its own, all at once."""
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    urls = [settings.database_url.get_secret_value(), settings.database_owner_url.get_secret_value()]
    miners = [
        subprocess.Popen(
            [sys.executable, "-c", MINER, *urls, user, *map(str, paths)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for paths in sources
    ]
    try:
        for miner in miners:
            assert miner.stdout is not None
            assert miner.stdout.readline() == "ready\n"
        for miner in miners:
            assert miner.stdin is not None
            miner.stdin.write("go\n")
            miner.stdin.flush()
        yield miners
    finally:
        for miner in miners:
            miner.kill()
            miner.communicate()


def seeded(settings: Settings, user: str) -> Palace:
    palace = Palace.open(settings, user=user, embedder=HashingEmbedder())
    messages = [{"role": "user", "content": text, "timestamp": "2026-01-01T09:00:00Z"} for text in SEED]
    palace.file(messages, id="seed", wing="Life")
    return palace


def test_two_miners_and_one_who_decides_come_to_what_one_after_the_other_does(
    settings: Settings, tmp_path: Path
) -> None:
    one, other = write_talks(tmp_path / "one", range(10)), write_talks(tmp_path / "other", range(7, 17))
    with seeded(settings, f"serial-{uuid.uuid4()}") as serial:
        serial.mine(one, wing="Life")
        serial.mine(other, wing="Life")
        serial.entities.merge("D-Man", "Derek Hughes")
        expected = graph_of(serial)

    user = f"both-{uuid.uuid4()}"
    with seeded(settings, user) as palace, mining(settings, user, [[one], [other]]) as miners:
        made = palace.entities.merge("D-Man", "Derek Hughes")
        end = time.monotonic() + PATIENCE
        while any(miner.poll() is None for miner in miners) and time.monotonic() < end:
            palace.entities.undo(made.decision.id)
            made = palace.entities.merge("D-Man", "Derek Hughes")
        for miner in miners:
            _, told = miner.communicate(timeout=1)
            assert miner.returncode == 0, told
        assert graph_of(palace) == expected
        assert len(expected["relation"]) > 10
