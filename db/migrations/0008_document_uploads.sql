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
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_discipline_id_disciplines_id_fk" FOREIGN KEY ("discipline_id") REFERENCES "public"."disciplines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_folder_id_building_documents_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."building_documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_uploads" ADD CONSTRAINT "document_uploads_completion_id_task_lines_id_fk" FOREIGN KEY ("completion_id") REFERENCES "public"."task_lines"("id") ON DELETE no action ON UPDATE no action;