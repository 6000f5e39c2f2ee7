"""Copies of settings."""

from __future__ import annotations

from pathlib import Path

from palace.settings import Settings


def test_a_copy_with_another_home_has_its_folder(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "one")
    assert settings.home_folder == tmp_path / "one"
    assert settings.model_copy(update={"home": tmp_path / "two"}).home_folder == tmp_path / "two"
    assert settings.model_copy(update={"person": "Anna"}).home_folder == tmp_path / "one"
