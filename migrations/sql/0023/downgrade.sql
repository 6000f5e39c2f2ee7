DROP TABLE working_summary;
