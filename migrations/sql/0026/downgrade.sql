DROP FUNCTION keyword_candidates(bigint, tsquery[], double precision[], int, int, boolean, bigint[], timestamptz, timestamptz, text, text, text[]);
DROP TABLE project_wing;
DROP TABLE project;
