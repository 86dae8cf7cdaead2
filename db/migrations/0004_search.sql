-- Searches through a hundred thousand assets or issues, by trigrams. Where the extension cannot be had (it comes with
-- Postgres, but some hosts leave it out) a search reads the table instead: slower, with the same result.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "assets_search" ON "assets" USING gin ("search_text" gin_trgm_ops);
  -- The list of rows still to be indexed is kept short: the statement that fills it up works through all of it.
  CREATE INDEX "building_issues_search" ON "building_issues" USING gin ("search_text" gin_trgm_ops)
    WITH (gin_pending_list_limit = 256);
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR invalid_parameter_value THEN
    RAISE NOTICE 'pg_trgm is not available: searches through assets and issues read the table';
END $$;
