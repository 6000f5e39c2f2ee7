-- What makes a schema what it is, by kind; the first two columns name the row.

-- columns
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstorage,
       pg_get_expr(d.adbin, d.adrelid)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d
     ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = 'palace'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped;

-- constraints
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'palace'::regnamespace AND contype <> 'n';

-- indexes
SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'palace';

-- policies
SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies
WHERE schemaname = 'palace';

-- security
SELECT relname, '', relrowsecurity, relforcerowsecurity, relacl::text FROM pg_class
WHERE relnamespace = 'palace'::regnamespace AND relkind = 'r';

-- functions
SELECT proname, pg_get_function_identity_arguments(oid), pg_get_functiondef(oid), proacl::text FROM pg_proc
WHERE pronamespace = 'palace'::regnamespace;

-- text search
SELECT c.cfgname, m.maptokentype || '/' || m.mapseqno, m.mapdict::regdictionary::text, d.dictinitoption
FROM pg_ts_config c JOIN pg_ts_config_map m ON m.mapcfg = c.oid JOIN pg_ts_dict d ON d.oid = m.mapdict
WHERE c.cfgnamespace = 'palace'::regnamespace;
