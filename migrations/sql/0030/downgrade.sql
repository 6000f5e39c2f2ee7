DROP TABLE web_session;
