"""What a hook leaves is filed in the palace that the hook named, whichever worker of the same home finds it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.hooks.conftest import SAID, Agent, line, notes
from tests.hooks.parts import OTHERS_SECONDS, InboxMiner, check_hooks, place_of
from tests.warm.conftest import event, naming, write_down

ELSEWHERE = {"PALACE_DATABASE_URL": "postgresql://tom:hunter2@db.example/other"}


def stop(agent: Agent, environment: Mapping[str, str]) -> None:
    """Leave a note as a hook with this environment does."""
    sent = event("Stop", cwd=str(agent.project), transcript_path=str(agent.transcript(line(1))))
    assert write_down(agent.settings.home_folder, sent, environment=dict(environment))


def with_schema(miner: InboxMiner, schema: str) -> InboxMiner:
    """Give a miner whose settings name another schema."""
    settings = miner.resources.settings.model_copy(update={"database_schema": schema})
    return InboxMiner(replace(miner.resources, settings=settings))


def kept(agent: Agent) -> dict[str, bytes]:
    """Read the notes as they lie there."""
    return {path.name: path.read_bytes() for path in (agent.settings.home_folder / "hooks" / "inbox").iterdir()}


def test_a_note_of_another_palace_is_left_as_it_is_for_the_worker_that_has_it(agent: Agent) -> None:
    for named in ({"PALACE_DATABASE_SCHEMA": "secondp"}, {"palace_database_schema": "secondp"}, ELSEWHERE):
        environment = {name: said for name, said in naming(agent.settings).items() if name not in map(str.upper, named)}
        stop(agent, environment | named)
    before = kept(agent)
    assert b"hunter2" not in b"".join(before.values())
    assert b"db.example" not in b"".join(before.values())
    stop(agent, naming(agent.settings))
    agent.miner.look()
    assert agent.miner.is_idle
    assert agent.filed() == [f"{SAID} (1)"]
    assert kept(agent) == before
    other = with_schema(agent.miner, "secondp")
    other.look()
    assert (other.mined, len(notes(agent.settings.home_folder))) == (2, 1)


def test_where_the_environment_names_no_palace_the_settings_of_the_home_do(agent: Agent) -> None:
    named, home = naming(agent.settings), agent.settings.home_folder
    bare = {name: named[name] for name in ("PALACE_HOME", "PALACE_USER")}
    stop(agent, bare)
    agent.miner.look()
    assert agent.filed() == []
    given = {name: value for name, value in named.items() if name not in bare}
    lines = (f"{name.removeprefix('PALACE_').lower()} = {json.dumps(value)}\n" for name, value in given.items())
    (home / "config.toml").write_text("".join(lines))
    (home / "config.toml").chmod(0o600)
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]


def test_a_note_of_an_earlier_version_is_the_workers_own(agent: Agent) -> None:
    stop(agent, naming(agent.settings) | {"PALACE_DATABASE_SCHEMA": "secondp"})
    [path] = (agent.settings.home_folder / "hooks/inbox").iterdir()
    told = json.loads(path.read_text())
    del told["database"], told["variables"]["PALACE_DATABASE_SCHEMA"]
    path.write_text(json.dumps(told))
    agent.miner.look()
    assert agent.filed() == [f"{SAID} (1)"]


def test_what_no_worker_comes_for_is_told_and_in_the_end_given_up(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop(agent, naming(agent.settings) | ELSEWHERE)
    monkeypatch.setattr("palace.doctor.LONG_LEFT", timedelta())
    found = {check.name: check.finding for check in check_hooks(agent.settings)}
    assert found["hooks left elsewhere"] == "1 transcript waits for a worker of another database or schema"
    assert "hooks left" not in found
    later = time.time() + OTHERS_SECONDS
    monkeypatch.setattr("palace.hooks.caller_settings.time.time", lambda: later)
    agent.miner.look()
    assert (agent.filed(), notes(agent.settings.home_folder), agent.codes) == ([], [], ["no_worker"])


def test_a_database_is_known_by_a_digest_with_no_password_in_it() -> None:
    same = (
        "postgresql://db/palace",
        "postgres://lea@DB:5432/palace",
        "postgresql+psycopg://lea:secret@db/palace?sslmode=require&password=x",
        "postgresql:///palace?host=db&port=5432",
        "postgresql://db?dbname=pal%61ce",
        "postgresql://tom:hunter2@db/palace",
    )
    others = (
        *("postgresql://db/palace2", "postgresql://db:5433/palace", "postgresql://db2/palace", "", "palace"),
        *("postgresql://db/palace?service=x", "postgresql://[::1]:5432/palace", "\udcff://\udcff"),
    )
    assert len({*map(place_of, same)}) == 1
    assert place_of(same[0]) not in {*map(place_of, others)}
    assert place_of("postgresql://tom:one@[::1]:5432/p?password=x") == place_of("postgresql://tom:two@[::1]/p")
