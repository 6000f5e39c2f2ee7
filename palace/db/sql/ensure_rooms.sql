-- Creates rooms for those slices of a conversation that have none, numbered in the given order. Returns false if rooms
-- are missing and the wing or the conversation is gone, else true. Locks the wing first, then the conversation, as
-- removing rooms does.
-- Parameters: user_id, conversation_id, wing_id; slices, names, times (arrays of one length).
-- Leans on uq_room_user_id_conversation_id_slice.
WITH missing AS (
    SELECT given.slice, given.name, given.started_at, row_number() OVER (ORDER BY given.place) AS place,
           count(*) OVER () AS amount
    FROM unnest(CAST(:slices AS text[]), CAST(:names AS text[]), CAST(:times AS timestamptz[]))
         WITH ORDINALITY AS given (slice, name, started_at, place)
    WHERE NOT EXISTS (SELECT FROM room AS r WHERE r.user_id = :user_id AND r.conversation_id = :conversation_id
                      AND r.slice = given.slice)
), home AS (
    SELECT id FROM wing
    WHERE user_id = :user_id AND id = :wing_id AND EXISTS (SELECT FROM missing) FOR NO KEY UPDATE
), talk AS (
    SELECT id FROM conversation
    WHERE user_id = :user_id AND id = :conversation_id AND EXISTS (SELECT FROM home) FOR KEY SHARE
), drawn AS (
    UPDATE wing SET room_seq = room_seq + (SELECT max(amount) FROM missing)
    WHERE user_id = :user_id AND id = :wing_id AND EXISTS (SELECT FROM talk)
    RETURNING room_seq
), made AS (
    INSERT INTO room (user_id, wing_id, number, conversation_id, slice, name, started_at)
    SELECT :user_id, :wing_id, room_seq - amount + place, :conversation_id, slice, name, started_at
    FROM missing CROSS JOIN drawn
    ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING id
)
SELECT EXISTS (SELECT FROM drawn) OR NOT EXISTS (SELECT FROM missing)
