-- All of it but what a person decided is made again from the drawers.
DROP TABLE evidence;
DROP TABLE mention;
DROP TABLE assertion;
DROP TABLE alias;
DROP TABLE relation;
DROP TABLE entity_decision;
DROP TABLE entity;
DELETE FROM index_step WHERE step IN ('extraction', 'relations', 'kinds');
