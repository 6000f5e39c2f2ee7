-- Lists agents that have settings of their own, whose name begins as typed.
-- user_id, typed (a pattern of LIKE, in small letters), limit. Leans on the primary key of setting.
SELECT s.agent, '' AS means
FROM setting AS s
WHERE s.user_id = :user_id AND s.agent <> '' AND lower(s.agent) LIKE :typed
GROUP BY s.agent
ORDER BY s.agent
LIMIT :limit
