CREATE TABLE "session_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"role" text,
	"used" boolean NOT NULL,
	"good_until" timestamp(3) with time zone,
	"successor_key" text
);
--> statement-breakpoint
ALTER TABLE "session_tokens" ADD CONSTRAINT "session_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_tokens_session" ON "session_tokens" USING btree ("session_id");--> statement-breakpoint
ALTER TABLE "sessions" DROP COLUMN "absolute_expires_at";
--> statement-breakpoint
-- Whoever is signed in stays so: until now a session's id was the hash of its token.
INSERT INTO "session_tokens" ("hash", "session_id", "role", "used")
SELECT s."id", s."id", (
  SELECT r."role" FROM "user_roles" r WHERE r."user_id" = s."user_id"
  ORDER BY r."assigned_at" DESC, r."id" DESC LIMIT 1
), true
FROM "sessions" s;
