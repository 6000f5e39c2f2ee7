DROP TABLE drawer_use;
DROP TABLE memory;
