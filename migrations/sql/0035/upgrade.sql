CREATE INDEX ix_work_action_user_id_program ON work_action (user_id, split_part(subject, ' '::text, 1))
    WHERE kind = 'error';
