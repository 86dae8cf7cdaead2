-- The order of the stream (server/live/SPEC.md, rules S2 to S4): the head row, the only function that writes events,
-- and what keeps the record of events as it was written.

INSERT INTO "stream_head" ("epoch") VALUES (gen_random_uuid());
--> statement-breakpoint
-- Moves at most 100 committed outbox rows into the one order, in the order of the outbox: each gets the next g of all,
-- and the next seq and hash of its stream. Answers three numbers only: rows sent to a caller that is frozen would keep
-- the lock. VOLATILE, so that the statements after the lock see what was committed while it was waited for.
CREATE FUNCTION "sequence_events"(OUT first_g bigint, OUT last_g bigint, OUT n integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  o record;
  head bigint;
  at_seq bigint;
  at_hash bytea;
  salt bytea;
  canon text;
BEGIN
  SELECT h.g INTO head FROM public.stream_head h FOR UPDATE;
  first_g := head + 1;
  n := 0;
  FOR o IN
    WITH moved AS (
      DELETE FROM public.outbox WHERE id IN (SELECT id FROM public.outbox ORDER BY id LIMIT 100) RETURNING *
    ) SELECT * FROM moved ORDER BY id
  LOOP
    SELECT c.seq, c.hash INTO at_seq, at_hash FROM public.chain_head c WHERE c.stream = o.stream;
    head := head + 1;
    at_seq := coalesce(at_seq, 0) + 1;
    at_hash := coalesce(at_hash, ''::bytea);
    salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    canon := json_build_object(
      'g', head, 'stream', o.stream, 'seq', at_seq, 'outboxId', o.id::text,
      'at', to_char(o.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor', o.actor, 'command', o.command, 'entity', o.entity, 'entityId', o.entity_id, 'op', o.op,
      'version', o.version, 'operationId', o.operation_id,
      'permission', o.permission, 'buildings', o.buildings, 'persons', o.persons,
      'payload', encode(sha256(salt || convert_to(o.payload, 'UTF8')), 'hex'))::text;
    at_hash := sha256(convert_to(
      concat_ws(E'\n', 'v1', o.stream, at_seq::text, encode(at_hash, 'hex'), canon), 'UTF8'));
    INSERT INTO public.chain_head AS c (stream, seq, hash) VALUES (o.stream, at_seq, at_hash)
      ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, hash = excluded.hash;
    INSERT INTO public.events (g, stream, seq, outbox_id, at, actor, command, entity, entity_id, op, version,
        operation_id, permission, buildings, persons, canon, hash)
      VALUES (head, o.stream, at_seq, o.id, o.at, o.actor, o.command, o.entity, o.entity_id, o.op, o.version,
        o.operation_id, o.permission, o.buildings, o.persons, canon, at_hash);
    INSERT INTO public.event_payloads (g, salt, body) VALUES (head, salt, o.payload);
    n := n + 1;
  END LOOP;
  last_g := head;
  IF n > 0 THEN
    UPDATE public.stream_head SET g = head;
    PERFORM pg_notify('lintel', '');
  END IF;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "sequence_events"() FROM PUBLIC;
--> statement-breakpoint
CREATE FUNCTION "refuse_change_of_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events are never changed: % on % refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "events_stay" BEFORE UPDATE OR DELETE OR TRUNCATE ON "events"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_events"();
--> statement-breakpoint
CREATE TRIGGER "event_payloads_stay" BEFORE UPDATE OR TRUNCATE ON "event_payloads"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_events"();
--> statement-breakpoint
-- The one way to remove a payload: erase_event_payload, which opens this door for its own transaction.
CREATE TRIGGER "event_payloads_erased_by_law_only" BEFORE DELETE ON "event_payloads"
  FOR EACH STATEMENT WHEN (current_setting('lintel.erasing', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION "refuse_change_of_events"();
--> statement-breakpoint
-- Erasure by law, for the owner's login only: the payload and its salt go, so the hash that is left tells nothing; the
-- event and its chain stay, and the erasure is itself an event, which nobody is sent.
CREATE FUNCTION "erase_event_payload"(p_g bigint, p_actor uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  erased integer;
BEGIN
  PERFORM set_config('lintel.erasing', 'on', true);
  DELETE FROM public.event_payloads WHERE g = p_g;
  GET DIAGNOSTICS erased = ROW_COUNT;
  PERFORM set_config('lintel.erasing', 'off', true);
  IF erased = 0 THEN RETURN false; END IF;
  INSERT INTO public.outbox (stream, at, actor, command, entity, entity_id, op, version, payload)
    SELECT stream, clock_timestamp(), p_actor, 'payload.erase', entity, entity_id, 'erase', version,
      json_build_object('erased', p_g)::text
    FROM public.events WHERE g = p_g;
  RETURN true;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "erase_event_payload"(bigint, uuid) FROM PUBLIC;
