-- A transaction gets its number before it takes an outbox id. So an id below one that has been seen belongs to a
-- transaction whose number is lower than any number assigned later. `sequence_events` depends on this.
CREATE FUNCTION "number_transaction_first"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_current_xact_id();
  RETURN NULL;
END $$;

-- Runs for each statement and not for each row, because it must run before the first row takes its id.
CREATE TRIGGER "outbox_transaction_first" BEFORE INSERT ON "outbox"
  FOR EACH STATEMENT EXECUTE FUNCTION "number_transaction_first"();

-- Returns the epoch and the newest position. Sequential scans are off, because a plan that was cached while the table
-- was small must not scan a large one.
CREATE FUNCTION "stream_position"(OUT epoch uuid, OUT g bigint)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off AS $$
BEGIN
  SELECT h.epoch, h.g INTO epoch, g FROM public.stream_head h ORDER BY h.g DESC LIMIT 1;
END $$;

-- Returns the ids of the oldest committed rows that have no position yet, in order. Searches only the ranges in `open`.
CREATE FUNCTION "outbox_waiting"(p_most integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN array(
    SELECT found.id
    FROM (SELECT h.open FROM public.stream_head h ORDER BY h.g DESC LIMIT 1) head,
      unnest(head.open) AS range,
      LATERAL (
        SELECT o.id FROM public.outbox o
        WHERE o.id >= lower(range) AND o.id < coalesce(upper(range), 9223372036854775807)
        ORDER BY o.id LIMIT p_most
      ) found
    ORDER BY found.id LIMIT p_most);
END $$;

-- Moves at most 100 committed outbox rows into the event log, in the order of the outbox: each gets the next global g,
-- and the next seq and hash of its stream. Returns three numbers only, because sending rows to a frozen caller would
-- hold the lock. VOLATILE, so that the statements after the lock see the rows committed while waiting for it.
--
-- An id is removed from `open` when its row has been moved, or when its row can no longer appear because its
-- transaction was rolled back. If a higher id has appeared, the trigger above ensures that the transaction of a missing
-- id has a number lower than any assigned afterwards. So the ids that are missing before this call takes its own number
-- become suspects. Once no transaction with a lower number is running, the suspects that are still not visible were
-- rolled back.
CREATE FUNCTION "sequence_events"(OUT first_g bigint, OUT last_g bigint, OUT n integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  o record;
  head record;
  known int8multirange;
  oldest_running xid8;
  ids bigint[];
  still_open int8multirange;
  suspects int8multirange;
  suspects_before xid8;
  dead int8multirange;
  at_g bigint;
  at_seq bigint;
  at_hash bytea;
  salt bytea;
  canon text;
  heads jsonb := '{}';
BEGIN
  IF pg_current_xact_id_if_assigned() IS NULL THEN
    SELECT h.open INTO known FROM public.stream_head h ORDER BY h.g DESC LIMIT 1;
  END IF;
  -- One call at a time, across all processes. A row lock does not ensure this, because each call replaces the row.
  PERFORM pg_advisory_xact_lock(7461010);
  SELECT h.* INTO head FROM public.stream_head h ORDER BY h.g DESC LIMIT 1;
  -- Read before the outbox, so that the rows of every transaction that has ended by now are visible below.
  oldest_running := pg_snapshot_xmin(pg_current_snapshot());
  ids := public.outbox_waiting(100);
  n := cardinality(ids);
  first_g := head.g + 1;
  last_g := head.g;
  IF n = 0 THEN RETURN; END IF;

  at_g := head.g;
  FOR o IN
    WITH moved AS (DELETE FROM public.outbox WHERE id = ANY (ids) RETURNING *) SELECT * FROM moved ORDER BY id
  LOOP
    IF heads ? o.stream THEN
      at_seq := (heads -> o.stream ->> 0)::bigint;
      at_hash := decode(heads -> o.stream ->> 1, 'hex');
    ELSE
      SELECT e.seq, e.hash INTO at_seq, at_hash FROM public.events e
        WHERE e.stream = o.stream ORDER BY e.seq DESC LIMIT 1;
    END IF;
    at_g := at_g + 1;
    at_seq := coalesce(at_seq, 0) + 1;
    at_hash := coalesce(at_hash, ''::bytea);
    salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    canon := json_build_object(
      'g', at_g, 'stream', o.stream, 'seq', at_seq, 'outboxId', o.id::text,
      'at', to_char(o.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor', o.actor, 'command', o.command, 'entity', o.entity, 'entityId', o.entity_id, 'op', o.op,
      'version', o.version, 'operationId', o.operation_id,
      'permission', o.permission, 'buildings', o.buildings, 'persons', o.persons,
      'payload', encode(sha256(salt || convert_to(o.payload, 'UTF8')), 'hex'))::text;
    at_hash := sha256(convert_to(
      concat_ws(E'\n', 'v1', o.stream, at_seq::text, encode(at_hash, 'hex'), canon), 'UTF8'));
    heads := heads || jsonb_build_object(o.stream, jsonb_build_array(at_seq, encode(at_hash, 'hex')));
    INSERT INTO public.events (g, stream, seq, outbox_id, tx, at, actor, command, entity, entity_id, op, version,
        operation_id, permission, buildings, persons, canon, hash)
      VALUES (at_g, o.stream, at_seq, o.id, o.tx, o.at, o.actor, o.command, o.entity, o.entity_id, o.op, o.version,
        o.operation_id, o.permission, o.buildings, o.persons, canon, at_hash);
    INSERT INTO public.event_payloads (g, salt, body) VALUES (at_g, salt, o.payload);
  END LOOP;
  last_g := at_g;

  SELECT head.open - range_agg(int8range(id, id + 1)) INTO still_open FROM unnest(ids) AS id;
  suspects := head.suspects * still_open;
  suspects_before := head.suspects_before;
  IF suspects_before >= pg_snapshot_xmax(pg_current_snapshot()) THEN
    -- The number is from another cluster, from which this database was restored, so it cannot be compared.
    suspects := '{}';
  ELSIF oldest_running >= suspects_before THEN
    -- With a full hundred, only ids below the last one were searched.
    dead := CASE WHEN n < 100 THEN suspects ELSE suspects * int8multirange(int8range(NULL, ids[n])) END;
    still_open := still_open - dead;
    suspects := suspects - dead;
  END IF;
  IF isempty(suspects) AND known IS NOT NULL THEN
    suspects := still_open * known * int8multirange(int8range(NULL, (SELECT max(lower(range)) FROM unnest(known) AS range)));
    suspects_before := pg_current_xact_id();
  END IF;
  -- More ranges than this cost more time than they save. Adding ids to `open` again is always correct.
  IF (SELECT count(*) FROM unnest(still_open)) > 500 THEN
    still_open := int8multirange(int8range(lower(still_open), NULL));
    suspects := '{}';
  END IF;

  DELETE FROM public.stream_head WHERE g = head.g;
  INSERT INTO public.stream_head (g, epoch, open, suspects, suspects_before)
    VALUES (at_g, head.epoch, still_open, suspects, suspects_before);
  PERFORM pg_notify('lintel', at_g::text);
END $$;

REVOKE ALL ON FUNCTION "sequence_events"() FROM PUBLIC;

-- A new epoch makes every client take new snapshots (rule T3). `p_old` is the epoch that the caller knows, so that
-- several processes that notice the same restore start one epoch and not several. All ids of the outbox are added to
-- `open` again, because the restored database may assign the same ids again.
CREATE FUNCTION "start_epoch"(p_old uuid) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  now_is uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(7461010);
  SELECT h.epoch INTO now_is FROM public.stream_head h ORDER BY h.g DESC LIMIT 1;
  IF now_is = p_old THEN
    UPDATE public.stream_head SET epoch = gen_random_uuid(), open = DEFAULT, suspects = DEFAULT
      RETURNING epoch INTO now_is;
    PERFORM pg_notify('lintel', '');
  END IF;
  RETURN now_is;
END $$;

REVOKE ALL ON FUNCTION "start_epoch"(uuid) FROM PUBLIC;

CREATE FUNCTION "refuse_change_of_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events are never changed: % on % refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "events_stay" BEFORE UPDATE OR DELETE OR TRUNCATE ON "events"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_events"();

CREATE TRIGGER "event_payloads_stay" BEFORE UPDATE OR TRUNCATE ON "event_payloads"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_events"();

-- Payloads can be deleted only by `erase_event_payload`, which sets `lintel.erasing` for its own transaction.
CREATE TRIGGER "event_payloads_erased_by_law_only" BEFORE DELETE ON "event_payloads"
  FOR EACH STATEMENT WHEN (current_setting('lintel.erasing', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION "refuse_change_of_events"();

-- Erasure that the law requires, for the owner's login only. Payload and salt are deleted, so the remaining hash
-- reveals nothing. The event and its chain stay, and the erasure is itself an event, which is sent to no client.
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

REVOKE ALL ON FUNCTION "erase_event_payload"(bigint, uuid) FROM PUBLIC;

-- Called by the application's login; if the server has no separate login, it connects as the owner.
DO $$ DECLARE
  app text := nullif(current_setting('lintel.app_role', true), '');
BEGIN
  IF app IS NOT NULL THEN
    EXECUTE format('GRANT EXECUTE ON FUNCTION sequence_events(), start_epoch(uuid) TO %I', app);
  END IF;
END $$;
