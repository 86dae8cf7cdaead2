import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { profiles } from './people.ts';

/**
 * Secrets of authenticator apps (TOTP), one per person. Stored unencrypted, because the server must compute the codes, and a
 * key that encrypts them would be stored in the same database.
 */
export const totpSecrets = pgTable('totp_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => profiles.id),
  /** Base32. */
  secret: text('secret').notNull(),
  /** The time step of the newest code that was accepted; neither it nor an earlier one is accepted again. */
  lastStep: integer('last_step').notNull(),
  createdAt: instant('created_at').notNull(),
});

/** Recovery codes, each good for one sign-in in place of the authenticator app's code. A used one is deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    /** SHA-256, hex: a code has 120 random bits, so it cannot be guessed from its hash. */
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);
