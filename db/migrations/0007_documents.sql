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
	"name_key" text GENERATED ALWAYS AS (lower("file_name")) STORED NOT NULL,
	"sort_key" text GENERATED ALWAYS AS (regexp_replace(regexp_replace(lower("file_name"), '[0-9]+', '0000000000\&', 'g'), '0*([0-9]{10,})', '\1', 'g')) STORED NOT NULL,
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
CREATE INDEX "document_versions_file" ON "document_versions" USING btree ("file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "building_documents_name_once" ON "building_documents" USING btree ("building_id","container_id","is_folder","name_key" collate "C") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_by_name" ON "building_documents" USING btree ("building_id","container_id","is_folder","sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_by_modified" ON "building_documents" USING btree ("building_id","container_id","is_folder","modified_at","sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_by_size" ON "building_documents" USING btree ("building_id","container_id","is_folder",coalesce("file_size", 0),"sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_all_by_name" ON "building_documents" USING btree ("building_id","is_folder","sort_key" collate "C","id") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_counted" ON "building_documents" USING btree ("building_id","discipline_id","is_folder","file_size") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "building_documents_expiring" ON "building_documents" USING btree ("building_id","expires_on") WHERE "building_documents"."deleted_at" is null and "building_documents"."expires_on" is not null;--> statement-breakpoint
CREATE INDEX "building_documents_certificates" ON "building_documents" USING btree ("completion_id") WHERE "building_documents"."completion_id" is not null;--> statement-breakpoint
CREATE INDEX "building_documents_below" ON "building_documents" USING gin ("folder_path");--> statement-breakpoint
CREATE INDEX "building_documents_bin" ON "building_documents" USING btree ("building_id","deleted_at","id") WHERE "building_documents"."deleted_with" = "building_documents"."id";--> statement-breakpoint
CREATE INDEX "building_documents_deleted_with" ON "building_documents" USING btree ("deleted_with") WHERE "building_documents"."deleted_with" is not null;--> statement-breakpoint
-- For searches through a hundred thousand documents; without the extension a search scans the table, as in 0004_search.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "building_documents_search" ON "building_documents" USING gin ("name_key" gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR invalid_parameter_value THEN
    RAISE NOTICE 'pg_trgm is not available: searches through documents read the table';
END $$;
