-- Notes are folded once for each statement, not once for each note: of 80,000 rows of one statement each run looked at all
-- that the others had left. Functions in PL/pgSQL keep their plans for the session, those in SQL for one call.
ALTER TABLE "pulse_changes" ADD COLUMN "folds" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
-- What an issue counts for; a row without a building counts for nothing.
CREATE OR REPLACE FUNCTION "note_issues"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, sign, priority, opened_at, closed_at, folds)
      SELECT building_id, 1, CASE WHEN status IN ('open', 'in_progress') THEN priority END, created_at,
        CASE WHEN status IN ('resolved', 'closed') THEN resolved_at END, row_number() OVER () = 1 FROM after;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.pulse_changes (building_id, sign, priority, opened_at, closed_at, folds)
      SELECT building_id, -1, CASE WHEN status IN ('open', 'in_progress') THEN priority END, created_at,
        CASE WHEN status IN ('resolved', 'closed') THEN resolved_at END, row_number() OVER () = 1 FROM before;
  ELSE
    INSERT INTO public.pulse_changes (building_id, sign, priority, opened_at, closed_at, folds)
      SELECT n.*, row_number() OVER () = 1 FROM before b JOIN after a USING (id)
      CROSS JOIN LATERAL (VALUES
        (b.building_id, -1, CASE WHEN b.status IN ('open', 'in_progress') THEN b.priority END, b.created_at,
          CASE WHEN b.status IN ('resolved', 'closed') THEN b.resolved_at END),
        (a.building_id, 1, CASE WHEN a.status IN ('open', 'in_progress') THEN a.priority END, a.created_at,
          CASE WHEN a.status IN ('resolved', 'closed') THEN a.resolved_at END)
      ) n(building_id, sign, priority, opened_at, closed_at)
      WHERE (b.building_id, b.created_at) IS DISTINCT FROM (a.building_id, a.created_at)
        OR (CASE WHEN b.status IN ('open', 'in_progress') THEN b.priority END, CASE WHEN b.status IN ('resolved', 'closed') THEN b.resolved_at END)
          IS DISTINCT FROM
          (CASE WHEN a.status IN ('open', 'in_progress') THEN a.priority END, CASE WHEN a.status IN ('resolved', 'closed') THEN a.resolved_at END);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Tasks are never deleted and never leave their building.
CREATE OR REPLACE FUNCTION "note_tasks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, sign, due, covered_until, is_marked, folds)
      SELECT location_id, 1, due, covered_until, marked_on IS NOT NULL, row_number() OVER () = 1 FROM after WHERE retired_at IS NULL AND is_due;
  ELSE
    INSERT INTO public.pulse_changes (building_id, sign, due, covered_until, is_marked, folds)
      SELECT n.building_id, n.sign, n.due, n.covered_until, n.is_marked, row_number() OVER () = 1 FROM before b JOIN after a USING (id)
      CROSS JOIN LATERAL (VALUES
        (b.location_id, -1, b.due, b.covered_until, b.marked_on IS NOT NULL, b.retired_at IS NULL AND b.is_due),
        (a.location_id, 1, a.due, a.covered_until, a.marked_on IS NOT NULL, a.retired_at IS NULL AND a.is_due)
      ) n(building_id, sign, due, covered_until, is_marked, counts)
      WHERE n.counts
        AND (b.location_id, b.due, b.covered_until, b.marked_on IS NULL, b.retired_at IS NULL AND b.is_due) IS DISTINCT FROM
          (a.location_id, a.due, a.covered_until, a.marked_on IS NULL, a.retired_at IS NULL AND a.is_due);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What the checks of a building are judged by: the days on which they were done, their schedules, and its assets.
CREATE OR REPLACE FUNCTION "note_checks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, of_checks, folds)
      SELECT building_id, true, row_number() OVER () = 1 FROM after GROUP BY building_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.pulse_changes (building_id, of_checks, folds)
      SELECT building_id, true, row_number() OVER () = 1 FROM before GROUP BY building_id;
  ELSE
    INSERT INTO public.pulse_changes (building_id, of_checks, folds)
      SELECT building_id, true, row_number() OVER () = 1 FROM (SELECT * FROM after EXCEPT SELECT * FROM before) changed
      GROUP BY building_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A kind applies where there is an asset of its types in use, so most changes of assets change nothing.
CREATE OR REPLACE FUNCTION "note_assets"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, of_checks, folds)
      SELECT building_id, true, row_number() OVER () = 1 FROM after WHERE effective_type <> 'asset' GROUP BY building_id;
  ELSE
    INSERT INTO public.pulse_changes (building_id, of_checks, folds)
      SELECT n.building_id, true, row_number() OVER () = 1 FROM before b JOIN after a USING (id)
      CROSS JOIN LATERAL (VALUES (b.building_id), (a.building_id)) n(building_id)
      WHERE (b.building_id, b.effective_type, b.retired_at IS NULL) IS DISTINCT FROM
        (a.building_id, a.effective_type, a.retired_at IS NULL)
      GROUP BY n.building_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_buildings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.building_pulses (building_id, day, moved_at, updated_at)
      SELECT id, created_at::date, created_at, created_at FROM after;
    INSERT INTO public.pulse_changes (building_id, of_building, folds) SELECT id, true, row_number() OVER () = 1 FROM after;
  ELSE
    INSERT INTO public.pulse_changes (building_id, of_building, folds)
      SELECT a.id, true, row_number() OVER () = 1 FROM before b JOIN after a USING (id)
      WHERE b.name <> a.name OR (b.archived_at IS NULL) <> (a.archived_at IS NULL);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Judges the checks of a building on a day, as the cards do (`server/features/checks/check-cards.queries.ts`).
CREATE OR REPLACE FUNCTION "judge_checks"(p_building uuid, p_day date, OUT due integer, OUT done integer, OUT missed integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT count(*) FILTER (WHERE is_due AND NOT is_overdue)::integer, count(*) FILTER (WHERE NOT is_due AND NOT is_overdue)::integer,
    count(*) FILTER (WHERE is_overdue)::integer
  INTO due, done, missed
  FROM (
    SELECT
      s.last_done_on IS NULL OR s.last_done_on < period.starts
        OR (coalesce(plan.times, 1) > 1 AND (s.done_before_on IS NULL OR s.done_before_on < period.starts)) AS is_due,
      (coalesce(s.last_done_on < period.before, b.added < period.starts) AND coalesce(plan.due_since < period.starts, true))
        OR (coalesce(plan.times, 1) > 1 AND plan.starts_on < period.starts
          AND coalesce(s.done_before_on < period.before, coalesce(s.first_done_on, b.added) < period.starts)) AS is_overdue
    FROM public.pulse_kinds k
    CROSS JOIN LATERAL (
      SELECT CASE k.cadence WHEN 'weekly' THEN p_day - (extract(isodow FROM p_day)::integer + 2) % 7
        ELSE p_day - (extract(day FROM p_day)::integer - 1) END AS starts
    ) present
    CROSS JOIN LATERAL (
      SELECT present.starts,
        CASE k.cadence WHEN 'weekly' THEN present.starts - 7 ELSE (present.starts - interval '1 month')::date END AS before,
        CASE k.cadence WHEN 'weekly' THEN present.starts + 6 ELSE (present.starts + interval '1 month')::date - 1 END AS ends
    ) period
    CROSS JOIN LATERAL (
      SELECT (created_at AT TIME ZONE (SELECT time_zone FROM public.settings))::date AS added
      FROM public.buildings WHERE id = p_building
    ) b
    LEFT JOIN public.check_schedules s ON s.building_id = p_building AND s.kind = k.kind
    LEFT JOIN LATERAL (
      SELECT * FROM public.check_plans p
      WHERE p.building_id = p_building AND p.kind = k.kind AND p.starts_on <= period.ends
      ORDER BY p.starts_on DESC LIMIT 1
    ) plan ON true
    WHERE k.is_counted AND coalesce(plan.is_due, true)
      AND (k.subject_types IS NULL OR s.building_id IS NOT NULL OR EXISTS (
        SELECT FROM public.assets a WHERE a.building_id = p_building AND a.retired_at IS NULL
          AND a.effective_type COLLATE "C" = ANY (k.subject_types)))
  ) kinds;
END $$;
--> statement-breakpoint
-- The parts of a row as clients get it.
CREATE FUNCTION "pulse_open_issues"(p public.building_pulses) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('low', p.open_low, 'medium', p.open_medium, 'high', p.open_high, 'critical', p.open_critical)
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_checks"(p public.building_pulses) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('day', p.day, 'due', p.checks_due, 'done', p.checks_done, 'missed', p.checks_missed)
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_tasks"(p public.building_pulses) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('compliant', p.tasks_compliant, 'nonCompliant', p.tasks_non_compliant,
    'overdue', p.tasks_overdue, 'dueThisWeek', p.tasks_due_this_week)
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_weeks"(p public.building_pulses) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT jsonb_agg(jsonb_build_object('week', public.monday_of(p.day) - 7 * (12 - w), 'opened', p.opened[w],
    'closed', p.closed[w]) ORDER BY w) FROM generate_series(1, 12) w);
END $$;
--> statement-breakpoint
-- The row as clients get it: `buildingPulseSchema` in `shared/features/pulse.ts`.
CREATE OR REPLACE FUNCTION "pulse_row"(p public.building_pulses, p_name text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN jsonb_build_object(
    'id', p.building_id, 'buildingId', p.building_id, 'buildingName', p_name, 'openIssues', public.pulse_open_issues(p),
    'overdueIssues', p.overdue_issues, 'checks', public.pulse_checks(p), 'tasks', public.pulse_tasks(p),
    'weeks', public.pulse_weeks(p), 'version', p.version,
    'updatedAt', to_char(p.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
END $$;
--> statement-breakpoint
-- Tells of a changed row. Its changes are the fields that differ, so that sums can be kept without the other rows; only
-- of those the former value is built.
CREATE OR REPLACE FUNCTION "tell_pulse"(p_was public.building_pulses, p_is public.building_pulses, p_name text, p_command text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_now jsonb := public.pulse_row(p_is, p_name);
  changes jsonb := '{}';
BEGIN
  IF (p_was.open_low, p_was.open_medium, p_was.open_high, p_was.open_critical)
    <> (p_is.open_low, p_is.open_medium, p_is.open_high, p_is.open_critical) THEN
    changes := changes || jsonb_build_object('openIssues', jsonb_build_array(public.pulse_open_issues(p_was), is_now -> 'openIssues'));
  END IF;
  IF p_was.overdue_issues <> p_is.overdue_issues THEN
    changes := changes || jsonb_build_object('overdueIssues', jsonb_build_array(p_was.overdue_issues, p_is.overdue_issues));
  END IF;
  IF (p_was.day, p_was.checks_due, p_was.checks_done, p_was.checks_missed)
    <> (p_is.day, p_is.checks_due, p_is.checks_done, p_is.checks_missed) THEN
    changes := changes || jsonb_build_object('checks', jsonb_build_array(public.pulse_checks(p_was), is_now -> 'checks'));
  END IF;
  IF (p_was.tasks_compliant, p_was.tasks_non_compliant, p_was.tasks_overdue, p_was.tasks_due_this_week)
    <> (p_is.tasks_compliant, p_is.tasks_non_compliant, p_is.tasks_overdue, p_is.tasks_due_this_week) THEN
    changes := changes || jsonb_build_object('tasks', jsonb_build_array(public.pulse_tasks(p_was), is_now -> 'tasks'));
  END IF;
  IF (public.monday_of(p_was.day), p_was.opened, p_was.closed) <> (public.monday_of(p_is.day), p_is.opened, p_is.closed) THEN
    changes := changes || jsonb_build_object('weeks', jsonb_build_array(public.pulse_weeks(p_was), is_now -> 'weeks'));
  END IF;
  INSERT INTO public.outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
  VALUES ('building:' || p_is.building_id, p_is.updated_at, p_command, 'buildingPulse', p_is.building_id, 'put', p_is.version,
    'view_dashboard', ARRAY[p_is.building_id], json_build_object('row', is_now, 'changes', changes)::text);
END $$;
--> statement-breakpoint
-- Folds what the present transaction has changed. Runs once for each statement that noted something; the first run finds
-- all notes. Sequential scans are off, because a long snapshot (a dump) keeps the removed notes of others.
CREATE OR REPLACE FUNCTION "fold_pulse_changes"() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  mine xid8 := pg_current_xact_id();
  ids uuid[];
  told uuid[] := '{}';
  zone text;
  was public.building_pulses;
  is_now public.building_pulses;
  building record;
  noted record;
  week record;
BEGIN
  SELECT array_agg(DISTINCT building_id) INTO ids FROM public.pulse_changes WHERE tx = mine;
  IF ids IS NULL THEN RETURN NULL; END IF;
  SELECT time_zone INTO zone FROM public.settings;
  zone := coalesce(zone, 'Europe/London');
  FOR was IN
    SELECT * FROM public.building_pulses WHERE building_id = ANY (ids) ORDER BY building_id FOR NO KEY UPDATE
  LOOP
    SELECT name, archived_at INTO building FROM public.buildings WHERE id = was.building_id;
    SELECT
        coalesce(sum(sign) FILTER (WHERE priority = 'low'), 0) AS low,
        coalesce(sum(sign) FILTER (WHERE priority = 'medium'), 0) AS medium,
        coalesce(sum(sign) FILTER (WHERE priority = 'high'), 0) AS high,
        coalesce(sum(sign) FILTER (WHERE priority = 'critical'), 0) AS critical,
        coalesce(sum(sign) FILTER (WHERE priority IS NOT NULL
          AND opened_at <= was.moved_at - public.issue_overdue_after()), 0) AS overdue_issues,
        min(opened_at) FILTER (WHERE sign > 0 AND priority IS NOT NULL
          AND opened_at > was.moved_at - public.issue_overdue_after()) AS next_opened,
        coalesce(sum(sign) FILTER (WHERE due IS NOT NULL AND NOT is_marked AND covered_until >= was.day), 0) AS compliant,
        coalesce(sum(sign) FILTER (WHERE due IS NOT NULL), 0) AS tasks,
        coalesce(sum(sign) FILTER (WHERE due < was.day
          AND (is_marked OR coalesce(covered_until < was.day, true))), 0) AS overdue_tasks,
        coalesce(sum(sign) FILTER (WHERE due BETWEEN was.day AND was.day + 7), 0) AS week,
        bool_or(of_checks) AS of_checks, bool_or(of_building) AS of_building,
        bool_or(opened_at IS NOT NULL) AS of_issues
      INTO noted FROM public.pulse_changes WHERE tx = mine AND building_id = was.building_id;
    is_now := was;
    IF building.archived_at IS NOT NULL THEN
      is_now.moves_at := NULL;
    ELSIF was.moves_at IS NULL THEN
      -- Added or restored: the figures have not been kept.
      SELECT greatest(was.moved_at, s.moved_at) INTO is_now.moved_at FROM public.pulse_state s;
      is_now.day := (is_now.moved_at AT TIME ZONE zone)::date;
      is_now := public.count_pulse(is_now, zone);
    ELSE
      is_now.open_low := was.open_low + noted.low;
      is_now.open_medium := was.open_medium + noted.medium;
      is_now.open_high := was.open_high + noted.high;
      is_now.open_critical := was.open_critical + noted.critical;
      is_now.overdue_issues := was.overdue_issues + noted.overdue_issues;
      is_now.moves_at := least(was.moves_at, noted.next_opened + public.issue_overdue_after());
      is_now.tasks_compliant := was.tasks_compliant + noted.compliant;
      is_now.tasks_non_compliant := was.tasks_non_compliant + noted.tasks - noted.compliant;
      is_now.tasks_overdue := was.tasks_overdue + noted.overdue_tasks;
      is_now.tasks_due_this_week := was.tasks_due_this_week + noted.week;
      IF noted.of_issues THEN
        FOR week IN
          SELECT w, sum(opened)::integer AS opened, sum(closed)::integer AS closed FROM (
            SELECT public.pulse_week(was.day, opened_at, zone) AS w, sign AS opened, 0 AS closed
            FROM public.pulse_changes WHERE tx = mine AND building_id = was.building_id AND opened_at IS NOT NULL
            UNION ALL
            SELECT public.pulse_week(was.day, closed_at, zone), 0, sign
            FROM public.pulse_changes WHERE tx = mine AND building_id = was.building_id AND closed_at IS NOT NULL
          ) changed WHERE w BETWEEN 1 AND 12 GROUP BY w
        LOOP
          is_now.opened[week.w] := was.opened[week.w] + week.opened;
          is_now.closed[week.w] := was.closed[week.w] + week.closed;
        END LOOP;
      END IF;
      IF noted.of_checks THEN
        SELECT c.due, c.done, c.missed INTO is_now.checks_due, is_now.checks_done, is_now.checks_missed
          FROM public.judge_checks(was.building_id, was.day) c;
      END IF;
    END IF;
    CONTINUE WHEN is_now IS NOT DISTINCT FROM was AND noted.of_building IS NOT TRUE;
    is_now.version := was.version + 1;
    is_now.updated_at := clock_timestamp();
    UPDATE public.building_pulses p SET (day, moved_at, moves_at, open_low, open_medium, open_high, open_critical,
        overdue_issues, checks_due, checks_done, checks_missed, tasks_compliant, tasks_non_compliant, tasks_overdue,
        tasks_due_this_week, opened, closed, version, updated_at)
      = (is_now.day, is_now.moved_at, is_now.moves_at, is_now.open_low, is_now.open_medium, is_now.open_high,
        is_now.open_critical, is_now.overdue_issues, is_now.checks_due, is_now.checks_done, is_now.checks_missed,
        is_now.tasks_compliant, is_now.tasks_non_compliant, is_now.tasks_overdue, is_now.tasks_due_this_week, is_now.opened,
        is_now.closed, is_now.version, is_now.updated_at)
      WHERE p.building_id = was.building_id;
    -- Of a building that comes or goes its own event tells.
    CONTINUE WHEN building.archived_at IS NOT NULL OR was.moves_at IS NULL;
    IF cardinality(ids) > 100 THEN told := told || was.building_id;
    ELSE PERFORM public.tell_pulse(was, is_now, building.name, 'pulse.fold');
    END IF;
  END LOOP;
  IF cardinality(told) > 0 THEN PERFORM public.tell_pulses(told, 'pulse.fold'); END IF;
  DELETE FROM public.pulse_changes WHERE tx = mine;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER "pulse_changes_folded" ON "pulse_changes";
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "pulse_changes_folded" AFTER INSERT ON "pulse_changes"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.folds) EXECUTE FUNCTION "fold_pulse_changes"();
