-- Records which drawers answer which, where nothing is recorded yet.
-- user_id; replies, answered (arrays of one length): identities. Leans on uq_drawer_user_id_identity.
UPDATE drawer AS d
SET answers = a.id
FROM unnest(CAST(:replies AS bytea[]), CAST(:answered AS bytea[])) AS given (reply, answered)
JOIN drawer AS a ON a.user_id = :user_id AND a.identity = given.answered
WHERE d.user_id = :user_id AND d.identity = given.reply AND d.answers IS NULL AND d.id <> a.id
