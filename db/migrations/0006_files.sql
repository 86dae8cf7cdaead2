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
ALTER TABLE "stored_file_parts" ADD CONSTRAINT "stored_file_parts_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_files_unsettled" ON "stored_files" USING btree ("state","announced_at") WHERE "stored_files"."state" in ('reserved', 'removed');