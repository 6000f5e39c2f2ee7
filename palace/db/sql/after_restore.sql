-- Ends the transaction of a restore: the new owner's policies, what the planner has to know, the commit.
-- A script for psql; before_restore.sql begins.
--
-- palace  the schema; that of its queue goes by it, and older archives do not have one
--
-- An archive's own policies name the owner of the server it comes from. Leans on no index.
SET search_path = :"palace", public, pg_temp;
DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT oid::regclass AS name, relforcerowsecurity AS is_bound
        FROM pg_class WHERE relkind = 'r'
          AND relnamespace IN (current_schema()::regnamespace, to_regnamespace(current_schema() || '_queue'))
    LOOP
        IF found.is_bound THEN
            EXECUTE format('CREATE POLICY owner_maintains ON %s TO CURRENT_USER USING (true) WITH CHECK (true)', found.name);
        END IF;
        EXECUTE format('ANALYZE %s', found.name);
    END LOOP;
END $$;
COMMIT;
