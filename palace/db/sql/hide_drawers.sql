-- Stores drawers that are about to be forgotten, in place of earlier copies.
-- user_id; due_at; parts: a JSON array of what is needed to restore each. Leans on pk_hidden_drawer.
INSERT INTO hidden_drawer (user_id, identity, wing_number, room_number, number, due_at, parts)
SELECT :user_id, decode(given.parts #>> '{drawer,identity}', 'hex'), CAST(given.parts #>> '{wing,number}' AS integer),
       CAST(given.parts #>> '{room,number}' AS integer), CAST(given.parts #>> '{drawer,number}' AS integer), :due_at,
       given.parts
FROM json_array_elements(CAST(:parts AS json)) AS each (part)
CROSS JOIN LATERAL (SELECT CAST(each.part AS jsonb) AS parts) AS given
ON CONFLICT (user_id, identity) DO UPDATE
SET wing_number = excluded.wing_number, room_number = excluded.room_number, number = excluded.number,
    hidden_at = excluded.hidden_at, due_at = excluded.due_at, parts = excluded.parts
