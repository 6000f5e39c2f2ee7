-- Who may do what with the queue. Every function looks names up where nobody else makes any, and is called by those alone
-- who need it. @queue@ stands for the queue's schema.
DO $$
DECLARE
    named text;
BEGIN
    FOR named IN SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = '@queue@'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, @queue@, pg_temp', named);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', named);
    END LOOP;
    FOR named IN SELECT oid::regtype::text FROM pg_type
                 WHERE typnamespace = '@queue@'::regnamespace AND typname LIKE 'procrastinate_job_%' AND typtype = 'e' LOOP
        EXECUTE format('REVOKE ALL ON TYPE %s FROM PUBLIC', named);
        EXECUTE format('GRANT USAGE ON TYPE %s TO palace_app, palace_worker', named);
    END LOOP;
END $$;
GRANT USAGE ON SCHEMA @queue@ TO palace_app, palace_worker;
GRANT SELECT ON procrastinate_jobs TO palace_app;
GRANT EXECUTE ON FUNCTION enqueue_job(bigint, text, bigint), cancel_job(bigint, bigint), retry_job(bigint, bigint)
    TO palace_app;
GRANT SELECT, DELETE, UPDATE (status, attempts, scheduled_at, error, worker_id, abort_requested)
    ON procrastinate_jobs TO palace_worker;
GRANT SELECT, INSERT ON procrastinate_events TO palace_worker;
GRANT SELECT, UPDATE ON procrastinate_periodic_defers TO palace_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON procrastinate_workers TO palace_worker;
GRANT USAGE ON SEQUENCE procrastinate_events_id_seq TO palace_worker;
GRANT EXECUTE ON FUNCTION finish_job(bigint, bigint), take_over_jobs(double precision, integer),
    put_back_job(bigint, bigint, text, double precision, integer) TO palace_worker;
GRANT EXECUTE ON FUNCTION procrastinate_fetch_job_v2(varchar[], bigint), procrastinate_register_worker_v1(),
    procrastinate_unregister_worker_v1(bigint), procrastinate_update_heartbeat_v1(bigint),
    procrastinate_prune_stalled_workers_v1(double precision) TO palace_worker;
