/**
 * The embedded Postgres cannot be had here, for a reason that a person can act on. The message is written for the
 * person at the terminal: print it as it is, without a stack.
 */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** The way out that always exists, so every refusal ends with it. */
export const USE_DATABASE_URL =
  'Or bring your own Postgres (14 or later): DATABASE_URL=postgres://user:password@host:5432/database';
