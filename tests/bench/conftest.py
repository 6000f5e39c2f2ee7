"""What tests of benchmarks share."""

from __future__ import annotations

import pytest

from palace import Settings


@pytest.fixture
def environment(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the command line find the tests' server."""
    for name in ("database_url", "database_owner_url"):
        secret = getattr(settings, name)
        if secret:
            monkeypatch.setenv(f"PALACE_{name.upper()}", secret.get_secret_value())
