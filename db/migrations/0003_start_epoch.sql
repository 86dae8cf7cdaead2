-- A new epoch makes every client take fresh snapshots (server/live/SPEC.md, rule T3). `p_old` is the epoch that the
-- caller knows, so that several processes that notice the same thing start one epoch and not several.
CREATE FUNCTION "start_epoch"(p_old uuid) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  now_is uuid;
BEGIN
  SELECT epoch INTO now_is FROM public.stream_head FOR UPDATE;
  IF now_is = p_old THEN
    UPDATE public.stream_head SET epoch = gen_random_uuid() RETURNING epoch INTO now_is;
    PERFORM pg_notify('lintel', '');
  END IF;
  RETURN now_is;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "start_epoch"(uuid) FROM PUBLIC;
