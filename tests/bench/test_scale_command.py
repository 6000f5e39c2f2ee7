"""The command line of what measures a palace."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.scale.__main__ import main


def test_a_shared_server_in_the_settings_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://derek@nowhere.invalid/memory")
    with pytest.raises(SystemExit) as ending:
        main(["mining", "--home", str(tmp_path / "home"), "--out", str(tmp_path)])
    assert ending.value.code == "bench.scale measures an embedded server of its own: unset PALACE_DATABASE_URL"
