-- A search for a rare text through a hundred thousand issues, by trigrams, as through assets. What waits to be filed is
-- kept short: whoever fills it up files it all, in the middle of their own change.
DO $$
BEGIN
  CREATE INDEX "building_issues_search" ON "building_issues" USING gin ("search_text" gin_trgm_ops)
    WITH (gin_pending_list_limit = 256);
EXCEPTION
  WHEN undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available: searches through issues read the table';
END $$;
