-- The figures of buildings (`building_pulses`), updated by triggers like `issue_tallies`. On each table that is counted, a
-- trigger inserts the changes of a statement into `pulse_changes` as notes, which locks no other transaction. While the
-- transaction commits, the notes are added to the figures of their buildings, in the order of the buildings. So a row is
-- locked only during the commit, and there is no deadlock. Triggers see every write, from commands, imports and jobs.
--
-- These functions run at each save. PL/pgSQL caches the plan of a statement for the session, SQL functions only for one
-- call. Expressions are prepared again in every transaction, so a few short ones cost less than one with many conditions.

-- An issue is overdue 30 days after it was opened; in hours, because days differ in length.
CREATE FUNCTION "issue_overdue_after"() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '720 hours' $$;

CREATE FUNCTION "monday_of"(p_day date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT p_day - (extract(isodow FROM p_day)::integer - 1)
$$;

-- Returns the index (1 to 12) of the week of `p_at` among the twelve weeks that end with the week of `p_day`. A time outside
-- these weeks gives a number outside this range.
CREATE FUNCTION "pulse_week"(p_day date, p_at timestamp with time zone, p_zone text) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT ((p_at AT TIME ZONE p_zone)::date - public.monday_of(p_day) + 84) / 7
$$;

-- Counts the checks of a building that are due, done and missed on a day, by the rules of the cards
-- (`server/features/checks/check-cards.queries.ts`).
CREATE FUNCTION "judge_checks"(p_building uuid, p_day date, OUT due integer, OUT done integer, OUT missed integer)
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
      coalesce(s.last_complete_on < period.starts, true) AS is_due,
      coalesce(s.last_complete_on < period.before, least(s.first_done_on, added) < period.starts)
        AND coalesce(plan.due_since < period.starts, true) AS is_overdue
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

-- Counts all figures of a building again from the rows, for the day and time of `p`.
CREATE FUNCTION "count_pulse"(INOUT p public.building_pulses, p_zone text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  next_overdue timestamp with time zone;
  from_monday date := public.monday_of(p.day) - 77;
BEGIN
  SELECT count(*) FILTER (WHERE priority = 'low'), count(*) FILTER (WHERE priority = 'medium'),
      count(*) FILTER (WHERE priority = 'high'), count(*) FILTER (WHERE priority = 'critical'),
      count(*) FILTER (WHERE created_at <= p.moved_at - public.issue_overdue_after()),
      min(created_at) FILTER (WHERE created_at > p.moved_at - public.issue_overdue_after())
    INTO p.open_low, p.open_medium, p.open_high, p.open_critical, p.overdue_issues, next_overdue
    FROM public.building_issues WHERE building_id = p.building_id AND status IN ('open', 'in_progress');
  p.moves_at := least(((p.day + 1)::timestamp AT TIME ZONE p_zone), next_overdue + public.issue_overdue_after());
  SELECT array_agg(coalesce(o.n, 0) ORDER BY w), array_agg(coalesce(c.n, 0) ORDER BY w) INTO p.opened, p.closed
    FROM generate_series(1, 12) w
    LEFT JOIN (
      SELECT public.pulse_week(p.day, created_at, p_zone) AS w, count(*)::integer AS n FROM public.building_issues
      WHERE building_id = p.building_id AND created_at >= (from_monday::timestamp AT TIME ZONE p_zone) GROUP BY 1
    ) o USING (w)
    LEFT JOIN (
      SELECT public.pulse_week(p.day, resolved_at, p_zone) AS w, count(*)::integer AS n FROM public.building_issues
      WHERE building_id = p.building_id AND status IN ('resolved', 'closed')
        AND resolved_at >= (from_monday::timestamp AT TIME ZONE p_zone) GROUP BY 1
    ) c USING (w);
  SELECT count(*) FILTER (WHERE is_compliant), count(*) FILTER (WHERE NOT is_compliant),
      count(*) FILTER (WHERE NOT is_compliant AND due < p.day), count(*) FILTER (WHERE due BETWEEN p.day AND p.day + 7)
    INTO p.tasks_compliant, p.tasks_non_compliant, p.tasks_overdue, p.tasks_due_this_week
    FROM (
      SELECT due, marked_on IS NULL AND coalesce(covered_until >= p.day, false) AS is_compliant FROM public.tasks
      WHERE location_id = p.building_id AND retired_at IS NULL AND is_due
    ) judged;
  SELECT c.due, c.done, c.missed INTO p.checks_due, p.checks_done, p.checks_missed
    FROM public.judge_checks(p.building_id, p.day) c;
END $$;

-- The parts of the row that clients get. They concatenate strings, because `json_build_object` looks up the type of each
-- value at every call.
CREATE FUNCTION "pulse_open_issues"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"low":' || p.open_low || ',"medium":' || p.open_medium || ',"high":' || p.open_high
    || ',"critical":' || p.open_critical || '}'
$$;

CREATE FUNCTION "pulse_checks"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"day":"' || to_char(p.day, 'YYYY-MM-DD') || '","due":' || p.checks_due || ',"done":' || p.checks_done
    || ',"missed":' || p.checks_missed || '}'
$$;

CREATE FUNCTION "pulse_tasks"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"compliant":' || p.tasks_compliant || ',"nonCompliant":' || p.tasks_non_compliant
    || ',"overdue":' || p.tasks_overdue || ',"dueThisWeek":' || p.tasks_due_this_week || '}'
$$;

CREATE FUNCTION "pulse_weeks"(p public.building_pulses) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"last":"' || to_char(public.monday_of(p.day), 'YYYY-MM-DD') || '","opened":' || array_to_json(p.opened)
    || ',"closed":' || array_to_json(p.closed) || '}'
$$;

-- The row that clients get: `buildingPulseSchema` in `shared/features/pulse/pulse.ts`.
CREATE FUNCTION "pulse_row"(p public.building_pulses, p_name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT '{"id":"' || p.building_id || '","buildingId":"' || p.building_id || '","buildingName":' || to_json(p_name)
    || ',"openIssues":' || public.pulse_open_issues(p) || ',"overdueIssues":' || p.overdue_issues
    || ',"checks":' || public.pulse_checks(p) || ',"tasks":' || public.pulse_tasks(p) || ',"weeks":' || public.pulse_weeks(p)
    || ',"version":' || p.version
    || ',"updatedAt":"' || to_char(p.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'
$$;

-- Publishes the event of a changed row. `changes` contains the former and the new value of each field that differs, so that
-- clients can update their sums without the rows of other buildings.
CREATE FUNCTION "tell_pulse"(p_was public.building_pulses, p_is public.building_pulses, p_name text, p_command text)
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

-- Publishes one event for many changed rows, so that other changes do not wait behind thousands of events.
CREATE FUNCTION "tell_pulses"(p_buildings uuid[], p_command text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
  VALUES ('org', clock_timestamp(), p_command, 'buildingPulse', p_buildings[1], 'bulk', 0, 'view_dashboard', p_buildings, '{}')
$$;

-- Saves the figures of a building, and returns the row with its new version.
CREATE FUNCTION "keep_pulse"(INOUT p public.building_pulses) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE public.building_pulses k SET (day, moved_at, moves_at, open_low, open_medium, open_high, open_critical,
      overdue_issues, checks_due, checks_done, checks_missed, tasks_compliant, tasks_non_compliant, tasks_overdue,
      tasks_due_this_week, opened, closed, version, updated_at)
    = (p.day, p.moved_at, p.moves_at, p.open_low, p.open_medium, p.open_high, p.open_critical, p.overdue_issues,
      p.checks_due, p.checks_done, p.checks_missed, p.tasks_compliant, p.tasks_non_compliant, p.tasks_overdue,
      p.tasks_due_this_week, p.opened, p.closed, k.version + 1, clock_timestamp())
    WHERE k.building_id = p.building_id RETURNING k.version, k.updated_at INTO p.version, p.updated_at;
END $$;

-- Adds the notes of the present transaction to the figures. Only the first note of each statement calls it (`folds`), because
-- one statement may write 80,000 notes and each call reads all that are left. The first call processes the notes of the whole
-- transaction. Sequential scans are off, because a long snapshot (such as a dump) keeps deleted notes of other transactions.
CREATE FUNCTION "fold_pulse_changes"() RETURNS trigger LANGUAGE plpgsql
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
      -- The building was added or restored: its figures have not been updated so far.
      is_now := was;
      SELECT greatest(was.moved_at, s.moved_at) INTO is_now.moved_at FROM public.pulse_state s;
      is_now.day := (is_now.moved_at AT TIME ZONE building.zone)::date;
      is_now := public.count_pulse(is_now, building.zone);
    ELSIF of_checks THEN
      SELECT c.due, c.done, c.missed INTO is_now.checks_due, is_now.checks_done, is_now.checks_missed
        FROM public.judge_checks(was.building_id, was.day) c;
    END IF;
    CONTINUE WHEN is_now IS NOT DISTINCT FROM was AND NOT of_building;
    is_now := public.keep_pulse(is_now);
    -- If a building is added, archived or restored, the event of the building tells clients to fetch its figures.
    CONTINUE WHEN building.archived_at IS NOT NULL OR was.moves_at IS NULL;
    IF cardinality(ids) > 100 THEN told := told || was.building_id;
    ELSE PERFORM public.tell_pulse(was, is_now, building.name, 'pulse.fold');
    END IF;
  END LOOP;
  IF told IS NOT NULL THEN PERFORM public.tell_pulses(told, 'pulse.fold'); END IF;
  DELETE FROM public.pulse_changes WHERE tx = mine;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "pulse_changes_folded" AFTER INSERT ON "pulse_changes"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.folds) EXECUTE FUNCTION "fold_pulse_changes"();

-- Updates the figures that change only because time passes (a day ends, an issue becomes overdue), of at most `p_most`
-- buildings, in the order of the buildings. When the day changes, it first compares the stored figures with a new count.
-- Returns a row for each building, with both if they differ: the stored figures (`kept`) and the new count (`counted`).
CREATE FUNCTION "move_pulses"(p_at timestamp with time zone, p_most integer)
RETURNS TABLE (building_id uuid, compared boolean, kept jsonb, counted jsonb) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  zone text;
  was public.building_pulses;
  truth public.building_pulses;
  is_now public.building_pulses;
  name text;
  ids uuid[] := '{}';
BEGIN
  SELECT time_zone INTO zone FROM public.settings;
  FOR was IN
    SELECT * FROM public.building_pulses p WHERE p.moves_at <= p_at ORDER BY p.building_id LIMIT p_most FOR NO KEY UPDATE
  LOOP
    is_now := was;
    is_now.moved_at := greatest(p_at, was.moved_at);
    is_now.day := (is_now.moved_at AT TIME ZONE zone)::date;
    building_id := was.building_id;
    compared := is_now.day <> was.day;
    kept := NULL;
    counted := NULL;
    IF compared THEN
      truth := public.count_pulse(was, zone);
      -- The stored time of the next change may be earlier than needed, which is harmless: for example after an issue was closed.
      truth.moves_at := was.moves_at;
      IF truth IS DISTINCT FROM was THEN
        kept := public.pulse_row(was, '');
        counted := public.pulse_row(truth, '');
      END IF;
    END IF;
    is_now := public.count_pulse(is_now, zone);
    is_now := public.keep_pulse(is_now);
    ids := ids || was.building_id;
    -- For more buildings, only the bulk event below is published.
    IF p_most <= 100 THEN
      SELECT b.name INTO name FROM public.buildings b WHERE b.id = was.building_id;
      PERFORM public.tell_pulse(was, is_now, name, 'pulse.move');
    END IF;
    RETURN NEXT;
  END LOOP;
  IF p_most > 100 AND cardinality(ids) > 0 THEN PERFORM public.tell_pulses(ids, 'pulse.move'); END IF;
END $$;

-- Notes the changed issues.
CREATE FUNCTION "note_issues"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "building_issues_noted_made" AFTER INSERT ON "building_issues" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_issues"();

CREATE TRIGGER "building_issues_noted" AFTER UPDATE ON "building_issues" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_issues"();

CREATE TRIGGER "building_issues_noted_gone" AFTER DELETE ON "building_issues" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION "note_issues"();

-- Notes the changed tasks. Tasks are never deleted and never move to another building.
CREATE FUNCTION "note_tasks"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "tasks_noted_made" AFTER INSERT ON "tasks" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_tasks"();

CREATE TRIGGER "tasks_noted" AFTER UPDATE ON "tasks" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_tasks"();

-- Notes the buildings whose checks must be counted again, because check schedules or plans have changed.
CREATE FUNCTION "note_checks"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "check_schedules_noted_made" AFTER INSERT ON "check_schedules" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();

CREATE TRIGGER "check_schedules_noted" AFTER UPDATE ON "check_schedules" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();

CREATE TRIGGER "check_plans_noted_made" AFTER INSERT ON "check_plans" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();

CREATE TRIGGER "check_plans_noted_gone" AFTER DELETE ON "check_plans" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();

-- Notes the buildings whose checks must be counted again, because a kind applies only where an asset of its types is in use.
-- Most changes of assets do not affect this.
CREATE FUNCTION "note_assets"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "assets_noted_made" AFTER INSERT ON "assets" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_assets"();

CREATE TRIGGER "assets_noted" AFTER UPDATE ON "assets" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_assets"();

CREATE FUNCTION "note_buildings"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "buildings_noted_made" AFTER INSERT ON "buildings" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_buildings"();

CREATE TRIGGER "buildings_noted" AFTER UPDATE ON "buildings" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_buildings"();
