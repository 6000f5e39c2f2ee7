-- Begins the transaction of a restore: takes the empty schema away, or stops where somebody has begun to fill it.
-- A script for psql; after_restore.sql commits.
--
-- palace, queue   the schema, and that of its queue
-- lock_a, lock_b  the lock under which schemas are migrated
--
-- Leans on no index: it looks for a first row.
BEGIN;
SET LOCAL lock_timeout = '60s';
-- HNSW indexes are built by the restore, and slowly where they do not fit.
SET LOCAL maintenance_work_mem = '256MB';
SET client_min_messages = warning;
SELECT pg_advisory_xact_lock(:lock_a, :lock_b);
SET search_path = :"palace", pg_temp;
DO $$
DECLARE
    name text;
    holds boolean;
BEGIN
    FOREACH name IN ARRAY ARRAY['conversation', 'drawer', 'tombstone'] LOOP
        CONTINUE WHEN to_regclass(name) IS NULL;
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO holds;
        IF holds THEN
            RAISE EXCEPTION 'the palace is being filled by another program; nothing was changed';
        END IF;
    END LOOP;
END $$;
DROP SCHEMA IF EXISTS :"queue" CASCADE;
DROP SCHEMA :"palace" CASCADE;
