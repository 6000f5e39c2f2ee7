DROP INDEX @queue@.ix_procrastinate_jobs_lock;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) RESET enable_sort;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) RESET enable_seqscan;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) RESET enable_bitmapscan;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) RESET enable_hashjoin;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) RESET enable_mergejoin;
ALTER FUNCTION @queue@.procrastinate_fetch_job_v2(varchar[], bigint) RESET enable_material;
