-- What is looked after, and where it is: an asset, its location and its floor agree on the building.
ALTER TABLE "floors" ADD CONSTRAINT "floors_id_building" UNIQUE("id","building_id");--> statement-breakpoint
CREATE TABLE "asset_locations" (
	"asset_id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"floor_id" uuid,
	"room_name" text DEFAULT 'General' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"type" text DEFAULT 'asset' NOT NULL,
	"outlet_kind" text,
	"quantity" integer DEFAULT 1 NOT NULL,
	"last_visit_date" date,
	"building" text NOT NULL,
	"location" text NOT NULL,
	"frequency" text DEFAULT 'annual' NOT NULL,
	"building_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"retired_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"effective_type" text GENERATED ALWAYS AS (case when "type" <> 'asset' then "type"
          when lower("name") like '%emergency light%' then 'emergency_light'
          when lower("name") like '%water outlet%' then 'water_outlet'
          else 'asset' end) STORED NOT NULL,
	"search_text" text GENERATED ALWAYS AS (lower("name" || E'\n' || "description" || E'\n' || "location")) STORED NOT NULL,
	CONSTRAINT "assets_id_building" UNIQUE("id","building_id"),
	CONSTRAINT "assets_quantity" CHECK ("assets"."quantity" > 0)
);
--> statement-breakpoint
ALTER TABLE "asset_locations" ADD CONSTRAINT "asset_locations_asset" FOREIGN KEY ("asset_id","building_id") REFERENCES "public"."assets"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_locations" ADD CONSTRAINT "asset_locations_floor" FOREIGN KEY ("floor_id","building_id") REFERENCES "public"."floors"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asset_locations_floor" ON "asset_locations" USING btree ("floor_id");--> statement-breakpoint
CREATE INDEX "asset_locations_building" ON "asset_locations" USING btree ("building_id");--> statement-breakpoint
CREATE INDEX "assets_name" ON "assets" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "assets_type" ON "assets" USING btree ("effective_type" collate "C",lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "assets_last_visit" ON "assets" USING btree (coalesce("last_visit_date", '0001-01-01'::date),lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "assets_building_name" ON "assets" USING btree ("building_id",lower("name") collate "C","id","retired_at");--> statement-breakpoint
CREATE INDEX "assets_building_type" ON "assets" USING btree ("building_id","effective_type" collate "C","retired_at");--> statement-breakpoint
CREATE INDEX "assets_retired" ON "assets" USING btree (lower("name") collate "C","id") WHERE "assets"."retired_at" is not null;
