-- A name of which nothing says what it names, or what says it disagrees, is of the type "unknown".
ALTER TABLE entity DROP CONSTRAINT ck_entity_type, ADD CONSTRAINT ck_entity_type
    CHECK (type IN ('person', 'place', 'organisation', 'event', 'item', 'project', 'time', 'unknown'));
ALTER TABLE alias DROP CONSTRAINT ck_alias_type, ADD CONSTRAINT ck_alias_type
    CHECK (type IN ('person', 'place', 'organisation', 'event', 'item', 'project', 'time', 'unknown'));
