"""What a hook leaves is filed in the palace that the hook named, whichever worker of the same home finds it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from palace.doctor.hooks import check_hooks
from palace.hooks.answering import answer_request
from palace.hooks.failures import list_failures
from palace.hooks.inbox.backlog import backlog
from palace.hooks.inbox.left import is_empty, take
from palace.hooks.inbox.mining import InboxMiner
from palace.hooks.inbox.whose import OTHERS_SECONDS, place_of, where_of
from palace_hook import client, leaving
from tests.hooks.conftest import SAID, Agent, agent, line  # noqa: F401 — a fixture
from tests.warm.conftest import naming
from tests.warm.test_hook_left import event, request

ELSEWHERE = {"PALACE_DATABASE_URL": "postgresql://tom:hunter2@db.example/other"}


def stop(agent: Agent, environment: Mapping[str, str]) -> None:  # noqa: F811
    """Leave a note as a hook with this environment does."""
    transcript = agent.transcript(line(1))
    sent = event("Stop", cwd=str(agent.project), transcript_path=str(transcript))
    told = request(agent.settings.home_folder, sent, environment=dict(environment))
    client._write_down(str(agent.settings.home_folder), told)
    assert told["left"]


def with_schema(miner: InboxMiner, schema: str) -> InboxMiner:
    """Give a miner whose settings name another schema."""
    settings = miner.fittings.settings.model_copy(update={"database_schema": schema})
    return InboxMiner(replace(miner.fittings, settings=settings))


@pytest.mark.parametrize(
    "named",
    [{"PALACE_DATABASE_SCHEMA": "secondp"}, {"palace_database_schema": "secondp"}, ELSEWHERE],
    ids=["schema", "small letters", "address"],
)
def test_a_note_of_another_palace_is_left_as_it_is(agent: Agent, named: dict[str, str]) -> None:  # noqa: F811
    environment = {name: value for name, value in naming(agent.settings).items() if name not in map(str.upper, named)}
    stop(agent, environment | named)
    before = {path.name: path.read_bytes() for path in (agent.settings.home_folder / "hooks/inbox").iterdir()}
    agent.miner.look()
    assert agent.filed() == []
    assert agent.miner.is_idle
    assert {path.name: path.read_bytes() for path in (agent.settings.home_folder / "hooks/inbox").iterdir()} == before
    assert b"hunter2" not in b"".join(before.values())


def test_it_waits_for_the_worker_that_has_its_palace(agent: Agent) -> None:  # noqa: F811
    home = agent.settings.home_folder
    stop(agent, naming(agent.settings) | {"PALACE_DATABASE_SCHEMA": "secondp"})
    stop(agent, naming(agent.settings))
    assert [left.waiting for left in backlog(agent.settings)] == [1, 1]
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]
    assert [left.waiting for left in backlog(agent.settings)] == [0, 1]
    other = with_schema(agent.miner, "secondp")
    assert [left.waiting for left in backlog(other.fittings.settings)] == [1, 0]
    other.look()
    assert (other.mined, is_empty(home)) == (1, True)


def test_where_the_environment_names_no_palace_the_settings_of_the_home_do(agent: Agent) -> None:  # noqa: F811
    named = naming(agent.settings)
    bare = {name: named[name] for name in ("PALACE_HOME", "PALACE_USER")}
    stop(agent, bare)
    agent.miner.look()
    assert agent.filed() == []
    given = {name: value for name, value in named.items() if name not in bare}
    lines = (f"{name.removeprefix('PALACE_').lower()} = {json.dumps(value)}\n" for name, value in given.items())
    (agent.settings.home_folder / "config.toml").write_text("".join(lines))
    (agent.settings.home_folder / "config.toml").chmod(0o600)
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]


def test_a_note_of_an_earlier_version_is_the_workers_own(agent: Agent) -> None:  # noqa: F811
    stop(agent, naming(agent.settings) | {"PALACE_DATABASE_SCHEMA": "secondp"})
    [path] = (agent.settings.home_folder / "hooks/inbox").iterdir()
    told = json.loads(path.read_text())
    del told["database"], told["variables"]["PALACE_DATABASE_SCHEMA"]
    path.write_text(json.dumps(told))
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]


def test_what_is_left_behind_an_answer_is_of_the_palace_that_answered(agent: Agent) -> None:  # noqa: F811
    settings = with_schema(agent.miner, "secondp").fittings.settings
    ground = replace(agent.ground, where=where_of(settings))
    sent = event("Stop", cwd=str(agent.project), transcript_path=str(agent.transcript(line(1))))
    answer_request(ground, {"input": sent.decode()})
    agent.miner.look()
    assert agent.filed() == []
    other = with_schema(agent.miner, "secondp")
    other.look()
    assert other.mined == 1


def test_what_no_worker_comes_for_is_told_and_in_the_end_given_up(
    agent: Agent,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = agent.settings.home_folder
    stop(agent, naming(agent.settings) | ELSEWHERE)
    monkeypatch.setattr("palace.doctor.hooks.LONG_WAITING", 0.0)
    found = {check.name: check.finding for check in check_hooks(agent.settings)}
    assert found["hooks left elsewhere"] == "1 transcript waits for a worker of another database or schema"
    assert "hooks left" not in found
    later = time.time() + OTHERS_SECONDS
    monkeypatch.setattr("palace.hooks.inbox.mining.time.time", lambda: later)
    agent.miner.look()
    assert (agent.filed(), is_empty(home)) == ([], True)
    assert [failure.code for failure in list_failures(home)] == ["no_worker"]


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("postgresql://db/palace", True),
        ("postgres://lea@DB:5432/palace", True),
        ("postgresql+psycopg://lea:secret@db/palace?sslmode=require&password=x", True),
        ("postgresql:///palace?host=db&port=5432", True),
        ("postgresql://db?dbname=pal%61ce", True),
        ("postgresql://db/palace2", False),
        ("postgresql://db:5433/palace", False),
        ("postgresql://db2/palace", False),
        ("postgresql://db/palace?service=x", False),
        ("postgresql://[::1]:5432/palace", False),
        ("", False),
        ("palace", False),
        ("\udcff://\udcff", False),
    ],
)
def test_client_and_palace_know_a_database_by_the_same_digest(address: str, same: bool) -> None:
    assert leaving.place_of(address) == place_of(address)
    assert (place_of(address) == place_of("postgresql://tom:hunter2@db/palace")) is same


def test_a_password_is_in_no_digest() -> None:
    assert place_of("postgresql://tom:one@[::1]:5432/p?password=x") == place_of("postgresql://tom:two@[::1]/p")


def test_a_note_says_where_it_belongs_without_the_address(home: Path) -> None:
    told = request(home, event("Stop"), environment={"PALACE_HOME": str(home), **ELSEWHERE})
    client._write_down(str(home), told)
    [(_, left)] = take(home)
    assert left.database == place_of(ELSEWHERE["PALACE_DATABASE_URL"])
    assert "db.example" not in json.dumps(list(left.variables.items()))


def test_settings_that_fail_in_whatever_way_stop_no_other_note(
    agent: Agent,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError

    stop(agent, naming(agent.settings))
    monkeypatch.setattr("palace.hooks.inbox.whose.load_settings", fail)
    agent.miner.look()
    assert agent.filed() == []
    assert [failure.code for failure in list_failures(agent.settings.home_folder)] == ["RuntimeError"]
