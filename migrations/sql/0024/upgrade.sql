-- Fetching a job asks of each candidate whether another of the same lock runs or is before it. That went through all that
-- wait, and through them once for each candidate where the planner took the table for nearly empty, as it does after a long
-- queue was emptied: then fetching took minutes. Now each is one look at an index, and candidates come in the order of
-- their turn, whatever the statistics say. @queue@ stands for the queue's schema.
CREATE INDEX ix_procrastinate_jobs_lock ON @queue@.procrastinate_jobs (lock) WHERE status IN ('todo', 'doing');
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) SET enable_sort = off;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) SET enable_seqscan = off;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) SET enable_bitmapscan = off;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) SET enable_hashjoin = off;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) SET enable_mergejoin = off;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) SET enable_material = off;
