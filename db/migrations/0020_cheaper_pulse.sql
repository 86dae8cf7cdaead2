-- What a save costs for the pulse, once more. The expressions of a PL/pgSQL function are prepared anew in every transaction,
-- and `json_build_object` looks up the type of each value at every call: so notes are added up one by one instead of by
-- aggregates with a dozen conditions, and the row is put together from texts.
--
-- The place of a moment's week among the twelve that end with the week of a day, from 1; outside of them it is another
-- number.
CREATE OR REPLACE FUNCTION "pulse_week"(p_day date, p_at timestamp with time zone, p_zone text) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT ((p_at AT TIME ZONE p_zone)::date - public.monday_of(p_day) + 84) / 7
$$;
--> statement-breakpoint
-- The parts of a row as clients get it, and the row: `buildingPulseSchema` in `shared/features/pulse/pulse.ts`.
DROP FUNCTION "pulse_row"("building_pulses", text), "pulse_weeks"("building_pulses"), "pulse_open_issues"("building_pulses"),
  "pulse_checks"("building_pulses"), "pulse_tasks"("building_pulses");
--> statement-breakpoint
CREATE FUNCTION "pulse_open_issues"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"low":' || p.open_low || ',"medium":' || p.open_medium || ',"high":' || p.open_high
    || ',"critical":' || p.open_critical || '}'
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_checks"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"day":"' || to_char(p.day, 'YYYY-MM-DD') || '","due":' || p.checks_due || ',"done":' || p.checks_done
    || ',"missed":' || p.checks_missed || '}'
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_tasks"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"compliant":' || p.tasks_compliant || ',"nonCompliant":' || p.tasks_non_compliant
    || ',"overdue":' || p.tasks_overdue || ',"dueThisWeek":' || p.tasks_due_this_week || '}'
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_weeks"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"last":"' || to_char(public.monday_of(p.day), 'YYYY-MM-DD') || '","opened":' || array_to_json(p.opened)
    || ',"closed":' || array_to_json(p.closed) || '}'
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_row"(p public.building_pulses, p_name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"id":"' || p.building_id || '","buildingId":"' || p.building_id || '","buildingName":' || to_json(p_name)
    || ',"openIssues":' || public.pulse_open_issues(p) || ',"overdueIssues":' || p.overdue_issues
    || ',"checks":' || public.pulse_checks(p) || ',"tasks":' || public.pulse_tasks(p) || ',"weeks":' || public.pulse_weeks(p)
    || ',"version":' || p.version
    || ',"updatedAt":"' || to_char(p.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'
$$;
--> statement-breakpoint
-- Tells of a changed row. Its changes are the fields that differ, so that sums can be kept without the other rows; only
-- of those the former value is built.
CREATE OR REPLACE FUNCTION "tell_pulse"(p_was public.building_pulses, p_is public.building_pulses, p_name text, p_command text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changes text := '';
BEGIN
  IF (p_was.open_low, p_was.open_medium, p_was.open_high, p_was.open_critical)
    <> (p_is.open_low, p_is.open_medium, p_is.open_high, p_is.open_critical) THEN
    changes := changes || ',"openIssues":[' || public.pulse_open_issues(p_was) || ',' || public.pulse_open_issues(p_is) || ']';
  END IF;
  IF p_was.overdue_issues <> p_is.overdue_issues THEN
    changes := changes || ',"overdueIssues":[' || p_was.overdue_issues || ',' || p_is.overdue_issues || ']';
  END IF;
  IF (p_was.day, p_was.checks_due, p_was.checks_done, p_was.checks_missed)
    <> (p_is.day, p_is.checks_due, p_is.checks_done, p_is.checks_missed) THEN
    changes := changes || ',"checks":[' || public.pulse_checks(p_was) || ',' || public.pulse_checks(p_is) || ']';
  END IF;
  IF (p_was.tasks_compliant, p_was.tasks_non_compliant, p_was.tasks_overdue, p_was.tasks_due_this_week)
    <> (p_is.tasks_compliant, p_is.tasks_non_compliant, p_is.tasks_overdue, p_is.tasks_due_this_week) THEN
    changes := changes || ',"tasks":[' || public.pulse_tasks(p_was) || ',' || public.pulse_tasks(p_is) || ']';
  END IF;
  IF (public.monday_of(p_was.day), p_was.opened, p_was.closed) <> (public.monday_of(p_is.day), p_is.opened, p_is.closed) THEN
    changes := changes || ',"weeks":[' || public.pulse_weeks(p_was) || ',' || public.pulse_weeks(p_is) || ']';
  END IF;
  INSERT INTO public.outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
  VALUES ('building:' || p_is.building_id, p_is.updated_at, p_command, 'buildingPulse', p_is.building_id, 'put', p_is.version,
    'view_dashboard', ARRAY[p_is.building_id],
    '{"row":' || public.pulse_row(p_is, p_name) || ',"changes":{' || substr(changes, 2) || '}}');
END $$;
--> statement-breakpoint
-- Folds what the present transaction has changed. Runs once for each statement that noted something; the first run finds
-- all notes. Sequential scans are off, because a long snapshot (a dump) keeps the removed notes of others.
CREATE OR REPLACE FUNCTION "fold_pulse_changes"() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  mine xid8 := pg_current_xact_id();
  ids uuid[];
  told uuid[];
  building record;
  was public.building_pulses;
  is_now public.building_pulses;
  note public.pulse_changes;
  week integer;
  of_checks boolean;
  of_building boolean;
BEGIN
  SELECT array_agg(DISTINCT building_id) INTO ids FROM public.pulse_changes WHERE tx = mine;
  IF ids IS NULL THEN RETURN NULL; END IF;
  FOR building IN
    SELECT p AS pulse, b.name, b.archived_at, coalesce((SELECT time_zone FROM public.settings), 'Europe/London') AS zone
    FROM public.building_pulses p JOIN public.buildings b ON b.id = p.building_id
    WHERE p.building_id = ANY (ids) ORDER BY p.building_id FOR NO KEY UPDATE OF p
  LOOP
    was := building.pulse;
    is_now := was;
    of_checks := false;
    of_building := false;
    FOR note IN SELECT * FROM public.pulse_changes WHERE tx = mine AND building_id = was.building_id LOOP
      of_checks := of_checks OR note.of_checks;
      of_building := of_building OR note.of_building;
      IF note.opened_at IS NOT NULL THEN
        IF note.priority = 'low' THEN is_now.open_low := is_now.open_low + note.sign;
        ELSIF note.priority = 'medium' THEN is_now.open_medium := is_now.open_medium + note.sign;
        ELSIF note.priority = 'high' THEN is_now.open_high := is_now.open_high + note.sign;
        ELSIF note.priority = 'critical' THEN is_now.open_critical := is_now.open_critical + note.sign;
        END IF;
        IF note.priority IS NULL THEN NULL;
        ELSIF note.opened_at <= was.moved_at - public.issue_overdue_after() THEN
          is_now.overdue_issues := is_now.overdue_issues + note.sign;
        ELSIF note.sign > 0 THEN
          is_now.moves_at := least(is_now.moves_at, note.opened_at + public.issue_overdue_after());
        END IF;
        week := public.pulse_week(was.day, note.opened_at, building.zone);
        IF week BETWEEN 1 AND 12 THEN is_now.opened[week] := is_now.opened[week] + note.sign; END IF;
        week := public.pulse_week(was.day, note.closed_at, building.zone);
        IF week BETWEEN 1 AND 12 THEN is_now.closed[week] := is_now.closed[week] + note.sign; END IF;
      ELSIF note.due IS NOT NULL THEN
        IF NOT note.is_marked AND note.covered_until >= was.day THEN
          is_now.tasks_compliant := is_now.tasks_compliant + note.sign;
        ELSE
          is_now.tasks_non_compliant := is_now.tasks_non_compliant + note.sign;
          IF note.due < was.day THEN is_now.tasks_overdue := is_now.tasks_overdue + note.sign; END IF;
        END IF;
        IF note.due BETWEEN was.day AND was.day + 7 THEN
          is_now.tasks_due_this_week := is_now.tasks_due_this_week + note.sign;
        END IF;
      END IF;
    END LOOP;
    IF building.archived_at IS NOT NULL THEN
      is_now := was;
      is_now.moves_at := NULL;
    ELSIF was.moves_at IS NULL THEN
      -- Added or restored: the figures have not been kept.
      is_now := was;
      SELECT greatest(was.moved_at, s.moved_at) INTO is_now.moved_at FROM public.pulse_state s;
      is_now.day := (is_now.moved_at AT TIME ZONE building.zone)::date;
      is_now := public.count_pulse(is_now, building.zone);
    ELSIF of_checks THEN
      SELECT c.due, c.done, c.missed INTO is_now.checks_due, is_now.checks_done, is_now.checks_missed
        FROM public.judge_checks(was.building_id, was.day) c;
    END IF;
    CONTINUE WHEN is_now IS NOT DISTINCT FROM was AND NOT of_building;
    UPDATE public.building_pulses p SET (day, moved_at, moves_at, open_low, open_medium, open_high, open_critical,
        overdue_issues, checks_due, checks_done, checks_missed, tasks_compliant, tasks_non_compliant, tasks_overdue,
        tasks_due_this_week, opened, closed, version, updated_at)
      = (is_now.day, is_now.moved_at, is_now.moves_at, is_now.open_low, is_now.open_medium, is_now.open_high,
        is_now.open_critical, is_now.overdue_issues, is_now.checks_due, is_now.checks_done, is_now.checks_missed,
        is_now.tasks_compliant, is_now.tasks_non_compliant, is_now.tasks_overdue, is_now.tasks_due_this_week, is_now.opened,
        is_now.closed, p.version + 1, clock_timestamp())
      WHERE p.building_id = was.building_id RETURNING p.version, p.updated_at INTO is_now.version, is_now.updated_at;
    -- Of a building that comes or goes its own event tells.
    CONTINUE WHEN building.archived_at IS NOT NULL OR was.moves_at IS NULL;
    IF cardinality(ids) > 100 THEN told := told || was.building_id;
    ELSE PERFORM public.tell_pulse(was, is_now, building.name, 'pulse.fold');
    END IF;
  END LOOP;
  IF told IS NOT NULL THEN PERFORM public.tell_pulses(told, 'pulse.fold'); END IF;
  DELETE FROM public.pulse_changes WHERE tx = mine;
  RETURN NULL;
END $$;
