REVOKE ALL ON FUNCTION keyword_candidates(bigint, tsquery[], double precision[], int, int, boolean, bigint, timestamptz, timestamptz, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keyword_candidates(bigint, tsquery[], double precision[], int, int, boolean, bigint, timestamptz, timestamptz, text, text) TO palace_app;
