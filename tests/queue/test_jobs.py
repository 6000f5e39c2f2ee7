"""Jobs as clients have them: enqueued once, in turn, nobody else's; and what the doctor says of them."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError

from palace import Administration, BadRequest, Check, JobCounts, JobState, NotFound, Palace, Settings, Verdict
from palace.agent.outbox import Outbox
from palace.db.jobs import enqueue_index
from palace.testing import HashingEmbedder
from tests.queue.conftest import enqueued, owner, pending_steps, pending_talk, work


@pytest.fixture
def stranger(settings: Settings) -> Iterator[Palace]:
    """Another user's palace on the same queue."""
    with Palace.open(settings, user=f"stranger-{time.time_ns()}", embedder=HashingEmbedder()) as opened:
        yield opened


def test_filing_in_the_background_enqueues_one_job_a_conversation_that_holds_numbers_alone(
    palace: Palace, settings: Settings, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        palace.file([{"role": "user", "content": f"The secret anchor of {name}."}], id=name, background=True)
    palace.file([{"role": "user", "content": "The secret anchor of two, again."}], id="two", background=True)
    found = palace.jobs.list()
    assert [job.state for job in found] == [JobState.WAITING, JobState.WAITING]
    with owner(settings) as connection:
        rows = connection.execute("SELECT args, lock, queueing_lock FROM palace_queue.procrastinate_jobs").fetchall()
    user = palace._opened.database.user_id
    conversations = {job.conversation_id for job in found}
    assert sorted(str(row) for row in rows) == sorted(
        str(({"user_id": user, "conversation_id": each}, f"{user}:{each}", f"{user}:{each}")) for each in conversations
    )
    assert palace.status().jobs == JobCounts(waiting=2)
    assert pending_steps(palace)
    assert work(settings).done == 2
    assert pending_steps(palace) == {}
    assert palace.status().jobs == JobCounts()


def test_what_is_rolled_back_was_never_enqueued(palace: Palace) -> None:
    conversation = pending_talk(palace)
    with palace._opened.session() as session:
        enqueue_index(session, conversation)
        session.connection.rollback()
    assert palace.jobs.counts() == JobCounts()


def test_a_job_that_waits_is_not_taken_before_what_was_filed_beside_it_is_there(
    palace: Palace, settings: Settings
) -> None:
    conversation = pending_talk(palace)
    first = enqueued(palace, conversation)
    with palace._opened.session() as session:
        assert enqueue_index(session, conversation) == first
        assert work(settings).done == 0
        session.connection.commit()
    assert work(settings).done == 1


def test_a_job_enqueued_while_one_runs_is_another(palace: Palace, settings: Settings) -> None:
    conversation = pending_talk(palace)
    first = enqueued(palace, conversation)
    with owner(settings) as connection:
        connection.execute("UPDATE palace_queue.procrastinate_jobs SET status = 'doing' WHERE id = %s", (first,))
    second = enqueued(palace, conversation)
    assert second != first
    assert enqueued(palace, conversation) == second


def test_no_wake_up_is_lost_however_filing_and_taking_meet(palace: Palace, settings: Settings) -> None:
    conversation, user = pending_talk(palace), palace._opened.database.user_id
    ended, seen = threading.Event(), [0]
    look = "SELECT wing_seq FROM palace.palace_user WHERE id = %s"

    def take() -> None:
        # A worker that looks at what is filed and ends its job, as fast as it can.
        with owner(settings) as connection:
            while not ended.is_set():
                job = connection.execute(
                    "SELECT id FROM palace_queue.procrastinate_fetch_job_v2(NULL, NULL)"
                ).fetchone()
                if job and job[0] is not None:
                    found = connection.execute(look, (user,)).fetchone()
                    assert found is not None
                    seen.append(int(str(found[0])))
                    connection.execute("DELETE FROM palace_queue.procrastinate_jobs WHERE id = %s", job)

    taking = [threading.Thread(target=take) for _ in range(2)]
    for thread in taking:
        thread.start()
    file = sa.text("UPDATE palace_user SET wing_seq = :number WHERE id = :id")
    try:
        for number in range(1, 61):
            with palace._opened.session() as session:
                session.connection.execute(file, {"number": number, "id": user})
                enqueue_index(session, conversation)
            if number % 10 == 0:  # the last of a burst is seen without another that would wake anybody
                deadline = time.monotonic() + 5
                while max(seen) < number and time.monotonic() < deadline:
                    time.sleep(0.001)
                assert max(seen) == number
    finally:
        ended.set()
        for thread in taking:
            thread.join()


def test_users_take_turns_and_nobody_waits_for_a_long_queue_to_end(
    palace: Palace, stranger: Palace, settings: Settings
) -> None:
    for number in range(30):
        enqueued(palace, number + 1_000_000)
    enqueued(stranger, 1)
    enqueued(stranger, 2)

    def order() -> list[bool]:
        with owner(settings) as connection:
            rows = connection.execute(
                "SELECT user_id FROM palace_queue.procrastinate_jobs WHERE status = 'todo' ORDER BY priority DESC, id"
            ).fetchall()
        return [row[0] == stranger._opened.database.user_id for row in rows]

    assert [place for place, theirs in enumerate(order()) if theirs] == [1, 3]
    with owner(settings) as connection:
        connection.execute(
            "DELETE FROM palace_queue.procrastinate_jobs WHERE id IN"
            " (SELECT id FROM palace_queue.procrastinate_jobs ORDER BY priority DESC, id LIMIT 20)"
        )
    # In the middle of the queue the newcomer takes turns too: neither stands behind the other's whole rest.
    enqueued(stranger, 3)
    enqueued(stranger, 4)
    assert [place for place, theirs in enumerate(order()) if theirs] == [1, 3]


OF_A_CLIENT = (
    "SELECT enqueue_job({theirs}, 'index', 1)",
    "SELECT cancel_job({theirs}, {job})",
    "SELECT retry_job({theirs}, {job})",
    "UPDATE procrastinate_jobs SET status = 'failed'",
    "INSERT INTO procrastinate_jobs (queue_name, task_name, args) VALUES ('a', 'b', '{{\"user_id\": {theirs}}}')",
    "SELECT * FROM procrastinate_workers",
    "SELECT procrastinate_fetch_job_v2(NULL, NULL)",
    "SELECT take_over_jobs(0, 1)",
    "SELECT procrastinate_defer_jobs_v1(NULL)",
    "SELECT procrastinate_cancel_job_v1({job}, false, true)",
)
OF_A_WORKER = (
    "SELECT * FROM palace.drawer",
    "SELECT * FROM palace.palace_user",
    "SELECT palace_queue.enqueue_job(1, 'index', 1)",
    "SELECT palace_queue.cancel_job(1, 1)",
    "INSERT INTO palace_queue.procrastinate_jobs (queue_name, task_name, args) VALUES ('a', 'b', '{{}}')",
    "UPDATE palace_queue.procrastinate_jobs SET args = '{{\"user_id\": 1}}'",
    "ALTER TABLE palace_queue.procrastinate_jobs DISABLE ROW LEVEL SECURITY",
    "CREATE TABLE palace_queue.mine (id int)",
    "SET ROLE palace_owner",
)


def test_a_client_is_refused_what_workers_may_and_what_is_anothers(palace: Palace, stranger: Palace) -> None:
    job, own = enqueued(palace, pending_talk(palace)), stranger._opened.database.user_id
    become = f"SET LOCAL palace.user_id = '{own}'"
    given = {"theirs": palace._opened.database.user_id, "job": job}
    assert _let_through(stranger, become, [attempt.format(**given) for attempt in OF_A_CLIENT]) == []
    assert palace.jobs.show(job).state is JobState.WAITING


def test_the_worker_role_sees_the_queue_and_nothing_else(palace: Palace) -> None:
    job, become = enqueued(palace, pending_talk(palace)), "SET LOCAL ROLE palace_worker"
    with palace._opened.database.shared.without_user() as connection:
        connection.exec_driver_sql(become)
        assert job in connection.exec_driver_sql("SELECT id FROM palace_queue.procrastinate_jobs").scalars().all()
        connection.rollback()
    assert _let_through(palace, become, [attempt.format() for attempt in OF_A_WORKER]) == []


def _let_through(palace: Palace, become: str, attempts: list[str]) -> list[tuple[str, str]]:
    """List what is not refused for want of a right."""
    found = []
    with palace._opened.database.shared.without_user() as connection:
        connection.exec_driver_sql(become)
        for attempt in attempts:
            try:
                with connection.begin_nested():
                    connection.exec_driver_sql(attempt, execution_options={"no_parameters": True})
                found.append((attempt, ""))
            except ProgrammingError as refused:
                is_right = re.search("permission denied|own user alone|must be owner", str(refused))
                found += [] if is_right else [(attempt, str(refused))]
        connection.rollback()
    return found


def test_a_job_is_listed_shown_cancelled_and_what_it_was_for_stays_pending(palace: Palace) -> None:
    job = enqueued(palace, pending_talk(palace, id="boat"))
    shown = palace.jobs.show(job)
    assert (shown.task, shown.state, shown.attempts, shown.error) == ("index", JobState.WAITING, 0, None)
    assert palace.jobs.list(state="waiting") == (shown,)
    assert palace.jobs.list(state="failed") == ()
    with pytest.raises(BadRequest, match="waiting, running, failed"):
        palace.jobs.list(state="lost")
    palace.jobs.cancel(job)
    with pytest.raises(NotFound):
        palace.jobs.show(job)
    assert pending_steps(palace)
    assert palace.jobs.enqueue() == JobCounts(waiting=1)
    assert len(palace.jobs.list()) == 1


def test_forgetting_a_user_takes_their_jobs_and_nobody_elses(palace: Palace, stranger: Palace) -> None:
    enqueued(palace, pending_talk(palace))
    kept = enqueued(stranger, pending_talk(stranger))
    palace.forget_everything()
    assert palace.jobs.list() == ()
    assert [job.id for job in stranger.jobs.list()] == [kept]


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
