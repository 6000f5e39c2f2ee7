-- Deletes decisions on names in deleted texts that no drawer contains any more, hidden ones included.
-- user_id; texts. Returns the other name of each. New names of renames occur in no drawer and are not searched.
WITH deleted AS (
    SELECT lower(regexp_replace(text, '\s+', ' ', 'g')) AS text FROM unnest(CAST(:texts AS text[])) AS t (text)
), named AS (
    SELECT d.id, lower(n.name) AS name FROM entity_decision AS d
    CROSS JOIN LATERAL (VALUES (d.decided ->> 'name'),
                               (CASE WHEN d.verb <> 'rename' THEN d.decided ->> 'other' END)) AS n (name)
    WHERE d.user_id = :user_id AND n.name <> ''
      AND EXISTS (SELECT FROM deleted WHERE position(lower(n.name) IN deleted.text) > 0)
)
DELETE FROM entity_decision WHERE user_id = :user_id AND id IN (
    SELECT id FROM named
    WHERE NOT EXISTS (SELECT FROM drawer AS d WHERE d.user_id = :user_id AND (
                          position(name IN lower(regexp_replace(d.content, '\s+', ' ', 'g'))) > 0
                          OR position(name IN lower(d.speaker)) > 0))
      AND NOT EXISTS (SELECT FROM hidden_drawer AS h WHERE h.user_id = :user_id AND position(
                          name IN lower(regexp_replace(h.parts -> 'drawer' ->> 'content', '\s+', ' ', 'g'))) > 0)
) RETURNING decided ->> 'other'
