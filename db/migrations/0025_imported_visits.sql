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
ALTER TABLE "imported_visits" ADD CONSTRAINT "imported_visits_person_id_profiles_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_visits" ADD CONSTRAINT "imported_visits_imported_by_profiles_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imported_visits_person" ON "imported_visits" USING btree ("person_id","state","imported_at");