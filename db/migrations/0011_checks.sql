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
	"amended_at" timestamp(3) with time zone,
	"superseded_by" uuid,
	CONSTRAINT "check_entries_amends_once" UNIQUE("amends"),
	CONSTRAINT "check_entries_amendment" CHECK (("check_entries"."amends" is null) = ("check_entries"."amend_reason" is null) and ("check_entries"."amends" is null) = ("check_entries"."amended_by" is null)
        and ("check_entries"."amends" is null) = ("check_entries"."amended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "operative_visits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"location_id" uuid NOT NULL,
	"operative_name" text NOT NULL,
	"visit_date" date NOT NULL,
	"visit_type" text NOT NULL,
	"recorded_by" uuid NOT NULL,
	"performed_at" timestamp(3) with time zone NOT NULL,
	"received_at" timestamp(3) with time zone NOT NULL,
	"clock_offset_ms" bigint DEFAULT 0 NOT NULL,
	"late" boolean DEFAULT false NOT NULL,
	"duration_seconds" integer,
	"log_number" integer NOT NULL,
	"result" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "operative_visits_number" UNIQUE("location_id","log_number")
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
CREATE TABLE "check_schedules" (
	"building_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"first_done_on" date NOT NULL,
	"last_done_on" date NOT NULL,
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
	"received_at" timestamp(3) with time zone NOT NULL,
	"input" text NOT NULL,
	"state" text DEFAULT 'held' NOT NULL,
	"decided_by" uuid,
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
ALTER TABLE "buildings" ADD COLUMN "is_healthcare" boolean DEFAULT false NOT NULL;--> statement-breakpoint
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
ALTER TABLE "fire_alarm_tests" ADD CONSTRAINT "fire_alarm_tests_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fire_alarm_tests" ADD CONSTRAINT "fire_alarm_tests_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_lighting_tests" ADD CONSTRAINT "emergency_lighting_tests_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergency_lighting_tests" ADD CONSTRAINT "emergency_lighting_tests_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "water_temperature_checks" ADD CONSTRAINT "water_temperature_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "water_temperature_checks" ADD CONSTRAINT "water_temperature_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outlet_flushing_checks" ADD CONSTRAINT "outlet_flushing_checks_id_check_entries_id_fk" FOREIGN KEY ("id") REFERENCES "public"."check_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outlet_flushing_checks" ADD CONSTRAINT "outlet_flushing_checks_visit_id_operative_visits_id_fk" FOREIGN KEY ("visit_id") REFERENCES "public"."operative_visits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_schedules" ADD CONSTRAINT "check_schedules_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_years" ADD CONSTRAINT "check_years_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_visits" ADD CONSTRAINT "held_visits_recorded_by_profiles_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_visits" ADD CONSTRAINT "held_visits_decided_by_profiles_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "missed_periods" ADD CONSTRAINT "missed_periods_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "missed_periods" ADD CONSTRAINT "missed_periods_explained_by_profiles_id_fk" FOREIGN KEY ("explained_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_points" ADD CONSTRAINT "test_points_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_points" ADD CONSTRAINT "test_points_added_by_profiles_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "check_entries_visit" ON "check_entries" USING btree ("visit_id","position");--> statement-breakpoint
CREATE INDEX "check_entries_subject" ON "check_entries" USING btree ("building_id","kind","subject_key","visit_date","id");--> statement-breakpoint
CREATE INDEX "check_entries_issue" ON "check_entries" USING btree ("issue_id") WHERE "check_entries"."issue_id" is not null;--> statement-breakpoint
CREATE INDEX "check_entries_raised" ON "check_entries" USING btree ("building_id","subject_key") WHERE "check_entries"."issue_id" is not null;--> statement-breakpoint
CREATE INDEX "check_entries_retest" ON "check_entries" USING btree ("retest_of") WHERE "check_entries"."retest_of" is not null;--> statement-breakpoint
CREATE INDEX "operative_visits_building" ON "operative_visits" USING btree ("location_id","visit_type","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_newest" ON "operative_visits" USING btree ("visit_type","visit_date","id");--> statement-breakpoint
CREATE INDEX "operative_visits_result" ON "operative_visits" USING btree ("visit_type","result","visit_date","id");--> statement-breakpoint
CREATE INDEX "check_years_building" ON "check_years" USING btree ("building_id");--> statement-breakpoint
CREATE INDEX "held_visits_state" ON "held_visits" USING btree ("state","received_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "test_points_name" ON "test_points" USING btree ("building_id","kind",lower("name"));--> statement-breakpoint
-- What was recorded stays as it was recorded: a correction is a further line, and nothing is ever deleted.
CREATE FUNCTION "refuse_change_of_records"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'records of safety checks are never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "operative_visits_kept" BEFORE DELETE OR TRUNCATE ON "operative_visits"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
--> statement-breakpoint
CREATE TRIGGER "check_entries_kept" BEFORE DELETE OR TRUNCATE ON "check_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
--> statement-breakpoint
CREATE TRIGGER "fire_alarm_tests_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "fire_alarm_tests"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
--> statement-breakpoint
CREATE TRIGGER "emergency_lighting_tests_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "emergency_lighting_tests"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
--> statement-breakpoint
CREATE TRIGGER "water_temperature_checks_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "water_temperature_checks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
--> statement-breakpoint
CREATE TRIGGER "outlet_flushing_checks_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "outlet_flushing_checks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();
--> statement-breakpoint
-- The words of a line never change either: only what followed from it is written later.
CREATE FUNCTION "keep_words_of_record"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.visit_id, NEW.building_id, NEW.kind, NEW.visit_date, NEW.subject_key, NEW.subject_name, NEW.result)
    IS DISTINCT FROM
    (OLD.id, OLD.visit_id, OLD.building_id, OLD.kind, OLD.visit_date, OLD.subject_key, OLD.subject_name, OLD.result)
  THEN
    RAISE EXCEPTION 'a line of a safety check is corrected by another, never changed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "check_entries_unchanged" BEFORE UPDATE ON "check_entries"
  FOR EACH ROW EXECUTE FUNCTION "keep_words_of_record"();
