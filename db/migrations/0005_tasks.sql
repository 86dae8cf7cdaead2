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
	CONSTRAINT "tasks_task_number_unique" UNIQUE("task_number"),
	CONSTRAINT "tasks_id_building" UNIQUE("id","location_id"),
	CONSTRAINT "tasks_covered" CHECK ("tasks"."covered_until" is null or "tasks"."completed_on" is not null),
	CONSTRAINT "tasks_marked" CHECK (("tasks"."marked_on" is null) = ("tasks"."mark_reason" is null)),
	CONSTRAINT "tasks_retired" CHECK (("tasks"."retired_at" is null) = ("tasks"."retire_reason" is null)),
	CONSTRAINT "tasks_template" CHECK (("tasks"."template_id" is null) = ("tasks"."template_version" is null)),
	CONSTRAINT "tasks_by_check" CHECK ("tasks"."satisfied_by" is not null or ("tasks"."is_due" and "tasks"."coverage" is null))
);
--> statement-breakpoint
ALTER TABLE "task_lapses" ADD CONSTRAINT "task_lapses_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_recorded_by_profiles_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_task" FOREIGN KEY ("task_id","location_id") REFERENCES "public"."tasks"("id","location_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_lines" ADD CONSTRAINT "task_lines_of" FOREIGN KEY ("of") REFERENCES "public"."task_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_location_id_buildings_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_responsible_id_profiles_id_fk" FOREIGN KEY ("responsible_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "task_lines_undone_once" ON "task_lines" USING btree ("of") WHERE "task_lines"."kind" = 'undone';--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_template_once" ON "tasks" USING btree ("location_id","template_id") WHERE "tasks"."retired_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_check_once" ON "tasks" USING btree ("location_id","satisfied_by") WHERE "tasks"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_judged" ON "tasks" USING btree ("location_id","due","covered_until","marked_on","is_due") WHERE "tasks"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_retired" ON "tasks" USING btree ("location_id") WHERE "tasks"."retired_at" is not null;--> statement-breakpoint
CREATE INDEX "tasks_lapsing" ON "tasks" USING btree ("covered_until","location_id") WHERE "tasks"."retired_at" is null and "tasks"."marked_on" is null and "tasks"."is_due";
--> statement-breakpoint
-- The record of a task is never changed or deleted. What was wrong is undone or corrected by a further line.
CREATE FUNCTION "refuse_change_of_task_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of a task is never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "task_lines_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "task_lines"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_task_lines"();
--> statement-breakpoint
CREATE TRIGGER "tasks_kept" BEFORE DELETE OR TRUNCATE ON "tasks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_task_lines"();
