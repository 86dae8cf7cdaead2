import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { LINKED_BY } from '#shared/features/users/sign-in.ts';
import { id, instant } from './columns.ts';
import { profiles, sessions } from './people.ts';

/**
 * External accounts of people at identity providers. A row without a subject is a permission given by an administrator:
 * the next sign-in with the person's verified e-mail address links the account and sets the subject.
 */
export const externalIdentities = pgTable(
  'external_identities',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    /** The id of the provider in the sign-in file. */
    provider: text('provider').notNull(),
    /** The `sub` claim: the provider's id of the account. Unlike an e-mail address, it never changes. */
    subject: text('subject'),
    linkedBy: text('linked_by', { enum: LINKED_BY }).notNull(),
    /** The administrator who allowed it. */
    allowedBy: uuid('allowed_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    uniqueIndex('external_identities_subject').on(t.provider, t.subject),
    uniqueIndex('external_identities_person').on(t.userId, t.provider),
  ],
);

/** Sessions that began with a sign-in at a provider, which can end them by back-channel logout. */
export const externalSessions = pgTable(
  'external_sessions',
  {
    sessionId: text('session_id')
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    /** The `sid` claim: the provider's id of its own session; null if the ID token has none. */
    sid: text('sid'),
  },
  (t) => [index('external_sessions_subject').on(t.provider, t.subject)],
);
