CREATE TABLE "photos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"on_kind" text NOT NULL,
	"on_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	"state" text DEFAULT 'reserved' NOT NULL,
	"sha256" text NOT NULL,
	"bytes" integer NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"thumbnail" "bytea",
	"taken_at" timestamp(3) with time zone NOT NULL,
	"announced_at" timestamp(3) with time zone NOT NULL,
	"received_at" timestamp(3) with time zone,
	"uploaded_by" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "photos_received" CHECK (("photos"."state" = 'reserved') = ("photos"."received_at" is null))
);
--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "photos_of" ON "photos" USING btree ("on_kind","on_id","taken_at","id");--> statement-breakpoint
CREATE INDEX "photos_unsettled" ON "photos" USING btree ("state","announced_at") WHERE "photos"."state" in ('reserved', 'removed');