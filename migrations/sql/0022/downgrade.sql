DROP TABLE hidden_drawer;
DROP TABLE setting;
