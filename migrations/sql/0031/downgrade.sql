DROP TABLE oauth_grant;
