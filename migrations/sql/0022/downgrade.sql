DROP TABLE setting;
