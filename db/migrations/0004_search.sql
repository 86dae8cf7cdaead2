-- Trigram indexes for searches through a hundred thousand assets or issues. If the extension is not available (it comes
-- with Postgres, but some hosts leave it out), a search scans the table instead: slower, with the same result.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "assets_search" ON "assets" USING gin ("search_text" gin_trgm_ops);
  -- A short pending list, because the statement that fills it has to index all of its rows.
  CREATE INDEX "building_issues_search" ON "building_issues" USING gin ("search_text" gin_trgm_ops)
    WITH (gin_pending_list_limit = 256);
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR invalid_parameter_value THEN
    RAISE NOTICE 'pg_trgm is not available: searches through assets and issues read the table';
END $$;
