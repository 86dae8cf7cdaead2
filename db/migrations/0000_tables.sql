-- People, their passwords and sessions, their roles and their access to buildings.
CREATE TABLE "attempt_spacings" (
	"key" text PRIMARY KEY NOT NULL,
	"free_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
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
	"invited_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_email_key" ON "profiles" USING btree (lower("email"));--> statement-breakpoint
CREATE TABLE "server_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"role" text,
	"used" boolean NOT NULL,
	"good_until" timestamp(3) with time zone,
	"successor_key" text
);
--> statement-breakpoint
CREATE INDEX "session_tokens_session" ON "session_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"last_seen_at" timestamp(3) with time zone NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
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
CREATE INDEX "user_location_access_building" ON "user_location_access" USING btree ("location_id");--> statement-breakpoint
CREATE TABLE "user_roles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"assigned_at" timestamp(3) with time zone NOT NULL,
	"assigned_by" uuid
);
--> statement-breakpoint
CREATE INDEX "user_roles_latest" ON "user_roles" USING btree ("user_id","assigned_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
-- One-time links, notices and disciplines.
CREATE TABLE "account_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"made_by" uuid,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "account_links_kind" CHECK ("account_links"."kind" in ('invite', 'reset'))
);
--> statement-breakpoint
CREATE INDEX "account_links_user" ON "account_links" USING btree ("user_id");--> statement-breakpoint
CREATE TABLE "account_notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"by_id" uuid,
	"address" text NOT NULL,
	"user_agent" text NOT NULL,
	"session_id" text,
	CONSTRAINT "account_notices_kind" CHECK ("account_notices"."kind" in ('link_made', 'password_changed', 'new_device'))
);
--> statement-breakpoint
CREATE INDEX "account_notices_user" ON "account_notices" USING btree ("user_id","at");--> statement-breakpoint
CREATE TABLE "disciplines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "disciplines_name_key" ON "disciplines" USING btree (lower("name"));--> statement-breakpoint
-- Places: clients, buildings, floors, and the counters of their reference numbers.
CREATE TABLE "buildings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"address" text,
	"is_healthcare" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"archived_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "buildings_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE INDEX "buildings_client" ON "buildings" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "buildings_name" ON "buildings" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE TABLE "clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"archived_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "clients_name_key" ON "clients" USING btree (lower("name"));--> statement-breakpoint
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
	"created_at" timestamp(3) with time zone NOT NULL,
	"archived_at" timestamp(3) with time zone,
	CONSTRAINT "floors_id_building" UNIQUE("id","building_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "floors_level_key" ON "floors" USING btree ("building_id","level");--> statement-breakpoint
-- Assets.
CREATE TABLE "asset_locations" (
	"asset_id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"floor_id" uuid,
	"room_name" text DEFAULT 'General' NOT NULL
);
--> statement-breakpoint
CREATE INDEX "asset_locations_floor" ON "asset_locations" USING btree ("floor_id");--> statement-breakpoint
CREATE INDEX "asset_locations_building" ON "asset_locations" USING btree ("building_id");--> statement-breakpoint
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
CREATE INDEX "assets_name" ON "assets" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "assets_type" ON "assets" USING btree ("effective_type" collate "C",lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "assets_last_visit" ON "assets" USING btree (coalesce("last_visit_date", '0001-01-01'::date),lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "assets_building_name" ON "assets" USING btree ("building_id",lower("name") collate "C","id","retired_at");--> statement-breakpoint
CREATE INDEX "assets_building_type" ON "assets" USING btree ("building_id","effective_type" collate "C","retired_at");--> statement-breakpoint
CREATE INDEX "assets_retired" ON "assets" USING btree (lower("name") collate "C","id") WHERE "assets"."retired_at" is not null;--> statement-breakpoint
-- Building issues, and the working time by which their response targets are counted.
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
	"paused_ms" bigint DEFAULT 0 NOT NULL,
	"paused_working_ms" bigint DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"search_text" text GENERATED ALWAYS AS (lower("reference_number" || E'\n' || "title" || E'\n' || "description")) STORED NOT NULL,
	CONSTRAINT "building_issues_reference_number_unique" UNIQUE("reference_number"),
	CONSTRAINT "building_issues_pause" CHECK (("building_issues"."pause_reason" is null) = ("building_issues"."paused_at" is null))
);
--> statement-breakpoint
CREATE INDEX "building_issues_newest" ON "building_issues" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_status_newest" ON "building_issues" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_building_newest" ON "building_issues" USING btree ("building_id","created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_building_status_newest" ON "building_issues" USING btree ("building_id","status","created_at","id","priority");--> statement-breakpoint
CREATE INDEX "building_issues_assigned" ON "building_issues" USING btree ("assigned_to","created_at","id");--> statement-breakpoint
CREATE TABLE "issue_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"issue_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	"body" text NOT NULL,
	"author_id" uuid NOT NULL,
	"author_name" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "issue_comments_issue" ON "issue_comments" USING btree ("issue_id","created_at","id");--> statement-breakpoint
CREATE TABLE "issue_tallies" (
	"building_id" uuid NOT NULL,
	"status" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "issue_tallies_building_id_status_pk" PRIMARY KEY("building_id","status")
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
CREATE UNIQUE INDEX "sla_targets_key" ON "sla_targets" USING btree (coalesce("client_id", '00000000-0000-0000-0000-000000000000'::uuid),"priority");--> statement-breakpoint
-- Photos.
CREATE TABLE "photos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"on_kind" text NOT NULL,
	"on_id" uuid NOT NULL,
	"building_id" uuid,
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
	"uploaded_by_name" text NOT NULL,
	"imported_by_name" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "photos_building" CHECK ("photos"."building_id" is not null or "photos"."on_kind" = 'check'),
	CONSTRAINT "photos_received" CHECK (("photos"."state" = 'reserved') = ("photos"."received_at" is null))
);
--> statement-breakpoint
CREATE INDEX "photos_of" ON "photos" USING btree ("on_kind","on_id","taken_at","id");--> statement-breakpoint
CREATE INDEX "photos_unsettled" ON "photos" USING btree ("state","announced_at") WHERE "photos"."state" in ('reserved', 'removed');--> statement-breakpoint
-- Safety checks: visits, their entries, and one table for each kind with the columns of that kind.
CREATE TABLE "check_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"visit_date" date NOT NULL,
	"position" smallint NOT NULL,
	"asset_id" uuid,
	"subject_key" text NOT NULL,
	"subject_name" text NOT NULL,
	"subject_place" text,
	"asset_retired" boolean DEFAULT false NOT NULL,
	"result" text NOT NULL,
	"photo_ids" uuid[] DEFAULT '{}' NOT NULL,
	"issue_id" uuid,
	"retest_of" uuid,
	"amends" uuid,
	"amend_reason" text,
	"amended_by" uuid,
	"amended_by_name" text,
	"amended_at" timestamp(3) with time zone,
	"supply_was" boolean,
	"supply_is" boolean,
	"superseded_by" uuid,
	CONSTRAINT "check_entries_amends_once" UNIQUE("amends"),
	CONSTRAINT "check_entries_amendment" CHECK (("check_entries"."amends" is null) = ("check_entries"."amend_reason" is null) and ("check_entries"."amends" is null) = ("check_entries"."amended_by" is null)
        and ("check_entries"."amends" is null) = ("check_entries"."amended_at" is null)
        and ("check_entries"."amends" is null) = ("check_entries"."amended_by_name" is null)),
	CONSTRAINT "check_entries_supply" CHECK ("check_entries"."supply_is" is null or "check_entries"."amends" is not null)
);
--> statement-breakpoint
CREATE INDEX "check_entries_visit" ON "check_entries" USING btree ("visit_id","position");--> statement-breakpoint
CREATE INDEX "check_entries_subject" ON "check_entries" USING btree ("building_id","kind","subject_key","visit_date","id");--> statement-breakpoint
CREATE INDEX "check_entries_not_passed" ON "check_entries" USING btree ("kind","result","visit_date","visit_id") WHERE "check_entries"."result" <> 'pass';--> statement-breakpoint
CREATE INDEX "check_entries_issue" ON "check_entries" USING btree ("issue_id") WHERE "check_entries"."issue_id" is not null;--> statement-breakpoint
CREATE INDEX "check_entries_raised" ON "check_entries" USING btree ("building_id","subject_key") WHERE "check_entries"."issue_id" is not null;--> statement-breakpoint
CREATE INDEX "check_entries_retest" ON "check_entries" USING btree ("retest_of") WHERE "check_entries"."retest_of" is not null;--> statement-breakpoint
CREATE TABLE "operative_visits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"location_id" uuid NOT NULL,
	"operative_name" text NOT NULL,
	"visit_date" date NOT NULL,
	"visit_type" text NOT NULL,
	"recorded_by" uuid NOT NULL,
	"recorded_by_name" text NOT NULL,
	"performed_at" timestamp(3) with time zone NOT NULL,
	"received_at" timestamp(3) with time zone NOT NULL,
	"clock_offset_ms" bigint DEFAULT 0 NOT NULL,
	"late" boolean DEFAULT false NOT NULL,
	"duration_seconds" integer,
	"filled_at_once" smallint,
	"filled_of" smallint,
	"open_seconds" integer,
	"supply_restored" boolean,
	"log_number" integer NOT NULL,
	"result" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "operative_visits_number" UNIQUE("location_id","log_number"),
	CONSTRAINT "operative_visits_filled" CHECK (("operative_visits"."filled_at_once" is null) = ("operative_visits"."filled_of" is null) and "operative_visits"."filled_at_once" between 0 and "operative_visits"."filled_of")
);
--> statement-breakpoint
CREATE INDEX "operative_visits_building" ON "operative_visits" USING btree ("location_id","visit_type","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_newest" ON "operative_visits" USING btree ("visit_type","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_operative" ON "operative_visits" USING btree ("visit_type","operative_name","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_recorder" ON "operative_visits" USING btree ("recorded_by","result","visit_date","id");--> statement-breakpoint
CREATE TABLE "imported_visits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"visit_date" date NOT NULL,
	"imported_by" uuid NOT NULL,
	"imported_by_name" text NOT NULL,
	"imported_at" timestamp(3) with time zone NOT NULL,
	"state" text DEFAULT 'unconfirmed' NOT NULL,
	"answered_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "imported_visits_person" ON "imported_visits" USING btree ("person_id","state","imported_at");--> statement-breakpoint
CREATE TABLE "fire_alarm_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"location_tested" text NOT NULL,
	"asset_id" uuid,
	"passed" boolean NOT NULL,
	"notes" text
);
--> statement-breakpoint
CREATE TABLE "emergency_lighting_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"passed" boolean,
	"test_type" text DEFAULT 'monthly_function' NOT NULL,
	"minutes" smallint,
	"notes" text
);
--> statement-breakpoint
CREATE TABLE "water_temperature_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"outlet_id" uuid NOT NULL,
	"temperature_celsius" numeric(4, 1) NOT NULL,
	"blended_celsius" numeric(4, 1),
	"is_satisfactory" boolean NOT NULL,
	"outlet_kind" text DEFAULT 'cold' NOT NULL,
	"limit_min" numeric(4, 1),
	"limit_max" numeric(4, 1),
	"notes" text,
	CONSTRAINT "water_temperature_checks_range" CHECK ("water_temperature_checks"."temperature_celsius" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "outlet_flushing_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"outlet_id" uuid NOT NULL,
	"is_flushed" boolean NOT NULL,
	"minutes" numeric(5, 2),
	"notes" text
);
--> statement-breakpoint
CREATE TABLE "call_point_visual_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"passed" boolean NOT NULL,
	"notes" text
);
--> statement-breakpoint
CREATE TABLE "false_alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"happened_at" text NOT NULL,
	"source" text NOT NULL,
	"set_off_by" text NOT NULL,
	"asset_id" uuid,
	"cause" text NOT NULL,
	"action_taken" text NOT NULL,
	"notes" text,
	CONSTRAINT "false_alarms_time" CHECK ("false_alarms"."happened_at" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
-- Schedules of checks, missed periods, and held records.
CREATE TABLE "check_plans" (
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"starts_on" date NOT NULL,
	"is_due" boolean NOT NULL,
	"times" smallint NOT NULL,
	"due_since" date,
	"set_by" uuid NOT NULL,
	"set_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "check_plans_building_id_kind_starts_on_pk" PRIMARY KEY("building_id","kind","starts_on"),
	CONSTRAINT "check_plans_times" CHECK ("check_plans"."times" between 1 and 2)
);
--> statement-breakpoint
CREATE INDEX "check_plans_kind" ON "check_plans" USING btree ("kind","starts_on");--> statement-breakpoint
CREATE TABLE "check_schedules" (
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"first_done_on" date NOT NULL,
	"last_done_on" date NOT NULL,
	"done_before_on" date,
	CONSTRAINT "check_schedules_building_id_kind_pk" PRIMARY KEY("building_id","kind")
);
--> statement-breakpoint
CREATE TABLE "check_years" (
	"kind" text NOT NULL,
	"year" smallint NOT NULL,
	"building_id" uuid NOT NULL,
	"cells" text NOT NULL,
	CONSTRAINT "check_years_kind_year_building_id_pk" PRIMARY KEY("kind","year","building_id")
);
--> statement-breakpoint
CREATE INDEX "check_years_building" ON "check_years" USING btree ("building_id");--> statement-breakpoint
CREATE TABLE "held_visits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"recorded_by" uuid NOT NULL,
	"recorded_by_name" text NOT NULL,
	"received_at" timestamp(3) with time zone NOT NULL,
	"input" text NOT NULL,
	"state" text DEFAULT 'held' NOT NULL,
	"reason" text,
	"decided_by" uuid,
	"decided_by_name" text,
	"decided_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE INDEX "held_visits_state" ON "held_visits" USING btree ("state","received_at","id");--> statement-breakpoint
CREATE TABLE "missed_periods" (
	"id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"period_start" date NOT NULL,
	"reason" text NOT NULL,
	"explained_by" uuid NOT NULL,
	"explained_by_name" text NOT NULL,
	"explained_at" timestamp(3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "missed_periods_one" UNIQUE("building_id","kind","period_start")
);
--> statement-breakpoint
CREATE TABLE "test_points" (
	"id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"added_by" uuid NOT NULL,
	"added_at" timestamp(3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "test_points_name" ON "test_points" USING btree ("building_id","kind",lower("name"));--> statement-breakpoint
-- The live stream: the outbox, the event log, and the operations already applied.
CREATE TABLE "applied_operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"procedure" text NOT NULL,
	"input_hash" text NOT NULL,
	"result" text,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "applied_operations_created" ON "applied_operations" USING btree ("created_at");--> statement-breakpoint
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
	"tx" "xid8" NOT NULL,
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
CREATE INDEX "events_entity" ON "events" USING btree ("entity","entity_id","g" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_at" ON "events" USING btree ("at","g");--> statement-breakpoint
CREATE INDEX "events_actor_at" ON "events" USING btree ("actor","at","g");--> statement-breakpoint
CREATE INDEX "events_stream_at" ON "events" USING btree ("stream","at","g");--> statement-breakpoint
CREATE INDEX "events_entity_at" ON "events" USING btree ("entity","at","g");--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
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
CREATE INDEX "outbox_access" ON "outbox" USING btree ("id") WHERE "outbox"."entity" = 'access';--> statement-breakpoint
CREATE TABLE "stream_head" (
	"g" bigint PRIMARY KEY NOT NULL,
	"epoch" uuid NOT NULL,
	"open" "int8multirange" DEFAULT '{[1,)}' NOT NULL,
	"suspects" "int8multirange" DEFAULT '{}' NOT NULL,
	"suspects_before" "xid8"
);
--> statement-breakpoint
-- Timed jobs.
CREATE TABLE "timed_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp(3) with time zone NOT NULL,
	"run_id" uuid,
	"leased_until" timestamp with time zone
);
--> statement-breakpoint
-- Foreign keys come last, because tables refer to each other in both directions.
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_tokens" ADD CONSTRAINT "session_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_granted_by_profiles_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_assigned_by_profiles_id_fk" FOREIGN KEY ("assigned_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_made_by_profiles_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_by_id_profiles_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buildings" ADD CONSTRAINT "buildings_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "counters" ADD CONSTRAINT "counters_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "floors" ADD CONSTRAINT "floors_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_locations" ADD CONSTRAINT "asset_locations_asset" FOREIGN KEY ("asset_id","building_id") REFERENCES "public"."assets"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_locations" ADD CONSTRAINT "asset_locations_floor" FOREIGN KEY ("floor_id","building_id") REFERENCES "public"."floors"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_reported_by_profiles_id_fk" FOREIGN KEY ("reported_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_assigned_to_profiles_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_issue_id_building_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."building_issues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_author_id_profiles_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_tallies" ADD CONSTRAINT "issue_tallies_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_targets" ADD CONSTRAINT "sla_targets_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_issue_id_building_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."building_issues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_amended_by_profiles_id_fk" FOREIGN KEY ("amended_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_asset" FOREIGN KEY ("asset_id","building_id") REFERENCES "public"."assets"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_retest_of" FOREIGN KEY ("retest_of") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_amends" FOREIGN KEY ("amends") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_entries" ADD CONSTRAINT "check_entries_superseded_by" FOREIGN KEY ("superseded_by") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operative_visits" ADD CONSTRAINT "operative_visits_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operative_visits" ADD CONSTRAINT "operative_visits_recorded_by_profiles_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_visits" ADD CONSTRAINT "imported_visits_person_id_profiles_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_visits" ADD CONSTRAINT "imported_visits_imported_by_profiles_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fire_alarm_tests" ADD CONSTRAINT "fire_alarm_tests_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fire_alarm_tests" ADD CONSTRAINT "fire_alarm_tests_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_lighting_tests" ADD CONSTRAINT "emergency_lighting_tests_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_lighting_tests" ADD CONSTRAINT "emergency_lighting_tests_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "water_temperature_checks" ADD CONSTRAINT "water_temperature_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "water_temperature_checks" ADD CONSTRAINT "water_temperature_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outlet_flushing_checks" ADD CONSTRAINT "outlet_flushing_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outlet_flushing_checks" ADD CONSTRAINT "outlet_flushing_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_point_visual_checks" ADD CONSTRAINT "call_point_visual_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_point_visual_checks" ADD CONSTRAINT "call_point_visual_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "false_alarms" ADD CONSTRAINT "false_alarms_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "false_alarms" ADD CONSTRAINT "false_alarms_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_plans" ADD CONSTRAINT "check_plans_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_plans" ADD CONSTRAINT "check_plans_set_by_profiles_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_schedules" ADD CONSTRAINT "check_schedules_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_years" ADD CONSTRAINT "check_years_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_visits" ADD CONSTRAINT "held_visits_recorded_by_profiles_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_visits" ADD CONSTRAINT "held_visits_decided_by_profiles_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "missed_periods" ADD CONSTRAINT "missed_periods_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "missed_periods" ADD CONSTRAINT "missed_periods_explained_by_profiles_id_fk" FOREIGN KEY ("explained_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_points" ADD CONSTRAINT "test_points_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_points" ADD CONSTRAINT "test_points_added_by_profiles_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_payloads" ADD CONSTRAINT "event_payloads_g_events_g_fk" FOREIGN KEY ("g") REFERENCES "public"."events"("g") ON DELETE no action ON UPDATE no action;
