-- Files drawers of one conversation; one whose identity the user has already is left out. Gives id and identity.
-- user_id, conversation_id, run_id; room_ids … repairs (arrays of one length, in order of identity).
-- Leans on uq_drawer_user_id_identity.
INSERT INTO drawer (user_id, conversation_id, run_id, room_id, number, identity, position, role, speaker, said_at,
                    content, is_revision, is_repaired)
SELECT :user_id, :conversation_id, :run_id, given.*
FROM unnest(
    CAST(:room_ids AS bigint[]), CAST(:numbers AS int[]), CAST(:identities AS bytea[]), CAST(:positions AS int[]),
    CAST(:roles AS text[]), CAST(:speakers AS text[]), CAST(:times AS timestamptz[]), CAST(:contents AS text[]),
    CAST(:revisions AS boolean[]), CAST(:repairs AS boolean[])
) AS given
ON CONFLICT (user_id, identity) DO NOTHING
RETURNING id, identity
