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
ALTER TABLE "check_schedules" ADD COLUMN "done_before_on" date;--> statement-breakpoint
ALTER TABLE "check_plans" ADD CONSTRAINT "check_plans_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_plans" ADD CONSTRAINT "check_plans_set_by_profiles_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "check_plans_kind" ON "check_plans" USING btree ("kind","starts_on");--> statement-breakpoint
UPDATE "check_schedules" s SET "done_before_on" = (
  SELECT max(v."visit_date") FROM "operative_visits" v
  WHERE v."location_id" = s."building_id" AND v."visit_type" = s."kind" AND v."visit_date" < s."last_done_on"
);
