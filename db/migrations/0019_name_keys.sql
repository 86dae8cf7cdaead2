-- The keys of names, as `shared/name-keys.ts` computes them too: what is compared and must be unique, what is searched, and what
-- lists are ordered by. Lower case is that of Postgres itself, whatever the locale of the database. Text in ASCII, which is
-- most, needs neither of the two normalisations.
--
-- The tables are written anew, with those of their indexes that must hold from the first row on; they are locked meanwhile, a
-- few seconds for a hundred thousand assets.
CREATE FUNCTION "tidy_name"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN normalize(btrim(regexp_replace(regexp_replace(regexp_replace("given",
  '[`\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032]', '''', 'g'),
  '[\u201c-\u201f\u2033]', '"', 'g'),
  '[\u0009-\u000d \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g')), NFC);
--> statement-breakpoint
CREATE FUNCTION "tidy_ascii"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(replace(lower("given" COLLATE "pg_c_utf8"), '`', ''''), '[\u0009-\u000d ]{2,}|[\u0009-\u000d]', ' ', 'g'));
--> statement-breakpoint
CREATE FUNCTION "name_key"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length("given") = char_length("given") THEN "tidy_ascii"("given")
  ELSE "tidy_name"(replace(lower(normalize("given", NFD) COLLATE "pg_c_utf8"), 'ς', 'σ')) END;
--> statement-breakpoint
CREATE FUNCTION "search_key"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length("given") = char_length("given") THEN "tidy_ascii"("given")
  ELSE "tidy_name"(replace(replace(replace(replace(translate(
    regexp_replace(lower(normalize("given", NFD) COLLATE "pg_c_utf8"), '[\u0300-\u036f]', '', 'g'),
    'ςøđðħıłŧ', 'σoddhilt'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')) END;
--> statement-breakpoint
CREATE FUNCTION "sort_key"("given" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(regexp_replace("search_key"("given"), '[0-9]+', '0000000000\&', 'g'), '0*([0-9]{10,})', '\1', 'g');
--> statement-breakpoint
LOCK TABLE "clients", "buildings", "floors", "disciplines", "profiles", "displays", "test_points", "assets", "building_issues", "building_documents", "tasks", "check_entries" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
DROP INDEX "clients_name_key", "disciplines_name_key", "test_points_name", "buildings_name", "assets_name", "assets_type", "assets_last_visit", "assets_building_name", "assets_retired";
--> statement-breakpoint
DROP INDEX IF EXISTS "building_issues_beginning";--> statement-breakpoint
DROP INDEX IF EXISTS "building_documents_all_by_name";--> statement-breakpoint
DROP INDEX IF EXISTS "building_documents_beginning";--> statement-breakpoint
DROP INDEX "building_documents_name_once";--> statement-breakpoint
DROP INDEX IF EXISTS "building_documents_search";--> statement-breakpoint
ALTER TABLE "clients"
  ADD COLUMN "name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
  ADD COLUMN "search_key" text GENERATED ALWAYS AS (search_key("name")) STORED NOT NULL,
  ADD COLUMN "sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "buildings"
  ADD COLUMN "name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
  ADD COLUMN "sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL,
  ADD COLUMN "search_text" text GENERATED ALWAYS AS (search_key("name") || E'\n' || search_key("code") || E'\n' || search_key(coalesce("address", ''))) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "floors"
  ADD COLUMN "name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "disciplines"
  ADD COLUMN "name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
  ADD COLUMN "search_key" text GENERATED ALWAYS AS (search_key("name")) STORED NOT NULL,
  ADD COLUMN "sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "profiles"
  ADD COLUMN "sort_key" text GENERATED ALWAYS AS (sort_key(coalesce(nullif(trim("first_name" || ' ' || "last_name"), ''), "email"))) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "displays"
  ADD COLUMN "sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "test_points"
  ADD COLUMN "name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
  ADD COLUMN "sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "tasks"
  ADD COLUMN "name_key" text GENERATED ALWAYS AS (name_key("compliance_system") || E'\n' || name_key("task_description")) STORED NOT NULL,
  ADD COLUMN "responsible_key" text GENERATED ALWAYS AS (name_key("responsible_person")) STORED NOT NULL,
  ADD COLUMN "search_text" text GENERATED ALWAYS AS (search_key("task_number") || E'\n' || search_key("compliance_system" || case when "compliance_system" = '' or "task_description" = '' then '' else ' – ' end || "task_description") || E'\n' || search_key("responsible_person")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "assets"
  ALTER COLUMN "effective_type" SET EXPRESSION AS (case when "type" <> 'asset' then "type"
          when name_key("name") like '%emergency light%' then 'emergency_light'
          when name_key("name") like '%water outlet%' then 'water_outlet'
          else 'asset' end),
  ALTER COLUMN "search_text" SET EXPRESSION AS (search_key("name") || E'\n' || search_key("description") || E'\n' || search_key("location")),
  ADD COLUMN "name_key" text GENERATED ALWAYS AS (name_key("name")) STORED NOT NULL,
  ADD COLUMN "search_key" text GENERATED ALWAYS AS (search_key("name")) STORED NOT NULL,
  ADD COLUMN "sort_key" text GENERATED ALWAYS AS (sort_key("name")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "building_issues"
  ALTER COLUMN "search_text" SET EXPRESSION AS (search_key("reference_number") || E'\n' || search_key("title") || E'\n' || search_key("description")),
  ADD COLUMN "search_key" text GENERATED ALWAYS AS (search_key("title")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "building_documents"
  ALTER COLUMN "name_key" SET EXPRESSION AS (name_key("file_name")),
  ALTER COLUMN "sort_key" SET EXPRESSION AS (sort_key("file_name")),
  ADD COLUMN "search_key" text GENERATED ALWAYS AS (search_key("file_name")) STORED NOT NULL;
--> statement-breakpoint
-- Where several names have become one, all but the first get the lowest free number: "Plan (2).pdf", within the longest that a
-- name may be.
CREATE FUNCTION "part_twins"(p_table regclass, p_name text, p_since text, p_scope text, p_used text, p_extended text, p_most integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  twin record;
  stem text;
  ending text;
  wanted text;
  number integer;
  is_taken boolean;
BEGIN
  FOR twin IN EXECUTE format(
    'SELECT id, text, scope, is_extended FROM (
      SELECT id, %1$I AS text, (%2$s)::text AS scope, %3$s AS is_extended,
        %4$I AS since, row_number() OVER (PARTITION BY %2$s, name_key ORDER BY %4$I, id) AS place
      FROM %5$s WHERE %6$s) numbered WHERE place > 1 ORDER BY since, id', p_name, p_scope, p_extended, p_since, p_table, p_used)
  LOOP
    -- As `numberedName` does for documents.
    ending := coalesce(CASE WHEN twin.is_extended THEN substring(twin.text FROM '[^.](\.[^.\s]{1,16})$') END, '');
    stem := left(twin.text, length(twin.text) - length(ending));
    number := 2;
    LOOP
      wanted := ' (' || number || ')' || ending;
      wanted := rtrim(left(stem, p_most - length(wanted))) || wanted;
      EXECUTE format('SELECT EXISTS (SELECT FROM %1$s WHERE (%2$s)::text = $1 AND name_key = public.name_key($2) AND %3$s)',
        p_table, p_scope, p_used) INTO is_taken USING twin.scope, wanted;
      EXIT WHEN NOT is_taken;
      number := number + 1;
    END LOOP;
    EXECUTE format('UPDATE %1$s SET %2$I = $1, version = version + 1 WHERE id = $2', p_table, p_name) USING wanted, twin.id;
  END LOOP;
END $$;
--> statement-breakpoint
SELECT part_twins('clients', 'name', 'created_at', 'true', 'true', 'false', 200);--> statement-breakpoint
SELECT part_twins('disciplines', 'name', 'created_at', 'true', 'true', 'false', 80);--> statement-breakpoint
SELECT part_twins('test_points', 'name', 'added_at', '(building_id, kind)', 'true', 'false', 200);--> statement-breakpoint
SELECT part_twins('building_documents', 'file_name', 'uploaded_at', '(building_id, container_id, is_folder)', 'deleted_at IS NULL', 'NOT is_folder', 255);--> statement-breakpoint
DROP FUNCTION "part_twins";--> statement-breakpoint
CREATE UNIQUE INDEX "clients_name_key" ON "clients" USING btree ("name_key" collate "C");--> statement-breakpoint
CREATE UNIQUE INDEX "disciplines_name_key" ON "disciplines" USING btree ("name_key" collate "C");--> statement-breakpoint
CREATE UNIQUE INDEX "test_points_name" ON "test_points" USING btree ("building_id","kind","name_key" collate "C");--> statement-breakpoint
CREATE UNIQUE INDEX "building_documents_name_once" ON "building_documents" USING btree ("building_id","container_id","is_folder","name_key" collate "C") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
-- As in 0007: without the extension, a search reads the building's documents.
DO $$
BEGIN
  CREATE INDEX "building_documents_search" ON "building_documents" USING gin ("search_key" gin_trgm_ops);
EXCEPTION
  WHEN undefined_object OR invalid_parameter_value THEN
    RAISE NOTICE 'pg_trgm is not available: searches through documents read the table';
END $$;
--> statement-breakpoint
-- Entries about places are found by the key of the place. It is no part of what was recorded, which is the name.
ALTER TABLE "check_entries" DISABLE TRIGGER "check_entries_unchanged";--> statement-breakpoint
UPDATE "check_entries" SET "subject_key" = name_key("subject_name")
  WHERE "asset_id" IS NULL AND "subject_key" <> name_key("subject_name");--> statement-breakpoint
ALTER TABLE "check_entries" ENABLE TRIGGER "check_entries_unchanged";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "buildings_name" ON "buildings" USING btree ("sort_key" collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_name" ON "assets" USING btree ("sort_key" collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_type" ON "assets" USING btree ("effective_type" collate "C","sort_key" collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_last_visit" ON "assets" USING btree (coalesce("last_visit_date", '0001-01-01'::date),"sort_key" collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_building_name" ON "assets" USING btree ("building_id","sort_key" collate "C","id","retired_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_beginning" ON "assets" USING btree ("search_key" collate "C");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assets_retired" ON "assets" USING btree ("sort_key" collate "C","id") WHERE "assets"."retired_at" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_issues_beginning" ON "building_issues" USING btree ("search_key" collate "C");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_all_by_name" ON "building_documents" USING btree ("building_id","is_folder","sort_key" collate "C","id","search_key") WHERE "building_documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "building_documents_beginning" ON "building_documents" USING btree ("building_id","search_key" collate "C") WHERE "building_documents"."deleted_at" is null;
