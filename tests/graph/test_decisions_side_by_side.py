"""Deciding who is who while another process mines."""

from __future__ import annotations

import subprocess
import sys
import uuid

import pytest

from palace import Palace
from palace.errors import BadRequest
from palace.settings import Settings
from palace.testing import HashingEmbedder
from tests.graph.mined import known, tell

MINER = """
import sys
from palace import Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder
from tests.graph.mined import tell

runtime, owner, user = sys.argv[1:]
settings = Settings(database_url=runtime, database_owner_url=owner)
with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
    print("ready", flush=True)
    for number in range(12):
        tell(palace, f"mined {number}", "D-Man", "Berta", "Derek" if number % 2 else "Derek Hughes")
"""


@pytest.mark.parametrize("undone", [False, True])
def test_a_decision_beside_a_miner_holds_for_what_both_did(settings: Settings, undone: bool) -> None:
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    user = f"user-{uuid.uuid4()}"
    urls = [settings.database_url.get_secret_value(), settings.database_owner_url.get_secret_value()]
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        tell(palace, "first", "D-Man", "Derek", "Berta")
        miner = subprocess.Popen(
            [sys.executable, "-c", MINER, *urls, user], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert miner.stdout is not None
        assert miner.stdout.readline() == "ready\n"
        made = palace.entities.merge("D-Man", "Derek")
        while miner.poll() is None:
            # Taken back and taken again and again, while names come in.
            palace.entities.undo(made.decision.id)
            made = palace.entities.merge("D-Man", "Derek")
        assert miner.wait(60) == 0, miner.communicate()
        if undone:
            palace.entities.undo(made.decision.id)
            assert known(palace) == {"Derek Hughes": {"Derek"}, "D-Man": set(), "Berta": set()}
        else:
            assert known(palace) == {"Derek Hughes": {"D-Man", "Derek"}, "Berta": set()}
            with pytest.raises(BadRequest, match="are one already"):
                palace.entities.merge("D-Man", "Derek Hughes")
        assert {each.mention_count for each in palace.entities.list()} >= {13}
