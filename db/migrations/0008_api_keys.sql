CREATE TABLE "api_key_buildings" (
	"key_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	CONSTRAINT "api_key_buildings_key_id_building_id_pk" PRIMARY KEY("key_id","building_id")
);
--> statement-breakpoint
CREATE TABLE "api_key_uses" (
	"key_id" uuid PRIMARY KEY NOT NULL,
	"used_at" timestamp(3) with time zone NOT NULL,
	"address" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"permissions" text[] NOT NULL,
	"all_buildings" boolean NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"revoked_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash"),
	CONSTRAINT "api_keys_permissions" CHECK (cardinality("api_keys"."permissions") > 0)
);
--> statement-breakpoint
ALTER TABLE "account_notices" DROP CONSTRAINT "account_notices_kind";--> statement-breakpoint
ALTER TABLE "api_key_buildings" ADD CONSTRAINT "api_key_buildings_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_buildings" ADD CONSTRAINT "api_key_buildings_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_uses" ADD CONSTRAINT "api_key_uses_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_buildings_building" ON "api_key_buildings" USING btree ("building_id");--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_kind" CHECK ("account_notices"."kind" in ('link_made', 'password_changed', 'new_device', 'second_factor_added', 'second_factor_removed', 'second_factor_failed', 'recovery_code_used', 'recovery_codes_made', 'provider_allowed', 'provider_linked', 'passkey_added', 'passkey_removed', 'api_key_created'));