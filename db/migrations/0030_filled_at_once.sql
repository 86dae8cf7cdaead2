ALTER TABLE "operative_visits" ADD COLUMN "filled_at_once" smallint;--> statement-breakpoint
ALTER TABLE "operative_visits" ADD COLUMN "filled_of" smallint;--> statement-breakpoint
ALTER TABLE "operative_visits" ADD COLUMN "open_seconds" integer;--> statement-breakpoint
ALTER TABLE "operative_visits" ADD CONSTRAINT "operative_visits_filled" CHECK (("operative_visits"."filled_at_once" is null) = ("operative_visits"."filled_of" is null) and "operative_visits"."filled_at_once" between 0 and "operative_visits"."filled_of");--> statement-breakpoint
CREATE TRIGGER "operative_visits_handed_in" BEFORE UPDATE OF "filled_at_once", "filled_of", "open_seconds" ON "operative_visits"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
