-- Updates `issue_tallies`. The triggers are deferred, so that a transaction locks its building's tally only while it
-- commits. Two people who change two issues of one building then hardly wait for each other.
CREATE FUNCTION "keep_issue_tallies"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.issue_tallies AS t (building_id, status, count)
  SELECT building_id, status, sum(change)::integer FROM (
    SELECT OLD.building_id AS building_id, OLD.status AS status, -1 AS change WHERE TG_OP <> 'INSERT'
    UNION ALL
    SELECT NEW.building_id, NEW.status, 1 WHERE TG_OP <> 'DELETE'
  ) changed
  -- Every transaction locks in the same order, so that there is no deadlock.
  GROUP BY building_id, status ORDER BY building_id, status
  ON CONFLICT (building_id, status) DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "issue_tallies_made" AFTER INSERT OR DELETE ON "building_issues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "keep_issue_tallies"();

CREATE CONSTRAINT TRIGGER "issue_tallies_moved" AFTER UPDATE OF "status", "building_id" ON "building_issues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.building_id IS DISTINCT FROM NEW.building_id)
  EXECUTE FUNCTION "keep_issue_tallies"();
