CREATE TABLE "attempt_spacings" (
	"key" text PRIMARY KEY NOT NULL,
	"free_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL
);
