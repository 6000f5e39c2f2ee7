"""A worker answers under the settings of whoever asks, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from palace.errors import BadRequest
from palace.hooks.serving.asker import Askers, Declined
from palace.settings import Settings

WORKERS = {"PALACE_DATABASE_URL": "postgresql://tom:pw@db/palace"}


@pytest.fixture
def askers(home: Path) -> Askers:
    """The askers of a worker that somebody else's environment was given to."""
    url = SecretStr(WORKERS["PALACE_DATABASE_URL"])
    return Askers(Settings(home=home, user="worker", person="Wanda Worker", database_url=url))


def told(home: Path, **more: str) -> dict[str, Any]:
    """Give a request of a process with this environment."""
    same = {"PALACE_HOME": str(home), **WORKERS, **({"TZ": os.environ["TZ"]} if "TZ" in os.environ else {})}
    return {"environment": same | more}


def test_whose_palace_it_is_follows_from_who_asks_and_never_from_the_worker(askers: Askers, home: Path) -> None:
    found = askers.settings_of(told(home, LOGNAME="lea"))
    assert (found.user, found.person) == ("lea", None)
    found = askers.settings_of(told(home, PALACE_USER="tom", PALACE_PERSON="Tom Hansen"))
    assert (found.user, found.person) == ("tom", "Tom Hansen")


def test_what_is_injected_follows_from_who_asks(askers: Askers, home: Path) -> None:
    found = askers.settings_of(told(home, PALACE_HOOKS="false", PALACE_INJECTION_TOKENS="99"))
    assert (found.hooks, found.injection_tokens) == (False, 99)


def test_a_file_that_changed_is_read_again(askers: Askers, home: Path) -> None:
    assert askers.settings_of(told(home, LOGNAME="lea")).user == "lea"
    (home / "config.toml").write_text('user = "marta"\n')
    assert askers.settings_of(told(home, LOGNAME="lea")).user == "marta"
    (home / "config.toml").unlink()
    assert askers.settings_of(told(home, LOGNAME="lea")).user == "lea"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PALACE_DATABASE_URL", "postgresql://other@db/palace"),
        ("palace_database_schema", "other"),
        ("PALACE_EMBEDDING_MODEL", "openai/text-embedding-3-small"),
        ("PALACE_EMBEDDING_DIMENSION", "7"),
        ("PALACE_HOME", "/"),
        ("TZ", "Pacific/Chatham"),
    ],
)
def test_another_palace_or_model_than_the_workers_is_declined(
    name: str, value: str, askers: Askers, home: Path
) -> None:
    with pytest.raises((Declined, BadRequest)):
        askers.settings_of(told(home, **{name: value}))


@pytest.mark.parametrize(
    "environment",
    [None, [], "x", {}, {"PALACE_HOME": 7}, {"PALACE_HOME": "\0"}, {str(n): "" for n in range(600)}],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_no_environment_is_declined(environment: Any, askers: Askers) -> None:
    with pytest.raises(Declined):
        askers.settings_of({"environment": environment})


def test_settings_that_cannot_be_read_are_for_whoever_asks(askers: Askers, home: Path) -> None:
    with pytest.raises(BadRequest):
        askers.settings_of(told(home, PALACE_TOP_K="many"))


def test_no_more_are_kept_than_a_few(askers: Askers, home: Path) -> None:
    for number in range(100):
        assert askers.settings_of(told(home, PALACE_USER=f"user-{number}")).user == f"user-{number}"
    assert len(askers._kept) <= 16
