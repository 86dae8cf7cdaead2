CREATE TABLE "webhook_buildings" (
	"webhook_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	CONSTRAINT "webhook_buildings_webhook_id_building_id_pk" PRIMARY KEY("webhook_id","building_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" uuid NOT NULL,
	"g" bigint NOT NULL,
	"type" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp(3) with time zone NOT NULL,
	"last_at" timestamp(3) with time zone,
	"last_status" integer,
	"last_error" text,
	CONSTRAINT "webhook_deliveries_event" UNIQUE("webhook_id","g")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"permissions" text[] NOT NULL,
	"all_buildings" boolean NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"owner_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp(3) with time zone,
	"retry_at" timestamp(3) with time zone,
	"off_at" timestamp(3) with time zone,
	"off_reason" text,
	"reports_to" bigint,
	"removed_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL,
	CONSTRAINT "webhooks_permissions" CHECK (cardinality("webhooks"."permissions") > 0),
	CONSTRAINT "webhooks_off" CHECK (("webhooks"."off_at" is null) = ("webhooks"."off_reason" is null) and ("webhooks"."off_at" is null) = ("webhooks"."reports_to" is null))
);
--> statement-breakpoint
ALTER TABLE "account_notices" DROP CONSTRAINT "account_notices_kind";--> statement-breakpoint
ALTER TABLE "webhook_buildings" ADD CONSTRAINT "webhook_buildings_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_owner_id_profiles_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_buildings_building" ON "webhook_buildings" USING btree ("building_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_number" ON "webhook_deliveries" USING btree ("webhook_id","number");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id","number") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_subject" ON "webhook_deliveries" USING btree ("subject_id","number") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_delivered" ON "webhook_deliveries" USING btree ("webhook_id","last_at") WHERE "webhook_deliveries"."state" = 'delivered';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("webhook_id","number") WHERE "webhook_deliveries"."state" = 'failed';--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_kind" CHECK ("account_notices"."kind" in ('link_made', 'password_changed', 'new_device', 'second_factor_added', 'second_factor_removed', 'second_factor_failed', 'recovery_code_used', 'recovery_codes_made', 'provider_allowed', 'provider_linked', 'passkey_added', 'passkey_removed', 'api_key_created', 'webhook_added', 'webhook_off'));