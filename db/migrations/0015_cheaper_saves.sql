-- The same for less processor time. Functions that run at each save keep one plan for all values: it is an index scan in
-- any case, and where a list of ids is short, Postgres would plan anew for each.
ALTER FUNCTION "sequence_events"() SET plan_cache_mode = force_generic_plan;
--> statement-breakpoint
ALTER FUNCTION "outbox_waiting"(integer) SET plan_cache_mode = force_generic_plan;
--> statement-breakpoint
ALTER FUNCTION "fold_pulse_changes"() SET plan_cache_mode = force_generic_plan;
--> statement-breakpoint
-- Judges the checks of a building on a day, as the cards do (`server/features/checks/check-cards.queries.ts`). The dates
-- are reckoned beforehand: in the query each of them would be a copy of its expression at every place that uses it.
CREATE OR REPLACE FUNCTION "judge_checks"(p_building uuid, p_day date, OUT due integer, OUT done integer, OUT missed integer)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  added date;
  week date := p_day - (extract(isodow FROM p_day)::integer + 2) % 7;
  month date := p_day - (extract(day FROM p_day)::integer - 1);
  month_before date := (month - interval '1 month')::date;
  month_ends date := (month + interval '1 month')::date - 1;
BEGIN
  SELECT (b.created_at AT TIME ZONE s.time_zone)::date INTO added
    FROM public.buildings b, public.settings s WHERE b.id = p_building;
  SELECT count(*) FILTER (WHERE is_due AND NOT is_overdue)::integer, count(*) FILTER (WHERE NOT is_due AND NOT is_overdue)::integer,
    count(*) FILTER (WHERE is_overdue)::integer
  INTO due, done, missed
  FROM (
    SELECT
      s.last_done_on IS NULL OR s.last_done_on < period.starts
        OR (coalesce(plan.times, 1) > 1 AND (s.done_before_on IS NULL OR s.done_before_on < period.starts)) AS is_due,
      (coalesce(s.last_done_on < period.before, added < period.starts) AND coalesce(plan.due_since < period.starts, true))
        OR (coalesce(plan.times, 1) > 1 AND plan.starts_on < period.starts
          AND coalesce(s.done_before_on < period.before, coalesce(s.first_done_on, added) < period.starts)) AS is_overdue
    FROM public.pulse_kinds k
    CROSS JOIN LATERAL (
      SELECT CASE k.cadence WHEN 'weekly' THEN week ELSE month END AS starts,
        CASE k.cadence WHEN 'weekly' THEN week - 7 ELSE month_before END AS before,
        CASE k.cadence WHEN 'weekly' THEN week + 6 ELSE month_ends END AS ends
    ) period
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
-- The parts of a row as clients get it. They are text from the beginning, because the row is written as text.
DROP FUNCTION "pulse_row"("building_pulses", text), "pulse_weeks"("building_pulses"), "pulse_open_issues"("building_pulses"),
  "pulse_checks"("building_pulses"), "pulse_tasks"("building_pulses");
--> statement-breakpoint
CREATE FUNCTION "pulse_open_issues"(p public.building_pulses) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('low', p.open_low, 'medium', p.open_medium, 'high', p.open_high, 'critical', p.open_critical)
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_checks"(p public.building_pulses) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('day', p.day, 'due', p.checks_due, 'done', p.checks_done, 'missed', p.checks_missed)
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_tasks"(p public.building_pulses) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('compliant', p.tasks_compliant, 'nonCompliant', p.tasks_non_compliant,
    'overdue', p.tasks_overdue, 'dueThisWeek', p.tasks_due_this_week)
$$;
--> statement-breakpoint
CREATE FUNCTION "pulse_weeks"(p public.building_pulses) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  opened integer[] := p.opened;
  closed integer[] := p.closed;
  week date := public.monday_of(p.day) - 77;
  weeks text := '[';
BEGIN
  FOR w IN 1..12 LOOP
    weeks := weeks || CASE w WHEN 1 THEN '{"week":"' ELSE ',{"week":"' END || to_char(week, 'YYYY-MM-DD')
      || '","opened":' || opened[w] || ',"closed":' || closed[w] || '}';
    week := week + 7;
  END LOOP;
  RETURN (weeks || ']')::json;
END $$;
--> statement-breakpoint
-- The row as clients get it: `buildingPulseSchema` in `shared/features/pulse.ts`.
CREATE FUNCTION "pulse_row"(p public.building_pulses, p_name text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN json_build_object(
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
  is_now json := public.pulse_row(p_is, p_name);
  changes text := '';
BEGIN
  IF (p_was.open_low, p_was.open_medium, p_was.open_high, p_was.open_critical)
    <> (p_is.open_low, p_is.open_medium, p_is.open_high, p_is.open_critical) THEN
    changes := changes || ',"openIssues":' || json_build_array(public.pulse_open_issues(p_was), public.pulse_open_issues(p_is));
  END IF;
  IF p_was.overdue_issues <> p_is.overdue_issues THEN
    changes := changes || ',"overdueIssues":' || json_build_array(p_was.overdue_issues, p_is.overdue_issues);
  END IF;
  IF (p_was.day, p_was.checks_due, p_was.checks_done, p_was.checks_missed)
    <> (p_is.day, p_is.checks_due, p_is.checks_done, p_is.checks_missed) THEN
    changes := changes || ',"checks":' || json_build_array(public.pulse_checks(p_was), public.pulse_checks(p_is));
  END IF;
  IF (p_was.tasks_compliant, p_was.tasks_non_compliant, p_was.tasks_overdue, p_was.tasks_due_this_week)
    <> (p_is.tasks_compliant, p_is.tasks_non_compliant, p_is.tasks_overdue, p_is.tasks_due_this_week) THEN
    changes := changes || ',"tasks":' || json_build_array(public.pulse_tasks(p_was), public.pulse_tasks(p_is));
  END IF;
  IF (public.monday_of(p_was.day), p_was.opened, p_was.closed) <> (public.monday_of(p_is.day), p_is.opened, p_is.closed) THEN
    changes := changes || ',"weeks":' || json_build_array(public.pulse_weeks(p_was), is_now -> 'weeks');
  END IF;
  INSERT INTO public.outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
  VALUES ('building:' || p_is.building_id, p_is.updated_at, p_command, 'buildingPulse', p_is.building_id, 'put', p_is.version,
    'view_dashboard', ARRAY[p_is.building_id], '{"row":' || is_now || ',"changes":{' || substr(changes, 2) || '}}');
END $$;
