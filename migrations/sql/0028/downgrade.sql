-- Before, such a name was taken for an organisation.
UPDATE entity SET type = 'organisation' WHERE type = 'unknown';
UPDATE alias SET type = 'organisation' WHERE type = 'unknown';
UPDATE entity_decision SET decided = decided || '{"type": "organisation"}' WHERE decided ->> 'type' = 'unknown';
UPDATE entity_decision SET decided = decided || '{"other_type": "organisation"}'
    WHERE decided ->> 'other_type' = 'unknown';
ALTER TABLE entity DROP CONSTRAINT ck_entity_type, ADD CONSTRAINT ck_entity_type
    CHECK (type IN ('person', 'place', 'organisation', 'event', 'item', 'project', 'time'));
ALTER TABLE alias DROP CONSTRAINT ck_alias_type, ADD CONSTRAINT ck_alias_type
    CHECK (type IN ('person', 'place', 'organisation', 'event', 'item', 'project', 'time'));
