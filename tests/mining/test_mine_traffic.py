"""What mining asks of the server for each conversation."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from bench.speed.traffic import Traffic
from palace import Palaces, Settings
from palace.testing import HashingEmbedder


@pytest.mark.usefixtures("own_connections")
def test_filing_a_conversation_takes_few_statements_and_indexing_none_of_its_own(
    settings: Settings, tmp_path: Path
) -> None:
    with Traffic() as traffic, Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
        palace = palaces.palace(f"user-{uuid.uuid4()}")

        def mine(amount: int) -> tuple[int, int]:
            said = [
                {"role": "user", "content": f"Anna sold boat {amount} in May."},
                {"role": "assistant", "content": "Oh."},
            ]
            lines = (json.dumps({"id": f"{amount}-{number}", "messages": said}) for number in range(amount))
            (tmp_path / "chats.jsonl").write_text("\n".join(lines), encoding="utf-8")
            filed = traffic.of(lambda: palace.mine(tmp_path / "chats.jsonl", background=True))
            return filed.statements, traffic.of(palace.embeddings.backfill).statements

        mine(2)
        few, many = mine(10), mine(30)
    assert many[0] - few[0] <= 20 * 20
    assert many[1] <= few[1]
