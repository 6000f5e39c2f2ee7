DROP TABLE injection_citation;
DROP TABLE injection;
