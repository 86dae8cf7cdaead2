ALTER TABLE "photos" ALTER COLUMN "building_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_building" CHECK ("photos"."building_id" is not null or "photos"."on_kind" = 'check');--> statement-breakpoint
-- Those of records that are held are of no building.
UPDATE "photos" SET "building_id" = null
WHERE "on_kind" = 'check' AND NOT EXISTS (SELECT 1 FROM "check_entries" e WHERE e."id" = "photos"."on_id");
