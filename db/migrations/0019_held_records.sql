ALTER TABLE "held_visits" ADD COLUMN "reason" text;--> statement-breakpoint
-- What was set aside was refused.
UPDATE "held_visits" SET "state" = 'refused' WHERE "state" = 'set_aside';
