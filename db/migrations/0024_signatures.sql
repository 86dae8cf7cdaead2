ALTER TABLE "check_entries" DROP CONSTRAINT "check_entries_amendment";--> statement-breakpoint
ALTER TABLE "issue_comments" ADD COLUMN "author_name" text;--> statement-breakpoint
ALTER TABLE "photos" ADD COLUMN "uploaded_by_name" text;--> statement-breakpoint
ALTER TABLE "check_entries" ADD COLUMN "amended_by_name" text;--> statement-breakpoint
ALTER TABLE "operative_visits" ADD COLUMN "recorded_by_name" text;--> statement-breakpoint
ALTER TABLE "held_visits" ADD COLUMN "recorded_by_name" text;--> statement-breakpoint
ALTER TABLE "held_visits" ADD COLUMN "decided_by_name" text;--> statement-breakpoint
ALTER TABLE "missed_periods" ADD COLUMN "explained_by_name" text;--> statement-breakpoint
-- What people are called at this moment: under which names they signed before, nobody has kept.
UPDATE "issue_comments" t SET "author_name" = trim(p."first_name" || ' ' || p."last_name") FROM "profiles" p WHERE p."id" = t."author_id";--> statement-breakpoint
UPDATE "photos" t SET "uploaded_by_name" = trim(p."first_name" || ' ' || p."last_name") FROM "profiles" p WHERE p."id" = t."uploaded_by";--> statement-breakpoint
UPDATE "check_entries" t SET "amended_by_name" = trim(p."first_name" || ' ' || p."last_name") FROM "profiles" p WHERE p."id" = t."amended_by";--> statement-breakpoint
UPDATE "operative_visits" t SET "recorded_by_name" = trim(p."first_name" || ' ' || p."last_name") FROM "profiles" p WHERE p."id" = t."recorded_by";--> statement-breakpoint
UPDATE "held_visits" t SET "recorded_by_name" = trim(p."first_name" || ' ' || p."last_name") FROM "profiles" p WHERE p."id" = t."recorded_by";--> statement-breakpoint
UPDATE "held_visits" t SET "decided_by_name" = trim(p."first_name" || ' ' || p."last_name") FROM "profiles" p WHERE p."id" = t."decided_by";--> statement-breakpoint
UPDATE "missed_periods" t SET "explained_by_name" = trim(p."first_name" || ' ' || p."last_name") FROM "profiles" p WHERE p."id" = t."explained_by";--> statement-breakpoint
ALTER TABLE "issue_comments" ALTER COLUMN "author_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "photos" ALTER COLUMN "uploaded_by_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "operative_visits" ALTER COLUMN "recorded_by_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "held_visits" ALTER COLUMN "recorded_by_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "missed_periods" ALTER COLUMN "explained_by_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_amendment" CHECK (("check_entries"."amends" is null) = ("check_entries"."amend_reason" is null) and ("check_entries"."amends" is null) = ("check_entries"."amended_by" is null)
        and ("check_entries"."amends" is null) = ("check_entries"."amended_at" is null)
        and ("check_entries"."amends" is null) = ("check_entries"."amended_by_name" is null));
