DROP TABLE stored_answer;
DROP TABLE audit_entry;
DROP TABLE api_key;
