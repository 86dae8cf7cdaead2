import { bigint, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bytea, id, instant } from './columns.ts';
import { profiles, sessions } from './people.ts';

/** Passkeys (WebAuthn credentials) with which people sign in. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    /** The credential's id, base64url. */
    credentialId: text('credential_id').notNull(),
    /** COSE. */
    publicKey: bytea('public_key').notNull(),
    /** Signature counter of the last use; always 0 for authenticators that do not count, such as synchronised ones. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    /** The host at which it was made, and the only host where it can be used (relying party id). */
    rpId: text('rp_id').notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialId), index('passkeys_user').on(t.userId)],
);

/** Sessions that began with a passkey, which end when it is removed. */
export const passkeySessions = pgTable(
  'passkey_sessions',
  {
    sessionId: text('session_id')
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    passkeyId: uuid('passkey_id')
      .notNull()
      .references(() => passkeys.id, { onDelete: 'cascade' }),
  },
  (t) => [index('passkey_sessions_passkey').on(t.passkeyId)],
);

/** Challenges that an authenticator has signed, until they expire: each is accepted once. */
export const usedChallenges = pgTable('used_challenges', {
  challenge: text('challenge').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});
