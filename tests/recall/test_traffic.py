"""What one recall asks of the server, and that it sees what other processes did."""

from __future__ import annotations

import subprocess
import sys
import uuid

import pytest

from bench.speed.traffic import Traffic
from palace import Palace, Palaces, Settings
from palace.testing import HashingEmbedder


@pytest.mark.usefixtures("own_connections")
def test_a_plain_recall_asks_no_more_of_the_server_than_this(settings: Settings) -> None:
    with Traffic() as traffic, Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
        palace = palaces.palace(f"user-{uuid.uuid4()}")
        said = [f"The pump of boat {number} broke on a Friday." for number in range(30)]
        palace.file([{"role": "user", "content": content} for content in said], id="boats", wing="Boats")
        for _ in range(3):
            assert palace.recall("which pump broke?").hits
        counts = [traffic.of(lambda: palace.recall("which pump broke?")) for _ in range(5)]
    # A new connection has to prepare what others prepared before: the least is what stays.
    least = min(counts, key=lambda each: each.round_trips)
    assert (least.statements, least.round_trips, least.rows) == (15, 19, 612)


FORGET = """
import sys
from palace import Palace, Settings
from palace.testing import HashingEmbedder

runtime, owner, user, pointer = sys.argv[1:]
with Palace.open(Settings(database_url=runtime, database_owner_url=owner), user=user, embedder=HashingEmbedder()) as it:
    it.forget(pointer)
"""


@pytest.mark.process
def test_what_another_process_forgets_is_gone_from_the_next_recall(palace: Palace, settings: Settings) -> None:
    kept, gone = palace.note("The pump of Anna's boat broke."), palace.note("Anna sold the boat with the pump.")
    for _ in range(6):
        assert {hit.drawer.id for hit in palace.recall("Anna's pump", floor="none").hits} == {kept.id, gone.id}
    assert settings.database_url
    assert settings.database_owner_url
    urls = [url.get_secret_value() for url in (settings.database_url, settings.database_owner_url)]
    subprocess.run([sys.executable, "-c", FORGET, *urls, palace.user, str(gone.pointer)], check=True, timeout=120)
    assert [hit.drawer.content for hit in palace.recall("Anna's pump", floor="none").hits] == [kept.content]
