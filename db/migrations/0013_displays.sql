CREATE TABLE "display_beats" (
	"display_id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp(3) with time zone NOT NULL,
	"g" bigint NOT NULL,
	"build" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"address" text NOT NULL,
	CONSTRAINT "display_beats_screen" CHECK ("display_beats"."width" >= 0 and "display_beats"."height" >= 0 and "display_beats"."g" >= 0)
);
--> statement-breakpoint
CREATE TABLE "display_buildings" (
	"display_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	CONSTRAINT "display_buildings_display_id_building_id_pk" PRIMARY KEY("display_id","building_id")
);
--> statement-breakpoint
CREATE TABLE "display_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"claim_hash" text NOT NULL,
	"requested_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"address" text NOT NULL,
	"user_agent" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"display_id" uuid,
	CONSTRAINT "display_codes_claim_hash_unique" UNIQUE("claim_hash")
);
--> statement-breakpoint
CREATE TABLE "display_credentials" (
	"display_id" uuid PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "display_credentials_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "displays" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"view" text NOT NULL,
	"all_buildings" boolean NOT NULL,
	"settings" jsonb NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	"paused_at" timestamp(3) with time zone,
	"reload_asked_at" timestamp(3) with time zone,
	"unpaired_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "display_beats" ADD CONSTRAINT "display_beats_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_buildings" ADD CONSTRAINT "display_buildings_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_buildings" ADD CONSTRAINT "display_buildings_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_codes" ADD CONSTRAINT "display_codes_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_credentials" ADD CONSTRAINT "display_credentials_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "displays" ADD CONSTRAINT "displays_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "display_buildings_building" ON "display_buildings" USING btree ("building_id");--> statement-breakpoint
CREATE INDEX "display_codes_expiry" ON "display_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "display_codes_display" ON "display_codes" USING btree ("display_id");