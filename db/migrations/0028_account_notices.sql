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
ALTER TABLE "sessions" ADD COLUMN "address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_links" ADD COLUMN "made_by" uuid;--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_by_id_profiles_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_notices_user" ON "account_notices" USING btree ("user_id","at");--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_made_by_profiles_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;