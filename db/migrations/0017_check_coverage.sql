-- A period is complete as ruling T23 has it: the alarm with one call point, every other kind with each subject in use, on as
-- many days as the schedule asks for. It is judged here alone; cards, logs, the pulse and tasks read what was found.
ALTER TABLE "check_schedules" ADD COLUMN "last_complete_on" date;
--> statement-breakpoint
ALTER TABLE "check_schedules" DROP COLUMN "done_before_on";
--> statement-breakpoint
-- What was tested of a kind at a building in a period: each subject with the days on which it was, the earliest first. A line without a result counts for nothing, nor does one that was corrected; of the lighting tests the monthly
-- one counts, because the annual one is a duty of its own.
CREATE FUNCTION "check_tested"(p_building uuid, p_kind text, p_start date, p_end date)
RETURNS TABLE (subject_key text, tested_on date[]) LANGUAGE sql STABLE AS $$
  SELECT e.subject_key, array_agg(DISTINCT v.visit_date)
  FROM public.operative_visits v JOIN public.check_entries e ON e.visit_id = v.id
  WHERE v.location_id = p_building AND v.visit_type = p_kind AND v.visit_date BETWEEN p_start AND p_end
    AND e.superseded_by IS NULL AND e.result <> 'not_tested'
    AND (p_kind <> 'emergency_lighting_test' OR EXISTS (
      SELECT FROM public.emergency_lighting_tests t WHERE t.id = e.id AND t.test_type = 'monthly_function'))
  GROUP BY e.subject_key
$$;
--> statement-breakpoint
-- How far a kind of check is done at a building in a period. `subjects` is null for a kind about named places; `days` is the
-- most on which one subject was tested, `last` the last of them. Subjects are those in use at the end of the period, so that
-- a past period is not judged by what is there today. In a period before the first asset was added, nothing tells what was
-- in use, and a record completes it. Names of kinds and tests are those of `shared/features/checks/kinds.vocabulary.ts`.
CREATE FUNCTION "check_coverage"(p_building uuid, p_kind text, p_start date, p_end date,
  OUT done integer, OUT subjects integer, OUT days integer, OUT last date, OUT is_complete boolean)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  types text[];
  times integer;
  zone text;
BEGIN
  SELECT k.subject_types INTO types FROM public.pulse_kinds k WHERE k.kind = p_kind;
  SELECT CASE WHEN p.is_due THEN p.times ELSE 1 END INTO times FROM public.check_plans p
    WHERE p.building_id = p_building AND p.kind = p_kind AND p.starts_on <= p_end ORDER BY p.starts_on DESC LIMIT 1;
  times := coalesce(times, 1);
  IF types IS NULL THEN
    SELECT count(*) FILTER (WHERE cardinality(t.tested_on) >= times)::integer, max(cardinality(t.tested_on)),
        max(t.tested_on[cardinality(t.tested_on)])
      INTO done, days, last FROM public.check_tested(p_building, p_kind, p_start, p_end) t;
  ELSE
    SELECT time_zone INTO zone FROM public.settings;
    SELECT count(*) FILTER (WHERE cardinality(t.tested_on) >= times)::integer, count(*)::integer,
        max(cardinality(t.tested_on)), max(t.tested_on[cardinality(t.tested_on)])
      INTO done, subjects, days, last
      FROM (
        SELECT id FROM public.assets
        WHERE building_id = p_building AND effective_type COLLATE "C" = ANY (types)
          AND (created_at AT TIME ZONE zone)::date <= p_end
          AND (retired_at IS NULL OR (retired_at AT TIME ZONE zone)::date > p_end)
      ) a LEFT JOIN public.check_tested(p_building, p_kind, p_start, p_end) t ON t.subject_key = a.id::text;
    IF subjects = 0 THEN
      SELECT max(cardinality(t.tested_on)), max(t.tested_on[cardinality(t.tested_on)]) INTO days, last
        FROM public.check_tested(p_building, p_kind, p_start, p_end) t;
    END IF;
  END IF;
  days := coalesce(days, 0);
  is_complete := CASE WHEN subjects > 0 THEN done = subjects ELSE days >= times END;
END $$;
--> statement-breakpoint
-- The first and the last day of the period at a place (from 1) in the letters of a year. Weeks begin on Fridays.
CREATE FUNCTION "check_period"(p_kind text, p_year integer, p_place integer, OUT starts date, OUT ends date)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  new_year date := make_date(p_year, 1, 1);
BEGIN
  IF (SELECT k.cadence = 'monthly' FROM public.pulse_kinds k WHERE k.kind = p_kind) THEN
    starts := make_date(p_year, p_place, 1);
    ends := (starts + interval '1 month')::date - 1;
  ELSE
    starts := new_year + (12 - extract(isodow FROM new_year)::integer) % 7 + 7 * (p_place - 1);
    ends := starts + 6;
  END IF;
END $$;
--> statement-breakpoint
-- The last day on which a kind was done at a building in the newest complete period that begins before a day; null if none.
CREATE FUNCTION "last_complete_before"(p_building uuid, p_kind text, p_day date) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (public.check_coverage(p_building, p_kind, period.starts, period.ends)).last
  FROM public.check_years y
  CROSS JOIN LATERAL generate_series(length(y.cells), 1, -1) place
  CROSS JOIN LATERAL public.check_period(p_kind, y.year, place) period
  WHERE y.building_id = p_building AND y.kind = p_kind AND y.year <= extract(year FROM p_day)
    AND substr(y.cells, place, 1) IN ('p', 'f') AND period.starts < p_day
  ORDER BY y.year DESC, place DESC LIMIT 1
$$;
--> statement-breakpoint
-- Periods that are known already: one that was passed or failed, but not by every subject, becomes q or g.
UPDATE "check_years" y SET "cells" = judged.cells
FROM (
  SELECT k.kind, k.year, k.building_id, string_agg(
    CASE WHEN letter NOT IN ('p', 'f') THEN letter
      WHEN (public.check_coverage(k.building_id, k.kind, period.starts, period.ends)).is_complete THEN letter
      WHEN letter = 'p' THEN 'q' ELSE 'g' END, '' ORDER BY place) AS cells
  FROM "check_years" k
  CROSS JOIN LATERAL regexp_split_to_table(k.cells, '') WITH ORDINALITY each(letter, place)
  CROSS JOIN LATERAL public.check_period(k.kind, k.year, place::integer) period
  GROUP BY 1, 2, 3
) judged
WHERE judged.kind = y.kind AND judged.year = y.year AND judged.building_id = y.building_id AND judged.cells <> y.cells;
--> statement-breakpoint
UPDATE "check_schedules" SET "last_complete_on" = public.last_complete_before(building_id, kind, 'infinity');
--> statement-breakpoint
-- Judges the checks of a building on a day, as the cards do (`server/features/checks/check-cards.queries.ts`).
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
