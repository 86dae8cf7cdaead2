-- A photo's bytes and state become a file's, under the same id and key: nothing is copied, and what is arriving goes on.
LOCK TABLE "photos" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "stored_files" ("id", "purpose", "state", "store", "key", "bytes", "sha256", "content_type", "uploaded_by", "announced_at", "received_at", "removed_at")
  SELECT "id", 'photo', "state", 'disk',
    'photos/' || left("id"::text, 6) || '/' || "id" || CASE "content_type" WHEN 'image/jpeg' THEN '.jpg' WHEN 'image/png' THEN '.png' ELSE '.webp' END,
    "bytes", "sha256", "content_type", "uploaded_by", "announced_at", "received_at",
    CASE WHEN "state" IN ('removed', 'erased') THEN now() END
  FROM "photos";--> statement-breakpoint
ALTER TABLE "photos" DROP CONSTRAINT "photos_received";--> statement-breakpoint
DROP INDEX "photos_unsettled";--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_id_stored_files_id_fk" FOREIGN KEY ("id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" DROP COLUMN "state";--> statement-breakpoint
ALTER TABLE "photos" DROP COLUMN "sha256";--> statement-breakpoint
ALTER TABLE "photos" DROP COLUMN "bytes";--> statement-breakpoint
ALTER TABLE "photos" DROP COLUMN "content_type";--> statement-breakpoint
ALTER TABLE "photos" DROP COLUMN "announced_at";--> statement-breakpoint
ALTER TABLE "photos" DROP COLUMN "received_at";