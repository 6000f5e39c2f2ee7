-- What clients do with jobs. Each function runs as the owner, is told whose jobs it is about, and refuses all but the
-- session's own user. @queue@ stands for the queue's schema.

-- Enqueues work on a conversation, on the caller's transaction; gives the job that will see what the transaction filed,
-- a new one or one that waits. Users take turns: a job stands one turn behind the last that its user has waiting, and not
-- before the turn that is being taken.
CREATE FUNCTION enqueue_job(whose bigint, task text, conversation bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, @queue@, pg_temp
AS $$
DECLARE
    place text := whose || ':' || coalesce(conversation::text, task);
    turn integer;
    job bigint;
BEGIN
    IF (whose = nullif(current_setting('palace.user_id', true), '')::bigint) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'enqueue_job answers the session''s own user alone';
    END IF;
    SELECT coalesce(least(
        (SELECT min(priority) FROM @queue@.procrastinate_jobs WHERE user_id = whose AND status = 'todo') - 1,
        (SELECT priority FROM @queue@.procrastinate_jobs
         WHERE status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= statement_timestamp())
         ORDER BY priority DESC LIMIT 1)
    ), 0) INTO turn;
    LOOP
        INSERT INTO @queue@.procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args)
        VALUES ('palace', task, turn, place, place,
                jsonb_strip_nulls(jsonb_build_object('user_id', whose, 'conversation_id', conversation)))
        ON CONFLICT (queueing_lock) WHERE status = 'todo' DO NOTHING
        RETURNING id INTO job;
        EXIT WHEN FOUND;
        -- Held until this transaction ends: a worker that took the job before would not see what is filed in it.
        UPDATE @queue@.procrastinate_jobs SET scheduled_at = NULL
        WHERE queueing_lock = place AND status = 'todo' AND scheduled_at IS NOT NULL
        RETURNING id INTO job;
        IF NOT FOUND THEN
            SELECT id INTO job FROM @queue@.procrastinate_jobs
            WHERE queueing_lock = place AND status = 'todo' FOR SHARE;
        END IF;
        IF FOUND THEN
            PERFORM pg_notify('procrastinate_any_queue_v1',
                              json_build_object('type', 'job_inserted', 'job_id', job)::text);
            EXIT;
        END IF;
        -- It was taken in this moment: another takes its place.
    END LOOP;
    RETURN job;
END $$;

-- Takes a job out: one that waits or has failed goes at once ('gone'), one that runs is asked to end ('ending').
CREATE FUNCTION cancel_job(whose bigint, job bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, @queue@, pg_temp
AS $$
BEGIN
    IF (whose = nullif(current_setting('palace.user_id', true), '')::bigint) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'cancel_job answers the session''s own user alone';
    END IF;
    DELETE FROM @queue@.procrastinate_jobs WHERE id = job AND user_id = whose AND status IN ('todo', 'failed');
    IF FOUND THEN
        RETURN 'gone';
    END IF;
    UPDATE @queue@.procrastinate_jobs SET abort_requested = true WHERE id = job AND user_id = whose AND status = 'doing';
    RETURN CASE WHEN FOUND THEN 'ending' END;
END $$;

-- Has a job that failed, or rests after a failure, begin at once and count its attempts anew; what of its work failed too
-- often is tried again. Gives the job that does it: where one waits for the same conversation already, that one.
CREATE FUNCTION retry_job(whose bigint, job bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, @queue@, pg_temp
AS $$
DECLARE
    place text;
    found_status text;
    chosen bigint := job;
BEGIN
    IF (whose = nullif(current_setting('palace.user_id', true), '')::bigint) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'retry_job answers the session''s own user alone';
    END IF;
    SELECT queueing_lock, status INTO place, found_status FROM @queue@.procrastinate_jobs
    WHERE id = job AND user_id = whose AND status IN ('todo', 'failed') FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    LOOP
        IF found_status = 'failed' THEN
            SELECT id INTO chosen FROM @queue@.procrastinate_jobs WHERE queueing_lock = place AND status = 'todo' FOR UPDATE;
            chosen := coalesce(chosen, job);
        END IF;
        BEGIN
            UPDATE @queue@.procrastinate_jobs
            SET status = 'todo', attempts = 0, scheduled_at = NULL, error = NULL, args = args || '{"asked": true}'
            WHERE id = chosen;
            EXIT;
        EXCEPTION WHEN unique_violation THEN
            -- One was enqueued in this moment.
        END;
    END LOOP;
    IF chosen <> job THEN
        DELETE FROM @queue@.procrastinate_jobs WHERE id = job;
    END IF;
    PERFORM pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', chosen)::text);
    RETURN chosen;
END $$;
