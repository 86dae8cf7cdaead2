-- Sequencing (rule S2) at less cost, with the same result. The notification names the position that it brings, so that
-- the process which put the events in order, and has read them by the time it hears of itself, does not read again for
-- nothing. The head of each chain is read and written once a call, not once an event.
CREATE OR REPLACE FUNCTION "sequence_events"(OUT first_g bigint, OUT last_g bigint, OUT n integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  o record;
  head bigint;
  at_seq bigint;
  at_hash bytea;
  salt bytea;
  canon text;
  heads jsonb := '{}';
BEGIN
  SELECT h.g INTO head FROM public.stream_head h FOR UPDATE;
  first_g := head + 1;
  n := 0;
  FOR o IN
    WITH moved AS (
      DELETE FROM public.outbox WHERE id IN (SELECT id FROM public.outbox ORDER BY id LIMIT 100) RETURNING *
    ) SELECT * FROM moved ORDER BY id
  LOOP
    IF heads ? o.stream THEN
      at_seq := (heads -> o.stream ->> 0)::bigint;
      at_hash := decode(heads -> o.stream ->> 1, 'hex');
    ELSE
      SELECT c.seq, c.hash INTO at_seq, at_hash FROM public.chain_head c WHERE c.stream = o.stream;
    END IF;
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
    heads := heads || jsonb_build_object(o.stream, jsonb_build_array(at_seq, encode(at_hash, 'hex')));
    INSERT INTO public.events (g, stream, seq, outbox_id, at, actor, command, entity, entity_id, op, version,
        operation_id, permission, buildings, persons, canon, hash)
      VALUES (head, o.stream, at_seq, o.id, o.at, o.actor, o.command, o.entity, o.entity_id, o.op, o.version,
        o.operation_id, o.permission, o.buildings, o.persons, canon, at_hash);
    INSERT INTO public.event_payloads (g, salt, body) VALUES (head, salt, o.payload);
    n := n + 1;
  END LOOP;
  last_g := head;
  IF n > 0 THEN
    INSERT INTO public.chain_head AS c (stream, seq, hash)
      SELECT key, (value ->> 0)::bigint, decode(value ->> 1, 'hex') FROM jsonb_each(heads)
      ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, hash = excluded.hash;
    UPDATE public.stream_head SET g = head;
    PERFORM pg_notify('lintel', head::text);
  END IF;
END $$;
