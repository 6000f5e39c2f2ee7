-- The functions that were made anew are called by the runtime role alone.
REVOKE ALL ON FUNCTION weigh_words(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION keyword_candidates(tsquery[], double precision[], int, int, boolean, bigint, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION weigh_words(text) TO palace_app;
GRANT EXECUTE ON FUNCTION keyword_candidates(tsquery[], double precision[], int, int, boolean, bigint, timestamptz, timestamptz) TO palace_app;
