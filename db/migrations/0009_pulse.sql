CREATE TABLE "building_pulses" (
	"building_id" uuid PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"moved_at" timestamp(3) with time zone NOT NULL,
	"moves_at" timestamp(3) with time zone,
	"open_low" integer DEFAULT 0 NOT NULL,
	"open_medium" integer DEFAULT 0 NOT NULL,
	"open_high" integer DEFAULT 0 NOT NULL,
	"open_critical" integer DEFAULT 0 NOT NULL,
	"overdue_issues" integer DEFAULT 0 NOT NULL,
	"checks_due" integer DEFAULT 0 NOT NULL,
	"checks_done" integer DEFAULT 0 NOT NULL,
	"checks_missed" integer DEFAULT 0 NOT NULL,
	"tasks_compliant" integer DEFAULT 0 NOT NULL,
	"tasks_non_compliant" integer DEFAULT 0 NOT NULL,
	"tasks_overdue" integer DEFAULT 0 NOT NULL,
	"tasks_due_this_week" integer DEFAULT 0 NOT NULL,
	"opened" integer[] DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0}' NOT NULL,
	"closed" integer[] DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0}' NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pulse_changes" (
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"building_id" uuid NOT NULL,
	"sign" smallint DEFAULT 0 NOT NULL,
	"priority" text,
	"opened_at" timestamp(3) with time zone,
	"closed_at" timestamp(3) with time zone,
	"due" date,
	"covered_until" date,
	"is_marked" boolean DEFAULT false NOT NULL,
	"of_checks" boolean DEFAULT false NOT NULL,
	"of_building" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pulse_kinds" (
	"kind" text PRIMARY KEY NOT NULL,
	"cadence" text NOT NULL,
	"subject_types" text[],
	"is_counted" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pulse_state" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"moved_at" timestamp(3) with time zone NOT NULL,
	"compared_at" timestamp(3) with time zone,
	"compared" integer DEFAULT 0 NOT NULL,
	"differed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "pulse_state_one" CHECK ("pulse_state"."one")
);
--> statement-breakpoint
ALTER TABLE "building_pulses" ADD CONSTRAINT "building_pulses_building_id_buildings_id_fk" FOREIGN KEY ("building_id") REFERENCES "public"."buildings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pulse_changes_tx" ON "pulse_changes" USING btree ("tx","building_id");--> statement-breakpoint
-- The figures of buildings, kept by triggers like `issue_tallies`. A trigger of each table that is counted notes what a
-- statement changed in `pulse_changes`, which locks nothing. While the transaction commits, the notes are folded into the
-- rows of their buildings, in the order of the buildings: so a row is locked for the commit alone, and there is no
-- deadlock. Every row that is written passes here, whichever command, import or job writes it.
ALTER TABLE "pulse_changes" SET UNLOGGED;
--> statement-breakpoint
-- Room in each page, so that an update needs no new index entry.
ALTER TABLE "building_pulses" SET (fillfactor = 70);
--> statement-breakpoint
INSERT INTO "pulse_kinds" ("kind", "cadence", "subject_types", "is_counted") VALUES
  ('fire_alarm_test', 'weekly', NULL, true),
  ('emergency_lighting_test', 'monthly', '{emergency_light}', true),
  ('water_temperature_check', 'monthly', '{water_outlet}', true),
  ('outlet_flushing', 'weekly', '{water_outlet}', true),
  ('call_point_visual_check', 'weekly', '{call_point,panel}', false);
--> statement-breakpoint
INSERT INTO "pulse_state" ("moved_at")
  SELECT CASE WHEN EXISTS (SELECT FROM "buildings") THEN clock_timestamp() ELSE 'epoch' END;
--> statement-breakpoint
-- An issue is overdue 30 days after it was opened; in hours, because days differ in length.
CREATE FUNCTION "issue_overdue_after"() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '720 hours' $$;
--> statement-breakpoint
CREATE FUNCTION "monday_of"(p_day date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT p_day - (extract(isodow FROM p_day)::integer - 1)
$$;
--> statement-breakpoint
-- The place of a moment's week among the twelve that end with the week of a day, from 1; outside of them it is another
-- number.
CREATE FUNCTION "pulse_week"(p_day date, p_at timestamp with time zone, p_zone text) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT 12 - (public.monday_of(p_day) - public.monday_of((p_at AT TIME ZONE p_zone)::date)) / 7
$$;
--> statement-breakpoint
-- Judges the checks of a building on a day, as the cards do (`server/features/checks/check-cards.queries.ts`).
CREATE FUNCTION "judge_checks"(p_building uuid, p_day date, OUT due integer, OUT done integer, OUT missed integer)
LANGUAGE sql STABLE AS $$
  SELECT count(*) FILTER (WHERE is_due AND NOT is_overdue)::integer, count(*) FILTER (WHERE NOT is_due AND NOT is_overdue)::integer,
    count(*) FILTER (WHERE is_overdue)::integer
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
  ) kinds
$$;
--> statement-breakpoint
-- Counts all figures of a building anew, for the day and the moment that the row has.
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
--> statement-breakpoint
-- The row as clients get it: `buildingPulseSchema` in `shared/features/pulse.ts`.
CREATE FUNCTION "pulse_row"(p public.building_pulses, p_name text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', p.building_id, 'buildingId', p.building_id, 'buildingName', p_name,
    'openIssues', jsonb_build_object('low', p.open_low, 'medium', p.open_medium, 'high', p.open_high, 'critical', p.open_critical),
    'overdueIssues', p.overdue_issues,
    'checks', jsonb_build_object('day', p.day, 'due', p.checks_due, 'done', p.checks_done, 'missed', p.checks_missed),
    'tasks', jsonb_build_object('compliant', p.tasks_compliant, 'nonCompliant', p.tasks_non_compliant,
      'overdue', p.tasks_overdue, 'dueThisWeek', p.tasks_due_this_week),
    'weeks', (SELECT jsonb_agg(jsonb_build_object('week', public.monday_of(p.day) - 7 * (12 - w), 'opened', p.opened[w],
      'closed', p.closed[w]) ORDER BY w) FROM generate_series(1, 12) w),
    'version', p.version,
    'updatedAt', to_char(p.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
--> statement-breakpoint
-- Tells of a changed row. Its changes are the fields that differ, so that sums can be kept without the other rows.
CREATE FUNCTION "tell_pulse"(p_was public.building_pulses, p_is public.building_pulses, p_name text, p_command text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := public.pulse_row(p_was, p_name);
  is_now jsonb := public.pulse_row(p_is, p_name);
BEGIN
  INSERT INTO public.outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
  VALUES ('building:' || p_is.building_id, p_is.updated_at, p_command, 'buildingPulse', p_is.building_id, 'put', p_is.version,
    'view_dashboard', ARRAY[p_is.building_id], json_build_object('row', is_now, 'changes', (
      SELECT coalesce(jsonb_object_agg(key, jsonb_build_array(was -> key, value)), '{}') FROM jsonb_each(is_now)
      WHERE key IN ('openIssues', 'overdueIssues', 'checks', 'tasks', 'weeks') AND value IS DISTINCT FROM was -> key))::text);
END $$;
--> statement-breakpoint
-- Many rows have changed: one event, so that other changes do not wait behind thousands.
CREATE FUNCTION "tell_pulses"(p_buildings uuid[], p_command text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
  VALUES ('org', clock_timestamp(), p_command, 'buildingPulse', p_buildings[1], 'bulk', 0, 'view_dashboard', p_buildings, '{}')
$$;
--> statement-breakpoint
-- Folds what the present transaction has changed. Runs for each note; the first run finds all of them. Sequential scans are
-- off, because a long snapshot (a dump) keeps the removed notes of others.
CREATE FUNCTION "fold_pulse_changes"() RETURNS trigger LANGUAGE plpgsql
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
CREATE CONSTRAINT TRIGGER "pulse_changes_folded" AFTER INSERT ON "pulse_changes"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "fold_pulse_changes"();
--> statement-breakpoint
-- Moves rows that time alone changes, at most so many, in the order of their buildings. At the end of a day it first
-- compares them with what they count.
-- @returns a row for each, with what was kept and what was right where the two differ
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
      -- An instant that has passed meanwhile is early, not wrong.
      truth.moves_at := was.moves_at;
      IF truth IS DISTINCT FROM was THEN
        kept := public.pulse_row(was, '');
        counted := public.pulse_row(truth, '');
      END IF;
    END IF;
    is_now := public.count_pulse(is_now, zone);
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
    ids := ids || was.building_id;
    -- Of more, only the bulk event tells.
    IF p_most <= 100 THEN
      SELECT b.name INTO name FROM public.buildings b WHERE b.id = was.building_id;
      PERFORM public.tell_pulse(was, is_now, name, 'pulse.move');
    END IF;
    RETURN NEXT;
  END LOOP;
  IF p_most > 100 AND cardinality(ids) > 0 THEN PERFORM public.tell_pulses(ids, 'pulse.move'); END IF;
END $$;
--> statement-breakpoint
-- What an issue counts for; a row without a building counts for nothing.
CREATE FUNCTION "note_issues"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, sign, priority, opened_at, closed_at)
      SELECT building_id, 1, CASE WHEN status IN ('open', 'in_progress') THEN priority END, created_at,
        CASE WHEN status IN ('resolved', 'closed') THEN resolved_at END FROM after;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.pulse_changes (building_id, sign, priority, opened_at, closed_at)
      SELECT building_id, -1, CASE WHEN status IN ('open', 'in_progress') THEN priority END, created_at,
        CASE WHEN status IN ('resolved', 'closed') THEN resolved_at END FROM before;
  ELSE
    INSERT INTO public.pulse_changes (building_id, sign, priority, opened_at, closed_at)
      SELECT n.* FROM before b JOIN after a USING (id)
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
CREATE TRIGGER "building_issues_noted_made" AFTER INSERT ON "building_issues" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_issues"();
--> statement-breakpoint
CREATE TRIGGER "building_issues_noted" AFTER UPDATE ON "building_issues" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_issues"();
--> statement-breakpoint
CREATE TRIGGER "building_issues_noted_gone" AFTER DELETE ON "building_issues" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION "note_issues"();
--> statement-breakpoint
-- Tasks are never deleted and never leave their building.
CREATE FUNCTION "note_tasks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, sign, due, covered_until, is_marked)
      SELECT location_id, 1, due, covered_until, marked_on IS NOT NULL FROM after WHERE retired_at IS NULL AND is_due;
  ELSE
    INSERT INTO public.pulse_changes (building_id, sign, due, covered_until, is_marked)
      SELECT n.building_id, n.sign, n.due, n.covered_until, n.is_marked FROM before b JOIN after a USING (id)
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
CREATE TRIGGER "tasks_noted_made" AFTER INSERT ON "tasks" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_tasks"();
--> statement-breakpoint
CREATE TRIGGER "tasks_noted" AFTER UPDATE ON "tasks" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_tasks"();
--> statement-breakpoint
-- What the checks of a building are judged by: the days on which they were done, their schedules, and its assets.
CREATE FUNCTION "note_checks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, of_checks) SELECT DISTINCT building_id, true FROM after;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.pulse_changes (building_id, of_checks) SELECT DISTINCT building_id, true FROM before;
  ELSE
    INSERT INTO public.pulse_changes (building_id, of_checks)
      SELECT DISTINCT building_id, true FROM (SELECT * FROM after EXCEPT SELECT * FROM before) changed;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "check_schedules_noted_made" AFTER INSERT ON "check_schedules" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();
--> statement-breakpoint
CREATE TRIGGER "check_schedules_noted" AFTER UPDATE ON "check_schedules" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();
--> statement-breakpoint
CREATE TRIGGER "check_plans_noted_made" AFTER INSERT ON "check_plans" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();
--> statement-breakpoint
CREATE TRIGGER "check_plans_noted_gone" AFTER DELETE ON "check_plans" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION "note_checks"();
--> statement-breakpoint
-- A kind applies where there is an asset of its types in use, so most changes of assets change nothing.
CREATE FUNCTION "note_assets"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.pulse_changes (building_id, of_checks)
      SELECT DISTINCT building_id, true FROM after WHERE effective_type <> 'asset';
  ELSE
    INSERT INTO public.pulse_changes (building_id, of_checks)
      SELECT DISTINCT n.building_id, true FROM before b JOIN after a USING (id)
      CROSS JOIN LATERAL (VALUES (b.building_id), (a.building_id)) n(building_id)
      WHERE (b.building_id, b.effective_type, b.retired_at IS NULL) IS DISTINCT FROM
        (a.building_id, a.effective_type, a.retired_at IS NULL);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "assets_noted_made" AFTER INSERT ON "assets" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_assets"();
--> statement-breakpoint
CREATE TRIGGER "assets_noted" AFTER UPDATE ON "assets" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_assets"();
--> statement-breakpoint
CREATE FUNCTION "note_buildings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.building_pulses (building_id, day, moved_at, updated_at)
      SELECT id, created_at::date, created_at, created_at FROM after;
    INSERT INTO public.pulse_changes (building_id, of_building) SELECT id, true FROM after;
  ELSE
    INSERT INTO public.pulse_changes (building_id, of_building)
      SELECT a.id, true FROM before b JOIN after a USING (id)
      WHERE b.name <> a.name OR (b.archived_at IS NULL) <> (a.archived_at IS NULL);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "buildings_noted_made" AFTER INSERT ON "buildings" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_buildings"();
--> statement-breakpoint
CREATE TRIGGER "buildings_noted" AFTER UPDATE ON "buildings" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION "note_buildings"();
--> statement-breakpoint
-- The buildings that are there already are counted as this migration commits; until then nobody writes what they count.
INSERT INTO "building_pulses" ("building_id", "day", "moved_at", "updated_at")
  SELECT "id", "created_at"::date, "created_at", "created_at" FROM "buildings";
--> statement-breakpoint
INSERT INTO "pulse_changes" ("building_id", "of_building") SELECT "id", true FROM "buildings";
