"""What was taken out stays out, and is known, where a palace goes: through exports, and from older versions."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from palace import Palace, Settings, UnreadableSource
from palace.testing import HashingEmbedder
from tests.held import drawers
from tests.redaction.planted import SECRET, TOLD, contents, write


def another(settings: Settings) -> Palace:
    return Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder())


@pytest.mark.nightly
def test_a_palace_that_was_exported_knows_what_was_said(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    source = write(tmp_path)
    palace.mine(source)
    palace.note(TOLD, id="laptop")
    palace.transfer.export(tmp_path / "palace.jsonl")
    assert SECRET not in (tmp_path / "palace.jsonl").read_text()
    with another(settings) as other:
        other.transfer.load(tmp_path / "palace.jsonl")
        assert [drawer.redacted for drawer in drawers(other)] == [drawer.redacted for drawer in drawers(palace)]
        other.transfer.export(tmp_path / "again.jsonl")
        assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "palace.jsonl").read_bytes()
        assert other.mine(source).drawers_new == 0
        assert other.mine(source, keep_secrets=True).drawers_new == 0
        other.note(TOLD, id="laptop")
        assert len(contents(other)) == 5


@pytest.mark.nightly
def test_an_export_with_secrets_comes_back_byte_for_byte(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    palace.mine(write(tmp_path), keep_secrets=True)
    palace.transfer.export(tmp_path / "palace.jsonl")
    with another(settings) as other:
        other.transfer.load(tmp_path / "palace.jsonl")
        assert contents(other)[0] == TOLD
        assert other.mine(write(tmp_path)).drawers_new == 0


def test_a_line_that_has_half_of_what_was_taken_out_is_refused(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path))
    palace.transfer.export(tmp_path / "palace.jsonl")
    whole = (tmp_path / "palace.jsonl").read_text()
    for broken in ('"redacted":null', '"redacted":{}', '"redacted":{"Password":1}', '"redacted":{"password":0}'):
        (tmp_path / "broken.jsonl").write_text(whole.replace('"redacted":{"password":1}', broken))
        with pytest.raises(UnreadableSource, match=r"redacted|kind"):
            palace.transfer.load(tmp_path / "broken.jsonl")
