-- The new tables show each user their own rows, like the others.
ALTER TABLE rebuild ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON rebuild TO palace_app USING (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint)) WITH CHECK (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint));
CREATE POLICY owner_maintains ON rebuild TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON rebuild TO palace_app;
ALTER TABLE run_basis ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON run_basis TO palace_app USING (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint)) WITH CHECK (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint));
CREATE POLICY owner_maintains ON run_basis TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON run_basis TO palace_app;
ALTER TABLE tombstone ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON tombstone TO palace_app USING (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint)) WITH CHECK (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint));
CREATE POLICY owner_maintains ON tombstone TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON tombstone TO palace_app;
ALTER TABLE room_alias ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON room_alias TO palace_app USING (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint)) WITH CHECK (user_id = (SELECT nullif(current_setting('palace.user_id', true), '')::bigint));
CREATE POLICY owner_maintains ON room_alias TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON room_alias TO palace_app;
