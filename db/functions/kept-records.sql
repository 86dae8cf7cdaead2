-- Records of safety checks are never changed or deleted. A correction is a new entry.
CREATE FUNCTION "refuse_change_of_records"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'records of safety checks are never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "operative_visits_kept" BEFORE DELETE OR TRUNCATE ON "operative_visits"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "check_entries_kept" BEFORE DELETE OR TRUNCATE ON "check_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "fire_alarm_tests_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "fire_alarm_tests"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "emergency_lighting_tests_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "emergency_lighting_tests"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "water_temperature_checks_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "water_temperature_checks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "outlet_flushing_checks_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "outlet_flushing_checks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "call_point_visual_checks_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "call_point_visual_checks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "false_alarms_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "false_alarms"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

CREATE TRIGGER "operative_visits_handed_in" BEFORE UPDATE OF "filled_at_once", "filled_of", "open_seconds" ON "operative_visits"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_records"();

-- The recorded columns of an entry never change. The other columns store its consequences, and are written later.
CREATE FUNCTION "keep_words_of_record"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.visit_id, NEW.building_id, NEW.kind, NEW.visit_date, NEW.subject_key, NEW.subject_name, NEW.result)
    IS DISTINCT FROM
    (OLD.id, OLD.visit_id, OLD.building_id, OLD.kind, OLD.visit_date, OLD.subject_key, OLD.subject_name, OLD.result)
  THEN
    RAISE EXCEPTION 'a line of a safety check is corrected by another, never changed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "check_entries_unchanged" BEFORE UPDATE ON "check_entries"
  FOR EACH ROW EXECUTE FUNCTION "keep_words_of_record"();

-- The record of a task is never changed or deleted. An error in it is undone or corrected by a new line.
CREATE FUNCTION "refuse_change_of_task_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of a task is never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "task_lines_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "task_lines"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_task_lines"();

CREATE TRIGGER "tasks_kept" BEFORE DELETE OR TRUNCATE ON "tasks"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_task_lines"();
