-- Returns the first and the last day of a period of a year. `p_place` is the position of its letter in `check_years.cells`,
-- from 1. Weeks begin on Fridays.
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

-- Lists the subjects of a kind that were tested at a building in a period, each with the days of its tests, earliest first.
-- Does not count entries without a result, entries that were corrected, and annual tests of emergency lighting, which are a
-- separate duty.
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

-- Returns how complete a kind of check is at a building in a period:
--   `done`      number of subjects that were tested as often as the plan requires
--   `subjects`  number of subjects in use at the end of the period, so that a past period is not judged by the assets of
--               today; null for a kind about named places
--   `days`      the most days on which any one subject was tested
--   `last`      the last day of a test
-- It is not known which assets were in use in a period before the first asset was added; one record completes such a
-- period. Names of kinds and tests are those of `shared/features/checks/kinds.vocabulary.ts`.
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

-- Returns the last day of a test in the newest complete period that begins before a day; null if there is none.
CREATE FUNCTION "last_complete_before"(p_building uuid, p_kind text, p_day date) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (public.check_coverage(p_building, p_kind, period.starts, period.ends)).last
  FROM public.check_years y
  CROSS JOIN LATERAL generate_series(length(y.cells), 1, -1) place
  CROSS JOIN LATERAL public.check_period(p_kind, y.year, place) period
  WHERE y.building_id = p_building AND y.kind = p_kind AND y.year <= extract(year FROM p_day)
    AND substr(y.cells, place, 1) IN ('p', 'f') AND period.starts < p_day
  ORDER BY y.year DESC, place DESC LIMIT 1
$$;
