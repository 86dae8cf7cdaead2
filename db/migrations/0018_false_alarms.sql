CREATE TABLE "false_alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"happened_at" text NOT NULL,
	"source" text NOT NULL,
	"set_off_by" text NOT NULL,
	"asset_id" uuid,
	"cause" text NOT NULL,
	"action_taken" text NOT NULL,
	"notes" text,
	CONSTRAINT "false_alarms_time" CHECK ("false_alarms"."happened_at" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
ALTER TABLE "false_alarms" ADD CONSTRAINT "false_alarms_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "false_alarms" ADD CONSTRAINT "false_alarms_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE TRIGGER "false_alarms_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "false_alarms"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
