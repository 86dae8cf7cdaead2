/**
 * The embedded Postgres cannot run here, for a reason that the operator can fix. Print the message without a stack
 * trace.
 */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Advice at the end of every refusal, because it always works. */
export const USE_DATABASE_URL =
  'Or bring your own Postgres (17 or later): DATABASE_URL=postgres://user:password@host:5432/database';
