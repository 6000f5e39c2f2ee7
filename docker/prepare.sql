-- Prepares the database it is connected to for a palace; psql runs it once, as a superuser.
-- The passwords of the two roles come from PALACE_OWNER_PASSWORD and PALACE_APP_PASSWORD in psql's environment.
\set ON_ERROR_STOP on
\getenv owner_password PALACE_OWNER_PASSWORD
\getenv app_password PALACE_APP_PASSWORD

BEGIN;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE ROLE palace_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE palace_app LOGIN PASSWORD :'app_password';
-- The owner hands the runtime role to itself when it migrates, and to the logins of people.
GRANT palace_app TO palace_owner WITH ADMIN OPTION;
ALTER DATABASE :"DBNAME" OWNER TO palace_owner;
COMMIT;
