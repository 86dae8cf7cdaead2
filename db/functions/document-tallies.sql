-- Updates `document_tallies` once for each statement, because one statement may move 10,000 documents. Commands that change
-- a building's documents run one at a time, so they do not wait for each other here.
CREATE FUNCTION "keep_document_tallies"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added CONSTANT text := 'SELECT 1 AS sign, building_id, discipline_id, is_folder, file_size, deleted_at FROM after_change';
  removed CONSTANT text := 'SELECT -1 AS sign, building_id, discipline_id, is_folder, file_size, deleted_at FROM before_change';
BEGIN
  EXECUTE format(
    'INSERT INTO public.document_tallies AS t (building_id, discipline_id, files, folders, bytes)
    SELECT * FROM (
      SELECT building_id, discipline_id,
        coalesce(sum(sign) FILTER (WHERE NOT is_folder), 0)::integer AS files,
        coalesce(sum(sign) FILTER (WHERE is_folder), 0)::integer AS folders,
        coalesce(sum(sign * file_size), 0)::bigint AS bytes
      FROM (%s) changed WHERE deleted_at IS NULL GROUP BY building_id, discipline_id
    ) sums
    WHERE files <> 0 OR folders <> 0 OR bytes <> 0
    ORDER BY building_id, discipline_id
    ON CONFLICT (building_id, (discipline_id IS NULL), coalesce(discipline_id, building_id))
    DO UPDATE SET files = t.files + excluded.files, folders = t.folders + excluded.folders, bytes = t.bytes + excluded.bytes',
    CASE TG_OP WHEN 'INSERT' THEN added WHEN 'DELETE' THEN removed ELSE added || ' UNION ALL ' || removed END);
  RETURN NULL;
END $$;

CREATE TRIGGER "document_tallies_added" AFTER INSERT ON "building_documents"
  REFERENCING NEW TABLE AS after_change FOR EACH STATEMENT EXECUTE FUNCTION "keep_document_tallies"();

CREATE TRIGGER "document_tallies_changed" AFTER UPDATE ON "building_documents"
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_document_tallies"();

CREATE TRIGGER "document_tallies_removed" AFTER DELETE ON "building_documents"
  REFERENCING OLD TABLE AS before_change FOR EACH STATEMENT EXECUTE FUNCTION "keep_document_tallies"();
