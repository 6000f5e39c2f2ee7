-- Prepares the database it is connected to for a palace; psql runs it once, as a superuser.
-- The passwords of the two logins come from PALACE_OWNER_PASSWORD and PALACE_APP_PASSWORD in psql's environment.
\set ON_ERROR_STOP on
\getenv owner_password PALACE_OWNER_PASSWORD
\getenv app_password PALACE_APP_PASSWORD

BEGIN;
CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;
CREATE ROLE palace_owner LOGIN PASSWORD :'owner_password';
-- The runtime role cannot log in: its members do, and none of them can lock the others out.
CREATE ROLE palace_app NOLOGIN;
-- As this one, workers take jobs from the queue; it sees nothing else of the palace.
CREATE ROLE palace_worker NOLOGIN;
CREATE ROLE palace_login LOGIN PASSWORD :'app_password' IN ROLE palace_app, palace_worker;
-- The owner hands the runtime role to itself when it migrates, and both to the logins of people.
GRANT palace_app, palace_worker TO palace_owner WITH ADMIN OPTION;
ALTER DATABASE :"DBNAME" OWNER TO palace_owner;
-- Nobody but the owner makes anything here, neither temporary objects nor, on servers that were older than 15 once, in
-- the schema where the extensions are.
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
COMMIT;
