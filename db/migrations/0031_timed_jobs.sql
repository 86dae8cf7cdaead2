CREATE TABLE "timed_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp(3) with time zone NOT NULL,
	"run_id" uuid,
	"leased_until" timestamp with time zone
);
