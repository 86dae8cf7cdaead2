-- Reading issues at size: indexes that serve lists and counts, the text that a search looks through, and tallies.
CREATE TABLE "issue_tallies" (
	"building_id" uuid NOT NULL,
	"status" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "issue_tallies_building_id_status_pk" PRIMARY KEY("building_id","status")
);
--> statement-breakpoint
DROP INDEX "building_issues_counts";--> statement-breakpoint
DROP INDEX "building_issues_newest";--> statement-breakpoint
DROP INDEX "building_issues_status_newest";--> statement-breakpoint
DROP INDEX "building_issues_building_newest";--> statement-breakpoint
DROP INDEX "building_issues_building_status_newest";--> statement-breakpoint
DROP INDEX "building_issues_assigned";--> statement-breakpoint
ALTER TABLE "building_issues" ADD COLUMN "paused_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "building_issues" ADD COLUMN "paused_working_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "building_issues" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower("reference_number" || E'\n' || "title" || E'\n' || "description")) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "issue_tallies" ADD CONSTRAINT "issue_tallies_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "building_issues_newest" ON "building_issues" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_status_newest" ON "building_issues" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_building_newest" ON "building_issues" USING btree ("building_id","created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_building_status_newest" ON "building_issues" USING btree ("building_id","status","created_at","id","priority");--> statement-breakpoint
CREATE INDEX "building_issues_assigned" ON "building_issues" USING btree ("assigned_to","created_at","id");--> statement-breakpoint
-- Keeps issue_tallies. Deferred, so that a change holds the lock on its building's tally only while it commits: two
-- people at work on two issues of one building do not wait for each other.
CREATE FUNCTION "keep_issue_tallies"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.issue_tallies AS t (building_id, status, count)
  SELECT building_id, status, sum(change)::integer FROM (
    SELECT OLD.building_id AS building_id, OLD.status AS status, -1 AS change WHERE TG_OP <> 'INSERT'
    UNION ALL
    SELECT NEW.building_id, NEW.status, 1 WHERE TG_OP <> 'DELETE'
  ) changed
  -- In one order for everybody, so that no two wait for each other in a circle.
  GROUP BY building_id, status ORDER BY building_id, status
  ON CONFLICT (building_id, status) DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "issue_tallies_made" AFTER INSERT OR DELETE ON "building_issues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "keep_issue_tallies"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "issue_tallies_moved" AFTER UPDATE OF "status", "building_id" ON "building_issues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.building_id IS DISTINCT FROM NEW.building_id)
  EXECUTE FUNCTION "keep_issue_tallies"();
