-- The tables as drizzle-kit makes them from `db/schema`. By hand are the functions before them and what follows after the last
-- index. Functions that are used by no column and no index are in `db/functions`.
--
-- The keys of names, as `shared/text/name-keys.ts` computes them too: what is compared and must be unique, what is searched, and
-- what lists are ordered by. Lower case is that of Postgres itself, whatever the locale of the database. Text in ASCII, which is
-- most, needs neither of the two normalisations.
CREATE FUNCTION "tidy_name"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN normalize(btrim(regexp_replace(regexp_replace(regexp_replace("given",
  '[`\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032]', '''', 'g'),
  '[\u201c-\u201f\u2033]', '"', 'g'),
  '[\u0009-\u000d \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g')), NFC);
--> statement-breakpoint
CREATE FUNCTION "tidy_ascii"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(replace(lower("given" COLLATE "pg_c_utf8"), '`', ''''), '[\u0009-\u000d ]{2,}|[\u0009-\u000d]', ' ', 'g'));
--> statement-breakpoint
CREATE FUNCTION "name_key"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length("given") = char_length("given") THEN "tidy_ascii"("given")
  ELSE "tidy_name"(replace(lower(normalize("given", NFD) COLLATE "pg_c_utf8"), 'ς', 'σ')) END;
--> statement-breakpoint
CREATE FUNCTION "search_key"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length("given") = char_length("given") THEN "tidy_ascii"("given")
  ELSE "tidy_name"(replace(replace(replace(replace(translate(
    regexp_replace(lower(normalize("given", NFD) COLLATE "pg_c_utf8"), '[\u0300-\u036f]', '', 'g'),
    'ςøđðħıłŧ', 'σoddhilt'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')) END;
--> statement-breakpoint
CREATE FUNCTION "sort_key"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(regexp_replace("search_key"("given"), '[0-9]+', '0000000000\&', 'g'), '0*([0-9]{10,})', '\1', 'g');
--> statement-breakpoint
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
CREATE TABLE "disciplines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
	"search_key" text GENERATED ALWAYS AS (search_key("name")) STORED NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL
);
--> statement-breakpoint
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
          when name_key("name") like '%emergency light%' then 'emergency_light'
          when name_key("name") like '%water outlet%' then 'water_outlet'
          else 'asset' end) STORED NOT NULL,
	"search_text" text GENERATED ALWAYS AS (search_key("name") || E'\n' || search_key("description") || E'\n' || search_key("location")) STORED NOT NULL,
	"name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
	"search_key" text GENERATED ALWAYS AS (search_key("name")) STORED NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL,
	CONSTRAINT "assets_id_building" UNIQUE("id","building_id"),
	CONSTRAINT "assets_quantity" CHECK ("assets"."quantity" > 0)
);
--> statement-breakpoint
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
	"version" integer DEFAULT 1 NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "document_tallies" (
	"building_id" uuid NOT NULL,
	"discipline_id" uuid,
	"files" integer NOT NULL,
	"folders" integer NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "document_uploads" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"discipline_id" uuid,
	"folder_id" uuid,
	"file_name" text NOT NULL,
	"description" text,
	"expires_on" date,
	"on_same_name" text NOT NULL,
	"completion_id" uuid,
	"thumbnail" "bytea"
);
--> statement-breakpoint
CREATE TABLE "document_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"file_id" uuid NOT NULL,
	"file_size" bigint NOT NULL,
	"file_type" text NOT NULL,
	"sha256" text NOT NULL,
	"thumbnail" "bytea",
	"uploaded_by" uuid NOT NULL,
	"uploaded_by_name" text NOT NULL,
	"uploaded_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "document_versions_number" UNIQUE("document_id","number")
);
--> statement-breakpoint
CREATE TABLE "document_views" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"by_name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "building_documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"building_id" uuid NOT NULL,
	"is_folder" boolean NOT NULL,
	"file_name" text NOT NULL,
	"description" text,
	"discipline_id" uuid,
	"parent_folder_id" uuid,
	"folder_path" uuid[] DEFAULT '{}' NOT NULL,
	"folder_color" text,
	"file_type" text,
	"file_size" bigint,
	"sha256" text,
	"current_version" integer,
	"has_thumbnail" boolean DEFAULT false NOT NULL,
	"expires_on" date,
	"completion_id" uuid,
	"uploaded_by" uuid NOT NULL,
	"uploaded_by_name" text NOT NULL,
	"uploaded_at" timestamp(3) with time zone NOT NULL,
	"modified_by_name" text,
	"modified_at" timestamp(3) with time zone NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	"deleted_by_name" text,
	"deleted_with" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"container_id" uuid GENERATED ALWAYS AS (coalesce("parent_folder_id", "discipline_id", "building_id")) STORED NOT NULL,
	"name_key" text GENERATED ALWAYS AS (name_key("file_name")) STORED NOT NULL,
	"search_key" text GENERATED ALWAYS AS (search_key("file_name")) STORED NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("file_name")) STORED NOT NULL,
	CONSTRAINT "building_documents_id_building" UNIQUE("id","building_id"),
	CONSTRAINT "building_documents_kind" CHECK ("building_documents"."is_folder" = ("building_documents"."folder_color" is not null) and "building_documents"."is_folder" = ("building_documents"."file_size" is null)
          and "building_documents"."is_folder" = ("building_documents"."file_type" is null) and "building_documents"."is_folder" = ("building_documents"."sha256" is null)
          and "building_documents"."is_folder" = ("building_documents"."current_version" is null)),
	CONSTRAINT "building_documents_path" CHECK ("building_documents"."parent_folder_id" is not distinct from "building_documents"."folder_path"[cardinality("building_documents"."folder_path")]),
	CONSTRAINT "building_documents_no_circle" CHECK ("building_documents"."id" <> all("building_documents"."folder_path")),
	CONSTRAINT "building_documents_deleted" CHECK (("building_documents"."deleted_at" is null) = ("building_documents"."deleted_by_name" is null) and ("building_documents"."deleted_at" is null) = ("building_documents"."deleted_with" is null)),
	CONSTRAINT "building_documents_certificate" CHECK ("building_documents"."completion_id" is null or (not "building_documents"."is_folder" and "building_documents"."parent_folder_id" is null and "building_documents"."deleted_at" is null))
);
--> statement-breakpoint
CREATE TABLE "stored_file_parts" (
	"file_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"etag" text NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "stored_file_parts_file_id_number_pk" PRIMARY KEY("file_id","number")
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"state" text DEFAULT 'reserved' NOT NULL,
	"store" text NOT NULL,
	"key" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text,
	"content_type" text NOT NULL,
	"uploaded_by" uuid NOT NULL,
	"announced_at" timestamp(3) with time zone NOT NULL,
	"received_at" timestamp(3) with time zone,
	"removed_at" timestamp(3) with time zone,
	"fence" integer DEFAULT 0 NOT NULL,
	"holder" integer,
	"leased_until" timestamp(3) with time zone,
	"multipart_id" text,
	CONSTRAINT "stored_files_key_unique" UNIQUE("key"),
	CONSTRAINT "stored_files_bytes" CHECK ("stored_files"."bytes" >= 0),
	CONSTRAINT "stored_files_received" CHECK (("stored_files"."state" = 'reserved') = ("stored_files"."received_at" is null)),
	CONSTRAINT "stored_files_hash" CHECK ("stored_files"."state" = 'reserved' or "stored_files"."sha256" is not null),
	CONSTRAINT "stored_files_removed" CHECK (("stored_files"."state" in ('removed', 'erased')) = ("stored_files"."removed_at" is not null)),
	CONSTRAINT "stored_files_leased" CHECK (("stored_files"."holder" is null) = ("stored_files"."leased_until" is null))
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
	"acknowledged_at" timestamp(3) with time zone,
	"acknowledged_by" uuid,
	"paused_ms" bigint DEFAULT 0 NOT NULL,
	"paused_working_ms" bigint DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"search_text" text GENERATED ALWAYS AS (search_key("reference_number") || E'\n' || search_key("title") || E'\n' || search_key("description")) STORED NOT NULL,
	"search_key" text GENERATED ALWAYS AS (search_key("title")) STORED NOT NULL,
	CONSTRAINT "building_issues_reference_number_unique" UNIQUE("reference_number"),
	CONSTRAINT "building_issues_acknowledged" CHECK (("building_issues"."acknowledged_at" is null) = ("building_issues"."acknowledged_by" is null)),
	CONSTRAINT "building_issues_pause" CHECK (("building_issues"."pause_reason" is null) = ("building_issues"."paused_at" is null))
);
--> statement-breakpoint
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
CREATE TABLE "applied_operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"procedure" text NOT NULL,
	"input_hash" text NOT NULL,
	"result" text,
	"created_at" timestamp(3) with time zone NOT NULL
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
CREATE TABLE "stream_head" (
	"g" bigint PRIMARY KEY NOT NULL,
	"epoch" uuid NOT NULL,
	"open" "int8multirange" DEFAULT '{[1,)}' NOT NULL,
	"suspects" "int8multirange" DEFAULT '{}' NOT NULL,
	"suspects_before" "xid8"
);
--> statement-breakpoint
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
	"version" integer DEFAULT 1 NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key(coalesce(nullif(trim("first_name" || ' ' || "last_name"), ''), "email"))) STORED NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "photos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"on_kind" text NOT NULL,
	"on_id" uuid NOT NULL,
	"building_id" uuid,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"thumbnail" "bytea",
	"taken_at" timestamp(3) with time zone NOT NULL,
	"uploaded_by" uuid NOT NULL,
	"uploaded_by_name" text NOT NULL,
	"imported_by_name" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "photos_building" CHECK ("photos"."building_id" is not null or "photos"."on_kind" = 'check')
);
--> statement-breakpoint
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
	"name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL,
	"search_text" text GENERATED ALWAYS AS (search_key("name") || E'\n' || search_key("code") || E'\n' || search_key(coalesce("address", ''))) STORED NOT NULL,
	CONSTRAINT "buildings_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"archived_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
	"search_key" text GENERATED ALWAYS AS (search_key("name")) STORED NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL
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
	"created_at" timestamp(3) with time zone NOT NULL,
	"archived_at" timestamp(3) with time zone,
	"name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
	CONSTRAINT "floors_id_building" UNIQUE("id","building_id")
);
--> statement-breakpoint
CREATE TABLE "building_pulses" (
	"building_id" uuid PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"moved_at" timestamp(3) with time zone NOT NULL,
	"moves_at" timestamp(3) with time zone,
	"open_low" integer DEFAULT 0 NOT NULL,
	"open_medium" integer DEFAULT 0 NOT NULL,
	"open_high" integer DEFAULT 0 NOT NULL,
	"open_critical" integer DEFAULT 0 NOT NULL,
	"overdue_issues" integer DEFAULT 0 NOT NULL,
	"checks_due" integer DEFAULT 0 NOT NULL,
	"checks_done" integer DEFAULT 0 NOT NULL,
	"checks_missed" integer DEFAULT 0 NOT NULL,
	"tasks_compliant" integer DEFAULT 0 NOT NULL,
	"tasks_non_compliant" integer DEFAULT 0 NOT NULL,
	"tasks_overdue" integer DEFAULT 0 NOT NULL,
	"tasks_due_this_week" integer DEFAULT 0 NOT NULL,
	"opened" integer[] DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0}' NOT NULL,
	"closed" integer[] DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0}' NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pulse_changes" (
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"building_id" uuid NOT NULL,
	"sign" smallint DEFAULT 0 NOT NULL,
	"priority" text,
	"opened_at" timestamp(3) with time zone,
	"closed_at" timestamp(3) with time zone,
	"due" date,
	"covered_until" date,
	"is_marked" boolean DEFAULT false NOT NULL,
	"of_checks" boolean DEFAULT false NOT NULL,
	"of_building" boolean DEFAULT false NOT NULL,
	"folds" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pulse_kinds" (
	"kind" text PRIMARY KEY NOT NULL,
	"cadence" text NOT NULL,
	"subject_types" text[],
	"is_counted" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pulse_state" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"moved_at" timestamp(3) with time zone NOT NULL,
	"compared_at" timestamp(3) with time zone,
	"compared" integer DEFAULT 0 NOT NULL,
	"differed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "pulse_state_one" CHECK ("pulse_state"."one")
);
--> statement-breakpoint
CREATE TABLE "task_lapses" (
	"location_id" uuid NOT NULL,
	"day" date NOT NULL,
	"tasks" integer NOT NULL,
	"recorded_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "task_lapses_location_id_day_pk" PRIMARY KEY("location_id","day")
);
--> statement-breakpoint
CREATE TABLE "task_lines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"occurrence" integer,
	"grid_day" date,
	"due" date,
	"of" uuid,
	"stated" date,
	"last_done" date,
	"frequency" text,
	"early" text,
	"grace" text,
	"reason" text,
	"notes" text DEFAULT '' NOT NULL,
	"recorded_by" uuid NOT NULL,
	"recorded_by_name" text NOT NULL,
	"recorded_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "task_lines_position" UNIQUE("task_id","position"),
	CONSTRAINT "task_lines_first" CHECK (("task_lines"."kind" = 'created') = ("task_lines"."position" = 1)),
	CONSTRAINT "task_lines_of_another" CHECK (("task_lines"."kind" in ('corrected', 'undone')) = ("task_lines"."of" is not null)),
	CONSTRAINT "task_lines_completion" CHECK (("task_lines"."kind" = 'completed') = ("task_lines"."occurrence" is not null)),
	CONSTRAINT "task_lines_move" CHECK (("task_lines"."kind" = 'scheduled') = ("task_lines"."due" is not null) and ("task_lines"."kind" = 'scheduled') = ("task_lines"."grid_day" is not null)),
	CONSTRAINT "task_lines_recurrence" CHECK (("task_lines"."kind" in ('created', 'changed')) = ("task_lines"."frequency" is not null)
        and ("task_lines"."kind" in ('created', 'changed')) = ("task_lines"."grace" is not null)),
	CONSTRAINT "task_lines_reason" CHECK ("task_lines"."kind" not in ('marked', 'undone', 'retired') or "task_lines"."reason" is not null)
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task_number" text NOT NULL,
	"location_id" uuid NOT NULL,
	"compliance_system" text NOT NULL,
	"task_description" text NOT NULL,
	"frequency" text NOT NULL,
	"early" text,
	"grace" text DEFAULT 'P0D' NOT NULL,
	"responsible_person" text DEFAULT '' NOT NULL,
	"responsible_id" uuid,
	"satisfied_by" text,
	"template_id" text,
	"template_version" smallint,
	"anchor" date NOT NULL,
	"grid_day" date NOT NULL,
	"due" date NOT NULL,
	"covered_until" date,
	"completed_on" date,
	"completed_by_name" text,
	"completion_id" uuid,
	"marked_on" date,
	"mark_reason" text,
	"mark_id" uuid,
	"is_due" boolean DEFAULT true NOT NULL,
	"coverage" jsonb,
	"occurrence" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"retired_at" timestamp(3) with time zone,
	"retire_reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"name_key" text GENERATED ALWAYS AS (name_key("compliance_system") || E'\n' || name_key("task_description")) STORED NOT NULL,
	"responsible_key" text GENERATED ALWAYS AS (name_key("responsible_person")) STORED NOT NULL,
	"search_text" text GENERATED ALWAYS AS (search_key("task_number") || E'\n' || search_key("compliance_system" || case when "compliance_system" = '' or "task_description" = '' then '' else ' – ' end || "task_description") || E'\n' || search_key("responsible_person")) STORED NOT NULL,
	CONSTRAINT "tasks_task_number_unique" UNIQUE("task_number"),
	CONSTRAINT "tasks_id_building" UNIQUE("id","location_id"),
	CONSTRAINT "tasks_covered" CHECK ("tasks"."covered_until" is null or "tasks"."completed_on" is not null),
	CONSTRAINT "tasks_marked" CHECK (("tasks"."marked_on" is null) = ("tasks"."mark_reason" is null)),
	CONSTRAINT "tasks_retired" CHECK (("tasks"."retired_at" is null) = ("tasks"."retire_reason" is null)),
	CONSTRAINT "tasks_template" CHECK (("tasks"."template_id" is null) = ("tasks"."template_version" is null)),
	CONSTRAINT "tasks_by_check" CHECK ("tasks"."satisfied_by" is not null or ("tasks"."is_due" and "tasks"."coverage" is null))
);
--> statement-breakpoint
CREATE TABLE "timed_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp(3) with time zone NOT NULL,
	"run_id" uuid,
	"leased_until" timestamp with time zone
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
CREATE TABLE "fire_alarm_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"location_tested" text NOT NULL,
	"asset_id" uuid,
	"passed" boolean NOT NULL,
	"notes" text
);
--> statement-breakpoint
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
CREATE TABLE "outlet_flushing_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_id" uuid NOT NULL,
	"outlet_id" uuid NOT NULL,
	"is_flushed" boolean NOT NULL,
	"minutes" numeric(5, 2),
	"notes" text
);
--> statement-breakpoint
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
CREATE TABLE "check_schedules" (
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"first_done_on" date NOT NULL,
	"last_done_on" date NOT NULL,
	"last_complete_on" date,
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
	"version" integer DEFAULT 1 NOT NULL,
	"name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL
);
--> statement-breakpoint
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
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_made_by_profiles_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_by_id_profiles_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_locations" ADD CONSTRAINT "asset_locations_asset" FOREIGN KEY ("asset_id","building_id") REFERENCES "public"."assets"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_locations" ADD CONSTRAINT "asset_locations_floor" FOREIGN KEY ("floor_id","building_id") REFERENCES "public"."floors"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_beats" ADD CONSTRAINT "display_beats_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_buildings" ADD CONSTRAINT "display_buildings_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_buildings" ADD CONSTRAINT "display_buildings_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_codes" ADD CONSTRAINT "display_codes_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "display_credentials" ADD CONSTRAINT "display_credentials_display_id_displays_id_fk" FOREIGN KEY ("display_id") REFERENCES "public"."displays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "displays" ADD CONSTRAINT "displays_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_tallies" ADD CONSTRAINT "document_tallies_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_tallies" ADD CONSTRAINT "document_tallies_discipline_id_disciplines_id_fk" FOREIGN KEY ("discipline_id") REFERENCES "public"."disciplines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_discipline_id_disciplines_id_fk" FOREIGN KEY ("discipline_id") REFERENCES "public"."disciplines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_folder_id_building_documents_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."building_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_completion_id_task_lines_id_fk" FOREIGN KEY ("completion_id") REFERENCES "public"."task_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document_id_building_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."building_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_views" ADD CONSTRAINT "document_views_document_id_building_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."building_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_documents" ADD CONSTRAINT "building_documents_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_documents" ADD CONSTRAINT "building_documents_discipline_id_disciplines_id_fk" FOREIGN KEY ("discipline_id") REFERENCES "public"."disciplines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_documents" ADD CONSTRAINT "building_documents_completion_id_task_lines_id_fk" FOREIGN KEY ("completion_id") REFERENCES "public"."task_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_documents" ADD CONSTRAINT "building_documents_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_documents" ADD CONSTRAINT "building_documents_parent" FOREIGN KEY ("parent_folder_id","building_id") REFERENCES "public"."building_documents"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_documents" ADD CONSTRAINT "building_documents_deleted_with" FOREIGN KEY ("deleted_with","building_id") REFERENCES "public"."building_documents"("id","building_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_file_parts" ADD CONSTRAINT "stored_file_parts_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_reported_by_profiles_id_fk" FOREIGN KEY ("reported_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_assigned_to_profiles_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_issues" ADD CONSTRAINT "building_issues_acknowledged_by_profiles_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_issue_id_building_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."building_issues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_comments" ADD CONSTRAINT "issue_comments_author_id_profiles_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issue_tallies" ADD CONSTRAINT "issue_tallies_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_targets" ADD CONSTRAINT "sla_targets_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_payloads" ADD CONSTRAINT "event_payloads_g_events_g_fk" FOREIGN KEY ("g") REFERENCES "public"."events"("g") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_tokens" ADD CONSTRAINT "session_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_location_access" ADD CONSTRAINT "user_location_access_granted_by_profiles_id_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_assigned_by_profiles_id_fk" FOREIGN KEY ("assigned_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_id_stored_files_id_fk" FOREIGN KEY ("id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buildings" ADD CONSTRAINT "buildings_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "counters" ADD CONSTRAINT "counters_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "floors" ADD CONSTRAINT "floors_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "building_pulses" ADD CONSTRAINT "building_pulses_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lapses" ADD CONSTRAINT "task_lapses_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_recorded_by_profiles_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_task" FOREIGN KEY ("task_id","location_id") REFERENCES "public"."tasks"("id","location_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_of" FOREIGN KEY ("of") REFERENCES "public"."task_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_responsible_id_profiles_id_fk" FOREIGN KEY ("responsible_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_point_visual_checks" ADD CONSTRAINT "call_point_visual_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_point_visual_checks" ADD CONSTRAINT "call_point_visual_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_lighting_tests" ADD CONSTRAINT "emergency_lighting_tests_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_lighting_tests" ADD CONSTRAINT "emergency_lighting_tests_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "false_alarms" ADD CONSTRAINT "false_alarms_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "false_alarms" ADD CONSTRAINT "false_alarms_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fire_alarm_tests" ADD CONSTRAINT "fire_alarm_tests_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fire_alarm_tests" ADD CONSTRAINT "fire_alarm_tests_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_visits" ADD CONSTRAINT "imported_visits_person_id_profiles_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_visits" ADD CONSTRAINT "imported_visits_imported_by_profiles_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outlet_flushing_checks" ADD CONSTRAINT "outlet_flushing_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outlet_flushing_checks" ADD CONSTRAINT "outlet_flushing_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "water_temperature_checks" ADD CONSTRAINT "water_temperature_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "water_temperature_checks" ADD CONSTRAINT "water_temperature_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_links_user" ON "account_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_notices_user" ON "account_notices" USING btree ("user_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "disciplines_name_key" ON "disciplines" USING btree ("name_key" collate "C");--> statement-breakpoint
CREATE INDEX "asset_locations_floor" ON "asset_locations" USING btree ("floor_id");--> statement-breakpoint
CREATE INDEX "asset_locations_building" ON "asset_locations" USING btree ("building_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_name" ON "assets" USING btree ("sort_key" collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_type" ON "assets" USING btree ("effective_type" collate "C","sort_key" collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_last_visit" ON "assets" USING btree (coalesce("last_visit_date", '0001-01-01'::date),"sort_key" collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_building_name" ON "assets" USING btree ("building_id","sort_key" collate "C","id","retired_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_beginning" ON "assets" USING btree ("search_key" collate "C");--> statement-breakpoint
CREATE INDEX "assets_building_type" ON "assets" USING btree ("building_id","effective_type" collate "C","retired_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_retired" ON "assets" USING btree ("sort_key" collate "C","id") WHERE "assets"."retired_at" is not null;--> statement-breakpoint
CREATE INDEX "display_buildings_building" ON "display_buildings" USING btree ("building_id");--> statement-breakpoint
CREATE INDEX "display_codes_expiry" ON "display_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "display_codes_display" ON "display_codes" USING btree ("display_id");--> statement-breakpoint
CREATE UNIQUE INDEX "document_tallies_once" ON "document_tallies" USING btree ("building_id",("discipline_id" is null),coalesce("discipline_id", "building_id"));--> statement-breakpoint
CREATE INDEX "document_versions_file" ON "document_versions" USING btree ("file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "building_documents_name_once" ON "building_documents" USING btree ("building_id","container_id","is_folder","name_key" collate "C") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_by_name" ON "building_documents" USING btree ("building_id","container_id","is_folder","sort_key" collate "C","id","parent_folder_id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_by_modified" ON "building_documents" USING btree ("building_id","container_id","is_folder","modified_at","sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_by_size" ON "building_documents" USING btree ("building_id","container_id","is_folder",coalesce("file_size", 0),"sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_all_by_name" ON "building_documents" USING btree ("building_id","is_folder","sort_key" collate "C","id","search_key") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_all_by_modified" ON "building_documents" USING btree ("building_id","is_folder","modified_at","sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_all_by_size" ON "building_documents" USING btree ("building_id","is_folder",coalesce("file_size", 0),"sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_of_discipline" ON "building_documents" USING btree ("building_id","discipline_id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_beginning" ON "building_documents" USING btree ("building_id","search_key" collate "C") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_expiring" ON "building_documents" USING btree ("building_id","expires_on") WHERE "building_documents"."deleted_at" is null and "building_documents"."expires_on" is not null;--> statement-breakpoint
CREATE INDEX "building_documents_certificates" ON "building_documents" USING btree ("completion_id") WHERE "building_documents"."completion_id" is not null;--> statement-breakpoint
CREATE INDEX "building_documents_below" ON "building_documents" USING gin ("folder_path");--> statement-breakpoint
CREATE INDEX "building_documents_bin" ON "building_documents" USING btree ("building_id","deleted_at","id") WHERE "building_documents"."deleted_with" = "building_documents"."id";--> statement-breakpoint
CREATE INDEX "building_documents_deleted_with" ON "building_documents" USING btree ("deleted_with") WHERE "building_documents"."deleted_with" is not null;--> statement-breakpoint
CREATE INDEX "stored_files_unsettled" ON "stored_files" USING btree ("state","announced_at") WHERE "stored_files"."state" in ('reserved', 'removed');--> statement-breakpoint
CREATE INDEX "building_issues_newest" ON "building_issues" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_status_newest" ON "building_issues" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_building_newest" ON "building_issues" USING btree ("building_id","created_at","id");--> statement-breakpoint
CREATE INDEX "building_issues_building_status_newest" ON "building_issues" USING btree ("building_id","status","created_at","id","priority");--> statement-breakpoint
CREATE INDEX "building_issues_assigned" ON "building_issues" USING btree ("assigned_to","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_issues_beginning" ON "building_issues" USING btree ("search_key" collate "C");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_issues_urgent" ON "building_issues" USING btree ("priority" collate "C",(case when "paused_at" is not null then null
      when "responded_at" is not null or "respond_due_at" is null then "resolve_due_at"
      else least("resolve_due_at", "respond_due_at") end),"created_at" desc,"id" desc) WHERE "status" in ('open', 'in_progress') and "priority" in ('critical', 'high');--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_issues_unanswered" ON "building_issues" USING btree ("created_at","id","building_id") WHERE "status" in ('open', 'in_progress') and "priority" = 'critical' and "responded_at" is null and "acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "issue_comments_issue" ON "issue_comments" USING btree ("issue_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sla_targets_key" ON "sla_targets" USING btree (coalesce("client_id", '00000000-0000-0000-0000-000000000000'::uuid),"priority");--> statement-breakpoint
CREATE INDEX "applied_operations_created" ON "applied_operations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_entity" ON "events" USING btree ("entity","entity_id","g" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_at" ON "events" USING btree ("at","g");--> statement-breakpoint
CREATE INDEX "events_actor_at" ON "events" USING btree ("actor","at","g");--> statement-breakpoint
CREATE INDEX "events_stream_at" ON "events" USING btree ("stream","at","g");--> statement-breakpoint
CREATE INDEX "events_entity_at" ON "events" USING btree ("entity","at","g");--> statement-breakpoint
CREATE INDEX "outbox_access" ON "outbox" USING btree ("id") WHERE "outbox"."entity" = 'access';--> statement-breakpoint
CREATE UNIQUE INDEX "profiles_email_key" ON "profiles" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "session_tokens_session" ON "session_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_location_access_building" ON "user_location_access" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "user_roles_latest" ON "user_roles" USING btree ("user_id","assigned_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "photos_of" ON "photos" USING btree ("on_kind","on_id","taken_at","id");--> statement-breakpoint
CREATE INDEX "buildings_client" ON "buildings" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "buildings_name" ON "buildings" USING btree ("sort_key" collate "C","id");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_name_key" ON "clients" USING btree ("name_key" collate "C");--> statement-breakpoint
CREATE UNIQUE INDEX "floors_level_key" ON "floors" USING btree ("building_id","level");--> statement-breakpoint
CREATE INDEX "pulse_changes_tx" ON "pulse_changes" USING btree ("tx","building_id");--> statement-breakpoint
CREATE UNIQUE INDEX "task_lines_undone_once" ON "task_lines" USING btree ("of") WHERE "task_lines"."kind" = 'undone';--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_template_once" ON "tasks" USING btree ("location_id","template_id") WHERE "tasks"."retired_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_check_once" ON "tasks" USING btree ("location_id","satisfied_by") WHERE "tasks"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_judged" ON "tasks" USING btree ("location_id","due","covered_until","marked_on","is_due") WHERE "tasks"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_retired" ON "tasks" USING btree ("location_id") WHERE "tasks"."retired_at" is not null;--> statement-breakpoint
CREATE INDEX "tasks_lapsing" ON "tasks" USING btree ("covered_until","location_id") WHERE "tasks"."retired_at" is null and "tasks"."marked_on" is null and "tasks"."is_due";--> statement-breakpoint
CREATE INDEX "imported_visits_person" ON "imported_visits" USING btree ("person_id","state","imported_at");--> statement-breakpoint
CREATE INDEX "check_plans_kind" ON "check_plans" USING btree ("kind","starts_on");--> statement-breakpoint
CREATE INDEX "check_years_building" ON "check_years" USING btree ("building_id");--> statement-breakpoint
CREATE INDEX "held_visits_state" ON "held_visits" USING btree ("state","received_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "test_points_name" ON "test_points" USING btree ("building_id","kind","name_key" collate "C");--> statement-breakpoint
CREATE INDEX "check_entries_visit" ON "check_entries" USING btree ("visit_id","position");--> statement-breakpoint
CREATE INDEX "check_entries_subject" ON "check_entries" USING btree ("building_id","kind","subject_key","visit_date","id");--> statement-breakpoint
CREATE INDEX "check_entries_not_passed" ON "check_entries" USING btree ("kind","result","visit_date","visit_id") WHERE "check_entries"."result" <> 'pass';--> statement-breakpoint
CREATE INDEX "check_entries_issue" ON "check_entries" USING btree ("issue_id") WHERE "check_entries"."issue_id" is not null;--> statement-breakpoint
CREATE INDEX "check_entries_raised" ON "check_entries" USING btree ("building_id","subject_key") WHERE "check_entries"."issue_id" is not null;--> statement-breakpoint
CREATE INDEX "check_entries_retest" ON "check_entries" USING btree ("retest_of") WHERE "check_entries"."retest_of" is not null;--> statement-breakpoint
CREATE INDEX "operative_visits_building" ON "operative_visits" USING btree ("location_id","visit_type","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_newest" ON "operative_visits" USING btree ("visit_type","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_operative" ON "operative_visits" USING btree ("visit_type","operative_name","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_recorder" ON "operative_visits" USING btree ("recorded_by","result","visit_date","id");
--> statement-breakpoint
-- Notes of transactions that are still running: a crash needs none of them.
ALTER TABLE "pulse_changes" SET UNLOGGED;
--> statement-breakpoint
-- Room in each page, so that an update needs no new index entry.
ALTER TABLE "building_pulses" SET (fillfactor = 70);
--> statement-breakpoint
INSERT INTO "stream_head" ("g", "epoch") VALUES (0, gen_random_uuid());
--> statement-breakpoint
INSERT INTO "pulse_state" ("moved_at") VALUES ('epoch');
--> statement-breakpoint
INSERT INTO "pulse_kinds" ("kind", "cadence", "subject_types", "is_counted") VALUES
  ('fire_alarm_test', 'weekly', NULL, true),
  ('emergency_lighting_test', 'monthly', '{emergency_light}', true),
  ('water_temperature_check', 'monthly', '{water_outlet}', true),
  ('outlet_flushing', 'weekly', '{water_outlet}', true),
  ('call_point_visual_check', 'weekly', '{call_point,panel}', false);
--> statement-breakpoint
-- Trigram indexes for searches through a hundred thousand rows. If the extension is not available (it comes with Postgres, but
-- some hosts leave it out), a search reads the table instead: slower, with the same result.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "assets_search" ON "assets" USING gin ("search_text" gin_trgm_ops);
  -- A short pending list, because the statement that fills it has to index all of its rows.
  CREATE INDEX "building_issues_search" ON "building_issues" USING gin ("search_text" gin_trgm_ops)
    WITH (gin_pending_list_limit = 256);
  CREATE INDEX "building_documents_search" ON "building_documents" USING gin ("search_key" gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR invalid_parameter_value THEN
    RAISE NOTICE 'pg_trgm is not available: searches read the table';
END $$;
