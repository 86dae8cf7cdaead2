/**
 * Selects a row for each statement that waits for a lock in this database. `pg_locks` alone shows the whole server, on
 * which other test files work at the same time.
 */
export const LOCK_WAITS = `
  select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
