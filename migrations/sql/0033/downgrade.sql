DROP TABLE work_action;
