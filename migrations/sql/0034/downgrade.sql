DROP TABLE sync_mark;
DROP TABLE sync_peer;
