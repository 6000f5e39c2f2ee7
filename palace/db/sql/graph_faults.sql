-- Counts inconsistencies in a user's graph.
-- user_id. Reads every alias, entity, relation and known name once: for `palace doctor`. A known name that begins with
-- "my" needs no alias.
SELECT
    (SELECT count(*) FROM alias WHERE user_id = :user_id AND entity_id IS NULL) AS unresolved,
    (SELECT count(*) FROM entity AS e
     WHERE e.user_id = :user_id AND NOT EXISTS (
         SELECT FROM alias AS a WHERE a.user_id = :user_id AND a.entity_id = e.id)) AS nameless,
    (SELECT count(*) FROM relation AS r
     WHERE r.user_id = :user_id AND NOT EXISTS (
         SELECT FROM evidence AS v WHERE v.user_id = :user_id AND v.relation_id = r.id AND NOT v.closes)) AS unsupported,
    (SELECT count(*) FROM known_name AS k
     WHERE k.user_id = :user_id AND k.folded NOT LIKE 'my %' AND NOT EXISTS (
         SELECT FROM alias AS a WHERE a.user_id = :user_id AND a.folded = k.folded)) AS untold
