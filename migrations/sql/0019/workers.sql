-- What workers do with jobs beside taking them. Run as the worker's role; a job that another worker has taken over is
-- left alone. @queue@ stands for the queue's schema.

-- Ends a job that is done, and what is left of former failures of the same work.
CREATE FUNCTION finish_job(job bigint, worker bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    whose bigint;
    place text;
BEGIN
    DELETE FROM @queue@.procrastinate_jobs WHERE id = job AND worker_id = worker AND status = 'doing'
    RETURNING user_id, queueing_lock INTO whose, place;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM @queue@.procrastinate_jobs WHERE user_id = whose AND queueing_lock = place AND status = 'failed';
    RETURN true;
END $$;

-- Puts a job back that was not done. With a reason it was an attempt: after the last it is a dead letter, failed, for
-- people to look at. Where newer work on the same conversation waits, that does it all, and the job goes.
CREATE FUNCTION put_back_job(job bigint, worker bigint, reason text, rest double precision, most integer) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    tried integer;
BEGIN
    SELECT attempts + (reason IS NOT NULL)::int INTO tried FROM @queue@.procrastinate_jobs
    WHERE id = job AND worker_id IS NOT DISTINCT FROM worker AND status = 'doing' FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF tried >= most THEN
        DELETE FROM @queue@.procrastinate_jobs AS former USING @queue@.procrastinate_jobs AS this
        WHERE this.id = job AND former.status = 'failed'
          AND (former.user_id, former.queueing_lock) = (this.user_id, this.queueing_lock);
        UPDATE @queue@.procrastinate_jobs
        SET status = 'failed', attempts = tried, error = reason, worker_id = NULL, abort_requested = false WHERE id = job;
        RETURN 'failed';
    END IF;
    UPDATE @queue@.procrastinate_jobs
    SET status = 'todo', attempts = tried, error = coalesce(reason, error), worker_id = NULL, abort_requested = false,
        scheduled_at = CASE WHEN rest > 0 THEN clock_timestamp() + make_interval(secs => rest) END
    WHERE id = job;
    PERFORM pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', job)::text);
    RETURN 'todo';
EXCEPTION WHEN unique_violation THEN
    DELETE FROM @queue@.procrastinate_jobs WHERE id = job;
    RETURN 'gone';
END $$;

-- Puts back what workers had taken that have not been heard of for so many seconds, and forgets those workers.
CREATE FUNCTION take_over_jobs(silent double precision, most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    job record;
    taken integer := 0;
BEGIN
    FOR job IN
        SELECT j.id, j.worker_id FROM @queue@.procrastinate_jobs AS j
        LEFT JOIN @queue@.procrastinate_workers AS w ON w.id = j.worker_id
        WHERE j.status = 'doing' AND (w.id IS NULL OR w.last_heartbeat < clock_timestamp() - make_interval(secs => silent))
        ORDER BY j.id FOR UPDATE OF j SKIP LOCKED
    LOOP
        taken := taken + 1;
        PERFORM @queue@.put_back_job(job.id, job.worker_id, 'the worker that had it ended without a word', 0, most);
    END LOOP;
    DELETE FROM @queue@.procrastinate_workers AS w
    WHERE w.last_heartbeat < clock_timestamp() - make_interval(secs => silent)
      AND NOT EXISTS (SELECT FROM @queue@.procrastinate_jobs AS j WHERE j.worker_id = w.id AND j.status = 'doing');
    RETURN taken;
END $$;
