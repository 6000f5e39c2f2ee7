"""What the doctor says of background work, and the command that mends each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from palace import Administration, Check, Palace, Settings, Verdict
from palace.agent.outbox import Outbox
from tests.queue.conftest import enqueued, owner, pending_talk, work

ABOUT = {"queue", "dead letters", "worker", "unqueued", "outbox", "refused"}
JOBS = b"UPDATE palace_queue.procrastinate_jobs SET "


@pytest.fixture
def mine(settings: Settings, palace: Palace, tmp_path: Path) -> Settings:
    """Settings of the palace's user, with a home for the outbox."""
    return settings.model_copy(update={"user": palace.user, "home": tmp_path})


def examined(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in Administration(settings).doctor() if check.name in ABOUT}


def test_jobs_that_nobody_works_on_want_a_worker(palace: Palace, mine: Settings) -> None:
    enqueued(palace, pending_talk(palace))
    with owner(mine) as connection:
        connection.execute(JOBS + b"enqueued_at = now() - interval '3 hours', changed_at = now() - interval '3 hours'")
    found = examined(mine)["worker"]
    assert (found.verdict, found.remedy) == (Verdict.WARNING, "palace worker")
    assert "1 jobs wait, one for 3 hours, and nobody works on them" in found.finding
    with owner(mine) as connection:  # what rests after a failure is not late
        connection.execute(JOBS + b"scheduled_at = now() + interval '5 minutes'")
    assert "worker" not in examined(mine)
    with owner(mine) as connection:
        connection.execute(JOBS + b"status = 'doing', scheduled_at = NULL")
    assert "worker" not in examined(mine)
    with owner(mine) as connection:
        connection.execute(JOBS + b"changed_at = now() - interval '2 days'")
    assert "running for 2 days" in examined(mine)["worker"].finding


def test_dead_letters_are_counted_and_anothers_are_not(palace: Palace, mine: Settings) -> None:
    enqueued(palace, pending_talk(palace))
    with owner(mine) as connection:
        connection.execute(JOBS + b"status = 'failed'")
    found = examined(mine)["dead letters"]
    assert (found.verdict, found.finding[:7]) == (Verdict.WARNING, "1 jobs ")
    assert "palace jobs retry" in found.remedy
    stranger = mine.model_copy(update={"user": "somebody-else"})
    assert "dead letters" not in examined(stranger)


def test_what_waits_for_a_step_and_has_no_job_is_told_and_mended(palace: Palace, mine: Settings) -> None:
    pending_talk(palace)
    found = examined(mine)["unqueued"]
    assert (found.verdict, found.remedy) == (Verdict.WARNING, f"palace jobs enqueue --user {palace.user}")
    palace.jobs.enqueue()
    assert "unqueued" not in examined(mine)
    work(mine)
    assert {check.verdict for check in examined(mine).values()} == {Verdict.OK}


def test_what_could_not_be_filed_is_told_even_without_a_server(palace: Palace, mine: Settings) -> None:
    database = palace._opened.database.shared
    outbox = Outbox.of(mine.home_folder, f"{database.address}\n{mine.database_schema}", mine.user)
    outbox.path.parent.mkdir()
    outbox.path.write_text(json.dumps({"what": "I said"}) + "\n")
    outbox.refused_path.write_text("x\ny\n")
    found = examined(mine)
    assert found["outbox"].finding.startswith("1 exchanges wait")
    assert found["refused"].finding.startswith("2 exchanges can never be filed")
    assert "I said" not in found["outbox"].finding
    assert found["queue"].verdict is Verdict.OK
