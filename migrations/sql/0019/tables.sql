-- What the palace adds to the queue: whose a job is, when it was enqueued and last changed, and why it failed. A client
-- sees its own user's jobs alone; the worker's role sees the queue, and nothing else of the palace.
-- No policy names that role: it would go with DROP OWNED by any of its members.
-- @palace@ stands for the palace's schema, @queue@ for the queue's.
ALTER TABLE procrastinate_jobs ADD COLUMN user_id bigint GENERATED ALWAYS AS ((args ->> 'user_id')::bigint) STORED NOT NULL;
ALTER TABLE procrastinate_jobs ADD COLUMN enqueued_at timestamptz DEFAULT clock_timestamp() NOT NULL;
ALTER TABLE procrastinate_jobs ADD COLUMN changed_at timestamptz DEFAULT clock_timestamp() NOT NULL;
ALTER TABLE procrastinate_jobs ADD COLUMN error text;
ALTER TABLE procrastinate_jobs ADD CONSTRAINT fk_procrastinate_jobs_user_id FOREIGN KEY (user_id)
    REFERENCES @palace@.palace_user (id) ON DELETE CASCADE;
CREATE INDEX ix_procrastinate_jobs_user_id_id ON procrastinate_jobs (user_id, id);
-- The last turn that a user has taken: the next job's is behind it.
CREATE INDEX ix_procrastinate_jobs_user_id_priority ON procrastinate_jobs (user_id, priority) WHERE status = 'todo';
CREATE INDEX ix_procrastinate_jobs_user_id_failed ON procrastinate_jobs (user_id, queueing_lock) WHERE status = 'failed';

CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER note_change BEFORE UPDATE OF status ON procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION note_change();

ALTER TABLE procrastinate_jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE procrastinate_jobs FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON procrastinate_jobs
    USING (user_id = nullif(current_setting('palace.user_id', true), '')::bigint)
    WITH CHECK (user_id = nullif(current_setting('palace.user_id', true), '')::bigint);
CREATE POLICY owner_maintains ON procrastinate_jobs TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY worker_works ON procrastinate_jobs
    USING (current_user = 'palace_worker') WITH CHECK (current_user = 'palace_worker');
ALTER TABLE procrastinate_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE procrastinate_events FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_maintains ON procrastinate_events TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY worker_works ON procrastinate_events
    USING (current_user = 'palace_worker') WITH CHECK (current_user = 'palace_worker');
ALTER TABLE procrastinate_periodic_defers ENABLE ROW LEVEL SECURITY;
ALTER TABLE procrastinate_periodic_defers FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_maintains ON procrastinate_periodic_defers TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY worker_works ON procrastinate_periodic_defers
    USING (current_user = 'palace_worker') WITH CHECK (current_user = 'palace_worker');
ALTER TABLE procrastinate_workers ENABLE ROW LEVEL SECURITY;
ALTER TABLE procrastinate_workers FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_maintains ON procrastinate_workers TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY worker_works ON procrastinate_workers
    USING (current_user = 'palace_worker') WITH CHECK (current_user = 'palace_worker');
