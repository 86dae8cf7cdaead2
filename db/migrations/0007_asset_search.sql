-- A search through a hundred thousand assets, by trigrams. Where the extension cannot be had (it comes with Postgres, but
-- some hosts leave it out) the search reads the table instead: slower, and right all the same.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "assets_search" ON "assets" USING gin ("search_text" gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR invalid_parameter_value THEN
    RAISE NOTICE 'pg_trgm is not available: searches through assets read the table';
END $$;
