ALTER TABLE "check_entries" ADD COLUMN "supply_was" boolean;--> statement-breakpoint
ALTER TABLE "check_entries" ADD COLUMN "supply_is" boolean;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_supply" CHECK ("check_entries"."supply_is" is null or "check_entries"."amends" is not null);