-- Marks drawers as replaced, each by the drawer that replaced it, if there is one. A mark that exists stays, unless the
-- given one has a later time, or at the same time a drawer of a greater identity: so marks from several machines give the
-- same in any order.
-- user_id; old, new, run_ids, times (arrays of one length): identities, null where nothing replaced it; the run that
-- found it; when, null for now. Leans on uq_drawer_user_id_identity.
UPDATE drawer AS d
SET replaced_at = coalesce(given.at, statement_timestamp()), replaced_by = n.id, replaced_run_id = given.run_id
FROM unnest(CAST(:old AS bytea[]), CAST(:new AS bytea[]), CAST(:run_ids AS bigint[]), CAST(:times AS timestamptz[]))
     AS given (old, new, run_id, at)
LEFT JOIN drawer AS n ON n.user_id = :user_id AND n.identity = given.new
WHERE d.user_id = :user_id AND d.identity = given.old AND d.id IS DISTINCT FROM n.id
  AND (d.replaced_at IS NULL
       OR (given.at, coalesce(n.identity, '')) > (d.replaced_at, coalesce(
            (SELECT o.identity FROM drawer AS o WHERE o.user_id = :user_id AND o.id = d.replaced_by), '')))
