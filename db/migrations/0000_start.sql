CREATE TABLE "attempts" (
	"key" text NOT NULL,
	"window_start" timestamp(3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "attempts_key_window_start_pk" PRIMARY KEY("key","window_start"),
	CONSTRAINT "attempts_count" CHECK ("attempts"."count" > 0)
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"deactivated_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"absolute_expires_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"last_seen_at" timestamp(3) with time zone NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setup_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_location_access" (
	"user_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"granted_at" timestamp(3) with time zone NOT NULL,
	"granted_by" uuid,
	CONSTRAINT "user_location_access_user_id_location_id_pk" PRIMARY KEY("user_id","location_id")
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"assigned_at" timestamp(3) with time zone NOT NULL,
	"assigned_by" uuid
);
--> statement-breakpoint
CREATE TABLE "buildings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"address" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"archived_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "buildings_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"archived_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	CONSTRAINT "counters_building_id_kind_pk" PRIMARY KEY("building_id","kind")
);
--> statement-breakpoint
CREATE TABLE "floors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"level" integer NOT NULL,
	"name" text NOT NULL,
	"is_basement" boolean NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bank_holidays" (
	"day" date PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "building_issues" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reference_number" text NOT NULL,
	"building_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"priority" text DEFAULT 'medium' NOT NULL,
	"source" text DEFAULT 'person' NOT NULL,
	"reported_by" uuid,
	"assigned_to" uuid,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"resolved_at" timestamp(3) with time zone,
	"responded_at" timestamp(3) with time zone,
	"respond_due_at" timestamp(3) with time zone,
	"resolve_due_at" timestamp(3) with time zone,
	"pause_reason" text,
	"paused_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "building_issues_reference_number_unique" UNIQUE("reference_number"),
	CONSTRAINT "building_issues_pause" CHECK (("building_issues"."pause_reason" is null) = ("building_issues"."paused_at" is null))
);
--> statement-breakpoint
CREATE TABLE "issue_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"issue_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	"body" text NOT NULL,
	"author_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"organisation_name" text DEFAULT 'Lintel' NOT NULL,
	"time_zone" text DEFAULT 'Europe/London' NOT NULL,
	"working_days" jsonb DEFAULT '[1,2,3,4,5]'::jsonb NOT NULL,
	"work_starts_at" time DEFAULT '09:00' NOT NULL,
	"work_ends_at" time DEFAULT '17:00' NOT NULL,
	"password_min_length" smallint DEFAULT 8 NOT NULL,
	"report_address" text DEFAULT '' NOT NULL,
	CONSTRAINT "settings_one" CHECK ("settings"."one")
);
--> statement-breakpoint
CREATE TABLE "sla_targets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid,
	"priority" text NOT NULL,
	"respond_amount" integer NOT NULL,
	"resolve_amount" integer NOT NULL,
	"unit" text NOT NULL,
	CONSTRAINT "sla_targets_positive" CHECK ("sla_targets"."respond_amount" > 0 and "sla_targets"."resolve_amount" >= "sla_targets"."respond_amount")
);
--> statement-breakpoint
CREATE TABLE "applied_operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"procedure" text NOT NULL,
	"input_hash" text NOT NULL,
	"result" text,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_head" (
	"stream" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_payloads" (
	"g" bigint PRIMARY KEY NOT NULL,
	"salt" "bytea" NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"g" bigint PRIMARY KEY NOT NULL,
	"stream" text NOT NULL,
	"seq" bigint NOT NULL,
	"outbox_id" bigint NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"actor" uuid,
	"command" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"op" text NOT NULL,
	"version" integer NOT NULL,
	"operation_id" uuid,
	"permission" text,
	"buildings" uuid[],
	"persons" uuid[] NOT NULL,
	"canon" text NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "events_stream_seq" UNIQUE("stream","seq")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stream" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"actor" uuid,
	"command" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"op" text NOT NULL,
	"version" integer NOT NULL,
	"operation_id" uuid,
	"permission" text,
	"buildings" uuid[],
	"persons" uuid[] DEFAULT '{}' NOT NULL,
	"payload" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stream_head" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"epoch" uuid NOT NULL,
	"g" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "stream_head_one" CHECK ("stream_head"."one")
);
--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_granted_by_profiles_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_assigned_by_profiles_id_fk" FOREIGN KEY ("assigned_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buildings" ADD CONSTRAINT "buildings_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "counters" ADD CONSTRAINT "counters_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "floors" ADD CONSTRAINT "floors_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_reported_by_profiles_id_fk" FOREIGN KEY ("reported_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_assigned_to_profiles_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_issue_id_building_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."building_issues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_author_id_profiles_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_targets" ADD CONSTRAINT "sla_targets_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_payloads" ADD CONSTRAINT "event_payloads_g_events_g_fk" FOREIGN KEY ("g") REFERENCES "public"."events"("g") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_email_key" ON "profiles" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_location_access_building" ON "user_location_access" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "user_roles_latest" ON "user_roles" USING btree ("user_id","assigned_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "buildings_client" ON "buildings" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "buildings_name" ON "buildings" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_name_key" ON "clients" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "floors_level_key" ON "floors" USING btree ("building_id","level");--> statement-breakpoint
CREATE INDEX "building_issues_newest" ON "building_issues" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "building_issues_status_newest" ON "building_issues" USING btree ("status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "building_issues_building_newest" ON "building_issues" USING btree ("building_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "building_issues_building_status_newest" ON "building_issues" USING btree ("building_id","status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "building_issues_counts" ON "building_issues" USING btree ("building_id","status","priority","created_at");--> statement-breakpoint
CREATE INDEX "building_issues_assigned" ON "building_issues" USING btree ("assigned_to","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "issue_comments_issue" ON "issue_comments" USING btree ("issue_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sla_targets_key" ON "sla_targets" USING btree (coalesce("client_id", '00000000-0000-0000-0000-000000000000'::uuid),"priority");--> statement-breakpoint
CREATE INDEX "applied_operations_created" ON "applied_operations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_entity" ON "events" USING btree ("entity","entity_id","g" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_actor" ON "events" USING btree ("actor","g" DESC NULLS LAST);