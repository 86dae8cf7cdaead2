-- The record of who did what, newest first, whole or narrowed by person, place or kind.
DROP INDEX "events_actor";--> statement-breakpoint
CREATE INDEX "events_at" ON "events" USING btree ("at","g");--> statement-breakpoint
CREATE INDEX "events_actor_at" ON "events" USING btree ("actor","at","g");--> statement-breakpoint
CREATE INDEX "events_stream_at" ON "events" USING btree ("stream","at","g");--> statement-breakpoint
CREATE INDEX "events_entity_at" ON "events" USING btree ("entity","at","g");