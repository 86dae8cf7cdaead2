CREATE TABLE "call_point_visual_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"passed" boolean NOT NULL,
	"notes" text
);
--> statement-breakpoint
ALTER TABLE "call_point_visual_checks" ADD CONSTRAINT "call_point_visual_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_point_visual_checks" ADD CONSTRAINT "call_point_visual_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE TRIGGER "call_point_visual_checks_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "call_point_visual_checks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
